//! The thread that moves blocks between memory and a tier, and what the tape knows of it.
//!
//! Blocks travel by value: a block on its way belongs to the thread, and comes back with the outcome. Jobs
//! are done in the order in which they were given, so that a page is read after it was written.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::block::Block;
use super::error::{TapeError, TierOperation};
use super::page::{self, Label};
use super::sync::mpsc::{Receiver, SendError, Sender, channel};
use super::sync::thread::{self, JoinHandle};
use crate::tier::Tier;

/// What is to be done with a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// From memory to the tier.
    Out,
    /// From the tier to memory.
    In,
}

#[derive(Debug)]
struct Job {
    way: Way,
    label: Label,
    block: Block,
}

/// What the thread is told.
#[derive(Debug)]
enum Message {
    Move(Job),
    /// Nothing on the tier is needed any more.
    Forget,
}

/// A job that has been tried.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) way: Way,
    pub(super) label: Label,
    /// The block: with its data after a write, whatever the outcome, and after a read that worked.
    pub(super) block: Block,
    pub(super) outcome: Result<(), TapeError>,
}

/// Counters of a tape with a tier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) written: u64,
    pub(super) read: u64,
    pub(super) stalls: u64,
    pub(super) waited: Duration,
}

/// A tape's end of the thread, with the buffers that the budget allows.
#[derive(Debug)]
pub(super) struct Spill {
    jobs: Option<Sender<Message>>,
    done: Receiver<Done>,
    thread: Option<JoinHandle<()>>,
    /// Bytes that all blocks of slab size may take together.
    pub(super) budget: usize,
    /// How many pages are on their way at once.
    pub(super) ahead: usize,
    /// Blocks without data.
    pub(super) free: Vec<Block>,
    /// Bytes of all blocks that count: on the tape, free, and on their way.
    pub(super) held: usize,
    /// The most that `held` has been.
    pub(super) most_held: usize,
    /// Blocks on their way.
    pub(super) in_flight: usize,
    next_ticket: u64,
    /// Whether something may lie on the tier.
    used: bool,
    /// What the tier can hold, in bytes.
    pub(super) capacity: Option<u64>,
    pub(super) counts: Counts,
}

impl Spill {
    /// Without a tier there is a budget only.
    pub(super) fn new(
        tier: Option<Box<dyn Tier>>,
        budget: usize,
        ahead: usize,
    ) -> Result<Self, TapeError> {
        let capacity = tier.as_ref().and_then(|tier| tier.capacity());
        let (jobs, inbox) = channel();
        let (outbox, done) = channel();
        let thread = match tier {
            Some(tier) => Some(
                thread::Builder::new()
                    .name("retrograde-tape".to_owned())
                    .spawn(move || serve(tier, &inbox, &outbox))
                    .map_err(|source| TapeError::tier(TierOperation::Start, None, source))?,
            ),
            None => None,
        };
        Ok(Self {
            jobs: thread.is_some().then_some(jobs),
            done,
            thread,
            budget,
            ahead,
            free: Vec::new(),
            held: 0,
            most_held: 0,
            in_flight: 0,
            next_ticket: 0,
            used: false,
            capacity,
            counts: Counts::default(),
        })
    }

    /// Whether blocks have somewhere to go.
    pub(super) fn has_tier(&self) -> bool {
        self.jobs.is_some()
    }

    /// A new number for a write.
    pub(super) fn ticket(&mut self) -> u64 {
        self.next_ticket += 1;
        self.next_ticket
    }

    /// Sends a block on its way; gives it back if the thread is gone.
    pub(super) fn send(
        &mut self,
        way: Way,
        label: Label,
        block: Block,
    ) -> Result<(), (Block, TapeError)> {
        let bytes = super::block::page_bytes(label.fill) as u64;
        let Some(jobs) = &self.jobs else {
            return Err((block, TapeError::TierLost));
        };
        match jobs.send(Message::Move(Job { way, label, block })) {
            Ok(()) => {
                self.in_flight += 1;
                self.used = true;
                match way {
                    Way::Out => self.counts.written += bytes,
                    Way::In => self.counts.read += bytes,
                }
                Ok(())
            }
            Err(SendError(Message::Move(job))) => Err((job.block, TapeError::TierLost)),
            Err(SendError(Message::Forget)) => unreachable!("it was a job that was sent"),
        }
    }

    /// Lets the tier give up what it holds: the tape is empty.
    pub(super) fn forget(&mut self) {
        if let (true, Some(jobs)) = (self.used, &self.jobs) {
            // A thread that is gone holds nothing.
            let _ = jobs.send(Message::Forget);
            self.used = false;
        }
    }

    /// A job that is done, if there is one.
    pub(super) fn poll(&mut self) -> Option<Done> {
        let done = self.done.try_recv().ok()?;
        self.in_flight -= 1;
        Some(done)
    }

    /// The next job that is done. Must only be called while blocks are in flight.
    pub(super) fn wait(&mut self) -> Result<Done, TapeError> {
        if let Some(done) = self.poll() {
            return Ok(done);
        }
        let start = Instant::now();
        let done = self.done.recv();
        self.counts.stalls += 1;
        self.counts.waited += start.elapsed();
        match done {
            Ok(done) => {
                self.in_flight -= 1;
                Ok(done)
            }
            Err(_) => {
                // The thread is gone, and the blocks that it had.
                self.in_flight = 0;
                Err(TapeError::TierLost)
            }
        }
    }

    /// Notes a block that was made or given away.
    pub(super) fn holds(&mut self, more: usize, less: usize) {
        self.held = self.held + more - less;
        self.most_held = self.most_held.max(self.held);
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the tier has been reported where its page was needed.
            let _ = thread.join();
        }
        while let Ok(done) = self.done.try_recv() {
            done.block.recycle();
        }
        self.free.drain(..).for_each(Block::recycle);
    }
}

/// The thread: one job after the other until the tape is gone. A tier that has panicked is not asked again, but the
/// blocks come back.
fn serve(mut tier: Box<dyn Tier>, messages: &Receiver<Message>, done: &Sender<Done>) {
    let mut broken = false;
    while let Ok(message) = messages.recv() {
        let Message::Move(Job {
            way,
            label,
            mut block,
        }) = message
        else {
            // Space that cannot be given up is used again by the next sweep.
            let given_up = catch_unwind(AssertUnwindSafe(|| broken || tier.free(0).is_ok()));
            broken |= given_up.is_err();
            continue;
        };
        let outcome = if broken {
            Err(TapeError::TierLost)
        } else {
            catch_unwind(AssertUnwindSafe(|| match way {
                Way::Out => write(&mut *tier, label, &mut block),
                Way::In => read(&mut *tier, label, &mut block),
            }))
            .unwrap_or_else(|payload| {
                // Its destructor might panic as well.
                if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
                    std::mem::forget(another);
                }
                broken = true;
                Err(TapeError::TierLost)
            })
        };
        let sent = done.send(Done {
            way,
            label,
            block,
            outcome,
        });
        if sent.is_err() {
            break;
        }
    }
}

fn write(tier: &mut dyn Tier, label: Label, block: &mut Block) -> Result<(), TapeError> {
    let page = block.page_mut(label.fill);
    page::seal(page, label);
    retried(|| tier.write(label.at, page))
        .map_err(|e| TapeError::tier(TierOperation::Write, Some(label.at), e))
}

fn read(tier: &mut dyn Tier, label: Label, block: &mut Block) -> Result<(), TapeError> {
    let page = block.page_mut(label.fill);
    retried(|| tier.read(label.at, page))
        .map_err(|e| TapeError::tier(TierOperation::Read, Some(label.at), e))?;
    if !tier.is_faithful() {
        return Ok(());
    }
    page::check(page, label).map_err(|reason| TapeError::Corrupt {
        at: label.at,
        reason: Arc::from(reason),
    })
}

/// Again for as long as a signal interrupts.
fn retried(mut operation: impl FnMut() -> std::io::Result<()>) -> std::io::Result<()> {
    loop {
        match operation() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}
