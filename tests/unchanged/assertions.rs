//! Assertions that ask methods of the user's own types.

use retrograde::gradient;

use crate::support::{assert_same_value, check};
use crate::types::Angle;

#[gradient]
fn within(radians: f64, t: f64) -> f64 {
    let a = Angle { radians };
    debug_assert!(
        t >= a.domain().0 && t <= a.domain().1,
        "{t} is outside of {:?} for {}",
        a.domain(),
        a.as_radians()
    );
    assert!(a.as_radians() < 100.0);
    assert_ne!(a.domain().0, t, "at the end: {}", a.as_turns());
    a.as_radians() * t
}

/// The condition changes what is asserted, once.
#[gradient]
fn changed(radians: f64) -> f64 {
    let mut a = Angle { radians };
    assert!(a.wraps(), "it does not");
    assert_eq!(a.wraps(), true);
    a.radians * radians
}

#[gradient]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut product = 1.0;
    for v in x {
        let a = Angle { radians: *v };
        assert!(a.as_turns() < 50.0, "too far: {:?}", a.domain());
        product *= a.as_turns();
    }
    product
}

#[gradient]
fn fails(radians: f64) -> f64 {
    let a = Angle { radians };
    assert!(a.domain().1 < 0.0, "it is {}", a.domain().1);
    radians
}

#[gradient]
fn panics(radians: f64) -> f64 {
    let a = Angle { radians };
    if radians < 0.0 {
        panic!("negative: {:?} {}", a.domain(), a.as_turns());
    }
    radians * radians
}

#[test]
fn the_rest_is_differentiated() {
    let primal = |x: &[f64]| within(x[0], x[1]);
    let gradient = |x: &[f64]| within_grad(x[0], x[1]);
    check(primal, gradient, &[&[1.0, 2.0], &[-0.5, 3.0], &[0.0, 0.0]]);
    check(in_a_loop, in_a_loop_grad, &[&[1.0, 2.0], &[-0.5, 3.0, 0.7]]);
    let (value, dx) = changed_grad(3.0);
    assert_same_value(value, changed(3.0));
    assert_eq!((value, dx), (2.25, 1.5));
    assert_eq!(panics_grad(3.0), (9.0, 6.0));
}

#[test]
#[should_panic(expected = "it is 14")]
fn the_message_is_that_of_the_assertion() {
    fails_grad(2.0);
}

#[test]
#[should_panic(expected = "negative: (-10.0, 11.0)")]
fn messages_of_panics_ask_as_well() {
    panics_grad(-1.0);
}
