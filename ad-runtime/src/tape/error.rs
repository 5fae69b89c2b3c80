//! What can go wrong with tape memory, and how it travels out of a push.
//!
//! A push returns nothing, so a failing push unwinds. Inside [`catch_tape_error`] the payload is
//! the typed error and becomes an `Err`; elsewhere it is an ordinary panic with the same text.

use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Why a tape could not be built or could not take another record.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TapeError {
    /// The allocator had no memory for a block of the tape.
    #[non_exhaustive]
    OutOfMemory {
        /// The size of the block, in bytes.
        bytes: usize,
    },
    /// [`TapeBuilder::build`](crate::TapeBuilder::build) was given values that make no tape.
    #[non_exhaustive]
    Configuration {
        /// Which value, and what it must be.
        reason: String,
    },
}

impl fmt::Display for TapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfMemory { bytes } => {
                write!(f, "retrograde: no memory for a tape block of {bytes} bytes")
            }
            Self::Configuration { reason } => {
                write!(f, "retrograde: the tape cannot be built: {reason}")
            }
        }
    }
}

impl std::error::Error for TapeError {}

/// The payload of an unwinding push; private, so that nobody else can raise it.
struct Failure(TapeError);

thread_local! {
    /// How many calls of [`catch_tape_error`] are under way in this thread.
    static CATCHERS: Cell<usize> = const { Cell::new(0) };
}

/// Leaves a push that cannot be completed.
#[cold]
#[inline(never)]
pub(super) fn fail(error: TapeError) -> ! {
    if CATCHERS.get() > 0 {
        resume_unwind(Box::new(Failure(error)));
    }
    panic!("{error}");
}

/// Runs `f` and turns a failure of the tape inside it into `Err`. Any other panic passes through.
///
/// # Errors
///
/// The [`TapeError`] of the first push that failed. The tape is then to be rewound (see
/// [`Rewind`](crate::Rewind)) and can be used again.
///
/// ```
/// use ad_runtime::{Site, Tape, TapeError, catch_tape_error};
///
/// let mut tape = Tape::new();
/// let outcome = catch_tape_error(|| {
///     tape.push_tile(Site::<f64>::new(), usize::MAX / 16);
/// });
/// assert!(matches!(outcome, Err(TapeError::OutOfMemory { .. })));
/// tape.push(Site::new(), 1.0); // still usable
/// ```
pub fn catch_tape_error<R>(f: impl FnOnce() -> R) -> Result<R, TapeError> {
    struct Catcher;
    impl Drop for Catcher {
        fn drop(&mut self) {
            CATCHERS.set(CATCHERS.get() - 1);
        }
    }

    CATCHERS.set(CATCHERS.get() + 1);
    let catcher = Catcher;
    let outcome = catch_unwind(AssertUnwindSafe(f));
    drop(catcher);
    outcome.map_err(|payload| match payload.downcast::<Failure>() {
        Ok(failure) => failure.0,
        Err(other) => resume_unwind(other),
    })
}

/// The value, or a panic with the text of the error: what the functions that return no `Result` do.
///
/// # Panics
///
/// If `outcome` is an `Err`.
#[inline(always)]
#[track_caller]
pub fn report_tape_error<R>(outcome: Result<R, TapeError>) -> R {
    match outcome {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_becomes_an_error() {
        let outcome: Result<(), _> = catch_tape_error(|| fail(TapeError::OutOfMemory { bytes: 7 }));
        assert_eq!(outcome, Err(TapeError::OutOfMemory { bytes: 7 }));
    }

    #[test]
    fn outside_of_a_catcher_a_failure_is_a_panic_with_the_same_text() {
        let error = TapeError::OutOfMemory { bytes: 7 };
        let text = error.to_string();
        let payload = catch_unwind(|| fail(error)).expect_err("fails");
        assert_eq!(payload.downcast_ref::<String>(), Some(&text));
    }

    #[test]
    fn another_panic_passes_through_and_leaves_no_catcher() {
        let payload = catch_unwind(|| catch_tape_error(|| panic!("mine"))).expect_err("panics");
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"mine"));
        assert_eq!(CATCHERS.get(), 0);
    }
}
