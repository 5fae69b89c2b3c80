//! Attributes: those that every item needs are copied, those that must stand once are not.

use ad::gradient;

/// Documented, with an alias for the search.
///
/// More than one paragraph.
#[doc(alias = "documentation")]
#[gradient(crate = ::ad)]
#[must_use]
pub fn documented(x: f64) -> f64 {
    x * x
}

/// `#[must_use]` with a reason, `#[inline]` above and below.
#[inline]
#[gradient(crate = ::ad)]
#[must_use = "computing it is all it does"]
#[inline(always)]
#[expect(clippy::inline_always, unused_attributes, reason = "shown on purpose")]
pub fn inlined(x: f64) -> f64 {
    x.sin()
}

/// The primal is deprecated, its gradient functions do not warn where they call it.
#[gradient(crate = ::ad)]
#[deprecated(since = "0.0.0", note = "use `documented`")]
#[must_use]
pub fn outdated(x: f64) -> f64 {
    2.0 * x * x
}

/// An expectation that the body fulfils: a copy would have nothing to expect.
#[gradient(crate = ::ad)]
#[must_use]
#[expect(clippy::let_and_return, reason = "shown on purpose")]
pub fn expected(x: f64) -> f64 {
    let y = x * x * x;
    y
}

/// The other attributes of functions.
#[cold]
#[gradient(crate = ::ad)]
#[track_caller]
#[doc(hidden)]
#[must_use]
#[allow(clippy::assertions_on_constants)]
pub fn rarely(x: f64) -> f64 {
    assert!(true, "never seen");
    x.exp()
}

/// Not in this configuration, the gradient above `cfg`.
#[gradient(crate = ::ad)]
#[cfg(not(any()))]
#[must_use]
pub fn configured(x: f64) -> f64 {
    3.0 * x
}

/// In no configuration.
#[gradient(crate = ::ad)]
#[cfg(any())]
pub fn configured(x: f64) -> f64 {
    no_such_function(x)
}

/// The gradient below `cfg`.
#[cfg(not(any()))]
#[gradient(crate = ::ad)]
#[must_use]
pub fn configured_first(x: f64) -> f64 {
    4.0 * x
}

/// In no configuration.
#[cfg(any())]
#[gradient(crate = ::ad)]
pub fn configured_first(x: f64) -> f64 {
    no_such_function(x)
}

/// An attribute that adds attributes.
#[cfg_attr(not(any()), must_use, gradient(crate = ::ad))]
pub fn conditional(x: f64) -> f64 {
    5.0 * x
}

/// Below a lint level of its own that stricter code outside has.
#[gradient(crate = ::ad)]
#[deny(
    unused_variables,
    unused_mut,
    unused_assignments,
    dead_code,
    non_snake_case,
    clippy::shadow_reuse
)]
#[must_use]
pub fn denied(x: f64) -> f64 {
    let mut total = x;
    for _ in 0..3 {
        total *= x;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::close;

    #[test]
    fn gradients() {
        assert!(close(documented_grad(3.0).1, 6.0));
        assert!(close(inlined_grad(3.0).1, 3.0_f64.cos()));
        assert!(close(outdated_grad(3.0).1, 12.0));
        assert!(close(expected_grad(3.0).1, 27.0));
        assert!(close(rarely_grad(3.0).1, 3.0_f64.exp()));
        assert!(close(configured_grad(3.0).1, 3.0));
        assert!(close(configured_first_grad(3.0).1, 4.0));
        assert!(close(conditional_grad(3.0).1, 5.0));
        assert!(close(denied_grad(3.0).1, 108.0));
    }

    /// One test, not one per generated function.
    #[gradient(crate = ::ad)]
    #[test]
    fn test_below() {
        assert!(close(configured(1.0), 3.0));
    }

    /// The same in the other order.
    #[test]
    #[gradient(crate = ::ad)]
    fn test_above() {
        assert!(close(configured(1.0), 3.0));
    }
}
