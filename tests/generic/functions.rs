//! Free functions at both widths, against differences and against the function written for `f64`.

use std::fmt::Debug;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul};

use num_traits::{Float, FloatConst, FromPrimitive, NumCast, Zero};
use retrograde::{Tape, gradient};

use crate::support::{assert_close, assert_same_value, check};

#[gradient]
fn logistic<T: Float>(x: T) -> T {
    T::one() / (T::one() + (-x).exp())
}

/// Inside, the functions are called with and without turbofish.
#[gradient]
fn composed<T: Float>(x: T, y: T) -> T {
    let s = logistic(x * y) + logistic::<T>(y);
    if s > T::from(0.75).unwrap() {
        s * s
    } else {
        s.max(x).min(y + T::from(3).unwrap())
    }
}

#[gradient]
fn mean_square<T: Float + Sum + FromPrimitive>(x: &[T]) -> T {
    let n = T::from_usize(x.len()).unwrap();
    let mean = x.iter().map(|&v| v).sum::<T>() / n;
    let mut s = T::zero();
    for &v in x {
        s = s + (v - mean).powi(2);
    }
    s / n
}

#[gradient]
fn normal_density<T>(x: T, mu: T, sigma: T) -> T
where
    T: Float + FloatConst + Debug,
{
    let two = T::one() + T::one();
    let z = (x - mu) / sigma;
    debug_assert!(sigma > T::zero(), "{:?}", sigma);
    (-(z * z) / two).exp() / (sigma * (two * T::PI()).sqrt())
}

#[gradient]
fn horner<T: Copy + Zero + Add<Output = T> + Mul<Output = T>, const N: usize>(
    c: &[T; N],
    x: T,
) -> T {
    let mut s = T::zero();
    for i in (0..N).rev() {
        s = s * x + c[i];
    }
    s
}

#[gradient]
fn ode<T: Float + AddAssign>(x0: T, rate: T, steps: usize) -> T {
    let h = T::one() / T::from(steps + 1).unwrap();
    let mut x = x0;
    let mut history = vec![T::zero(); steps];
    for k in 0..steps {
        x += h * rate * (T::one() - x * x.cos());
        history[k] = x * x;
    }
    let mut s = x;
    for v in history.iter() {
        s += *v;
    }
    assert!(s < T::infinity() && s != T::nan() && s > T::min_value());
    s
}

#[gradient]
fn scaled<'a, T: Float>(x: &'a [T], y: &mut [T], factor: T) {
    for i in 0..x.len() {
        y[i] = y[i] * x[i] * factor;
    }
}

#[gradient]
fn recursive<T: Float>(x: T, n: usize) -> T {
    if n == 0 {
        return x;
    }
    recursive(x * x, n - 1) * T::from(0.5).expect("a float") + x
}

#[gradient]
fn widened<T: Float>(x: T) -> T {
    let wide: f64 = x.to_f64().unwrap();
    let k = if wide > 0.0 { wide.sqrt() } else { wide };
    x * T::from(k).unwrap()
}

#[gradient]
fn limits<T: Float>(x: T, y: T) -> T {
    let eps = T::epsilon();
    if (x - y).abs() < eps {
        x
    } else {
        Float::max(x, y) * T::min(x, y) / T::max_value().ln()
    }
}

/// A caller that is not generic takes the instance that it needs.
#[gradient]
fn of_f64(x: f64) -> f64 {
    logistic(x) * horner(&[x, 1.0, x * x], 2.0) + composed::<f64>(x, x)
}

#[gradient]
fn of_f32(x: f32) -> f32 {
    logistic(x) * mean_square(&[x, 1.0, x * x])
}

const POINTS: [[f64; 3]; 5] = [
    [0.7, 1.2, 0.3],
    [1.5, -0.4, 2.5],
    [-0.3, 0.9, 1.1],
    [0.1, 0.2, 0.4],
    [2.0, -3.0, 0.7],
];

#[test]
fn at_both_widths() {
    for p in POINTS {
        check(|x| logistic(x[0]), |x| logistic_grad(x[0]), &[&p[..1]]);
        check(
            |x| composed(x[0], x[1]),
            |x| composed_grad(x[0], x[1]),
            &[&p[..2]],
        );
        check(
            |x| mean_square(x),
            |x| mean_square_grad(x),
            &[&p, &p[..1], &p[..2]],
        );
        check(
            |x| normal_density(x[0], x[1], x[2].abs()),
            |x| {
                let (value, (dx, dmu, dsigma)) = normal_density_grad(x[0], x[1], x[2].abs());
                (value, (dx, dmu, dsigma))
            },
            &[&p],
        );
        check(
            |x| horner(&[x[0], x[1], x[2]], x[0]),
            |x| {
                let (value, (dc, dx)) = horner_grad(&[x[0], x[1], x[2]], x[0]);
                (value, [dc[0] + dx, dc[1], dc[2]])
            },
            &[&p],
        );
        for steps in [0, 1, 7] {
            check(
                |x| ode(x[0], x[1], steps),
                |x| ode_grad(x[0], x[1], steps),
                &[&p[..2]],
            );
            let n = steps.min(3);
            check(
                |x| recursive(x[0] * 0.5, n),
                |x| {
                    let (value, dx) = recursive_grad(x[0] * 0.5, n);
                    (value, dx * 0.5)
                },
                &[&p[..1]],
            );
        }
        check(
            |x| limits(x[0], x[1]),
            |x| limits_grad(x[0], x[1]),
            &[&p[..2]],
        );
        check(|x| of_f64(x[0]), |x| of_f64_grad(x[0]), &[&p[..1]]);
        check(
            |x| widened(x[0].abs()),
            |x| {
                let (value, dx) = widened_grad(x[0].abs());
                (value, dx * x[0].signum())
            },
            &[&p[..1]],
        );

        let narrow = p.map(|v| v as f32);
        let (value, dx) = logistic_grad(narrow[0]);
        assert_eq!(value.to_bits(), logistic(narrow[0]).to_bits());
        assert_close(
            &[(dx as f64)],
            &[logistic_grad((narrow[0] as f64)).1],
            1e-6,
            &p,
        );
        let (value, dx): (f32, Vec<f32>) = mean_square_grad(&narrow);
        assert_eq!(value.to_bits(), mean_square(&narrow).to_bits());
        let wide = mean_square_grad(&narrow.map(|v| v as f64)).1;
        let dx: Vec<f64> = dx.into_iter().map(|v| v as f64).collect();
        assert_close(&dx, &wide, 1e-5, &p);
        let (value, dx) = of_f32_grad(narrow[0]);
        assert_eq!(value.to_bits(), of_f32(narrow[0]).to_bits());
        let f = |x: f64| logistic(x) * mean_square(&[x, 1.0, x * x]);
        let slope = crate::support::differences(|x| f(x[0]), &[(narrow[0] as f64)]);
        assert_close(&[(dx as f64)], &slope, 1e-4, &p);
    }
}

#[test]
fn the_other_functions_of_the_family() {
    let (tape, x) = (&mut Tape::new(), [1.5_f32, -2.0, 0.25]);
    let mut dx = [9.0_f32; 3];
    let value = mean_square_grad_into(tape, &x, &mut dx);
    let (want, wanted) = mean_square_grad(&x);
    assert_eq!((value, dx.to_vec()), (want, wanted));

    let mut y = [2.0, 3.0, 4.0];
    let (mut dx, mut dy, mut df) = ([0.0; 3], [1.0, 10.0, 100.0], 0.0);
    let x = [1.5, -2.0, 0.25];
    scaled_adjoint(tape, &x, &mut dx, &mut y, &mut dy, 2.0, &mut df, ());
    assert_eq!(y, [6.0, -12.0, 2.0]);
    assert_eq!(dx, [2.0 * 2.0, 10.0 * 3.0 * 2.0, 100.0 * 4.0 * 2.0]);
    assert_eq!(dy, [3.0, -40.0, 50.0]);
    assert_eq!(df, 1.0 * 3.0 + 10.0 * -6.0 + 100.0 * 1.0);
    assert_eq!(
        logistic_try_adjoint(tape, 0.0_f64, &mut df, 1.0).expect("in memory"),
        0.5
    );
}
