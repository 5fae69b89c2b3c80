//! Oracles and checks shared by the test families.
//!
//! A check compares the value with the primal bit for bit (arguments behind `black_box` on both sides), and the
//! gradient with something that knows nothing of reverse mode: a formula written by hand, forward mode over
//! num-dual numbers, or differences at two step sizes.

#![allow(dead_code, reason = "each family uses a part")]

use std::hint::black_box;

#[allow(unreachable_pub, reason = "shared with the random programs")]
#[path = "../fuzz/emitted/number.rs"]
pub(crate) mod number;

use number::D;

/// Every number in a gradient, in order.
pub(crate) trait Flat {
    fn flat(&self, out: &mut Vec<f64>);
}

impl Flat for f64 {
    fn flat(&self, out: &mut Vec<f64>) {
        out.push(*self);
    }
}

impl Flat for f32 {
    fn flat(&self, out: &mut Vec<f64>) {
        out.push(f64::from(*self));
    }
}

impl Flat for () {
    fn flat(&self, _: &mut Vec<f64>) {}
}

impl<T: Flat> Flat for Vec<T> {
    fn flat(&self, out: &mut Vec<f64>) {
        self.iter().for_each(|x| x.flat(out));
    }
}

impl<T: Flat, const N: usize> Flat for [T; N] {
    fn flat(&self, out: &mut Vec<f64>) {
        self.iter().for_each(|x| x.flat(out));
    }
}

impl<T: Flat> Flat for Option<T> {
    fn flat(&self, out: &mut Vec<f64>) {
        self.iter().for_each(|x| x.flat(out));
    }
}

macro_rules! flat_tuples {
    ($(($($t:ident $i:tt),+))*) => { $(
        impl<$($t: Flat),+> Flat for ($($t,)+) {
            fn flat(&self, out: &mut Vec<f64>) { $(self.$i.flat(out);)+ }
        }
    )* };
}
flat_tuples! { (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, E 3) (A 0, B 1, C 2, E 3, F 4) (A 0, B 1, C 2, E 3,
F 4, G 5) }

/// The numbers of `x`.
pub(crate) fn flat(x: &impl Flat) -> Vec<f64> {
    let mut out = Vec::new();
    x.flat(&mut out);
    out
}

/// The same bits, or both NaN.
#[track_caller]
pub(crate) fn assert_same_value(got: f64, want: f64) {
    assert!(
        got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()),
        "value {got:e}, primal {want:e}"
    );
}

/// Equal up to `tolerance`, relative to one plus the magnitude. NaN equals NaN, infinities themselves.
#[track_caller]
pub(crate) fn assert_close(got: &[f64], want: &[f64], tolerance: f64, at: &[f64]) {
    assert_eq!(
        got.len(),
        want.len(),
        "number of entries: got {got:?}, want {want:?}"
    );
    for (k, (g, w)) in got.iter().zip(want).enumerate() {
        let equal =
            g == w || (g.is_nan() && w.is_nan()) || (g - w).abs() <= tolerance * (1.0 + w.abs());
        assert!(
            equal,
            "entry {k} at {at:?}: got {g:e}, want {w:e}\n  got  {got:?}\n  want {want:?}"
        );
    }
}

/// Central differences at two step sizes, extrapolated. Panics where they disagree: no oracle there.
#[track_caller]
pub(crate) fn differences(f: impl Fn(&[f64]) -> f64, x: &[f64]) -> Vec<f64> {
    (0..x.len())
        .map(|i| {
            let slope = |h: f64| {
                let (mut up, mut down) = (x.to_vec(), x.to_vec());
                up[i] += h;
                down[i] -= h;
                (f(&up) - f(&down)) / (up[i] - down[i])
            };
            let h = 1e-3 * (1.0 + x[i].abs());
            let (coarse, fine) = (slope(h), slope(h / 2.0));
            assert!(
                (coarse - fine).abs() < 1e-3 * (1.0 + fine.abs()),
                "not smooth at {x:?}, entry {i}: {coarse} and {fine}"
            );
            (4.0 * fine - coarse) / 3.0
        })
        .collect()
}

#[track_caller]
fn check_against<G: Flat>(
    primal: impl Fn(&[f64]) -> f64,
    gradient: impl Fn(&[f64]) -> (f64, G),
    want: impl Fn(&[f64]) -> Vec<f64>,
    tolerance: f64,
    inputs: &[&[f64]],
) {
    assert!(!inputs.is_empty(), "a check needs inputs");
    for p in inputs {
        let value = primal(black_box(p));
        let (got, g) = gradient(black_box(p));
        assert_same_value(got, value);
        assert_close(&flat(&g), &want(p), tolerance, p);
    }
}

/// Compares with differences.
#[track_caller]
pub(crate) fn check<G: Flat>(
    primal: impl Fn(&[f64]) -> f64,
    gradient: impl Fn(&[f64]) -> (f64, G),
    inputs: &[&[f64]],
) {
    check_against(&primal, gradient, |p| differences(&primal, p), 1e-7, inputs);
}

/// Compares with a gradient written by hand.
#[track_caller]
pub(crate) fn check_exact<G: Flat>(
    primal: impl Fn(&[f64]) -> f64,
    gradient: impl Fn(&[f64]) -> (f64, G),
    want: impl Fn(&[f64]) -> Vec<f64>,
    inputs: &[&[f64]],
) {
    check_against(primal, gradient, want, 1e-12, inputs);
}

/// Compares with forward mode over num-dual numbers: `dual` is the same function again.
#[track_caller]
pub(crate) fn check_dual<G: Flat>(
    primal: impl Fn(&[f64]) -> f64,
    gradient: impl Fn(&[f64]) -> (f64, G),
    dual: impl Fn(&[D]) -> D,
    inputs: &[&[f64]],
) {
    check_against(primal, gradient, |p| forward(p, &dual), 1e-10, inputs);
}

/// The gradient by one forward pass per input.
pub(crate) fn forward(p: &[f64], f: impl Fn(&[D]) -> D) -> Vec<f64> {
    let mut q: Vec<D> = p.iter().map(|&x| number::num(x)).collect();
    (0..p.len())
        .map(|i| {
            q[i] = number::variable(p[i]);
            let slope = f(&q).derivative();
            q[i] = number::num(p[i]);
            slope
        })
        .collect()
}

/// The message of the panic that `f` ends in.
#[track_caller]
pub(crate) fn panic_message(f: impl FnOnce()) -> String {
    let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f))
        .expect_err("a panic was expected");
    payload
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap_or_default()
}

/// A test for each function and its gradient, by the function's name: compared with differences at the `POINTS` of the
/// module.
#[allow(unused_macros, reason = "each family uses a part")]
macro_rules! checked_by_name {
    ($($name:ident $gradient:ident)*) => {
        mod checked { $(
            #[test]
            fn $name() {
                $crate::support::check(|p| super::$name(p), |p| super::$gradient(p), super::POINTS);
            }
        )* }
    };
}
#[allow(unused_imports, reason = "each family uses a part")]
pub(crate) use checked_by_name;

/// Functions of one argument in the module or trait of this name: value, gradient and differences at some points.
#[allow(unused_macros, reason = "each family uses a part")]
macro_rules! unary {
    ($of:ident: $($name:ident: $points:expr;)*) => {$(
        #[test]
        fn $name() {
            #[gradient]
            fn f(x: f64, k: f64) -> f64 {
                k * $of::$name(k * x) + x
            }
            let inputs: &[f64] = &$points;
            for x in inputs {
                check(|p| f(p[0], p[1]), |p| f_grad(p[0], p[1]), &[&[*x, 1.25], &[*x, 0.75]]);
            }
        }
    )*};
}
#[allow(unused_imports, reason = "each family uses a part")]
pub(crate) use unary;
