//! The thread that moves blocks between memory and a tier, and what the tape knows of it.
//!
//! Blocks travel by value: a block on its way belongs to the thread, and comes back with the outcome. Jobs
//! are done in the order in which they were given, so that a page is read after it was written.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::block::{Block, page_bytes};
use super::error::{TapeError, TierOperation};
use super::extents::Lane;
use super::page::{Label, TapeId};
use super::pages::Pages;
use super::patience::{Patience, Silence};
use super::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel};
use super::sync::thread::{self, JoinHandle};
use super::trace;
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
    /// Before the page is moved: which pages of the tape are needed.
    keep: Option<u64>,
}

/// What the thread is told.
#[derive(Debug)]
enum Message {
    Move(Job),
    /// A tape begins to use the tier: what is done for it goes there.
    Open(Lane, Sender<Done>),
    /// Of the pages of a tape, those from this offset on are not needed any more.
    Keep(Lane, u64),
    /// The tape is gone.
    Close(Lane),
}

/// A tape's line to the thread. The last one to go waits for the thread to end.
#[derive(Debug)]
struct Line {
    // Dropped before the thread: it ends when the last of them is gone.
    jobs: Sender<Message>,
    lane: Lane,
    names: Arc<Names>,
    /// What the tier can hold, in bytes.
    capacity: Option<u64>,
    thread: Arc<IoThread>,
}

/// What the pages of a tape and its children are called, so that no two have one name.
#[derive(Debug)]
struct Names {
    tape: TapeId,
    lanes: AtomicU32,
    tickets: AtomicU64,
}

#[derive(Debug)]
struct IoThread {
    handle: Option<JoinHandle<()>>,
    /// Says nothing, and is gone when the thread has done all its work.
    ended: Mutex<Receiver<()>>,
    patience: Arc<Patience>,
}

impl Drop for IoThread {
    fn drop(&mut self) {
        let ended = self.ended.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Err(Silence::TooLong(_)) = self.patience.receive_last(ended) {
            // The thread keeps the tier and the blocks that it has, and ends when the tier answers: it is told nothing
            // any more.
            return;
        }
        if let Some(thread) = self.handle.take() {
            // A panic of the tier has been reported where its page was needed.
            let _ = thread.join();
        }
    }
}

impl Line {
    fn new(tier: Box<dyn Tier>, limit: Option<Duration>) -> Result<Self, TapeError> {
        let capacity = tier.capacity();
        let pages = Pages::new(tier, capacity);
        let (jobs, inbox) = channel();
        let (end, ended) = channel();
        let patience = Arc::new(Patience::new(limit));
        let server = Server::new(pages, Arc::clone(&patience));
        let origin = trace::Origin::here();
        let thread = thread::Builder::new()
            .name("retrograde-tape".to_owned())
            .spawn(move || {
                let _end = end; // goes last, also if the tier panics when it is dropped
                origin.within(|| server.serve(&inbox));
            })
            .map_err(|source| TapeError::tier(TierOperation::Start, None, source))?;
        Ok(Self {
            jobs,
            lane: 0,
            names: Arc::new(Names {
                tape: TapeId::new(),
                lanes: AtomicU32::new(1),
                tickets: AtomicU64::new(1),
            }),
            capacity,
            thread: Arc::new(IoThread {
                handle: Some(thread),
                ended: Mutex::new(ended),
                patience,
            }),
        })
    }

    fn another(&self) -> Self {
        Self {
            jobs: self.jobs.clone(),
            lane: self.names.lanes.fetch_add(1, Ordering::Relaxed),
            names: Arc::clone(&self.names),
            capacity: self.capacity,
            thread: Arc::clone(&self.thread),
        }
    }
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
    line: Option<Line>,
    done: Receiver<Done>,
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
    /// No page of the tape on the tier begins here or later.
    pages_end: u64,
    /// What the thread has not been told yet: pages from here on are not needed.
    keep: Option<u64>,
    pub(super) counts: Counts,
}

impl Spill {
    /// Without a tier there is a budget only. `limit` is how long it is waited for a tier that does not answer.
    pub(super) fn new(
        tier: Option<Box<dyn Tier>>,
        limit: Option<Duration>,
        budget: usize,
        ahead: usize,
    ) -> Result<Self, TapeError> {
        let line = tier.map(|tier| Line::new(tier, limit)).transpose()?;
        Self::over(line, budget, ahead)
    }

    /// Of a child tape, over the same tier and with the same thread.
    pub(super) fn another(&self, budget: usize) -> Result<Self, TapeError> {
        Self::over(self.line.as_ref().map(Line::another), budget, self.ahead)
    }

    fn over(line: Option<Line>, budget: usize, ahead: usize) -> Result<Self, TapeError> {
        let (outbox, done) = channel();
        if let Some(line) = &line {
            let opened = line.jobs.send(Message::Open(line.lane, outbox));
            opened.map_err(|_| TapeError::TierLost)?;
        }
        Ok(Self {
            line,
            done,
            budget,
            ahead,
            free: Vec::new(),
            held: 0,
            most_held: 0,
            in_flight: 0,
            pages_end: 0,
            keep: None,
            counts: Counts::default(),
        })
    }

    /// Whether blocks have somewhere to go.
    pub(super) fn has_tier(&self) -> bool {
        self.line.is_some()
    }

    /// What the tier can hold, in bytes.
    pub(super) fn capacity(&self) -> Option<u64> {
        self.line.as_ref().and_then(|line| line.capacity)
    }

    /// A new number for a write.
    pub(super) fn ticket(&self) -> u64 {
        let next = |line: &Line| line.names.tickets.fetch_add(1, Ordering::Relaxed);
        self.line.as_ref().map_or(0, next)
    }

    /// Sends a block on its way, whose page is at `at` and has `fill` bytes of data; gives it back if the thread is
    /// gone.
    pub(super) fn send(
        &mut self,
        way: Way,
        ticket: u64,
        at: u64,
        fill: usize,
        block: Block,
    ) -> Result<(), (Block, TapeError)> {
        let bytes = page_bytes(fill) as u64;
        let Some(line) = &self.line else {
            return Err((block, TapeError::TierLost));
        };
        let label = Label {
            tape: line.names.tape,
            ticket,
            lane: line.lane,
            at,
            fill,
        };
        let job = Job {
            way,
            label,
            block,
            keep: self.keep.take(),
        };
        match line.jobs.send(Message::Move(job)) {
            Ok(()) => {
                self.in_flight += 1;
                match way {
                    Way::Out => {
                        self.counts.written += bytes;
                        self.pages_end = self.pages_end.max(at + 1);
                    }
                    Way::In => self.counts.read += bytes,
                }
                Ok(())
            }
            Err(SendError(Message::Move(job))) => Err((job.block, TapeError::TierLost)),
            Err(SendError(_)) => unreachable!("it was a job that was sent"),
        }
    }

    /// The pages from `end` on are not needed any more. The thread hears of it with the next job, or from
    /// [`tell`](Self::tell).
    pub(super) fn keep(&mut self, end: u64) {
        if self.pages_end > end {
            self.pages_end = end;
            self.keep = Some(end);
        }
    }

    pub(super) fn tell(&mut self) {
        if let (Some(end), Some(line)) = (self.keep.take(), &self.line) {
            // A thread that is gone holds nothing.
            let _ = line.jobs.send(Message::Keep(line.lane, end));
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
        let Some(line) = &self.line else {
            return Err(TapeError::TierLost);
        };
        let patience = &line.thread.patience;
        let (done, waited) = trace::wait(|| {
            let start = Instant::now();
            (patience.receive(&self.done), start.elapsed())
        });
        self.counts.stalls += 1;
        self.counts.waited += waited;
        match done {
            Ok(done) => {
                self.in_flight -= 1;
                Ok(done)
            }
            Err(Silence::Gone) => {
                // The thread is gone, and the blocks that it had.
                self.in_flight = 0;
                Err(TapeError::TierLost)
            }
            // Its blocks are still on their way.
            Err(Silence::TooLong(limit)) => Err(TapeError::TierTimeout { limit }),
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
        if let Some(line) = self.line.take() {
            let _ = line.jobs.send(Message::Close(line.lane));
            let patience = Arc::clone(&line.thread.patience);
            drop(line);
            // Until the thread has closed the lane, or is gone, or given up.
            while let Ok(done) = patience.receive_last(&self.done) {
                done.block.recycle();
            }
        }
        self.free.drain(..).for_each(Block::recycle);
    }
}

/// The thread: one job after the other until all tapes are gone. A tier that has panicked is not asked again, but the
/// blocks come back.
struct Server {
    pages: Pages,
    patience: Arc<Patience>,
    broken: bool,
    tapes: HashMap<Lane, Sender<Done>>,
}

impl Server {
    fn new(pages: Pages, patience: Arc<Patience>) -> Self {
        Self {
            pages,
            patience,
            broken: false,
            tapes: HashMap::new(),
        }
    }

    fn serve(mut self, messages: &Receiver<Message>) {
        while let Some(message) = self.next(messages) {
            match message {
                Message::Move(job) => self.run(job),
                Message::Open(lane, done) => {
                    self.tapes.insert(lane, done);
                }
                Message::Keep(lane, end) => self.keep(lane, end),
                Message::Close(lane) => {
                    self.pages.keep(lane, 0);
                    self.give_back();
                    self.tapes.remove(&lane);
                }
            }
            self.patience.answered();
        }
        self.give_back(); // once more, if that failed
    }

    /// The next message. If it is long in coming, the tape is idle.
    fn next(&mut self, messages: &Receiver<Message>) -> Option<Message> {
        while !self.broken && self.pages.are_left_over() {
            match messages.recv_timeout(self.pages.idle_time()) {
                Err(RecvTimeoutError::Timeout) => self.give_back(),
                received => return received.ok(),
            }
        }
        messages.recv().ok()
    }

    fn run(&mut self, job: Job) {
        let Job {
            way,
            label,
            mut block,
            keep,
        } = job;
        if let Some(end) = keep {
            self.keep(label.lane, end);
        }
        let outcome = trace::page(way, label, || {
            self.guarded(|server| match way {
                Way::Out => server.pages.write(label, &mut block),
                Way::In => server.pages.read(label, &mut block),
            })
        });
        let done = Done {
            way,
            label,
            outcome,
            block,
        };
        if let Some(tape) = self.tapes.get(&label.lane) {
            // A tape that is gone meanwhile needs nothing.
            let _ = tape.send(done);
        }
    }

    fn keep(&mut self, lane: Lane, end: u64) {
        if self.pages.keep(lane, end) {
            self.give_back();
        }
    }

    /// Gives back what an empty tape has left on the tier.
    fn give_back(&mut self) {
        if self.pages.are_left_over() {
            let _ = self.guarded(|server| server.pages.give_back());
        }
    }

    /// Asks the tier for something, unless it has panicked before.
    fn guarded(
        &mut self,
        ask: impl FnOnce(&mut Self) -> Result<(), TapeError>,
    ) -> Result<(), TapeError> {
        if self.broken {
            return Err(TapeError::TierLost);
        }
        catch_unwind(AssertUnwindSafe(|| ask(self))).unwrap_or_else(|payload| {
            discard(payload);
            self.broken = true;
            Err(TapeError::TierLost)
        })
    }
}

/// Drops what a panic came with. Its destructor might panic as well.
pub(super) fn discard(payload: Box<dyn Any + Send>) {
    if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(another);
    }
}
