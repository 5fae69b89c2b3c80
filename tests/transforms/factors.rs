//! Signs and powers of two that go from one product of an adjoint to the next.

use crate::twins::{SIZES, agree, both, numbers, twins};

twins! {
    /// Factors that cancel, double and change the sign, and a variable whose adjoint has several contributions.
    ///
    /// applied `factors`
    pub(super) fn flux(x: &[f64], w: f64) -> f64 {
        let mut s = 0.0;
        for i in 1..x.len() {
            let h = 0.5 * (x[i - 1] + x[i]);
            let d = -(x[i] - x[i - 1]) / 4.0;
            let square = h * h;
            s -= square * d * 2.0 * w + 8.0 * (square - d * d) * 0.125;
            s += x[i] * x[i] * -0.5 - 3.0 * h / 2.0;
        }
        s
    }

    /// What is used under a condition, and twice.
    ///
    /// applied `factors`
    pub(super) fn choice(x: &[f64], w: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let a = -2.0 * x[i];
            let b = 0.25 * a * a;
            if b > 0.3 {
                s += 4.0 * b * w;
            } else {
                s -= (0.5 * a + b).exp() * a / -2.0;
            }
        }
        s * s
    }

    /// Factors too large to be carried along.
    ///
    /// applied `factors`
    pub(super) fn large(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i] * x[i] * 1024.0 * 1024.0 * 512.0 / 65536.0 * x[i] * 0.0009765625 * 0.0009765625;
        }
        s * 1e-3
    }

    /// applied `factors`
    pub(super) fn single(x: &[f32]) -> f32 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let h = 0.5 * x[i];
            s += 4.0 * h * h * h;
        }
        s
    }

    /// Polynomials: each power hands on one product. A factor that changes meanwhile is another one.
    ///
    /// applied `factors`
    pub(super) fn powers(x: &[f64], w: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let t = x[i] - w;
            s += 3.0 * t * t * t - 6.0 * t * t + 4.0;
            s -= t * t * (t * t) * w / 7.0 - (t * w) * (w * t) * -t;
            let mut u = t * w;
            s += u * u * u;
            u = u * t + 0.5;
            s += u * t * u * 3.0 - t * u * u;
        }
        s
    }

    /// The same in single precision, and contributions that cancel.
    ///
    /// applied `factors`
    pub(super) fn powers_in_single(x: &[f32]) -> f32 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let t = x[i] * 0.5;
            s += t * t * t * 4.0 + t * t * 2.0;
            s += t * x[i] - x[i] * t;
        }
        s
    }

    /// The factor of `s` is applied in front of the inner loop.
    ///
    /// applied `factors`
    pub(super) fn rows(a: &[f64], x: &[f64], m: usize) -> f64 {
        let n = x.len();
        let mut f = 0.0;
        for i in 0..m {
            let mut s = 0.0;
            for j in 0..n {
                s += a[i * n + j] * x[j];
            }
            f += 0.5 * s * s - 2.0 * s;
        }
        f
    }
}

#[test]
fn factors_leave_gradients_as_they_are() {
    for n in SIZES {
        let x = numbers(n, 1);
        let a = numbers(5 * n, 2);
        both!(flux, flux_grad, (&x, 0.7));
        both!(choice, choice_grad, (&x, 0.7));
        both!(large, large_grad, (&x));
        both!(powers, powers_grad, (&x, 0.7));
        both!(rows, rows_grad, (&a, &x, 5));
    }
}

#[test]
fn factors_of_single_precision() {
    let x: Vec<f32> = (0..9).map(|i| i as f32 - 4.0).collect();
    let (value, g) = on::single_grad(&x);
    assert_eq!(value.to_bits(), on::single(&x).to_bits());
    // The function is half the sum of cubes, so every step is exact.
    let want: Vec<f32> = x.iter().map(|x| 1.5 * x * x).collect();
    assert_eq!(g, want);
}

#[test]
fn powers_of_single_precision() {
    let x: Vec<f32> = (0..9).map(|i| i as f32 - 4.0).collect();
    let (value, g) = on::powers_in_single_grad(&x);
    assert_eq!(value.to_bits(), on::powers_in_single(&x).to_bits());
    let want: Vec<f32> = x.iter().map(|x| 1.5 * x * x + x).collect();
    assert_eq!(g, want);
}

#[test]
fn powers_by_differences() {
    let all = [numbers(7, 3), vec![0.7]].concat();
    crate::support::check(
        |p| on::powers(&p[..7], p[7]),
        |p| on::powers_grad(&p[..7], p[7]),
        &[&all],
    );
}

/// The adjoint of `large` has products that overflow unless a factor is small enough.
#[test]
fn no_factor_overflows() {
    let x = [1e101, -1e100, 0.0];
    let (value, g) = on::large_grad(&x);
    assert_eq!(value.to_bits(), on::large(&x).to_bits());
    let factor = 1024.0 * 1024.0 * 512.0 / 65536.0 * 0.0009765625 * 0.0009765625 * 1e-3;
    for (g, x) in g.iter().zip(x) {
        let want = 3.0 * factor * x * x;
        assert!((g - want).abs() <= 1e-12 * want, "{g:e} {want:e}");
    }
}

/// A root times its square: no quotient is left, and zero stays zero.
mod roots {
    #[retrograde::gradient]
    fn cubes(x: &[f64], w: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i] * x[i].sqrt() * w + w / (x[i].sqrt() * x[i] + 1.0);
        }
        s
    }

    /// The root has no part in the result at zero.
    #[retrograde::gradient]
    fn dead(x: f64, w: f64) -> f64 {
        let cube = x * x.sqrt();
        if x > 0.0 { cube * w } else { x * w }
    }

    /// The square of another number.
    #[retrograde::gradient]
    fn apart(x: f64, y: f64) -> f64 {
        y * x.sqrt() + x * y.sqrt()
    }

    #[test]
    fn against_formulas() {
        for n in super::SIZES {
            let mut x: Vec<f64> = super::numbers(n, 3).iter().map(|v| v * v * 9.0).collect();
            x.iter_mut().step_by(5).for_each(|v| *v = 0.0);
            let (value, (dx, dw)) = cubes_grad(&x, 0.5);
            assert_eq!(value.to_bits(), cubes(&x, 0.5).to_bits());
            let below = |v: f64| v * v.sqrt() + 1.0;
            let want: Vec<f64> = x
                .iter()
                .map(|v| 1.5 * v.sqrt() * 0.5 * (1.0 - 1.0 / below(*v).powi(2)))
                .collect();
            crate::twins::near(&dx, &want);
            let sum: f64 = x.iter().map(|v| v * v.sqrt() + 1.0 / below(*v)).sum();
            crate::twins::near(&[dw], &[sum]);
        }
    }

    #[test]
    fn a_dead_root_of_zero_and_roots_of_others() {
        assert_eq!(dead_grad(0.0, 3.0), (0.0, (3.0, 0.0)));
        assert_eq!(dead_grad(4.0, 1.0), (8.0, (3.0, 8.0)));
        assert_eq!(apart_grad(4.0, 9.0), (30.0, (5.25, 2.0 + 4.0 / 6.0)));
    }
}
