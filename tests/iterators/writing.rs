//! Closures in chains that write to variables outside of them.

use super::support::check;

const FOUR: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[1.5, 0.3, -0.8, 2.2],
    &[-0.6, 1.1, 0.9, -1.7],
];

/// A filter that has a state.
mod method {
    use retrograde::gradient;
    use retrograde::{Differentiable, Record};

    #[derive(Clone, Default, Differentiable, Record)]
    struct B {
        z: f64,
        k: f64,
    }
    #[gradient]
    impl B {
        fn step(&mut self, x: f64) -> f64 {
            self.z = self.z * self.k + x;
            self.z
        }
        fn run(&mut self, xs: &[f64]) -> Vec<f64> {
            xs.iter().map(|&x| self.step(x)).collect()
        }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut q = B {
            z: 0.0,
            k: x[1] * 0.3,
        };
        let y = q.run(x);
        y.iter().map(|v| v * v).sum()
    }
}

/// What was added so far.
mod sums {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        let v: Vec<f64> = x
            .iter()
            .map(|a| {
                s += a * a;
                s
            })
            .collect();
        v.iter().product::<f64>() * s
    }
}

/// With adapters behind it.
mod chain {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut s = 1.0;
        let t: f64 = x
            .iter()
            .map(|a| {
                s *= a;
                s
            })
            .filter(|v| *v > 0.0)
            .map(|v| v * 2.0)
            .sum();
        t * s
    }
}

/// In the closure of `filter`.
mod filter {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut last = 0.0;
        let v: Vec<f64> = x
            .iter()
            .copied()
            .filter(|a| {
                let keep = *a > last;
                last = *a;
                keep
            })
            .collect();
        v.iter().sum::<f64>() * last
    }
}

/// A closure with a name, called and in a chain.
mod named {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut n = 0.0;
        let mut next = || {
            n += x[0];
            n * n
        };
        let a = next();
        let b = next();
        let v: Vec<f64> = (0..3).map(|_| next()).collect();
        a * b + v[2]
    }
}

/// Two chains, one of them from the end.
mod twice {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut k = 1.0;
        let a: f64 = x
            .iter()
            .map(|v| {
                k *= 1.5;
                v * k
            })
            .take(2)
            .sum();
        let b: f64 = x
            .iter()
            .rev()
            .map(|v| {
                k += v;
                v * k
            })
            .sum();
        a * b + k
    }
}

/// A loop that is left early.
mod loops {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut k = 1.0;
        let mut s = 0.0;
        for (i, v) in x
            .iter()
            .map(|v| {
                k *= v;
                k
            })
            .enumerate()
        {
            if i == 3 {
                break;
            }
            s += v * (i as f64 + 1.0);
        }
        s * k
    }
}

/// Items that are skipped: the closure runs for them, too.
mod skipped {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut k = 1.0;
        let s: f64 = x
            .iter()
            .map(|v| {
                k *= v;
                k
            })
            .skip(1)
            .step_by(2)
            .sum();
        s * k
    }
}

/// `find_map` stops.
mod found {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut n = 0.0;
        let r = x.iter().find_map(|v| {
            n += v;
            if n < 0.0 || *v > 2.0 {
                Some(v * n)
            } else {
                None
            }
        });
        r.unwrap_or(1.0) * n
    }
}

/// `last` runs through.
mod last {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut n = 0.0;
        let r = x
            .iter()
            .map(|v| {
                n += v;
                n * v
            })
            .last();
        r.unwrap_or(1.0) * n
    }
}

/// `take_while` looks at one item more.
mod taken {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut n = 0.0;
        let r: f64 = x
            .iter()
            .take_while(|v| {
                n += **v;
                n > 0.5
            })
            .map(|v| v * v)
            .sum();
        r * n
    }
}

/// `retain`.
mod retained {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut n = 0.0;
        let mut v = x.to_vec();
        v.retain(|a| {
            n += *a;
            n > 0.45
        });
        v.iter().map(|v| v * v).sum::<f64>() * n
    }
}

/// `chain`.
mod both {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut n = 0.0;
        let v: Vec<f64> = x
            .iter()
            .chain([2.0, 3.0].iter())
            .map(|v| {
                n += v;
                n * v
            })
            .collect();
        v.iter().sum::<f64>() * n
    }
}

#[test]
fn a_method_that_writes() {
    check(method::f, method::f_grad, FOUR);
}

#[test]
fn sums_so_far() {
    check(sums::f, sums::f_grad, FOUR);
}

#[test]
fn adapters_behind() {
    check(chain::f, chain::f_grad, FOUR);
}

#[test]
fn filter_that_writes() {
    check(filter::f, filter::f_grad, FOUR);
}

#[test]
fn a_named_closure() {
    check(named::f, named::f_grad, FOUR);
}

#[test]
fn two_chains() {
    check(twice::f, twice::f_grad, FOUR);
}

#[test]
fn a_loop_left_early() {
    check(loops::f, loops::f_grad, FOUR);
}

#[test]
fn skipped_items() {
    check(skipped::f, skipped::f_grad, FOUR);
}

#[test]
fn find_map_stops() {
    check(found::f, found::f_grad, FOUR);
}

#[test]
fn last_runs_through() {
    check(last::f, last::f_grad, FOUR);
}

#[test]
fn take_while_looks_at_one_more() {
    check(taken::f, taken::f_grad, FOUR);
}

#[test]
fn retain() {
    check(retained::f, retained::f_grad, FOUR);
}

#[test]
fn both_parts_of_a_chain() {
    check(both::f, both::f_grad, FOUR);
}
