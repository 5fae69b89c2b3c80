//! What all arms of a branch write last, written once behind them: and writes that have to stay where they are, since
//! they go elsewhere, or since an arm does not make them.

use crate::twins::{agree_at, twins};

twins! {
    /// applied `speculate`, `fuse`
    pub(super) fn huber(x: &[f64], a: f64, b: f64) -> f64 {
        let mut sum = 0.0;
        for v in x {
            let r = a * v - b;
            if r.abs() <= 1.0 {
                sum += 0.5 * r * r;
            } else {
                sum += r.abs() - 0.5;
            }
        }
        sum
    }

    /// One arm does nothing.
    ///
    /// applied `speculate`, `lanes`
    pub(super) fn hinge(x: &[f64], a: f64, b: f64) -> f64 {
        let mut sum = 0.0;
        for v in x {
            let margin = 1.0 - a * v * b;
            if margin > 0.0 {
                sum += margin;
            }
        }
        sum
    }

    /// A sum that begins with a negative zero keeps it where nothing is added, and where nothing is subtracted.
    ///
    /// applied `speculate`
    pub(super) fn negative_zero(x: &[f64], a: f64, b: f64) -> f64 {
        let (mut up, mut down) = (-0.0, -0.0);
        for v in x {
            if *v > 5.0 + a {
                up += v;
            }
            if *v < -5.0 - a.abs() {
                down -= b * v;
            }
        }
        f64::copysign(a, up) + f64::copysign(b, down)
    }

    /// applied `speculate`
    pub(super) fn zeros_added(x: &[f64], a: f64, b: f64) -> f64 {
        let mut sum = b;
        for v in x {
            if *v >= 0.0 {
                sum += a * v;
            }
        }
        sum
    }

    /// Three arms, of which the inner ones are merged first.
    ///
    /// applied `speculate`
    pub(super) fn three(x: &[f64], a: f64, b: f64) -> f64 {
        let mut sum = 0.0;
        for v in x {
            if *v > 0.45 {
                sum += a * v;
            } else if *v < -0.45 {
                sum += v * v;
            } else {
                sum += b;
            }
        }
        sum
    }

    /// An element, which is saved in one copy in front of the loop.
    ///
    /// applied `speculate`, `bulk`
    pub(super) fn masked(x: &[f64], a: f64, b: f64) -> f64 {
        let mut u = x.to_vec();
        let mut w = x.to_vec();
        for _ in 0..3 {
            for i in 1..u.len().max(2) - 1 {
                if i % 4 != 1 {
                    w[i] = 0.4 * a * (u[i - 1] + u[i + 1]) - 0.1 * u[i] * u[i];
                } else {
                    w[i] = u[i];
                }
            }
            std::mem::swap(&mut u, &mut w);
        }
        b * u.iter().map(|v| v * v).sum::<f64>()
    }

    /// Two elements: what they add to differs.
    ///
    /// not applied `wide`
    pub(super) fn elsewhere(x: &[f64], a: f64, b: f64) -> f64 {
        let mut y = vec![1.0; x.len() + 1];
        for i in 0..x.len() {
            if x[i] > 0.1 {
                y[i] += a * x[i];
            } else {
                y[i + 1] += b * x[i];
            }
        }
        y.iter().map(|v| v * v).sum::<f64>()
    }

    /// One adds and one subtracts, and the index of the last is the arm's own.
    ///
    /// applied `forward_order`
    pub(super) fn unlike(x: &[f64], a: f64, b: f64) -> f64 {
        let mut sum = [0.0; 3];
        for i in 0..x.len() {
            if x[i] > 0.0 {
                sum[0] += a * x[i];
            } else {
                sum[0] -= b * x[i];
            }
            if x[i] > 0.3 {
                let k = i % 2;
                sum[k] += x[i];
            } else {
                let k = i % 3;
                sum[k] += x[i] * x[i];
            }
        }
        sum[0] * sum[1] + sum[2]
    }

    /// The element of the one arm need not be there in the other.
    ///
    /// applied `forward_order`
    pub(super) fn guarded(x: &[f64], a: f64, b: f64) -> f64 {
        let mut bins = [1.0; 4];
        for i in 0..x.len() {
            let bin = ((x[i] + 1.0) * 4.0) as usize;
            if bin < 4 {
                bins[bin] += a * x[i];
            }
        }
        b * bins[0] * bins[1] + bins[2] * bins[3]
    }

    /// The arm changes what the term is made of, and what is no sum is read in it.
    ///
    /// not applied `forward_order`
    pub(super) fn read_within(x: &[f64], a: f64, b: f64) -> f64 {
        let (mut sum, mut scale) = (0.5, b);
        for v in x {
            if sum > 0.2 {
                scale *= 0.9 * a;
                sum += scale * v - 0.1 * sum;
            } else {
                sum += v * v + 0.1 * scale;
            }
        }
        sum
    }

    /// The index of what is written is written in the arm.
    ///
    /// applied `speculate`
    pub(super) fn moved_index(x: &[f64], a: f64, b: f64) -> f64 {
        let mut y = vec![0.5; x.len() + 2];
        let mut at = 0;
        for v in x {
            if *v > 0.0 {
                at += 1;
                y[at] = a * v * y[at];
            } else {
                at = at / 2 + 1;
                y[at] = b * v;
            }
        }
        y.iter().map(|v| v * v).sum::<f64>()
    }
}

/// Ties, zeros of both signs, and what is no number.
fn special(at: usize, v: &mut f64) {
    match at % 7 {
        2 => *v = 0.0,
        3 => *v = -0.0,
        5 => *v = 0.4,
        6 if at % 2 == 0 => *v = f64::NAN,
        _ => {}
    }
}

macro_rules! each {
    ($($name:ident $gradient:ident)*) => { $(
        #[test]
        fn $name() {
            let pairs = [(0.7, 1.4), (1.3, 0.6), (2.0, 2.0), (f64::NAN, 1.0), (0.0, -0.0)];
            agree_at(on::$name, [on::$gradient, off::$gradient], &pairs, special);
        }
    )* };
}

each! {
    huber huber_grad
    hinge hinge_grad
    negative_zero negative_zero_grad
    zeros_added zeros_added_grad
    three three_grad
    masked masked_grad
    elsewhere elsewhere_grad
    unlike unlike_grad
    guarded guarded_grad
    read_within read_within_grad
    moved_index moved_index_grad
}
