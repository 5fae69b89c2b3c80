//! Panics and errors of a gradient, caught and named.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use retrograde::TapeError;

use super::faults;
use super::subject::Outcome;

thread_local! {
    /// Whether panics of this thread are caught and judged.
    static WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// Panics that are judged say nothing on standard error; all others do.
pub(crate) fn silence_expected_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let default = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !WATCHED.get() && text(info.payload()) != faults::PANIC {
                default(info);
            }
        }));
    });
}

/// How a gradient ended.
#[derive(Debug)]
pub(crate) enum End {
    Ok(Outcome),
    /// An error of the tape, as `Err` or as the panic of the forms without `try`.
    Error(&'static str, String),
    Panic(String),
}

/// Runs a gradient to its end, whichever that is.
pub(crate) fn end(f: impl FnOnce() -> Result<Outcome, TapeError>) -> End {
    match watched(f) {
        Ok(Ok(outcome)) => End::Ok(outcome),
        Ok(Err(error)) => End::Error(name(&error), error.to_string()),
        Err(text) => match named(&text) {
            Some(name) => End::Error(name, text),
            None => End::Panic(text),
        },
    }
}

/// The text of a panic in `f`.
pub(crate) fn watched<R>(f: impl FnOnce() -> R) -> Result<R, String> {
    let before = WATCHED.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(f));
    WATCHED.set(before);
    outcome.map_err(|payload| text(&*payload).to_owned())
}

fn text(payload: &(dyn Any + Send)) -> &str {
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    owned
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without text")
}

/// The kind of an error.
pub(crate) fn name(error: &TapeError) -> &'static str {
    match error {
        TapeError::OutOfMemory { .. } => "no memory",
        TapeError::Budget { .. } => "budget",
        TapeError::Tier { .. } => "tier",
        TapeError::Corrupt { .. } => "corrupt page",
        TapeError::TierLost => "tier lost",
        TapeError::Configuration { .. } => "configuration",
        _ => "another error",
    }
}

/// The kind of an error whose text is that of a panic.
fn named(text: &str) -> Option<&'static str> {
    let text = text.strip_prefix("retrograde: ")?;
    let kinds = [
        ("no memory for a tape block", "no memory"),
        ("the tape needs", "budget"),
        ("the tape's tier has panicked", "tier lost"),
        ("the tape's tier", "tier"),
        ("the tape's page", "corrupt page"),
    ];
    kinds
        .iter()
        .find(|(start, _)| text.starts_with(start))
        .map(|(_, name)| *name)
}
