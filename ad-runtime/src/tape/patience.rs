//! How long tapes wait for a tier that does not answer, and how often they ask again.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::sync::mpsc::{Receiver, RecvTimeoutError};

/// How often an operation of the tier is tried that is interrupted each time: minutes of the timer signals of a
/// profiler.
const TRIES: u32 = 100_000;

/// Shared by the tapes that use a tier and the thread that runs it.
#[derive(Debug)]
pub(super) struct Patience {
    limit: Option<Duration>,
    /// What the tier has done so far. While that grows, it is only slow.
    answers: AtomicU64,
    /// How many there were when somebody gave the tier up for good.
    given_up: AtomicU64,
}

/// Why nothing was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Silence {
    /// Nobody is there to send anything.
    Gone,
    /// Nothing was done for that long.
    TooLong(Duration),
}

impl Patience {
    pub(super) fn new(limit: Option<Duration>) -> Self {
        Self {
            limit,
            answers: AtomicU64::new(0),
            given_up: AtomicU64::new(u64::MAX),
        }
    }

    /// Notes that the tier has done something, whatever the outcome.
    pub(super) fn answered(&self) {
        self.answers.fetch_add(1, Ordering::Relaxed);
    }

    /// The next message, unless there will be none, or nothing is done for as long as the limit says.
    pub(super) fn receive<T>(&self, from: &Receiver<T>) -> Result<T, Silence> {
        let Some(limit) = self.limit else {
            return from.recv().map_err(|_| Silence::Gone);
        };
        loop {
            let before = self.answers.load(Ordering::Relaxed);
            match from.recv_timeout(limit) {
                Ok(message) => return Ok(message),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Gone),
                Err(RecvTimeoutError::Timeout) => {
                    if self.answers.load(Ordering::Relaxed) == before {
                        return Err(Silence::TooLong(limit));
                    }
                }
            }
        }
    }

    /// As [`receive`](Self::receive), by a tape that ends: it gives the tier up after that, and whoever ends next does
    /// not wait for it again.
    pub(super) fn receive_last<T>(&self, from: &Receiver<T>) -> Result<T, Silence> {
        if self.given_up.load(Ordering::Relaxed) == self.answers.load(Ordering::Relaxed) {
            return from
                .try_recv()
                .map_err(|_| Silence::TooLong(Duration::ZERO));
        }
        let outcome = self.receive(from);
        if let Err(Silence::TooLong(_)) = outcome {
            let answers = self.answers.load(Ordering::Relaxed);
            self.given_up.store(answers, Ordering::Relaxed);
        }
        outcome
    }
}

/// Again for as long as a signal interrupts, but not for ever.
pub(super) fn retried(mut operation: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    for _ in 0..TRIES {
        match operation() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
    Err(io::Error::new(
        io::ErrorKind::Interrupted,
        format!("it was interrupted {TRIES} times in a row"),
    ))
}
