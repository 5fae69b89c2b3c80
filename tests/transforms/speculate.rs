//! Conditions in front of the branches that they stand in: and those that have to stay, since they could panic, or
//! since the branch changes what they ask about.

use crate::twins::{agree_at, twins};

twins! {
    /// applied `speculate`
    pub(super) fn limited(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 1..x.len().max(2) - 1 {
            let (l, r) = (x[i] - x[i - 1], x[i + 1] - x[i]);
            let slope = if l * r <= 0.0 {
                0.0
            } else if l.abs() < r.abs() {
                a * l
            } else {
                b * r
            };
            s += slope * slope;
        }
        s
    }

    /// Three levels, and an operand that is no number of the iteration.
    ///
    /// applied `speculate`
    pub(super) fn deeper(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = b;
        for v in x {
            if *v > 0.0 {
                if *v > 0.2 * a {
                    if *v < 0.5 * b {
                        s += v * v;
                    } else {
                        s -= a * v;
                    }
                } else if a > b {
                    s += v * b;
                }
            }
        }
        s
    }

    /// The element that the branch has asked about is there.
    ///
    /// applied `speculate`
    pub(super) fn elements(x: &[f64], a: f64, b: f64) -> f64 {
        let mut y = x.to_vec();
        for i in 0..x.len() {
            if x[i] > 0.5 {
                y[i] = a * x[i];
            } else if x[i] < -0.5 {
                y[i] = b * x[i] * x[i];
            }
        }
        y.iter().map(|v| v * v).sum::<f64>()
    }

    /// That one is guarded, it need not be there.
    ///
    /// not applied `fuse`
    pub(super) fn guarded(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            if i + 1 < x.len() {
                if x[i + 1] > x[i] {
                    s += a * x[i + 1];
                } else {
                    s -= b * x[i];
                }
            }
        }
        s
    }

    /// Read only if something else holds: only `i > 0` leaves.
    ///
    /// applied `speculate`
    pub(super) fn short_circuit(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            if i > 0 && x[i - 1] > 0.3 {
                s += a * x[i];
            } else if i > 0 {
                if x[i - 1] < -0.3 {
                    s += b * x[i] * x[i];
                }
            }
        }
        s
    }

    /// What is subtracted would overflow, or be divided by zero: the conditions stay.
    ///
    /// applied `forward_order`
    pub(super) fn integers(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            if i > 2 {
                if i - 3 < 4 {
                    s += a * x[i];
                } else if 100 / (i - 2) > 7 {
                    s += b * x[i] * x[i];
                }
            }
        }
        s
    }

    /// applied `forward_order`
    pub(super) fn written_in_front(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let mut t = x[i];
            if t > 0.0 {
                t = a * t - 0.2;
                if t > 0.1 {
                    s += t * t;
                } else {
                    s -= b * t;
                }
            }
        }
        s
    }

    /// The name means another variable inside.
    ///
    /// applied `forward_order`
    pub(super) fn shadowed(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let t = x[i];
            if t > 0.0 {
                let t = b - a * t;
                if t > 0.3 {
                    s += t * t * x[i];
                }
            }
        }
        s
    }

    /// An element that was there is not there any more.
    ///
    /// not applied `fuse`
    pub(super) fn shorter(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let mut w = x.to_vec();
            let t = w[i];
            w.truncate(x.len() / 2);
            if t > 0.5 {
                s += a * t;
            } else if i < w.len() {
                if w[i] < -0.2 {
                    s += b * w[i] * t;
                }
            }
        }
        s
    }

    /// An index that moves on.
    ///
    /// not applied `fuse`
    pub(super) fn moving(x: &[f64], a: f64, b: f64) -> f64 {
        let (mut s, mut j) = (0.0, 0);
        while j < x.len() {
            let t = x[j];
            j += 1;
            if t > 0.45 {
                s += a * t;
            } else if j < x.len() {
                if x[j] < t {
                    s += b * t * x[j];
                }
            }
        }
        s
    }

    /// Divisions and roots stay with what guards them.
    ///
    /// applied `forward_order`
    pub(super) fn dear(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            if x[i] > 0.0 {
                if a / x[i] > 1.5 {
                    s += a * x[i].sqrt();
                } else if x[i].sqrt() < 0.9 * b {
                    s += b / x[i];
                }
            }
        }
        s
    }

    /// The largest of those that count.
    ///
    /// not applied `fuse`
    pub(super) fn search(x: &[f64], a: f64, b: f64) -> f64 {
        let mut best = -a;
        for i in 0..x.len() {
            if i % 3 != 1 {
                if x[i] > best {
                    best = x[i];
                }
            }
        }
        best * b
    }

    /// Numbers decide, and conditions in the arms, which read what no other arm has read.
    ///
    /// applied `fuse`
    pub(super) fn arms(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for (i, v) in x.iter().enumerate() {
            match i % 4 {
                0 => s += a * v,
                1 => {
                    if *v > 0.0 {
                        s += v * v;
                    }
                }
                2 if *v < b => s -= v,
                _ => {
                    if *v < 0.0 {
                        s += b * v;
                    }
                }
            }
        }
        s
    }

    /// Left early.
    ///
    /// not applied `fuse`
    pub(super) fn early(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            if x[i] > 0.95 {
                break;
            }
            if x[i] < 0.0 {
                s += a * x[i];
                if s < -2.0 {
                    continue;
                }
            }
            s += if x[i] < 0.5 * a { x[i] * x[i] } else { b };
        }
        s
    }

    /// not applied `fuse`
    pub(super) fn in_a_region(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            #[checkpoint]
            {
                if x[i] > 0.0 {
                    s += if x[i] < 0.5 * a { x[i] * x[i] } else { b * x[i] };
                }
            }
        }
        s
    }

    /// The arm changes what it asks about in a loop, under another condition, and by exchanging.
    ///
    /// not applied `fuse`
    pub(super) fn changed_within(x: &[f64], mut a: f64, mut b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            if x[i] > -0.5 {
                for j in 0..i % 3 {
                    a *= 0.9;
                    if j == 1 {
                        b += 0.01 * x[i];
                    }
                }
                if i % 2 == 0 {
                    std::mem::swap(&mut a, &mut b);
                }
                s += if a > b { a * x[i] } else { b * x[i] * x[i] };
            }
        }
        s
    }
}

/// Ties, zeros of both signs, and what is no number.
fn special(at: usize, v: &mut f64) {
    match at % 7 {
        2 => *v = 0.0,
        3 => *v = -0.0,
        5 => *v = 0.5,
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
    limited limited_grad
    deeper deeper_grad
    elements elements_grad
    guarded guarded_grad
    short_circuit short_circuit_grad
    integers integers_grad
    written_in_front written_in_front_grad
    shadowed shadowed_grad
    shorter shorter_grad
    moving moving_grad
    dear dear_grad
    search search_grad
    arms arms_grad
    early early_grad
    in_a_region in_a_region_grad
    changed_within changed_within_grad
}
