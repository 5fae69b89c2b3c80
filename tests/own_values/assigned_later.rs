//! Structs in variables without a value, which `mut` lets change later.

use super::support::check;

const FOUR: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[1.5, 0.3, -0.8, 2.2],
    &[-0.6, 1.1, 0.9, -1.7],
];

/// Assigned behind the declaration, and again.
mod behind {
    use retrograde::gradient;
    use retrograde::{Differentiable, Record};

    #[derive(Clone, Copy, Differentiable, Record)]
    struct P {
        a: f64,
        b: f64,
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p: P;
        p = P { a: x[0], b: x[1] };
        p.a *= p.b;
        if x[2] > 0.0 {
            p = P {
                a: p.b * x[3],
                b: p.a,
            };
        }
        p.a * p.b + p.a
    }
}

/// Assigned by both branches.
mod branches {
    use retrograde::gradient;
    use retrograde::{Differentiable, Record};

    #[derive(Clone, Copy, Differentiable, Record)]
    struct P {
        a: f64,
        b: f64,
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p: P;
        if x[2] > 0.0 {
            p = P { a: x[0], b: x[1] };
        } else {
            p = P {
                a: x[1] * x[3],
                b: x[0],
            };
        }
        p.a *= p.b;
        p.a * p.b
    }
}

/// In a loop that goes on early.
mod loops {
    use retrograde::gradient;
    use retrograde::{Differentiable, Record};

    #[derive(Clone, Copy, Differentiable, Record)]
    struct P {
        a: f64,
        b: f64,
    }
    #[gradient]
    fn mk(a: f64, b: f64) -> P {
        P { a: a * b, b }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for v in x {
            let mut p: P;
            if *v > 1.0 {
                p = mk(*v, 2.0);
            } else if *v > 0.0 {
                p = P { a: 1.0, b: *v };
                p.a += x[0];
            } else {
                continue;
            }
            p.b *= p.a;
            s += p.b + p.a;
        }
        s
    }
}

/// With a vector in it, and an early return.
mod owned {
    use retrograde::gradient;
    use retrograde::{Differentiable, Record};

    #[derive(Clone, Differentiable, Record)]
    struct P {
        a: f64,
        b: Vec<f64>,
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p;
        let k = x[0] * x[1];
        p = P {
            a: k,
            b: x.to_vec(),
        };
        p.b.push(k);
        p.a += p.b[4];
        if p.a > 0.0 {
            return p.a * p.a;
        }
        p.a * p.b[0]
    }
}

#[test]
fn assigned_behind() {
    check(behind::f, behind::f_grad, FOUR);
}

#[test]
fn assigned_by_both_branches() {
    check(branches::f, branches::f_grad, FOUR);
}

#[test]
fn in_a_loop() {
    check(loops::f, loops::f_grad, FOUR);
}

#[test]
fn with_a_vector_in_it() {
    check(owned::f, owned::f_grad, FOUR);
}
