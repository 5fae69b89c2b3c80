//! A float beside other parameters of types, what people write with `num-traits`, and floats under other names.

use std::fmt::{Debug, Display};
use std::iter::Sum;

use num_traits::real::Real;
use num_traits::{Float, FloatConst, FromPrimitive, NumAssign, NumCast, Zero, cast};
use retrograde::{Differentiable, Record, Tape, gradient, no_gradient};

use crate::support::{assert_close, check, check_exact};

/// A trait with derivatives, at the other parameter.
#[gradient]
trait Model {
    fn energy(&self, x: f64) -> f64;
}

#[derive(Clone, Debug, Differentiable)]
struct Spring {
    stiffness: f64,
}

#[gradient]
impl Model for Spring {
    fn energy(&self, x: f64) -> f64 {
        self.stiffness * x * x
    }
}

#[gradient]
fn with_model<T: Float, M: Model>(model: &M, x: T) -> T {
    let e = model.energy(x.to_f64().unwrap());
    x * T::from(e).unwrap()
}

#[test]
fn a_float_and_a_model() {
    let spring = |k: f64| Spring { stiffness: k };
    check_exact(
        |p| with_model(&spring(p[0]), p[1]),
        |p| {
            let (value, (m, dx)) = with_model_grad(&spring(p[0]), p[1]);
            (value, (m.stiffness, dx))
        },
        |p| vec![p[1].powi(3), 3.0 * p[0] * p[1] * p[1]],
        &[&[2.0, 0.5], &[-1.0, 1.5]],
    );
    let (value, (m, dx)) = with_model_grad(&spring(2.0), 0.5_f32);
    assert_eq!((value, m.stiffness, dx), (0.25, 0.125, 1.5));
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Point {
    x: f64,
}

/// Values of any type, moved and compared.
#[gradient]
fn matching<T: Float, K: PartialEq + Copy>(x: &[T], keys: &[K], key: K) -> T {
    let mut s = T::zero();
    for i in 0..x.len() {
        if keys[i] == key {
            s = s + x[i] * x[i];
        }
    }
    s
}

#[gradient]
fn chosen<T: Float, V: Copy + Record>(x: T, values: &[V], i: usize) -> (T, V) {
    let v = values[i];
    (x * x, v)
}

#[gradient]
fn of_chosen(x: f64, points: &[Point]) -> f64 {
    let (a, b) = chosen(x, points, 1);
    a * b.x
}

#[test]
fn a_float_and_any_value() {
    let (value, (dx, (), ())) = (matching(&[4.0, 2.0, 3.0], &['a', 'b', 'a'], 'a'), {
        let (_, (dx, _, ())) = matching_grad(&[4.0, 2.0, 3.0], &['a', 'b', 'a'], 'a');
        (dx, (), ())
    });
    assert_eq!((value, dx), (25.0, vec![8.0, 0.0, 6.0]));
    let points = [Point { x: 1.0 }, Point { x: 3.0 }];
    let (value, (dx, dv)) = of_chosen_grad(4.0, &points);
    assert_eq!((value, dx, dv[0].x, dv[1].x), (48.0, 24.0, 0.0, 16.0));
}

/// Parameters that carry no derivative.
#[gradient]
fn constant_parameters<T: Float, I: Into<usize>, L: Display, F: Fn(usize) -> f64>(
    x: T,
    #[constant] n: I,
    #[constant] label: &L,
    #[constant] weight: F,
) -> T {
    let n: usize = n.into();
    assert!(!label.to_string().is_empty(), "{label}");
    let w: f64 = weight(n);
    x.powi(n as i32) * T::from(w).unwrap()
}

#[test]
fn constants_of_any_type() {
    let weight = |n| n as f64 + 0.5;
    let (value, dx) = constant_parameters_grad(2.0, 3_u8, &"power", weight);
    assert_eq!((value, dx), (28.0, 42.0));
    let (value, dx) = constant_parameters_grad(2.0_f32, 2_usize, &'p', weight);
    assert_eq!((value, dx), (10.0, 10.0));
}

/// `Into<f64>`, and a result of another width.
#[gradient]
fn area<T: Into<f64> + Copy>(r: T, h: f64) -> f64 {
    let r: f64 = r.into();
    std::f64::consts::PI * r * r * h
}

#[gradient]
fn narrowed<F: Float>(x: f64) -> F {
    F::from(x * x).expect("it fits")
}

#[gradient]
fn cast_from<F: Float>(x: f64, y: f64) -> F {
    let a: F = NumCast::from(x * y).unwrap();
    let b = cast::<f64, F>(x).unwrap() * <F as NumCast>::from(y).expect("it fits");
    if x < 0.0 {
        return cast(x * x).unwrap();
    }
    if y < 0.0 {
        num_traits::cast(y).unwrap()
    } else {
        a * b
    }
}

/// `into` on an expression.
#[gradient]
fn waves<T: Float + FromPrimitive + Into<f64>>(x: &[T]) -> T {
    let mut s = T::zero();
    for &v in x {
        s = s + T::from_f64((v * v).into().cos()).unwrap();
    }
    s
}

#[test]
fn casts_to_the_parameter() {
    for [x, y, dx, dy] in [
        [1.5, 2.0, 12.0, 9.0],
        [-1.5, 2.0, -3.0, 0.0],
        [0.5, -2.0, 0.0, 1.0],
    ] {
        let (value, slopes): (f64, _) = cast_from_grad(x, y);
        assert_eq!(value, cast_from::<f64>(x, y));
        assert_eq!(slopes, (dx, dy));
        let (value, slopes): (f32, _) = cast_from_grad(x, y);
        assert_eq!(value, cast_from::<f32>(x, y));
        assert_eq!(slopes, (dx, dy));
    }
    check(
        |p| waves(p),
        |p| waves_grad(p),
        &[&[0.5, 1.5], &[-0.7, 0.2]],
    );
    let (value, dx) = waves_grad(&[0.5_f32]);
    assert_eq!(value.to_bits(), waves(&[0.5_f32]).to_bits());
    assert_close(&[dx[0].into()], &[-(0.25_f64.sin())], 1e-6, &[]);
}

#[test]
fn conversions() {
    let pi = std::f64::consts::PI;
    check_exact(
        |p| area(p[0], p[1]),
        |p| area_grad(p[0], p[1]),
        |p| vec![2.0 * pi * p[0] * p[1], pi * p[0] * p[0]],
        &[&[0.5, 2.0], &[1.5, -1.0]],
    );
    let (value, (dr, dh)) = area_grad(0.5_f32, 2.0);
    assert_eq!(value, area(0.5, 2.0));
    assert_eq!((dr, dh), ((2.0 * pi) as f32, pi * 0.25));
    let (value, dx): (f32, f64) = narrowed_grad(1.5);
    assert_eq!((value, dx), (2.25, 3.0));
}

/// What `num-traits` offers, in the forms that people write.
#[gradient]
fn forms<T>(x: T, y: T, v: &[T]) -> T
where
    T: Real + FloatConst + FromPrimitive + NumAssign + Sum + Copy + Debug + 'static,
    for<'a> T: Sum<&'a T>,
{
    let two: T = NumCast::from(2.0).unwrap();
    let half: T = cast(0.5).unwrap();
    let n = cast::<usize, T>(v.len()).unwrap();
    let zero: T = Zero::zero();
    let third = <T as NumCast>::from(1).unwrap() / T::from_u8(3).unwrap();
    let mut s: T = v.iter().sum();
    s += v.iter().copied().map(|e| e * third).sum::<T>() / n;
    s -= zero;
    if x.is_sign_negative() || y > <T as FloatConst>::PI() {
        return s * T::max(x, y) - half;
    }
    let (sin, cos) = y.sin_cos();
    let root = <T as Real>::sqrt(x) + Real::powi(x, 3);
    s * x.mul_add(y, two) + sin * cos + root + x.powf(half) + x.hypot(y) + y.to_degrees().recip()
}

#[test]
fn what_people_write() {
    for p in [
        [0.7, 1.2, 0.3, 0.5, -1.5],
        [2.5, 0.4, 1.3, -0.5, 0.1],
        [-0.7, 1.2, 0.3, 0.5, 0.2],
        [0.3, 3.5, -0.3, 2.5, 0.1],
    ] {
        check(
            |p| forms(p[0], p[1], &p[2..]),
            |p| forms_grad(p[0], p[1], &p[2..]),
            &[&p],
        );
        let q = p.map(|v| v as f32);
        let (value, (dx, _, _)) = forms_grad(q[0], q[1], &q[2..]);
        assert_eq!(value.to_bits(), forms(q[0], q[1], &q[2..]).to_bits());
        let (_, (want, _, _)) = forms_grad(p[0], p[1], &p[2..]);
        assert_close(&[dx.into()], &[want], 1e-4, &p);
    }
}

/// Tuples, arrays, vectors and options of the parameter.
#[gradient]
fn containers<T: Float>(p: (T, T), q: [T; 2], m: Option<T>, rows: &[[T; 2]]) -> (T, Vec<T>) {
    let mut out = vec![T::zero(); 2];
    for row in rows {
        out[0] = out[0] + row[0] * p.0;
        out[1] = out[1] + row[1] * q[1];
    }
    out.push(m.unwrap_or(T::one()) * q[0]);
    (p.0 * p.1, out)
}

#[gradient]
fn of_containers<T: Float>(x: T, y: T) -> T {
    let (a, out) = containers((x, y), [y, x], Some(x), &[[x, y], [y, y]]);
    let (b, rest) = containers((a, x), [x, a], None, &[[y, x]]);
    out.iter().fold(a, |s, &v| s + v * v) + b * rest[2] + rest[0]
}

#[test]
fn containers_of_floats() {
    check(
        |p| of_containers(p[0], p[1]),
        |p| of_containers_grad(p[0], p[1]),
        &[&[0.5, 1.25], &[-0.75, 0.3], &[2.0, -1.0]],
    );
    let (value, (dx, dy)) = of_containers_grad(0.5_f32, 1.25);
    assert_eq!(value.to_bits(), of_containers(0.5_f32, 1.25).to_bits());
    let (_, (want_x, want_y)) = of_containers_grad(0.5_f64, 1.25);
    assert_close(&[dx.into(), dy.into()], &[want_x, want_y], 1e-5, &[]);
}

/// Floats under names of one's own.
type Real64 = f64;
type F = f32;

#[gradient]
fn of_alias(x: Real64, y: &[Real64], k: F) -> Real64 {
    let z: Real64 = y[0] * x.sin();
    let w: f64 = k as f64;
    z * w + x * Real64::EPSILON
}

#[gradient]
fn squared(x: F) -> F {
    x * x
}

#[gradient]
fn of_squared(x: f32) -> f32 {
    let s: f32 = squared(x);
    s * x
}

#[gradient]
fn of_primitive(x: std::primitive::f64, y: core::primitive::f32) -> core::primitive::f64 {
    x * x * y as f64
}

#[test]
fn floats_under_other_names() {
    check_exact(
        |p| of_alias(p[0], &p[1..2], p[2] as f32),
        |p| of_alias_grad(p[0], &p[1..2], p[2] as f32),
        |p| {
            let (sin, cos) = p[0].sin_cos();
            let slope = (p[1] * sin) as f32;
            vec![p[1] * cos * p[2] + f64::EPSILON, sin * p[2], slope.into()]
        },
        &[&[0.5, 1.5, 2.0], &[1.5, -2.0, 0.25]],
    );
    assert_eq!(squared_grad(3.0), (9.0, 6.0));
    assert_eq!(of_squared_grad(2.0), (8.0, 12.0));
    let mut dx = 5.0;
    let value = squared_grad_into(&mut Tape::new(), 3.0, &mut dx);
    assert_eq!((value, dx), (9.0, 6.0));
    assert_eq!(of_primitive_grad(3.0, 2.0), (18.0, (12.0, 9.0)));
}

/// A helper without derivative, cut, and one that is generic and recursive.
fn rough<T: Float>(x: T) -> T {
    x * x
}

#[gradient]
fn cut<T: Float>(x: T) -> T {
    no_gradient(rough(x)) * x
}

#[gradient]
fn newton<T: Float>(x: T, target: T, steps: usize) -> T {
    if steps == 0 {
        return x;
    }
    let two = T::from(2).unwrap();
    newton(x - (x * x - target) / (two * x), target, steps - 1)
}

#[test]
fn cut_and_recursive() {
    assert_eq!(cut_grad(3.0), (27.0, 9.0));
    check(
        |p| newton(p[0], p[1], 3),
        |p| newton_grad(p[0], p[1], 3),
        &[&[1.0, 2.0], &[2.0, 7.0]],
    );
    let (value, (_, slope)) = newton_grad(1.0_f32, 2.0, 5);
    assert_eq!(value, 2.0_f32.sqrt());
    assert!((slope - 0.5 / 2.0_f32.sqrt()).abs() < 1e-6);
}

/// What a number is multiplied by is one, if nothing else is asked of it.
#[gradient]
fn dot_product<T, U, V>(a: (T, T), b: (U, U)) -> V
where
    T: std::ops::Mul<U, Output = V>,
    V: std::ops::Add<Output = V>,
{
    a.0 * b.0 + a.1 * b.1
}

#[gradient]
fn of_dot_product(x: f64, y: f64) -> f64 {
    dot_product((x, 2.0), (x, y))
}

/// Traits of integers beside those of floats, which have some of their methods.
#[gradient]
fn trapezoid<F: Float, U>(f: impl Fn(F) -> F, a: F, b: F, n: U) -> F
where
    U: num_traits::Unsigned + num_traits::ToPrimitive + Copy,
{
    let n = n.to_usize().unwrap();
    let h = (b - a) / F::from(n).unwrap();
    let mut sum = F::zero();
    for k in 0..n {
        sum = sum + f(a + h * F::from(k).unwrap());
    }
    sum * h
}

#[gradient]
fn of_trapezoid(a: f64, b: f64) -> f64 {
    trapezoid(|x: f64| x * x, a, b, 2_usize)
}

#[test]
fn operands_of_numbers_and_integers() {
    for (x, y) in [(0.5, -2.0), (3.0, 0.25)] {
        assert_eq!(
            of_dot_product_grad(x, y),
            (of_dot_product(x, y), (2.0 * x, 2.0))
        );
        let (value, (da, db)) = of_trapezoid_grad(x, y);
        // (a² + ((a + b) / 2)²) · (b - a) / 2
        let (a, b, mid) = (x, y, (x + y) / 2.0);
        let (h, sum) = ((b - a) / 2.0, a * a + mid * mid);
        assert_eq!(value.to_bits(), of_trapezoid(x, y).to_bits());
        let want = ((2.0 * a + mid) * h - sum / 2.0, mid * h + sum / 2.0);
        assert!(
            (da - want.0).abs() <= 1e-13 * want.0.abs(),
            "{da}, {want:?}"
        );
        assert!(
            (db - want.1).abs() <= 1e-13 * want.1.abs(),
            "{db}, {want:?}"
        );
    }
}
