//! What can go wrong with tape memory, and how it travels out of a push.
//!
//! A push returns nothing, so a failing push unwinds. Inside [`catch_tape_error`] the payload is
//! the typed error and becomes an `Err`; elsewhere it is an ordinary panic with the same text. Where panics abort
//! (`panic = "abort"`), nothing unwinds and no `Err` can come of it: what failed is said before the process ends.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::Duration;

/// What a tape wanted of its tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TierOperation {
    /// To make the tier, or the thread that runs it.
    Start,
    /// To write a page.
    Write,
    /// To read a page back.
    Read,
}

/// Why a tape could not be built, could not take another record, or could not bring one back.
///
/// A tape that cannot be built is an error always. What goes wrong later leaves the sweep by unwinding, and is returned
/// by `f_try_grad_into`, `f_try_adjoint` and [`catch_tape_error`]; a program compiled with `panic = "abort"` ends there
/// instead, and says why.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum TapeError {
    /// The allocator had no memory for a block of the tape.
    #[non_exhaustive]
    OutOfMemory {
        /// The size of the block, in bytes.
        bytes: usize,
    },
    /// The memory budget is used up, and there is nowhere to spill to, one item alone exceeds it, or it does not
    /// suffice for the children of a fork.
    #[non_exhaustive]
    Budget {
        /// What the tape would have needed at that moment, in bytes: what cannot leave memory, and what was to be
        /// added; for a fork, the least budget that can be divided.
        needed: usize,
        /// The budget, in bytes.
        budget: usize,
        /// Whether the same budget would do with a place to spill to.
        tier_would_do: bool,
    },
    /// The tier could not do what was asked of it (disk full, short read, …).
    #[non_exhaustive]
    Tier {
        /// What was asked.
        operation: TierOperation,
        /// The offset on the tier that was written or read, if it was about one.
        at: Option<u64>,
        /// What the tier said.
        source: Arc<io::Error>,
    },
    /// A page came back from the tier that is not what was written.
    #[non_exhaustive]
    Corrupt {
        /// The offset on the tier at which the page begins; if nothing of it is left there, its offset among the pages
        /// of its tape.
        at: u64,
        /// What is wrong with it.
        reason: Arc<str>,
    },
    /// The tier panicked, and is asked for nothing more. What the tape has in memory is still good.
    TierLost,
    /// The tier has answered nothing for as long as [`TapeBuilder::tier_timeout`](crate::TapeBuilder::tier_timeout)
    /// allows.
    #[non_exhaustive]
    TierTimeout {
        /// What that is.
        limit: Duration,
    },
    /// [`TapeBuilder::build`](crate::TapeBuilder::build) was given values that make no tape, or
    /// [`Tape::fork`](crate::Tape::fork) more children than a tape can have.
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
            Self::Budget {
                needed,
                budget,
                tier_would_do,
            } => {
                let or = if *tier_would_do {
                    ", or a place to spill to"
                } else {
                    ""
                };
                write!(
                    f,
                    "retrograde: the tape needs {needed} bytes, and its memory budget is {budget} bytes; give it a \
                     larger one{or}"
                )
            }
            Self::Tier {
                operation,
                at,
                source,
            } => {
                let what = match operation {
                    TierOperation::Start => "cannot start",
                    TierOperation::Write => "cannot write a page",
                    TierOperation::Read => "cannot read a page back",
                };
                match at {
                    Some(at) => write!(
                        f,
                        "retrograde: the tape's tier {what} at offset {at}: {source}"
                    ),
                    None => write!(f, "retrograde: the tape's tier {what}: {source}"),
                }
            }
            Self::Corrupt { at, reason } => write!(
                f,
                "retrograde: the tape's page at offset {at} is not what was written: {reason}"
            ),
            Self::TierLost => {
                write!(
                    f,
                    "retrograde: the tape's tier has panicked and is not used any more"
                )
            }
            Self::TierTimeout { limit } => write!(
                f,
                "retrograde: the tape's tier has not answered for {limit:?}, which is its `tier_timeout`"
            ),
            Self::Configuration { reason } => {
                write!(
                    f,
                    "retrograde: no tape can be configured like this: {reason}"
                )
            }
        }
    }
}

impl std::error::Error for TapeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Tier { source, .. } => Some(&**source),
            _ => None,
        }
    }
}

impl TapeError {
    pub(super) fn tier(operation: TierOperation, at: Option<u64>, source: io::Error) -> Self {
        Self::Tier {
            operation,
            at,
            source: Arc::new(source),
        }
    }
}

/// Why an operation of the tape unwinds.
#[derive(Debug)]
pub(super) enum Fault {
    /// The tape cannot do it.
    Tape(TapeError),
    /// The caller's mistake: a pop that does not belong to the newest push.
    Misuse(String),
    /// A record's own code panicked, as it does if it finds bytes that are none of its values.
    Panic(Box<dyn Any + Send>),
}

impl Fault {
    /// Runs code that records have a part in; a panic in it becomes a fault, for the tape to be put in order first.
    pub(super) fn caught<E: Into<Box<Self>>>(
        f: impl FnOnce() -> Result<(), E>,
    ) -> Result<(), Box<Self>> {
        match catch_unwind(AssertUnwindSafe(f)) {
            Ok(outcome) => outcome.map_err(Into::into),
            Err(payload) => Err(Box::new(Self::Panic(payload))),
        }
    }

    #[cold]
    pub(super) fn misuse(text: String) -> Box<Self> {
        Box::new(Self::Misuse(text))
    }

    /// Unwinds.
    #[cold]
    #[inline(never)]
    pub(super) fn raise(self) -> ! {
        match self {
            Self::Tape(error) => fail(error),
            Self::Misuse(text) => panic!("{text}"),
            Self::Panic(payload) => resume_unwind(payload),
        }
    }
}

impl From<TapeError> for Box<Fault> {
    fn from(error: TapeError) -> Self {
        Box::new(Fault::Tape(error))
    }
}

/// The payload of an unwinding push; private, so that nobody else can raise it.
struct Failure(TapeError);

thread_local! {
    /// How many calls of [`catch_tape_error`] are under way in this thread.
    static CATCHERS: Cell<usize> = const { Cell::new(0) };
}

/// Leaves a push that cannot be completed.
#[cold]
#[inline(never)]
pub(crate) fn fail(error: TapeError) -> ! {
    if CATCHERS.get() == 0 {
        panic!("{error}");
    }
    if cfg!(panic = "abort") {
        // An unwinding that nobody hears of would end the process without a word.
        panic!(
            "{error}\n\
             This was to be returned as a `TapeError`, which takes a panic that unwinds, but the program is compiled \
                 with `panic = \"abort\"`. \
             Compile it with `panic = \"unwind\"`, or let the tape have the memory and the place to spill to that it \
                 needs."
        );
    }
    resume_unwind(Box::new(Failure(error)));
}

/// Runs `f` and turns a failure of the tape inside it into `Err`. Any other panic passes through.
///
/// A failure comes out of `f` by unwinding. Where panics abort (`panic = "abort"` in the profile), it ends the process
/// instead: with a panic whose message, on standard error unless a hook puts it elsewhere, says what failed and what
/// can be done.
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
        assert!(matches!(outcome, Err(TapeError::OutOfMemory { bytes: 7 })));
    }

    #[test]
    fn outside_of_a_catcher_a_failure_is_a_panic_with_the_same_text() {
        let error = TapeError::OutOfMemory { bytes: 7 };
        let text = error.to_string();
        let payload = catch_unwind(AssertUnwindSafe(|| fail(error))).expect_err("fails");
        assert_eq!(payload.downcast_ref::<String>(), Some(&text));
    }

    #[test]
    fn another_panic_passes_through_and_leaves_no_catcher() {
        let payload = catch_unwind(|| catch_tape_error(|| panic!("mine"))).expect_err("panics");
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"mine"));
        assert_eq!(CATCHERS.get(), 0);
    }
}
