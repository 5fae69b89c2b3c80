//! Closures that capture a counter whose type the text around shows.

use super::support::check;

const FOUR: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[1.5, 0.3, -0.8, 2.2],
    &[-0.6, 1.1, 0.9, -1.7],
];

/// It stands in an index.
mod indices {
    use retrograde::gradient;

    #[gradient]
    fn ap(h: impl Fn(f64) -> f64, x: f64) -> f64 {
        h(x) * x
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..3 {
            let y = ap(|t| t * (i as f64 + 1.0), x[0]);
            s += y * x[i];
        }
        s
    }
}

/// It stands beside a `usize`, and is another integer.
mod others {
    use retrograde::gradient;

    #[gradient]
    fn ap(h: impl Fn(f64) -> f64, x: f64) -> f64 {
        h(x) * x
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..3 {
            s += ap(|t| t * ((5_usize.max(i)) as f64), x[0]);
        }
        for k in 0..2 {
            s += ap(|t| t * (k as f64).cos(), x[1]);
            let m: i64 = k;
            s *= m as f64 + 0.5;
        }
        s
    }
}

#[test]
fn in_an_index() {
    check(indices::f, indices::f_grad, FOUR);
}

#[test]
fn beside_a_number() {
    check(others::f, others::f_grad, FOUR);
}

/// The closure alone says what type it has: beside a parameter, as an argument of a function of the module, and in a
/// closure inside.
mod inside {
    use retrograde::gradient;

    #[gradient]
    fn at(h: impl Fn(f64, usize) -> f64, x: f64, n: usize) -> f64 {
        h(x, n)
    }
    #[gradient]
    fn times(h: &dyn Fn(f64) -> f64, x: f64, n: u32) -> f64 {
        h(x) * n as f64
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 1..4 {
            s += at(
                |t: f64, n: usize| if i + n > 3 { t * t } else { t * x[1] },
                x[0],
                2,
            );
            s += at(
                |t: f64, n: usize| at(|u: f64, m: usize| if i + n > m { u * t } else { u }, t, n),
                x[2],
                2,
            );
        }
        for k in 0..3 {
            s += at(
                |t: f64, n: usize| times(&move |u: f64| u * t, x[3], k.clone()) * n as f64,
                x[0],
                3,
            );
        }
        s
    }
}

#[test]
fn in_the_closure() {
    check(inside::f, inside::f_grad, FOUR);
}

/// It is given to a function of a type, by its path.
mod given {
    use retrograde::{Differentiable, Record, gradient};

    #[derive(Clone, Differentiable, Record)]
    struct Spring {
        stiffness: f64,
    }

    #[gradient]
    impl Spring {
        fn force(&self, x: f64, times: usize) -> f64 {
            self.stiffness * x * times as f64
        }
        fn natural(stiffness: f64, mode: u8) -> f64 {
            (stiffness * f64::from(mode)).cos()
        }
    }
    #[gradient]
    fn ap(h: &dyn Fn(f64) -> f64, x: f64) -> f64 {
        h(x) * x
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..4 {
            s += ap(
                &|t: f64| {
                    let scaled = t * ((i as f64) * 0.1);
                    if i != 2 {
                        Spring::force(&Spring { stiffness: x[1] }, scaled, i)
                    } else {
                        scaled
                    }
                },
                x[0],
            );
        }
        for i in 1..3 {
            s += ap(&|t: f64| Spring::natural(t * x[2], i) * x[3], x[0]);
        }
        s
    }
}

#[test]
fn given_to_a_function_of_a_type() {
    check(given::f, given::f_grad, FOUR);
}
