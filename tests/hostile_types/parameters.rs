//! Parameters: by value and used again, in-out, constant; seeds and results.

use retrograde::{Differentiable, Record, Tangent, Tape, gradient};

use crate::types::{Nested, Resets, Setup, Swaps, check, nested};

#[gradient]
fn used(n: Resets) -> f64 {
    n.x * n.acc * n.acc
}

/// What is moved into a call is used by the reverse sweep of the caller.
#[gradient]
fn moved(n: Resets, y: f64) -> f64 {
    let t = n.x * n.acc;
    used(n) * t * y
}

/// In-out, and overwritten.
#[gradient]
fn turned(n: &mut Swaps, x: f64) {
    let old = n.a;
    n.a = n.b * n.b * x;
    n.b = old * n.a;
}

#[gradient]
fn in_out(x: f64, y: f64) -> f64 {
    let mut n = Swaps { a: x, b: y };
    for _ in 0..3 {
        turned(&mut n, x);
    }
    n.a + n.b * x
}

#[gradient]
fn all_turned(v: &mut [Swaps], x: f64) {
    for k in 0..v.len() {
        v[k] = Swaps {
            a: v[k].b * x,
            b: v[k].a * v[k].a,
        };
    }
}

#[gradient]
fn all_in_out(x: f64, y: f64) -> f64 {
    let mut v = [Swaps { a: x, b: y }, Swaps { a: y, b: x * x }];
    all_turned(&mut v, y);
    all_turned(&mut v, x);
    v[0].a * v[1].b + v[0].b * v[1].a
}

#[test]
fn arguments_are_used_again() {
    check(
        |x, y| moved(Resets { x, acc: y }, y),
        |x, y| {
            let (value, (n, dy)) = moved_grad(Resets { x, acc: y }, y);
            (value, (n.x, n.acc + dy))
        },
    );
    check(in_out, in_out_grad);
    check(all_in_out, all_in_out_grad);
}

/// What comes out of an in-out parameter, and stays after the gradient.
#[test]
fn outputs_are_those_of_the_function() {
    let (mut a, mut b) = (Swaps { a: 0.3, b: 0.7 }, Swaps { a: 0.3, b: 0.7 });
    turned(&mut a, 2.0);
    let mut tape = Tape::new();
    let (mut n_bar, mut x_bar) = (Swaps { a: 1.0, b: 0.0 }, 0.0);
    turned_adjoint(&mut tape, &mut b, &mut n_bar, 2.0, &mut x_bar, ());
    assert_eq!(a, b);
    // a' = b^2 x
    assert_eq!(
        n_bar,
        Swaps {
            a: 0.0,
            b: 2.0 * 0.7 * 2.0
        }
    );
    assert_eq!(x_bar, 0.7 * 0.7);

    let list = || [Swaps { a: 0.3, b: 0.7 }, Swaps { a: 2.0, b: 3.0 }];
    let (mut a, mut b) = (list(), list());
    all_turned(&mut a, 2.0);
    let mut bars = [Swaps { a: 1.0, b: 0.0 }, Swaps { a: 0.0, b: 1.0 }];
    all_turned_adjoint(&mut tape, &mut b, &mut bars, 2.0, &mut x_bar, ());
    assert_eq!(a, b);
    assert_eq!(bars, [Swaps { a: 0.0, b: 2.0 }, Swaps { a: 4.0, b: 0.0 }]);
}

/// The clone of the seed, which is a `Swaps` too, would swap.
#[gradient]
fn result(x: f64, y: f64) -> Swaps {
    Swaps { a: x * y, b: y }
}

#[test]
fn seeds_are_what_is_given() {
    let mut tape = Tape::new();
    let (mut dx, mut dy) = (0.0, 0.0);
    let value = result_adjoint(
        &mut tape,
        3.0,
        &mut dx,
        5.0,
        &mut dy,
        Swaps { a: 2.0, b: 7.0 },
    );
    assert_eq!(value, Swaps { a: 15.0, b: 5.0 });
    assert_eq!((dx, dy), (10.0, 13.0));
}

#[gradient]
fn shifted(#[constant] setup: Setup, x: f64) -> f64 {
    setup.factors[setup.offset] * x * x
}

#[gradient]
fn constant(#[constant] setup: Setup, x: f64, y: f64) -> f64 {
    let t = setup.factors[setup.offset] * y;
    let u = shifted(setup, x);
    u * t
}

#[test]
fn constants_are_copied_too() {
    let setup = || Setup {
        offset: 1,
        factors: vec![2.0, 3.0],
    };
    check(
        |x, y| constant(setup(), x, y),
        |x, y| constant_grad(setup(), x, y),
    );
}
