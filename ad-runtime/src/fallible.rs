//! What generated code does with a `Result`: its value travels as an `Option`, its error beside it.

/// A `Result` or an `Option`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a `Result` nor an `Option`",
    label = "`?`, `unwrap`, `Ok(…)` and `Err(…)` are taken for those of std's types"
)]
pub trait Fallible {
    /// What there is if all is well.
    type Value;
    /// Why there is none.
    type Error;

    /// The value; or `None`, and the error in its place.
    fn apart(self, error: &mut Option<Self::Error>) -> Option<Self::Value>;
}

impl<T, E> Fallible for Result<T, E> {
    type Value = T;
    type Error = E;

    #[inline(always)]
    fn apart(self, error: &mut Option<E>) -> Option<T> {
        match self {
            Ok(value) => Some(value),
            Err(e) => {
                *error = Some(e);
                None
            }
        }
    }
}

impl<T> Fallible for Option<T> {
    type Value = T;
    type Error = std::convert::Infallible;

    #[inline(always)]
    fn apart(self, _: &mut Option<Self::Error>) -> Option<T> {
        self
    }
}

/// The value of a call; or `None`, and its error in its place.
#[inline(always)]
pub fn apart<F: Fallible>(outcome: F, error: &mut Option<F::Error>) -> Option<F::Value> {
    outcome.apart(error)
}

/// The `Result` whose halves these are.
///
/// # Panics
///
/// If there is neither: generated code has one of the two.
#[inline(always)]
pub fn together<T, E>(value: Option<T>, error: Option<E>) -> Result<T, E> {
    match (value, error) {
        (Some(value), _) => Ok(value),
        (None, Some(error)) => Err(error),
        (None, None) => unreachable!("a function that fails has an error"),
    }
}

#[cfg(test)]
mod tests {
    use super::{apart, together};

    #[test]
    fn what_is_taken_apart_is_put_together_again() {
        let outcomes: [Result<f64, &str>; 2] = [Ok(2.5), Err("bad")];
        for outcome in outcomes {
            let mut error = None;
            let value = apart(outcome, &mut error);
            assert_eq!(together(value, error), outcome);
        }
        let mut none = None;
        assert_eq!((apart(Some(3), &mut none), none), (Some(3), None));
    }
}
