//! Blocks that are generic over a float, on types that are: `impl<T: Float> Line<T>`.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Index, Mul, Neg, Sub};

use num_traits::{Float, FloatConst, FromPrimitive};
use retrograde::{Differentiable, Record, Tape, gradient};

use crate::support::{assert_close, check, check_exact};

/// A trait of the user's own for floats, as published crates have it.
trait Scalar: Float + FromPrimitive + FloatConst {
    fn three() -> Self;
}

impl<T: Float + FromPrimitive + FloatConst> Scalar for T {
    fn three() -> Self {
        T::from_f64(3.0).unwrap()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Vector<T> {
    x: T,
    y: T,
}

#[gradient]
impl<T: Float> Add for Vector<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Vector {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

#[gradient]
impl<T: Float> Sub for Vector<T> {
    type Output = Vector<T>;

    fn sub(self, other: Vector<T>) -> Vector<T> {
        Vector {
            x: self.x - other.x,
            y: self.y - other.y,
        }
    }
}

#[gradient]
impl<T> Mul<T> for Vector<T>
where
    T: Float,
{
    type Output = Self;

    fn mul(self, factor: T) -> Self::Output {
        Vector {
            x: self.x * factor,
            y: self.y * factor,
        }
    }
}

#[gradient]
impl<T: Neg<Output = T>> Neg for Vector<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Vector {
            x: -self.x,
            y: -self.y,
        }
    }
}

#[gradient]
impl<T: AddAssign> AddAssign for Vector<T> {
    fn add_assign(&mut self, other: Self) {
        self.x += other.x;
        self.y += other.y;
    }
}

#[gradient]
impl<S: Scalar> Vector<S> {
    pub const DIMENSION: usize = 2;

    const fn new(x: S, y: S) -> Self {
        Vector { x, y }
    }

    fn dot(&self, other: Self) -> S {
        self.x * other.x + self.y * other.y
    }

    fn length(self) -> S {
        self.dot(self).sqrt()
    }

    fn angle(&self) -> S {
        let a = self.y.atan2(self.x);
        if a < S::zero() { a + S::TAU() } else { a }
    }

    fn normalize(&mut self) {
        let l = self.length();
        self.x = self.x / l;
        self.y = self.y / l;
    }

    fn dimension(&self) -> usize {
        Self::DIMENSION
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Bezier<S> {
    from: Vector<S>,
    ctrl: Vector<S>,
    to: Vector<S>,
}

#[gradient]
impl<S: Scalar> Bezier<S> {
    fn sample(&self, t: S) -> Vector<S> {
        let one_t = S::one() - t;
        self.from * (one_t * one_t)
            + self.ctrl * (S::from(2.0).unwrap() * one_t * t)
            + self.to * (t * t)
    }

    fn split(&self, t: S) -> (Bezier<S>, Self) {
        let middle = self.sample(t);
        let ctrl = self.from + (self.ctrl - self.from) * t;
        let after = Bezier {
            from: middle,
            ctrl: self.ctrl + (self.to - self.ctrl) * t,
            to: self.to,
        };
        (
            Bezier {
                from: self.from,
                ctrl,
                to: middle,
            },
            after,
        )
    }

    fn before_and_after(&self, t: S) -> S {
        let (before, after) = self.split(t);
        before.sample(S::half_()).length() * after.sample(t).angle() * S::three()
    }

    /// Called recursively, with a further parameter.
    fn length<const N: usize>(&self, #[constant] depth: usize) -> S {
        if depth == 0 {
            let mut length = S::zero();
            for i in 0..N {
                let (a, b) = (S::from_usize(i).unwrap(), S::from_usize(i + 1).unwrap());
                let n = S::from_usize(N).unwrap();
                length = length + (self.sample(b / n) - self.sample(a / n)).length();
            }
            return length;
        }
        let (a, b) = self.split(S::half_());
        Self::length::<N>(&a, depth - 1) + Self::length::<N>(&b, depth - 1)
    }
}

/// Another constant of one's own.
trait Half {
    fn half_() -> Self;
}

impl<T: Float> Half for T {
    fn half_() -> T {
        T::one() / (T::one() + T::one())
    }
}

/// Functions that take such values, and make some.
#[gradient]
fn bent<T: Scalar + AddAssign>(b: &Bezier<T>, t: T) -> T {
    let p = b.sample(t);
    let mut q = Vector::new(p.y, p.x * p.x);
    q += -p;
    q.normalize();
    q.dot(p) + Bezier::<T>::length::<3>(b, 1) + T::from_usize(p.dimension()).unwrap()
}

#[gradient]
fn bent_f64(b: &Bezier<f64>, t: f64) -> f64 {
    b.before_and_after(t) + Vector::<f64>::new(t, b.from.x).length()
}

fn bezier(p: &[f64]) -> Bezier<f64> {
    Bezier {
        from: Vector { x: p[0], y: p[1] },
        ctrl: Vector { x: p[2], y: p[3] },
        to: Vector { x: p[4], y: p[5] },
    }
}

fn numbers(d: BezierTangent<f64>) -> [f64; 6] {
    [d.from.x, d.from.y, d.ctrl.x, d.ctrl.y, d.to.x, d.to.y]
}

const CURVES: [[f64; 7]; 4] = [
    [0.0, 0.1, 1.0, 2.0, 3.0, -0.5, 0.3],
    [-1.0, 0.5, 0.7, -2.0, 0.3, 1.5, 0.25],
    [2.0, 1.0, -0.5, 0.25, -3.0, -4.0, 0.55],
    [0.4, -0.9, 1.3, 0.2, 1.6, 0.8, 0.4],
];

#[test]
fn methods_and_operators() {
    for p in CURVES {
        check(
            |p| bezier(p).before_and_after(p[6]),
            |p| {
                let (value, (d, dt)) = bezier(p).before_and_after_grad(p[6]);
                (value, (numbers(d), dt))
            },
            &[&p],
        );
        check(
            |p| bent(&bezier(p), p[6]),
            |p| {
                let (value, (d, dt)) = bent_grad(&bezier(p), p[6]);
                (value, (numbers(d), dt))
            },
            &[&p],
        );
        check(
            |p| bent_f64(&bezier(p), p[6]),
            |p| {
                let (value, (d, dt)) = bent_f64_grad(&bezier(p), p[6]);
                (value, (numbers(d), dt))
            },
            &[&p],
        );
        check(
            |p| bezier(p).length::<4>(2),
            |p| {
                let (value, d) = bezier(p).length_grad::<4>(2);
                (value, numbers(d))
            },
            &[&p[..6]],
        );
    }
}

#[test]
fn at_the_other_width() {
    for p in CURVES {
        let wide = bezier(&p);
        let narrow = |v: Vector<f64>| Vector {
            x: v.x as f32,
            y: v.y as f32,
        };
        let b = Bezier {
            from: narrow(wide.from),
            ctrl: narrow(wide.ctrl),
            to: narrow(wide.to),
        };
        let t = p[6] as f32;
        let (value, (d, dt)) = b.before_and_after_grad(t);
        assert_eq!(value.to_bits(), b.before_and_after(t).to_bits());
        let (_, (want, want_t)) = wide.before_and_after_grad(p[6]);
        let got = [d.from.x, d.from.y, d.ctrl.x, d.ctrl.y, d.to.x, d.to.y].map(f64::from);
        assert_close(&got, &numbers(want), 1e-4, &p);
        assert_close(&[f64::from(dt)], &[want_t], 1e-4, &p);
        let (value, _): (f32, _) = bent_grad(&b, t);
        assert_eq!(value.to_bits(), bent(&b, t).to_bits());
    }
}

/// All forms of a method's gradient.
#[test]
fn the_family_of_a_method() {
    let b = bezier(&CURVES[1]);
    let (value, (want, want_t)) = b.before_and_after_grad(0.25);
    let tape = &mut Tape::new();
    let mut d = b.zero_tangent();
    let mut dt = 7.0;
    assert_eq!(
        b.before_and_after_grad_into(tape, &mut d, 0.25, &mut dt),
        value
    );
    assert_eq!((d, dt), (want, want_t));
    let again = b.before_and_after_try_adjoint(tape, &mut d, 0.25, &mut dt, 1.0);
    assert_eq!(again.expect("in memory"), value);
    assert_eq!(dt, 2.0 * want_t);

    let mut v = Vector { x: 3.0_f32, y: 4.0 };
    let mut dv = v.zero_tangent();
    dv.x = 1.0;
    v.normalize_adjoint(tape, &mut dv, ());
    assert_eq!(v, Vector { x: 0.6, y: 0.8 });
    assert_close(
        &[f64::from(dv.x), f64::from(dv.y)],
        &[16.0 / 125.0, -12.0 / 125.0],
        1e-6,
        &[],
    );
}

/// With vectors, another parameter, and bounds in a `where` clause that name the parameter.
#[derive(Clone, Debug, Differentiable)]
struct Poly<T, const N: usize> {
    c: [T; N],
    tail: Vec<T>,
}

#[gradient]
impl<T, const N: usize> Poly<T, N>
where
    T: Float + Debug + 'static,
    for<'a> &'a T: Mul<T, Output = T>,
    [T; N]: Index<usize, Output = T>,
{
    fn eval(&self, x: T) -> T {
        let mut s = self.tail.iter().rev().fold(T::zero(), |s, &c| s * x + c);
        for i in (0..N).rev() {
            s = s * x + self.c[i];
        }
        s
    }

    fn derivative(&self, x: T) -> T {
        let mut s = T::zero();
        for (i, c) in self.c.iter().enumerate() {
            if i > 0 {
                s = s + *c * T::from(i).unwrap() * x.powi(i as i32 - 1);
            }
        }
        s
    }

    fn set(&mut self, k: usize, x: T) {
        self.c[k] = self.c[k] * x;
        self.tail.push(x);
    }
}

#[test]
fn vectors_and_const_parameters() {
    let poly = |p: &[f64]| Poly {
        c: [p[0], p[1], p[2]],
        tail: vec![p[3], p[4]],
    };
    let points: [&[f64]; 2] = [
        &[0.3, -1.2, 2.0, 0.5, 1.5, 0.7],
        &[1.0, 0.0, -0.4, 2.0, -0.1, -1.3],
    ];
    check_exact(
        |p| poly(p).eval(p[5]),
        |p| {
            let (value, (d, dx)) = poly(p).eval_grad(p[5]);
            (value, (d.c, d.tail, dx))
        },
        |p| {
            let x = p[5];
            let slope = p[1] + 2.0 * p[2] * x + 3.0 * p[3] * x * x + 4.0 * p[4] * x.powi(3);
            vec![1.0, x, x * x, x.powi(3), x.powi(4), slope]
        },
        &points,
    );
    check_exact(
        |p| poly(p).derivative(p[5]),
        |p| {
            let (value, (d, dx)) = poly(p).derivative_grad(p[5]);
            (value, (d.c, dx))
        },
        |p| vec![0.0, 1.0, 2.0 * p[5], 2.0 * p[2]],
        &points,
    );
    let mut p = poly(points[0]);
    let mut d = Poly {
        c: [1.0, 1.0, 1.0],
        tail: vec![0.0, 0.0, 10.0],
    };
    let mut bar = p.zero_tangent();
    bar.c = d.c;
    bar.tail = std::mem::take(&mut d.tail);
    let mut dx = 0.0;
    p.set_adjoint(&mut Tape::new(), &mut bar, 1, 0.5, &mut dx, ());
    assert_eq!((p.c[1], p.tail.len()), (-0.6, 3));
    assert_eq!(
        (bar.c, bar.tail.len(), dx),
        ([1.0, 0.5, 1.0], 2, -1.2 + 10.0)
    );
}

/// A trait of another crate, say, with an argument.
trait Curve<T> {
    fn at(&self, t: T) -> T;

    fn name(&self) -> &'static str;
}

#[gradient]
impl<T: Scalar> Curve<T> for Bezier<T> {
    fn at(&self, t: T) -> T {
        self.sample(t).length()
    }

    fn name(&self) -> &'static str {
        "bezier"
    }
}

#[gradient]
fn twice<T: Scalar>(b: &Bezier<T>, t: T) -> T {
    b.at(b.at(t)) * T::from(b.name().len()).unwrap()
}

#[test]
fn methods_of_traits() {
    for p in CURVES {
        check(
            |p| twice(&bezier(p), p[6]),
            |p| {
                let (value, (d, dt)) = twice_grad(&bezier(p), p[6]);
                (value, (numbers(d), dt))
            },
            &[&p],
        );
    }
}

/// Methods with a parameter of their own, on types that have none.
#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Loss {
    slope: f64,
}

#[gradient]
impl Loss {
    fn huber<T: Float>(#[constant] &self, x: T) -> T {
        let k = T::from(self.slope).unwrap();
        if x.abs() < k {
            x * x / (T::one() + T::one())
        } else {
            k * (x.abs() - k / (T::one() + T::one()))
        }
    }

    fn total<T, const N: usize>(#[constant] &self, xs: &[T; N]) -> T
    where
        T: Float,
    {
        let mut s = T::zero();
        for i in 0..N {
            s = s + self.huber(xs[i]);
        }
        s
    }

    fn mean<T: Float>(xs: &[T]) -> T {
        let s = xs.iter().fold(T::zero(), |s, &x| s + x);
        s / T::from(xs.len()).unwrap()
    }

    fn scaled(&self, x: f64) -> f64 {
        let narrow: f32 = self.huber(x as f32);
        self.slope * self.huber(x) + Loss::mean(&[x, x * x]) + f64::from(narrow)
    }
}

#[test]
fn methods_with_a_parameter_of_their_own() {
    let loss = Loss { slope: 1.0 };
    for x in [0.25, -0.5, 1.5, -3.0] {
        check(|x| loss.huber(x[0]), |x| loss.huber_grad(x[0]), &[&[x]]);
        let (value, slope) = loss.huber_grad(x as f32);
        assert_eq!(value.to_bits(), loss.huber(x as f32).to_bits());
        assert_eq!(slope, x.clamp(-1.0, 1.0) as f32);
        let (value, slopes): (f32, [f32; 2]) = loss.total_grad(&[x as f32, 0.5]);
        assert_eq!(value.to_bits(), loss.total(&[x as f32, 0.5]).to_bits());
        assert_eq!(slopes, [x.clamp(-1.0, 1.0) as f32, 0.5]);
        assert_eq!(Loss::mean_grad(&[x, x, x]).1, vec![1.0 / 3.0; 3]);
        let (value, (d, dx)) = loss.scaled_grad(x);
        assert_eq!(value.to_bits(), loss.scaled(x).to_bits());
        assert_eq!(d.slope, loss.huber(x));
        let huber = x.clamp(-1.0, 1.0);
        assert_close(&[dx], &[huber + (1.0 + 2.0 * x) / 2.0 + huber], 1e-12, &[x]);
    }
}

mod remembered {
    use num_traits::Float;
    use retrograde::{Differentiable, Record, gradient};

    use crate::support::check;

    /// A controller whose last value is an `Option`, in a block without a definition of its type.
    #[derive(Debug, Clone, Copy, Differentiable, Record)]
    pub struct Controller<T> {
        p: T,
        d: T,
        last: Option<T>,
    }

    #[gradient]
    impl<T: Float> Controller<T> {
        pub fn next(&mut self, x: T) -> T {
            let slope = match self.last.as_ref() {
                Some(last) => x - *last,
                None => T::zero(),
            };
            if let Some(last) = self.last.as_mut() {
                *last = *last * T::from(0.5).unwrap();
            }
            let kept = if let Some(last) = (self.last.as_ref()) {
                *last
            } else {
                x
            };
            self.last = Some(x * kept);
            self.p * x + self.d * slope
        }
    }

    #[gradient]
    fn controlled(p: f64, d: f64, xs: &[f64]) -> f64 {
        let mut c = Controller { p, d, last: None };
        let mut sum = 0.0;
        for &x in xs {
            sum += c.next(x).powi(2);
        }
        sum
    }

    #[test]
    fn an_option_is_told_by_its_patterns() {
        check(
            |p| controlled(p[0], p[1], &p[2..]),
            |p| controlled_grad(p[0], p[1], &p[2..]),
            &[&[0.5, 1.5, 0.3, -0.7, 1.1], &[2.0, -1.0], &[0.1, 0.2, 3.0]],
        );
    }
}
