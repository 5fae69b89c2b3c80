//! What no iteration changes, in front of the loop: and what only looks as if it did not change.

use crate::support::check;
use crate::twins::{SIZES, agree, numbers, twins};

twins! {
    /// applied `motion`
    pub(super) fn likelihood(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let z = (x[i] - a) / b;
            s -= 0.5 * z * z + b.ln();
        }
        s
    }

    /// Out of two loops, out of one, and what is made of what has left.
    ///
    /// applied `motion`
    pub(super) fn nested(x: &[f64], a: f64, b: f64) -> f64 {
        let (mut s, p) = (0.0, [a, b, 0.5]);
        for i in 0..x.len() {
            for j in 0..i.min(5) {
                let t = p[1].ln() * p[0].sqrt();
                let u = (x[i] * 0.1).exp();
                s += x[j] * t / (p[2] + u) + (t * t + 1.0).sqrt();
            }
        }
        s
    }

    /// The number of iterations may be zero where the square root is of a negative number.
    ///
    /// applied `motion`
    pub(super) fn none(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = b;
        for i in 0..x.len() {
            s += (a - 1.2).sqrt() * x[i];
        }
        s * a
    }

    /// applied `motion`
    pub(super) fn written_behind(x: &[f64], mut a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += a.exp() * x[i] + b.exp();
            a = 0.5 * a + 0.1 * x[i];
        }
        s
    }

    /// applied `motion`
    pub(super) fn written_in_front(x: &[f64], a: f64, mut b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            b += 0.01 * x[i] * x[i];
            s += a / b + b.ln() * a.sqrt();
        }
        s
    }

    /// applied `motion`
    pub(super) fn written_in_the_last(x: &[f64], mut a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            for j in 0..3 {
                s += a.sqrt() * x[i] * b.ln();
                if j == 2 && i % 2 == 1 {
                    a = a * 0.9 + 0.05;
                }
            }
        }
        s + a
    }

    /// One element is written at a time, another one is read.
    ///
    /// not applied `forward_order`: each iteration restores `p`
    pub(super) fn elements(x: &[f64], a: f64, b: f64) -> f64 {
        let (mut p, mut s) = ([a, b, 2.0], 0.0);
        for i in 0..x.len() {
            s += p[1].ln() * x[i] + p[0].exp();
            p[i % 3] = 1.0 + 0.5 * x[i];
        }
        s
    }

    /// not applied `forward_order`: each iteration swaps values back
    pub(super) fn exchanged(x: &[f64], mut a: f64, mut b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += a.exp() * x[i] / b;
            std::mem::swap(&mut a, &mut b);
        }
        s
    }

    /// The name means another variable inside.
    ///
    /// applied `motion`
    pub(super) fn shadowed(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let root = a.sqrt();
            let a = b + x[i] * x[i];
            let ln_1 = a.sqrt();
            s += root * ln_1 + b.ln();
        }
        s
    }

    /// applied `motion`
    pub(super) fn of_the_counter(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let t = i as f64 * 0.01;
            for v in x.iter().take(2) {
                s += t.exp() * v * a.ln() / (b + t);
            }
        }
        s
    }

    /// Left early, and under a condition.
    ///
    /// not applied `fuse`: the loop is no `for` over a range that runs to its end
    pub(super) fn early(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            if x[i] > 0.95 {
                break;
            }
            if x[i] < 0.0 {
                s += a.ln();
                continue;
            }
            s += x[i] * b.sqrt() + (a / b).powf(1.5);
        }
        s
    }

    /// applied `motion`
    pub(super) fn until(x: &[f64], a: f64, b: f64) -> f64 {
        let (mut y, mut k) = (a, 0);
        while (y - b.sqrt()).abs() > 1e-3 * a.sqrt() && k < x.len() {
            y -= 0.25 * (y - b.sqrt()) + 0.01 * x[k] * b.ln();
            k += 1;
        }
        y
    }

    /// applied `motion`
    pub(super) fn cut(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += retrograde::no_gradient(a.sqrt()) * x[i] + b.sqrt() / a;
        }
        s
    }

    /// applied `motion`
    pub(super) fn in_a_region(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            #[checkpoint]
            {
                s += a.sqrt() * x[i];
                for j in 0..3 {
                    s += b.ln() * x[i] * x[i];
                }
            }
            s += b.sqrt();
        }
        s
    }

    /// No other value of a parameter behind a reference.
    ///
    /// applied `motion`
    pub(super) fn behind(x: &[f64], a: f64, b: f64) -> f64 {
        let mut state = a;
        let s = {
            let at = &mut state;
            let mut s = 0.0;
            for i in 0..x.len() {
                s += at.sqrt() * b.ln();
                *at += 0.1 * x[i] * x[i];
            }
            s
        };
        s * state
    }
}

/// The twins agree, and the gradient is that of differences where no iteration stops early.
macro_rules! each {
    ($($name:ident $gradient:ident)*) => { $(
        #[test]
        fn $name() {
            for n in SIZES {
                for (a, b) in [(0.7, 1.4), (1.3, 0.6), (2.0, 2.0)] {
                    let x = numbers(n, 3);
                    agree(|| on::$name(&x, a, b), || on::$gradient(&x, a, b), || off::$gradient(&x, a, b));
                }
            }
            let all = [numbers(9, 5), vec![1.6, 1.1]].concat();
            check(
                |p| on::$name(&p[..9], p[9], p[10]),
                |p| on::$gradient(&p[..9], p[9], p[10]),
                &[&all],
            );
        }
    )* };
}

each! {
    likelihood likelihood_grad
    nested nested_grad
    none none_grad
    written_behind written_behind_grad
    written_in_front written_in_front_grad
    written_in_the_last written_in_the_last_grad
    elements elements_grad
    exchanged exchanged_grad
    shadowed shadowed_grad
    of_the_counter of_the_counter_grad
    early early_grad
    until until_grad
    in_a_region in_a_region_grad
    behind behind_grad
}

/// `no_gradient` cuts the derivative wherever the root is computed.
#[test]
fn cut() {
    for n in SIZES {
        let x = numbers(n, 3);
        agree(
            || on::cut(&x, 1.7, 0.4),
            || on::cut_grad(&x, 1.7, 0.4),
            || off::cut_grad(&x, 1.7, 0.4),
        );
        let (_, (_, da, _)) = on::cut_grad(&x, 1.7, 0.4);
        let exact = -(n as f64) * 0.4_f64.sqrt() / (1.7 * 1.7);
        assert!((da - exact).abs() <= 1e-12 * exact.abs(), "{da} {exact}");
    }
}

mod fields {
    use crate::support::check;
    use crate::twins::{SIZES, agree, numbers};
    use retrograde::{Differentiable, gradient};

    #[derive(Clone, Differentiable)]
    pub(super) struct Walk {
        at: Vec<f64>,
        scale: f64,
        drift: f64,
    }

    macro_rules! walk {
        ($module:ident $($attribute:tt)*) => {
            mod $module {
                use super::*;

                /// A method changes one field, and reads others.
                #[gradient $($attribute)*]
                pub(super) fn walk(x: &[f64], a: f64, b: f64) -> f64 {
                    let mut walk = Walk { at: x.to_vec(), scale: a, drift: b };
                    for step in 0..3 {
                        for i in 0..walk.at.len() {
                            walk.at[i] = walk.at[i] * walk.scale.ln() + walk.drift.exp();
                        }
                        walk.drift = 0.5 * walk.drift;
                    }
                    let mut s = 0.0;
                    for v in &walk.at {
                        s += v * v / walk.scale;
                    }
                    s
                }
            }
        };
    }

    walk! { on }
    walk! { off (no(all)) }

    #[test]
    fn walk() {
        for n in SIZES {
            let x = numbers(n, 3);
            agree(
                || on::walk(&x, 1.7, 0.4),
                || on::walk_grad(&x, 1.7, 0.4),
                || off::walk_grad(&x, 1.7, 0.4),
            );
        }
        let all = [numbers(9, 5), vec![1.6, 0.3]].concat();
        check(
            |p| on::walk(&p[..9], p[9], p[10]),
            |p| on::walk_grad(&p[..9], p[9], p[10]),
            &[&all],
        );
    }
}
