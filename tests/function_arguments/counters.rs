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
