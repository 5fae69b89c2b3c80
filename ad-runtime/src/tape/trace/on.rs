//! With the feature.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use tracing::dispatcher::{self, Dispatch};
use tracing::span::EnteredSpan;
use tracing::subscriber::NoSubscriber;
use tracing::{Level, debug, debug_span, error, event};

use super::Built;
use crate::tape::block::page_bytes;
use crate::tape::error::TapeError;
use crate::tape::observe::Sweep;
use crate::tape::page::Label;
use crate::tape::spill::{Way, discard};

/// The subscriber of the thread that builds a tape, for the thread of the tape.
#[derive(Debug)]
pub(in crate::tape) struct Origin(Option<Dispatch>);

impl Origin {
    pub(in crate::tape) fn here() -> Self {
        let here = quietly(|| dispatcher::get_default(Dispatch::clone));
        // One for the whole process may be set later; it must not be hidden by none.
        Self(here.filter(|dispatch| !dispatch.is::<NoSubscriber>()))
    }

    pub(in crate::tape) fn within(self, work: impl FnOnce()) {
        match &self.0 {
            Some(dispatch) => dispatcher::with_default(dispatch, work),
            None => work(),
        }
    }
}

/// Where a sweep was when the tape was last looked at.
#[derive(Debug, Default)]
pub(in crate::tape) struct Watch {
    depth: usize,
}

impl Watch {
    /// Which way the sweep has gone if it is in another block now.
    pub(in crate::tape) fn went_to(&mut self, depth: usize) -> Option<Sweep> {
        let last = std::mem::replace(&mut self.depth, depth);
        match depth.cmp(&last) {
            std::cmp::Ordering::Greater => Some(Sweep::Forward),
            std::cmp::Ordering::Less => Some(Sweep::Reverse),
            std::cmp::Ordering::Equal => None,
        }
    }
}

pub(in crate::tape) fn block(sweep: Sweep, bytes: usize) {
    let sweep = match sweep {
        Sweep::Forward => "forward",
        Sweep::Reverse => "reverse",
    };
    quietly(|| event!(target: "retrograde", Level::TRACE, sweep, bytes, "another block"));
}

/// Moves a page.
pub(in crate::tape) fn page(
    way: Way,
    label: Label,
    work: impl FnOnce() -> Result<(), TapeError>,
) -> Result<(), TapeError> {
    let direction = match way {
        Way::Out => "write",
        Way::In => "read",
    };
    let (offset, bytes) = (label.at, page_bytes(label.fill));
    let span = Entered::new(|| {
        debug_span!(target: "retrograde", "page", direction, offset, bytes).entered()
    });
    let outcome = work();
    if let Err(error) = &outcome {
        quietly(|| {
            error!(target: "retrograde", %error, direction, offset, bytes, "a page was not moved");
        });
    }
    drop(span);
    outcome
}

/// Waits, and says for how long.
pub(in crate::tape) fn wait<T>(work: impl FnOnce() -> (T, Duration)) -> (T, Duration) {
    let span = Entered::new(|| debug_span!(target: "retrograde", "wait").entered());
    let (value, waited) = work();
    let waited_us = u64::try_from(waited.as_micros()).unwrap_or(u64::MAX);
    quietly(|| debug!(target: "retrograde", waited_us, "a sweep waited for the tier"));
    drop(span);
    (value, waited)
}

pub(in crate::tape) fn built(built: Built) {
    let Built {
        budget,
        slab_bytes,
        prefetch,
        tier,
    } = built;
    quietly(|| {
        debug!(target: "retrograde", budget, slab_bytes, prefetch, tier, "a tape with a budget");
    });
}

pub(in crate::tape) fn rewound(from_bytes: usize, to_bytes: usize) {
    quietly(|| debug!(target: "retrograde", from_bytes, to_bytes, "a tape was rewound"));
}

pub(in crate::tape) fn trimmed(from_bytes: usize, to_bytes: usize) {
    quietly(|| debug!(target: "retrograde", from_bytes, to_bytes, "a tape gave memory back"));
}

/// A span that is left without unwinding.
struct Entered(Option<EnteredSpan>);

impl Entered {
    fn new(enter: impl FnOnce() -> EnteredSpan) -> Self {
        Self(quietly(enter))
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        quietly(|| drop(self.0.take()));
    }
}

/// What the subscriber does, unless it panics.
fn quietly<T>(tell: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(tell)).map_err(discard).ok()
}
