//! What is recorded and what is recomputed, chosen over a whole nest: fewer bytes where a value is smaller than what it
//! is computed from, the same choice as before where it is not, and the same numbers in any case.

#![allow(
    clippy::all,
    clippy::pedantic,
    unused,
    reason = "the functions are written as users write them"
)]

mod support;

use std::hint::black_box;

use retrograde::Tape;
use support::{assert_close, assert_same_value, check, flat};

/// Declares functions in a module `on`, under `#[gradient]`, and in a module `off`, with the choice left to each block.
macro_rules! twins {
    ($($item:item)*) => {
        mod on {
            $(#[retrograde::gradient] $item)*
        }
        mod off {
            $(#[retrograde::gradient(no(cut))] $item)*
        }
    };
}

twins! {
    /// Two numbers that every step changes, used by their difference only.
    ///
    /// applied `cut`
    pub(super) fn difference(x: &[f64], n: usize) -> f64 {
        let (mut p, mut q, mut s) = (x[0], x[1], 0.0);
        for _ in 0..n {
            let d = p - q;
            s += d.sin();
            p += 0.1 * d;
            q -= 0.2 * d;
        }
        s
    }

    /// The same, but the product needs both of them in any case.
    ///
    /// not applied `cut`
    pub(super) fn difference_and_product(x: &[f64], n: usize) -> f64 {
        let (mut p, mut q, mut s) = (x[0], x[1], 0.0);
        for _ in 0..n {
            let d = p - q;
            s += d.sin() + p * q;
            p += 0.1 * d;
            q -= 0.2 * d;
        }
        s
    }

    /// Results of calls that nothing but their difference needs: their own derivatives read the operand.
    ///
    /// applied `cut`
    pub(super) fn logarithms(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 1..x.len() {
            let a = (x[i] + 2.0).ln();
            let b = (x[i - 1] + 3.0).ln();
            let c = a - b;
            s = (s + c * c).cos();
        }
        s
    }

    /// Three arrays that are overwritten, read by one combination of them; their last elements are needed after the
    /// loop, not before.
    ///
    /// applied `cut`
    pub(super) fn three_arrays(x: &[f64], steps: usize) -> f64 {
        let n = x.len() / 3;
        let mut a = x[..n].to_vec();
        let mut b = x[n..2 * n].to_vec();
        let mut c = x[2 * n..3 * n].to_vec();
        for _ in 0..steps {
            for i in 0..n {
                let d = a[i] + b[i] - c[i];
                let f = d * d * d;
                a[i] -= 0.1 * f;
                b[i] -= 0.2 * f;
                c[i] += 0.3 * f;
            }
        }
        let mut s = 0.0;
        for i in 0..n {
            s += a[i] * b[i] * c[i];
        }
        s
    }

    /// A chain: the cut may lie anywhere on it, and two values branch off from its middle.
    ///
    /// applied `cut`
    pub(super) fn chain(x: &[f64], n: usize) -> f64 {
        let (mut p, mut q, mut r, mut s) = (x[0], x[1], x[2], 0.0);
        for _ in 0..n {
            let sum = p + q + r;
            let twice = 2.0 * sum;
            let shifted = twice + 1.0;
            s += shifted.sin() * twice.cos();
            p += 0.01 * s;
            q -= 0.02 * s;
            r *= 0.99;
        }
        s + p * q
    }

    /// The difference is of use under a condition only.
    ///
    /// applied `cut`
    pub(super) fn in_a_branch(x: &[f64], n: usize) -> f64 {
        let (mut p, mut q, mut s) = (x[0], x[1], 0.0);
        for k in 0..n {
            if k % 3 == 1 {
                let d = p - q;
                s += d.sin();
            }
            p += 0.1 * s;
            q -= 0.2;
        }
        s
    }

    /// The difference belongs to the outer loop, its uses to the inner one.
    ///
    /// applied `cut`
    pub(super) fn from_inside(x: &[f64], n: usize, m: usize) -> f64 {
        let (mut p, mut q, mut s) = (x[0], x[1], 0.0);
        for i in 0..n {
            let d = p - q;
            for j in 0..m {
                s += (d * x[j % x.len()]).sin();
            }
            p += 0.1 * s;
            q -= 0.01 * s;
        }
        s
    }

    /// The inner loop overwrites: recording the difference in the outer loop is no substitute for the inner saves.
    ///
    /// applied `cut`
    pub(super) fn overwritten_inside(x: &[f64], n: usize, m: usize) -> f64 {
        let (mut p, mut q, mut s) = (x[0], x[1], 0.0);
        for i in 0..n {
            for j in 0..m {
                let d = p - q;
                s += d.sin();
                p += 0.03 * d;
            }
            q -= 0.01 * s;
        }
        s
    }

    /// A region runs again and decides for itself.
    ///
    /// applied `cut`
    pub(super) fn in_a_region(x: &[f64], n: usize) -> f64 {
        let (mut p, mut q, mut s) = (x[0], x[1], 0.0);
        #[checkpoint]
        for _ in 0..n {
            let d = p - q;
            s += d.sin();
            p += 0.1 * d;
            q -= 0.2 * d;
        }
        s
    }

    /// A value that an array keeps costs nothing.
    ///
    /// not applied `cut`
    pub(super) fn kept_in_an_array(x: &[f64]) -> f64 {
        let mut h = vec![0.0; x.len()];
        let mut p = 0.5;
        for i in 0..x.len() {
            let d = x[i] - p;
            h[i] = d;
            p += 0.1 * d.sin();
        }
        let mut s = 0.0;
        for i in 0..x.len() {
            s += h[i] * h[i];
        }
        s + p
    }
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.8 * (1.7 * i as f64 + 0.3).sin()).collect()
}

const LENGTHS: [usize; 8] = [0, 1, 2, 3, 7, 8, 17, 33];

/// Compares with differences and with the twin: values bit for bit.
macro_rules! agree {
    ($f:ident, $grad:ident, $x:expr $(, $more:expr)*) => {{
        let x = $x;
        check(|x| on::$f(x $(, $more)*), |x| on::$grad(x $(, $more)*), &[&x]);
        let (value, gradient) = on::$grad(&x $(, $more)*);
        let (want, wanted) = off::$grad(&x $(, $more)*);
        assert_same_value(value, want);
        assert_close(&flat(&gradient), &flat(&wanted), 1e-13, &x);
    }};
}

#[test]
fn the_numbers_are_the_same() {
    for n in LENGTHS.map(black_box) {
        let steps = n.min(8); // the differences of two numbers that drift apart grow
        agree!(difference, difference_grad, numbers(2), steps);
        agree!(
            difference_and_product,
            difference_and_product_grad,
            numbers(2),
            steps
        );
        agree!(logarithms, logarithms_grad, numbers(n));
        agree!(three_arrays, three_arrays_grad, numbers(n), 5);
        agree!(chain, chain_grad, numbers(3), steps);
        agree!(in_a_branch, in_a_branch_grad, numbers(2), steps);
        agree!(from_inside, from_inside_grad, numbers(2), steps, 3);
        agree!(
            overwritten_inside,
            overwritten_inside_grad,
            numbers(2),
            steps,
            3
        );
        agree!(in_a_region, in_a_region_grad, numbers(2), steps);
        agree!(kept_in_an_array, kept_in_an_array_grad, numbers(n));
    }
}

/// The bytes on the tape of both twins, where the loops run so often that they outweigh all else.
macro_rules! bytes {
    ($grad:ident, $x:expr $(, $more:expr)*) => {{
        let x = $x;
        let mut dx = vec![0.0; x.len()];
        let mut tapes = [(); 2].map(|()| Tape::builder().shadow(true).build().expect("valid"));
        let [with, without] = &mut tapes;
        on::$grad(with, &x, &mut dx $(, $more)*);
        off::$grad(without, &x, &mut dx $(, $more)*);
        tapes.map(|tape| tape.stats().high_water)
    }};
}

/// Bytes per iteration, which the few of the function itself do not change.
#[track_caller]
fn per_iteration([with, without]: [usize; 2], iterations: usize, want: [usize; 2]) {
    assert_eq!([with / iterations, without / iterations], want);
}

#[test]
fn the_smaller_is_recorded() {
    let n = 1000;
    per_iteration(bytes!(difference_grad_into, numbers(2), n), n, [8, 16]);
    per_iteration(
        bytes!(logarithms_grad_into, numbers(n + 1)),
        n,
        [24 - 8, 24],
    );
    per_iteration(
        bytes!(three_arrays_grad_into, numbers(3 * n), 7),
        7 * n,
        [8, 24],
    );
    per_iteration(bytes!(from_inside_grad_into, numbers(2), n, 0), n, [8, 16]);
}

#[test]
fn what_is_needed_anyway_is_not_recorded_twice() {
    let n = 1000;
    per_iteration(
        bytes!(difference_and_product_grad_into, numbers(2), n),
        n,
        [16, 16],
    );
    let [with, without] = bytes!(kept_in_an_array_grad_into, numbers(n));
    assert!(with <= without, "{with} {without}");
}

#[test]
fn never_more_than_before() {
    let n = 500;
    for [with, without] in [
        bytes!(chain_grad_into, numbers(3), n),
        bytes!(in_a_branch_grad_into, numbers(2), n),
        bytes!(from_inside_grad_into, numbers(2), n, 3),
        bytes!(overwritten_inside_grad_into, numbers(2), n, 3),
        bytes!(in_a_region_grad_into, numbers(2), n),
    ] {
        assert!(with <= without, "{with} {without}");
    }
}
