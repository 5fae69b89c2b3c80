//! Loops that run down, or in steps, and leave a record for each iteration: as many records, in the order of the loop.

use crate::twins::{agree_at, twins};

twins! {
    /// applied `strips`
    pub(super) fn horner(x: &[f64], a: f64, b: f64) -> f64 {
        let mut p = b;
        for i in (0..x.len()).rev() {
            p = p * a + x[i];
        }
        p * p
    }

    /// The ends belong to it.
    ///
    /// applied `strips`
    pub(super) fn inclusive(x: &[f64], a: f64, b: f64) -> f64 {
        let mut p = 1.0;
        if x.len() > 2 {
            for i in (1..=x.len() - 2).rev() {
                p = (p * a).sin() + b * x[i] * x[i + 1] * x[i - 1];
            }
        }
        p
    }

    /// Nothing between the ends, in both spellings.
    ///
    /// applied `strips`
    pub(super) fn nothing(x: &[f64], a: f64, b: f64) -> f64 {
        let (n, mut p) = (x.len(), b);
        for i in (n + 3..n).rev() {
            p = p * a + x[i];
        }
        for i in (n + 1..=n).rev() {
            p = p * a + x[i];
        }
        for i in (n..n).step_by(2) {
            p = p * a + x[i];
        }
        p * p
    }

    /// applied `strips`
    pub(super) fn steps(x: &[f64], a: f64, b: f64) -> f64 {
        let mut p = b;
        for i in (1..x.len()).step_by(3) {
            p = p * a + x[i] * x[i - 1];
        }
        for i in (0..x.len()).step_by(1) {
            p = 0.5 * (a * p).sin() + x[i];
        }
        p
    }

    /// applied `strips`
    pub(super) fn steps_down(x: &[f64], a: f64, b: f64) -> f64 {
        let mut p = b;
        for i in (0..x.len()).step_by(4).rev() {
            p = p * a + x[i];
        }
        for i in (0..x.len()).rev().step_by(3) {
            p = p * b + x[i];
        }
        if !x.is_empty() {
            for i in (0..=x.len() - 1).rev().step_by(2) {
                p = p * a - x[i];
            }
        }
        p
    }

    /// A step that the text does not show.
    ///
    /// not applied `strips`
    pub(super) fn unknown_step(x: &[f64], a: f64, b: f64) -> f64 {
        let (mut p, step) = (b, x.len() / 7 + 1);
        for i in (0..x.len()).step_by(step) {
            p = p * a + x[i];
        }
        p * p
    }

    /// Neither is read: the records are all that is left of an iteration.
    ///
    /// applied `strips`
    pub(super) fn few(x: &[f64], a: f64, b: f64) -> f64 {
        let mut p = b;
        for v in x {
            for _ in (0..5).rev() {
                p = 0.3 * (p * a).cos() + v;
            }
            for _ in (1..9).step_by(3) {
                p = 0.3 * (p * b).sin() + v;
            }
        }
        p
    }

    /// Nothing goes from iteration to iteration of its reverse, which runs up, on slices.
    ///
    /// applied `strips`, `forward_order`
    pub(super) fn independent(x: &[f64], a: f64, b: f64) -> f64 {
        let mut y = vec![0.0; x.len()];
        for i in (0..x.len()).rev() {
            y[i] = a * x[i] * x[i];
        }
        for i in (1..x.len()).rev() {
            y[i] += (b * x[i - 1]).exp();
        }
        y.iter().map(|v| v * v).sum::<f64>()
    }

    /// In the order of the loop, a sum has other bits.
    ///
    /// applied `forward_order`
    pub(super) fn sums(x: &[f64], a: f64, b: f64) -> f64 {
        let mut sum = b;
        for i in (0..x.len()).rev() {
            sum += a * x[i] * x[i] / (i as f64 + 0.3);
        }
        for i in (0..x.len()).step_by(2).rev() {
            sum -= x[i] / (i as f64 + 0.7);
        }
        sum
    }
}

/// Zeros, and what is no number.
fn special(at: usize, v: &mut f64) {
    match at % 9 {
        4 => *v = -0.0,
        6 if at % 2 == 0 => *v = f64::NAN,
        _ => {}
    }
}

macro_rules! each {
    ($($name:ident $gradient:ident)*) => { $(
        #[test]
        fn $name() {
            let pairs = [(0.7, 0.4), (0.3, 0.6), (f64::NAN, 1.0), (0.0, -0.0)];
            agree_at(on::$name, [on::$gradient, off::$gradient], &pairs, special);
        }
    )* };
}

each! {
    horner horner_grad
    inclusive inclusive_grad
    nothing nothing_grad
    steps steps_grad
    steps_down steps_down_grad
    unknown_step unknown_step_grad
    few few_grad
    independent independent_grad
    sums sums_grad
}
