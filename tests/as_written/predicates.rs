//! Plain functions and methods that answer with a `bool`, called with values that carry a derivative.

use std::cell::Cell;

use retrograde::gradient;

use crate::support::check;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

fn is_large(x: f64) -> bool {
    ASKED.set(ASKED.get() + 1);
    x > 1.0
}

fn good(x: f64, eps: f64) -> bool {
    ASKED.set(ASKED.get() + 1);
    x.abs() > eps
}

fn all_positive(x: &[f64]) -> bool {
    x.iter().all(|&v| v > 0.0)
}

#[derive(Clone, Copy)]
struct Interval {
    low: f64,
    high: f64,
}

impl Interval {
    fn inside(&self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }
}

mod far {
    pub(crate) fn away(x: &f64) -> bool {
        *x > 3.0
    }
}

#[gradient]
fn in_if(x: f64) -> f64 {
    if is_large(x) { x * x } else { 3.0 * x }
}

#[gradient]
fn in_else_if(x: f64) -> f64 {
    if is_large(x) {
        x * x
    } else if !good(x, 0.5) || far::away(&x) {
        x.sin()
    } else {
        x.exp()
    }
}

#[gradient]
fn in_while(x: f64) -> f64 {
    let (mut r, mut s) = (x, 0.0);
    while good(r, 1e-3) {
        s += r * r;
        r *= 0.5;
    }
    s
}

#[gradient]
fn in_match_guard(x: f64, k: usize) -> f64 {
    match k {
        0 if is_large(x) => x.powi(3),
        0 => x,
        _ if good(x, 0.2) => x.cos(),
        _ => 1.0,
    }
}

#[gradient]
fn of_an_own_type(x: &[f64], #[constant] inside: &Interval) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        if inside.inside(x[i]) {
            s += x[i] * x[i];
        }
    }
    s
}

#[gradient]
fn kept_in_a_variable(x: &[f64]) -> f64 {
    let large = is_large(x[0] + x[1]);
    let sorted = all_positive(x) && large;
    let y = if sorted { x[0] * x[1] } else { x[0] - x[1] };
    if large { y * 2.0 } else { y }
}

#[gradient]
fn of_a_state(x: &[f64]) -> f64 {
    let mut a = [0.0; 3];
    for i in 0..3 {
        a[i] = x[i] * x[0];
        if all_positive(&a[..=i]) {
            a[i] += 1.0;
        }
    }
    a[0] * a[1] * a[2]
}

const POINTS: [[f64; 3]; 6] = [
    [0.7, 1.2, 0.3],
    [1.5, -0.4, 2.5],
    [-0.3, 0.9, -1.1],
    [4.0, 0.1, 0.6],
    [0.05, 0.05, 0.05],
    [1.1, 2.2, 3.3],
];

#[test]
fn plain_predicates_decide() {
    for p in POINTS {
        let x = p[0];
        check(|x| in_if(x[0]), |x| in_if_grad(x[0]), &[&[x]]);
        check(|x| in_else_if(x[0]), |x| in_else_if_grad(x[0]), &[&[x]]);
        check(|x| in_while(x[0]), |x| in_while_grad(x[0]), &[&[x]]);
        for k in [0, 1] {
            let primal = |x: &[f64]| in_match_guard(x[0], k);
            check(primal, |x| in_match_guard_grad(x[0], k), &[&[x]]);
        }
        check(kept_in_a_variable, kept_in_a_variable_grad, &[&p]);
        check(of_a_state, of_a_state_grad, &[&p]);
        for inside in [(-2.0, 0.2), (0.5, 9.0), (9.0, -9.0)] {
            let inside = Interval {
                low: inside.0,
                high: inside.1,
            };
            let primal = |x: &[f64]| of_an_own_type(x, &inside);
            check(primal, |x| of_an_own_type_grad(x, &inside), &[&p]);
        }
    }
    check(
        |x| {
            of_an_own_type(
                x,
                &Interval {
                    low: 0.0,
                    high: 1.0,
                },
            )
        },
        |x| {
            of_an_own_type_grad(
                x,
                &Interval {
                    low: 0.0,
                    high: 1.0,
                },
            )
        },
        &[&[]],
    );
}

/// The reverse sweep asks nobody a second time.
#[test]
fn a_predicate_is_asked_as_often_as_the_primal_asks() {
    for x in [0.1, 0.9, 1.5, 4.0] {
        for (primal, gradient) in [
            (in_if as fn(f64) -> f64, in_if_grad as fn(f64) -> (f64, f64)),
            (in_else_if, in_else_if_grad),
            (in_while, in_while_grad),
        ] {
            ASKED.set(0);
            primal(x);
            let asked = ASKED.replace(0);
            gradient(x);
            assert_eq!(ASKED.get(), asked);
        }
    }
}
