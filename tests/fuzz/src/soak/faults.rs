//! A tier in memory that fails on cue, and can be told so again and again.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use retrograde::tier::Tier;

use crate::rng::Rng;

/// What goes wrong with one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A write is an error and stores nothing.
    WriteFails,
    /// Half of a page is stored, then the write is an error.
    ShortWrite,
    /// The store is full from then on.
    Full,
    /// One bit is wrong in what is stored.
    FlippedInWrite,
    /// The write reports success, and nothing is stored: what was there before stays.
    LostWrite,
    /// A read is an error.
    ReadFails,
    /// Half of a page is read, then the read is an error.
    ShortRead,
    /// One bit is wrong in what is read.
    FlippedInRead,
    /// What was stored there before comes back.
    StalePage,
    /// The page of another offset comes back.
    ForeignPage,
    /// Giving up pages is an error.
    RefusedFree,
    /// A few operations are interrupted, and are to be tried again.
    Interrupted,
    /// The tier panics.
    Panics,
}

impl Fault {
    pub(crate) const ALL: [Self; 13] = [
        Self::WriteFails,
        Self::ShortWrite,
        Self::Full,
        Self::FlippedInWrite,
        Self::LostWrite,
        Self::ReadFails,
        Self::ShortRead,
        Self::FlippedInRead,
        Self::StalePage,
        Self::ForeignPage,
        Self::RefusedFree,
        Self::Interrupted,
        Self::Panics,
    ];

    pub(crate) fn draw(rng: &mut Rng) -> Self {
        Self::ALL[rng.below(Self::ALL.len())]
    }

    /// Whether the gradient is to succeed all the same.
    pub(crate) fn is_harmless(self) -> bool {
        matches!(self, Self::RefusedFree | Self::Interrupted)
    }
}

/// A fault that waits for its operation.
#[derive(Debug, Clone, Copy)]
struct Armed {
    fault: Fault,
    /// Operations of its kind to let pass.
    pass: u64,
    bit: usize,
    /// How often it still happens.
    times: u64,
    fired: bool,
}

/// Tells a [`CueTier`] when to fail; shared between the soak and the thread of the tape.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cue(Arc<Mutex<Option<Armed>>>);

impl Cue {
    fn armed(&self) -> std::sync::MutexGuard<'_, Option<Armed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the operation after `pass` others of its kind fail.
    pub(crate) fn arm(&self, fault: Fault, pass: u64, bit: usize) {
        let times = match fault {
            Fault::Full => u64::MAX,
            Fault::Interrupted => 1 + (bit % 3) as u64,
            _ => 1,
        };
        *self.armed() = Some(Armed {
            fault,
            pass,
            bit,
            times,
            fired: false,
        });
    }

    /// No fault any more; whether there was one.
    pub(crate) fn disarm(&self) -> bool {
        self.armed().take().is_some_and(|armed| armed.fired)
    }

    /// The fault of this operation, if it is one of `faults` and due, and `possible` says that it can happen.
    fn due(
        &self,
        faults: &[Fault],
        possible: impl FnOnce(Fault) -> bool,
    ) -> Option<(Fault, usize)> {
        let mut guard = self.armed();
        let armed = guard.as_mut().filter(|a| faults.contains(&a.fault))?;
        if armed.times == 0 || !possible(armed.fault) {
            return None;
        }
        if armed.pass > 0 {
            armed.pass -= 1;
            return None;
        }
        armed.times -= 1;
        armed.fired = true;
        Some((armed.fault, armed.bit))
    }
}

/// Pages in memory behind a [`Cue`].
#[derive(Debug, Default)]
pub(crate) struct CueTier {
    pages: BTreeMap<u64, Box<[u8]>>,
    /// What lay at each offset before.
    before: BTreeMap<u64, Box<[u8]>>,
    cue: Cue,
}

/// What the tier says when it is told to panic.
pub(crate) const PANIC: &str = "soak: the tier was told to panic";

impl CueTier {
    pub(crate) fn new(cue: Cue) -> Self {
        Self {
            cue,
            ..Self::default()
        }
    }

    fn store(&mut self, at: u64, page: &[u8]) {
        if let Some(old) = self.pages.insert(at, page.into()) {
            self.before.insert(at, old);
        }
    }
}

fn flip(page: &mut [u8], bit: usize) {
    let at = (bit / 8) % page.len();
    page[at] ^= 1 << (bit % 8);
}

fn copy(stored: Option<&[u8]>, page: &mut [u8]) -> io::Result<()> {
    match stored {
        Some(stored) if stored.len() >= page.len() => {
            page.copy_from_slice(&stored[..page.len()]);
            Ok(())
        }
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

const WRITES: [Fault; 7] = [
    Fault::WriteFails,
    Fault::ShortWrite,
    Fault::Full,
    Fault::FlippedInWrite,
    Fault::LostWrite,
    Fault::Interrupted,
    Fault::Panics,
];

const READS: [Fault; 7] = [
    Fault::ReadFails,
    Fault::ShortRead,
    Fault::FlippedInRead,
    Fault::StalePage,
    Fault::ForeignPage,
    Fault::Interrupted,
    Fault::Panics,
];

impl Tier for CueTier {
    fn write(&mut self, at: u64, page: &[u8]) -> io::Result<()> {
        let Some((fault, bit)) = self.cue.due(&WRITES, |_| true) else {
            self.store(at, page);
            return Ok(());
        };
        match fault {
            Fault::ShortWrite => {
                self.store(at, &page[..page.len() / 2]);
                Err(io::ErrorKind::WriteZero.into())
            }
            Fault::Full => Err(io::ErrorKind::StorageFull.into()),
            Fault::FlippedInWrite => {
                let mut wrong = page.to_vec();
                flip(&mut wrong, bit);
                self.store(at, &wrong);
                Ok(())
            }
            Fault::LostWrite => Ok(()),
            Fault::Interrupted => Err(io::ErrorKind::Interrupted.into()),
            Fault::Panics => panic!("{PANIC}"),
            _ => Err(io::Error::other("soak: a write was told to fail")),
        }
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> io::Result<()> {
        let own = self.pages.get(&at).map(|p| &**p);
        let old = self.before.get(&at).map(|p| &**p);
        let fits = |stored: &&[u8]| stored.len() >= page.len();
        let others = self.pages.iter().filter(|(offset, _)| **offset != at);
        let other = others.map(|(_, p)| &**p).find(fits);
        let possible = |fault| match fault {
            Fault::StalePage => old.is_some_and(|p| fits(&p)),
            Fault::ForeignPage => other.is_some(),
            _ => true,
        };
        let Some((fault, bit)) = self.cue.due(&READS, possible) else {
            return copy(own, page);
        };
        match fault {
            Fault::ShortRead => {
                let half = page.len() / 2;
                copy(own, &mut page[..half])?;
                Err(io::ErrorKind::UnexpectedEof.into())
            }
            Fault::FlippedInRead => {
                copy(own, page)?;
                flip(page, bit);
                Ok(())
            }
            Fault::StalePage => copy(old, page),
            Fault::ForeignPage => copy(other, page),
            Fault::Interrupted => Err(io::ErrorKind::Interrupted.into()),
            Fault::Panics => panic!("{PANIC}"),
            _ => Err(io::Error::other("soak: a read was told to fail")),
        }
    }

    fn free(&mut self, at: u64) -> io::Result<()> {
        if self.cue.due(&[Fault::RefusedFree], |_| true).is_some() {
            return Err(io::Error::other("soak: pages were told to stay"));
        }
        let gone = self.pages.split_off(&at);
        self.before.extend(gone);
        Ok(())
    }
}
