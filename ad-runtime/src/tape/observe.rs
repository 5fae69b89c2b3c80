//! Watching a tape: what progress bars and plots of a long gradient are made from.

use std::fmt;
use std::time::{Duration, Instant};

use super::store::Store;
use super::trace;

/// Which way a tape is going.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sweep {
    /// Records are being pushed.
    Forward,
    /// Records are being popped.
    Reverse,
}

/// A look at a tape at work; see [`TapeBuilder::observer`](crate::TapeBuilder::observer). All sizes in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TapeEvent {
    /// Since the first event of the tape.
    pub elapsed: Duration,
    /// Which way the tape is going.
    pub sweep: Sweep,
    /// In use now: what the reverse sweep still has to take off.
    pub bytes: usize,
    /// Memory held now, spare blocks included.
    pub held_bytes: usize,
    /// Of the bytes in use, those that are on the tier and not in memory.
    pub tier_bytes: usize,
    /// How long sweeps have waited for the tier so far.
    pub waited: Duration,
}

type Callback = Box<dyn FnMut(&TapeEvent) + Send>;

/// The callback of a tape, and when it was last called.
pub(super) struct Observer {
    callback: Callback,
    start: Option<Instant>,
    depth: usize,
}

impl Observer {
    pub(super) fn new(callback: Callback) -> Self {
        Self {
            callback,
            start: None,
            depth: 0,
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observer").finish_non_exhaustive()
    }
}

impl Store {
    /// Tells `tracing`, and calls the observer, if another block was entered since the last call. Nothing has been
    /// changed yet by the operation that is under way, so the observer may panic.
    pub(super) fn observe(&mut self, top: *mut u8) {
        let depth = self.depth;
        if let Some(sweep) = self.watch.went_to(depth) {
            trace::block(sweep, self.bytes_in_use(top));
        }
        let last = match &self.observer {
            Some(observer) if observer.depth != depth => observer.depth,
            _ => return,
        };
        let tier_bytes = self.away_bytes();
        let (_, held_bytes, _) = self.held();
        let bytes = self.bytes_in_use(top);
        let waited = self
            .spill
            .as_ref()
            .map_or(Duration::ZERO, |spill| spill.counts.waited);
        let Some(observer) = &mut self.observer else {
            return;
        };
        observer.depth = depth;
        let start = *observer.start.get_or_insert_with(Instant::now);
        let sweep = if depth > last {
            Sweep::Forward
        } else {
            Sweep::Reverse
        };
        (observer.callback)(&TapeEvent {
            elapsed: start.elapsed(),
            sweep,
            bytes,
            held_bytes,
            tier_bytes,
            waited,
        });
    }
}
