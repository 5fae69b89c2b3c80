//! Sums of cheap terms: the terms of a block of iterations are computed first, and the sum takes them in its order.
//! Lengths around all blocks, and what must not run so.

use retrograde::Tape;

use crate::{check, numbers, outcome, twins};

twins! {
    /// applied `fuse`
    pub(crate) fn rosenbrock(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len().saturating_sub(1) {
            let a = 1.0 - x[i];
            let b = x[i + 1] - x[i] * x[i];
            sum += a * a + 100.0 * b * b;
        }
        sum
    }

    /// Few operations: shorter blocks.
    ///
    /// applied `fuse`
    pub(crate) fn squares(x: &[f64], y: &[f64]) -> f64 {
        let mut sum = 0.25;
        for i in 0..x.len() {
            sum += x[i] * x[i] * y[i];
        }
        sum
    }

    /// Three neighbours, read and added to, in a range of their own.
    ///
    /// applied `fuse`
    pub(crate) fn bends(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len().saturating_sub(1) {
            let d = x[i - 1] - 2.0 * x[i] + x[i + 1];
            sum -= d * d;
        }
        sum
    }

    /// As far apart as one pass reaches, and one element further.
    ///
    /// applied `fuse`
    pub(crate) fn far_apart(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len().saturating_sub(9) {
            sum += x[i] * x[i + 8] * x[i + 9];
        }
        sum
    }

    /// Neighbours in two arrays.
    ///
    /// applied `fuse`
    pub(crate) fn area(x: &[f64], y: &[f64]) -> f64 {
        let mut twice = 0.0;
        for i in 1..x.len() {
            twice += x[i - 1] * y[i] - x[i] * y[i - 1];
        }
        0.5 * twice
    }

    /// Two sums of the value, one of them of quotients and roots.
    ///
    /// applied `fuse`
    pub(crate) fn two_sums(x: &[f64], y: &[f64]) -> f64 {
        let (mut s, mut t) = (0.0, 1.0);
        for i in 0..x.len() {
            let r = x[i] * x[i] + y[i] * y[i];
            s += 1.0 / r;
            t -= r.sqrt() * y[i];
        }
        2.0 * s - t
    }

    /// Numbers that all terms share.
    ///
    /// applied `fuse`
    pub(crate) fn line(x: &[f64], y: &[f64], w: &[f64]) -> f64 {
        let (a, b) = (w[0], w[1]);
        let mut loss = 0.0;
        for i in 0..x.len() {
            let d = a * x[i] + b * w[2] - y[i];
            loss += d * d;
        }
        loss
    }

    /// A condition on the term, which is added on both ways.
    ///
    /// applied `fuse`
    pub(crate) fn huber(x: &[f64], y: &[f64]) -> f64 {
        let mut loss = 0.0;
        for i in 0..x.len() {
            let d = x[i] - y[i];
            let t = if d.abs() < 0.25 { 0.5 * d * d } else { 0.25 * d.abs() - 0.03125 };
            loss += t;
        }
        loss
    }

    /// A quotient and a call: the records stay in variables, and the sum of the value apart.
    ///
    /// applied `fuse`
    pub(crate) fn quotients(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len() {
            sum += (x[i] - x[i - 1]).exp() / (1.0 + x[i] * x[i]);
        }
        sum
    }

    /// The terms are of a local array, whose own loop is reversed behind.
    ///
    /// applied `fuse`
    pub(crate) fn local_array(x: &[f64]) -> f64 {
        let mut a = vec![0.0; x.len()];
        for i in 0..x.len() {
            a[i] = x[i] * x[i];
        }
        let mut sum = 0.0;
        for i in 1..a.len() {
            let d = a[i] - a[i - 1];
            sum += d * d * x[i];
        }
        sum
    }

    /// Inclusive.
    ///
    /// applied `fuse`
    pub(crate) fn inclusive(x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 1..=x.len() {
            sum += x[i - 1] * x[i - 1] * i as f64;
        }
        sum
    }

    /// Elements that each iteration begins: the gradient is assigned.
    ///
    /// applied `fuse`
    pub(crate) fn iterators(x: &[f64], y: &[f64]) -> f64 {
        x.iter().zip(y).map(|(x, y)| (x - y) * (x - y) * 0.5).sum::<f64>()
    }
}

/// What runs one sweep after the other, or without blocks.
mod others {
    use super::*;

    twins! {
        /// Elements two apart: no slices.
        /// applied `fuse`
        pub(crate) fn strided(x: &[f64]) -> f64 {
            let mut sum = 0.0;
            for i in 0..x.len() / 2 {
                let d = x[2 * i] - x[2 * i + 1];
                sum += d * d;
            }
            sum
        }

        /// The sum is added to twice, so its order goes through both.
        /// not applied `fuse`
        pub(crate) fn added_twice(x: &[f64], y: &[f64]) -> f64 {
            let mut sum = 0.0;
            for i in 0..x.len() {
                sum += x[i] * y[i];
                sum -= x[i] * x[i] * x[i];
            }
            sum
        }

        /// Under a condition.
        /// applied `fuse`
        pub(crate) fn hinge(x: &[f64], y: &[f64]) -> f64 {
            let mut sum = 0.0;
            for i in 0..x.len() {
                let d = 0.75 - x[i] * y[i];
                if d > 0.0 {
                    sum += d * d;
                }
            }
            sum
        }

        /// Read in the loop.
        /// not applied `fuse`
        pub(crate) fn read_inside(x: &[f64], y: &[f64]) -> f64 {
            let (mut sum, mut other) = (0.0, 0.0);
            for i in 0..x.len() {
                sum += x[i] * y[i];
                other += sum * x[i];
            }
            other
        }

        /// The adjoint of the sum is known after it.
        /// not applied `fuse`
        pub(crate) fn squared(x: &[f64], y: &[f64]) -> f64 {
            let mut sum = 0.0;
            for i in 0..x.len() {
                sum += x[i] * y[i];
            }
            sum * sum
        }

        /// So few iterations that they are written out.
        /// applied `fuse`
        pub(crate) fn short(x: &[f64]) -> f64 {
            let mut sum = 0.0;
            for i in 0..7 {
                sum += x[i] * x[i + 1];
            }
            sum
        }
    }
}

#[test]
fn around_the_lengths_of_blocks() {
    for n in (0..=70).chain([95, 96, 97, 98, 127, 128, 129, 200]) {
        check!(rosenbrock, rosenbrock_grad_into, rosenbrock_adjoint, [n]);
        check!(squares, squares_grad_into, squares_adjoint, [n, n]);
        check!(bends, bends_grad_into, bends_adjoint, [n]);
        check!(far_apart, far_apart_grad_into, far_apart_adjoint, [n]);
        check!(area, area_grad_into, area_adjoint, [n, n]);
        check!(two_sums, two_sums_grad_into, two_sums_adjoint, [n, n]);
        check!(line, line_grad_into, line_adjoint, [n, n, 3]);
        check!(huber, huber_grad_into, huber_adjoint, [n, n]);
        check!(local_array, local_array_grad_into, local_array_adjoint, [n]);
        check!(inclusive, inclusive_grad_into, inclusive_adjoint, [n]);
        check!(iterators, iterators_grad_into, iterators_adjoint, [n, n]);
        let (fused, apart) = check!(quotients, quotients_grad_into, quotients_adjoint, [n]);
        assert_eq!((fused, apart > 0), (0, n > 1));
    }
}

#[test]
fn what_does_not_run_in_blocks_is_right() {
    use others::{off, on};
    for n in (0..=40).chain([63, 64, 65]) {
        check!(strided, strided_grad_into, strided_adjoint, [n]);
        check!(
            added_twice,
            added_twice_grad_into,
            added_twice_adjoint,
            [n, n]
        );
        check!(hinge, hinge_grad_into, hinge_adjoint, [n, n]);
        check!(
            read_inside,
            read_inside_grad_into,
            read_inside_adjoint,
            [n, n]
        );
        check!(squared, squared_grad_into, squared_adjoint, [n, n]);
        if n > 7 {
            check!(short, short_grad_into, short_adjoint, [n]);
        }
    }
}

/// By hand.
#[test]
fn the_gradient_of_the_rosenbrock_function() {
    for n in [2, 16, 17, 33, 34, 65, 100] {
        let x = numbers(n, 5);
        let (value, gradient) = on::rosenbrock_grad(&x);
        assert_eq!(value.to_bits(), on::rosenbrock(&x).to_bits());
        let mut want = vec![0.0; n];
        for i in 0..n - 1 {
            let (a, b) = (1.0 - x[i], x[i + 1] - x[i] * x[i]);
            want[i] -= 2.0 * a + 400.0 * b * x[i];
            want[i + 1] += 200.0 * b;
        }
        for (got, want) in gradient.iter().zip(want) {
            assert!((got - want).abs() <= 1e-12 * want.abs().max(100.0));
        }
    }
}

/// A sum that begins at minus zero, terms that are not finite, terms of which the order of the additions matters.
#[test]
fn the_sum_takes_its_terms_in_their_order() {
    for (at, bad) in [
        (3, 1e200),
        (40, f64::NAN),
        (40, f64::INFINITY),
        (0, -0.0),
        (65, -1e17),
    ] {
        let mut x = numbers(70, 1);
        x[at] = bad;
        let y = numbers(70, 2);
        let (value, gradient) = on::squares_grad(&x, &y);
        assert_eq!(value.to_bits(), on::squares(&x, &y).to_bits());
        let (_, apart) = off::squares_grad(&x, &y);
        let all = |g: &(Vec<f64>, Vec<f64>)| [g.0.clone(), g.1.clone()].concat();
        for (a, b) in all(&gradient).iter().zip(all(&apart)) {
            assert!(*a == b || a.is_nan() && b.is_nan());
        }
        let value = on::rosenbrock_grad(&x).0;
        assert_eq!(value.to_bits(), on::rosenbrock(&x).to_bits());
    }
}

/// An array ends in the middle of a block, in front of one or behind it: no slice, and the panic of the function.
#[test]
fn an_array_that_ends_early() {
    for n in [1, 15, 16, 17, 31, 32, 33, 40, 64, 65] {
        for short in [0, 1, n / 2, n - 1].into_iter().filter(|short| *short < n) {
            let (x, y) = (numbers(n, 1), numbers(short, 2));
            assert!(outcome(|| on::squares(&x, &y)).is_none());
            let mut tape = Tape::new();
            let (mut dx, mut dy) = (vec![0.0; n], vec![0.0; short]);
            let mut into = || on::squares_grad_into(&mut tape, &x, &mut dx, &y, &mut dy);
            assert!(outcome(&mut into).is_none());
            // The terms that there are have been reversed, and no others.
            for i in 0..n {
                let want = if i < short { 2.0 * x[i] * y[i] } else { 0.0 };
                assert!((dx[i] - want).abs() < 1e-12, "{n} {short} {i}");
            }
            let long = numbers(n + 3, 2);
            let mut more = vec![1.0; n + 3];
            let value = on::squares_grad_into(&mut tape, &x, &mut dx, &long, &mut more);
            assert_eq!(value.to_bits(), on::squares(&x, &long).to_bits());
            assert_eq!(more[n..], [0.0; 3]);
        }
    }
}

mod types {
    use super::*;

    twins! {
        /// applied `fuse`
        pub(crate) fn single(x: &[f32]) -> f32 {
            let mut sum = 0.0f32;
            for i in 0..x.len().saturating_sub(1) {
                let a = 1.0 - x[i];
                let b = x[i + 1] - x[i] * x[i];
                sum += a * a + 100.0 * b * b;
            }
            sum
        }

        /// Components: their sums are no slices of numbers, and are not added in one pass.
        /// applied `fuse`
        pub(crate) fn points(p: &[[f64; 2]], w: (f64, f64)) -> f64 {
            let mut sum = 0.0;
            for i in 1..p.len() {
                let (u, v) = (p[i][0] - p[i - 1][0], p[i][1] - p[i - 1][1]);
                sum += u * u * w.0 + v * v * w.1;
            }
            sum
        }

        /// Of any length, known to the compiler.
        /// not applied `fuse`
        pub(crate) fn array<const N: usize>(x: &[f64; N], scale: f64) -> f64 {
            let mut sum = 0.0;
            for i in 1..N {
                sum += x[i] * x[i - 1] * scale;
            }
            sum / N as f64
        }
    }
}

#[test]
fn other_types() {
    use types::{off, on};
    for n in [0, 1, 16, 17, 33, 50, 70] {
        let x: Vec<f32> = numbers(n, 1).iter().map(|v| *v as f32).collect();
        let (value, dx) = on::single_grad(&x);
        assert_eq!(value.to_bits(), on::single(&x).to_bits());
        for (a, b) in dx.iter().zip(off::single_grad(&x).1) {
            assert!((a - b).abs() <= 1e-4 * b.abs().max(100.0));
        }
        let p: Vec<[f64; 2]> = numbers(n, 3).iter().map(|v| [*v, 1.0 - v * v]).collect();
        let (value, (dp, dw)) = on::points_grad(&p, (0.5, 1.5));
        assert_eq!(value.to_bits(), on::points(&p, (0.5, 1.5)).to_bits());
        let (_, (other, other_w)) = off::points_grad(&p, (0.5, 1.5));
        for (a, b) in dp.iter().flatten().zip(other.iter().flatten()) {
            assert!((a - b).abs() < 1e-12);
        }
        assert!((dw.0 - other_w.0).abs() < 1e-12 && (dw.1 - other_w.1).abs() < 1e-12);
    }
    let x: [f64; 40] = numbers(40, 1).try_into().unwrap();
    let (value, (dx, ds)) = on::array_grad(&x, 0.5);
    assert_eq!(value.to_bits(), on::array(&x, 0.5).to_bits());
    let (_, (other, other_s)) = off::array_grad(&x, 0.5);
    for (a, b) in dx.iter().zip(other) {
        assert!((a - b).abs() < 1e-13);
    }
    assert!((ds - other_s).abs() < 1e-12);
}
