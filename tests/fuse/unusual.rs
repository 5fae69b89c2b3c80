//! Panics, prints, generics, other types.

use std::cell::RefCell;

use retrograde::{Tape, gradient};

use crate::{numbers, outcome, twins};

thread_local! {
    static SEEN: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

fn note(i: usize) -> usize {
    SEEN.with(|seen| seen.borrow_mut().push(i));
    i
}

fn seen() -> Vec<usize> {
    SEEN.with(|seen| std::mem::take(&mut *seen.borrow_mut()))
}

twins! {
    /// Panics where `k` is zero, and says how far it came.
    ///
    /// applied `fuse`
    pub(crate) fn divided(x: &[f64], k: &[usize]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            let at = note(i);
            let q = 100 / k[at];
            f += x[i].exp() * q as f64;
        }
        f
    }

    /// applied `fuse`
    pub(crate) fn asserted(x: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            note(i);
            assert!(x[i] > 0.0, "term {i}");
            f += x[i].ln();
        }
        f
    }

    /// The statement behind the loop panics, and the loop has run.
    ///
    /// applied `fuse`
    pub(crate) fn short_weights(x: &[f64], w: &[f64]) -> f64 {
        let mut f = 0.0;
        for i in 0..x.len() {
            note(i);
            f += x[i].exp();
        }
        f + w[1] * w[1]
    }

    /// not applied `fuse`
    pub(crate) fn generic<const N: usize>(x: &[f64; N], scale: f64) -> f64 {
        const SHIFT: f64 = 0.25;
        fn weight(i: usize) -> f64 {
            1.0 + i as f64
        }
        let mut f = 0.0;
        for i in 0..N {
            f += (x[i] * scale + SHIFT).exp() * weight(i);
        }
        f / N as f64
    }

    /// applied `fuse`
    pub(crate) fn single(x: &[f32]) -> f32 {
        let mut f = 0.0f32;
        for i in 0..x.len() {
            f += x[i].sin().exp();
        }
        f
    }

    /// Structures of arrays, an array of arrays.
    ///
    /// applied `fuse`
    pub(crate) fn points(p: &[[f64; 2]], w: (f64, f64)) -> f64 {
        let mut f = 0.0;
        for i in 0..p.len() {
            f += (p[i][0] * w.0).exp() * (p[i][1] * w.1).cos();
        }
        f
    }

    /// No parameter but the one that all terms add to.
    ///
    /// applied `fuse`
    pub(crate) fn only_a_scalar(a: f64, n: usize) -> f64 {
        let mut f = 0.0;
        for i in 0..n {
            f += (a * i as f64).sin();
        }
        f
    }

    /// Elements that the terms meet in.
    ///
    /// applied `fuse`
    pub(crate) fn scattered(x: &[f64], k: &[usize]) -> f64 {
        let mut f = 0.0;
        for i in 0..k.len() {
            f += (x[k[i]] * x[0]).exp();
        }
        f
    }
}

#[test]
fn panics_come_in_the_same_iteration() {
    for n in [1, 2, 9, 40, 70] {
        for bad in [0, n / 2, n - 1] {
            let mut x = numbers(n, 1);
            let mut k = vec![7; n];
            k[bad] = 0;
            assert!(outcome(|| on::divided(&x, &k)).is_none());
            let want = seen();
            let mut tape = Tape::new();
            let mut dx = vec![0.0; n];
            assert!(outcome(|| on::divided_grad_into(&mut tape, &x, &mut dx, &k)).is_none());
            assert_eq!(seen(), want);
            assert!(tape.is_empty());
            x[bad] = -1.0;
            assert!(outcome(|| on::asserted(&x)).is_none());
            let want = seen();
            assert!(outcome(|| on::asserted_grad_into(&mut tape, &x, &mut dx)).is_none());
            assert_eq!(seen(), want);
            // The buffers can be used again.
            k[bad] = 3;
            x[bad] = 0.5;
            let value = on::divided_grad_into(&mut tape, &x, &mut dx, &k);
            assert_eq!(value.to_bits(), on::divided(&x, &k).to_bits());
            let mut apart = vec![0.0; n];
            off::divided_grad_into(&mut tape, &x, &mut apart, &k);
            assert_eq!(dx, apart);
            seen();
        }
    }
}

#[test]
fn what_follows_the_loop_panics_after_it() {
    let x = numbers(9, 2);
    let (mut dx, mut dw) = (vec![0.0; 9], vec![0.0; 1]);
    let into = || on::short_weights_grad_into(&mut Tape::new(), &x, &mut dx, &[1.0], &mut dw);
    assert!(outcome(into).is_none());
    assert_eq!(seen().len(), 9);
}

#[test]
fn types_and_generics() {
    let x: [f64; 33] = numbers(33, 1).try_into().unwrap();
    let (value, (dx, ds)) = on::generic_grad(&x, 0.5);
    assert_eq!(value.to_bits(), on::generic(&x, 0.5).to_bits());
    let (_, (other, other_s)) = off::generic_grad(&x, 0.5);
    assert_eq!(dx, other);
    assert!((ds - other_s).abs() < 1e-12 * ds.abs());

    let x: Vec<f32> = numbers(40, 1).iter().map(|v| *v as f32).collect();
    let (value, dx) = on::single_grad(&x);
    assert_eq!(value.to_bits(), on::single(&x).to_bits());
    assert_eq!(dx, off::single_grad(&x).1);

    let p: Vec<[f64; 2]> = numbers(40, 3).iter().map(|v| [*v, 1.0 - v]).collect();
    let (value, (dp, dw)) = on::points_grad(&p, (0.5, 1.5));
    assert_eq!(value.to_bits(), on::points(&p, (0.5, 1.5)).to_bits());
    let (_, (other, other_w)) = off::points_grad(&p, (0.5, 1.5));
    assert_eq!(dp, other);
    assert!((dw.0 - other_w.0).abs() < 1e-12 && (dw.1 - other_w.1).abs() < 1e-12);

    let (value, da) = on::only_a_scalar_grad(0.3, 20);
    assert_eq!(value.to_bits(), on::only_a_scalar(0.3, 20).to_bits());
    assert!((da - off::only_a_scalar_grad(0.3, 20).1).abs() < 1e-12);

    let (x, k) = (numbers(7, 1), [0, 3, 3, 6, 0, 1]);
    let (value, dx) = on::scattered_grad(&x, &k);
    assert_eq!(value.to_bits(), on::scattered(&x, &k).to_bits());
    for (a, b) in dx.iter().zip(off::scattered_grad(&x, &k).1) {
        assert!((a - b).abs() < 1e-12);
    }
}
