//! A tier that fails on cue.

use std::io;

use super::Tier;

/// What a [`FaultyTier`] does to one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The operation fails with this error and does nothing.
    Error(io::ErrorKind),
    /// Half of the page is written or read, then the operation fails.
    Short,
    /// The operation works, but one bit of the page is wrong.
    FlippedBit {
        /// Which bit of the page, modulo its length.
        bit: usize,
    },
    /// All that was stored so far is gone, and the operation goes on.
    Lost,
    /// The operation panics, and with it the thread that runs it.
    Panic,
}

/// One of the two operations of a tier that can be made to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// [`Tier::write`].
    Write,
    /// [`Tier::read`].
    Read,
}

/// A tier in front of another that lets chosen operations fail, for tests of what follows.
///
/// ```
/// use ad_runtime::tier::{Fault, FaultyTier, MemoryTier, Operation};
/// use ad_runtime::{Site, Tape, TapeError, catch_tape_error};
///
/// let full = Fault::Error(std::io::ErrorKind::StorageFull);
/// let tier = FaultyTier::new(MemoryTier::new()).fail(Operation::Write, 0, full);
/// let mut tape = Tape::builder().memory_budget(1 << 20).tier(tier).build()?;
/// let outcome = catch_tape_error(|| {
///     for i in 0..1_000_000 {
///         tape.push(Site::new(), f64::from(i));
///     }
/// });
/// assert!(matches!(outcome, Err(TapeError::Tier { .. })));
/// tape.clear();
/// tape.push(Site::new(), 1.0); // still usable
/// # Ok::<(), TapeError>(())
/// ```
#[derive(Debug)]
pub struct FaultyTier<T> {
    inner: T,
    faults: Vec<(Operation, u64, Fault)>,
    writes: u64,
    reads: u64,
}

impl<T: Tier> FaultyTier<T> {
    /// A tier in front of `inner`, without faults as yet.
    pub fn new(inner: T) -> Self {
        Self {
            inner,
            faults: Vec::new(),
            writes: 0,
            reads: 0,
        }
    }

    /// Lets the `n`th operation of a kind fail, counted from zero. Operations that are tried again count again.
    #[must_use]
    pub fn fail(mut self, operation: Operation, n: u64, fault: Fault) -> Self {
        self.faults.push((operation, n, fault));
        self
    }

    fn due(&self, operation: Operation, n: u64) -> Option<Fault> {
        let due = |(o, k, fault): &(Operation, u64, Fault)| {
            (*o == operation && *k == n).then_some(*fault)
        };
        self.faults.iter().find_map(due)
    }
}

fn flip(page: &mut [u8], bit: usize) {
    let at = (bit / 8) % page.len().max(1);
    if let Some(byte) = page.get_mut(at) {
        *byte ^= 1 << (bit % 8);
    }
}

impl<T: Tier> Tier for FaultyTier<T> {
    fn write(&mut self, at: u64, page: &[u8]) -> io::Result<()> {
        let due = self.due(Operation::Write, self.writes);
        self.writes += 1;
        match due {
            None => self.inner.write(at, page),
            Some(Fault::Error(kind)) => Err(kind.into()),
            Some(Fault::Short) => {
                self.inner.write(at, &page[..page.len() / 2])?;
                Err(io::ErrorKind::WriteZero.into())
            }
            Some(Fault::FlippedBit { bit }) => {
                let mut wrong = page.to_vec();
                flip(&mut wrong, bit);
                self.inner.write(at, &wrong)
            }
            Some(Fault::Lost) => {
                self.inner.free(0)?;
                self.inner.write(at, page)
            }
            Some(Fault::Panic) => panic!("a write was told to panic"),
        }
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> io::Result<()> {
        let due = self.due(Operation::Read, self.reads);
        self.reads += 1;
        match due {
            None => self.inner.read(at, page),
            Some(Fault::Error(kind)) => Err(kind.into()),
            Some(Fault::Short) => {
                let half = page.len() / 2;
                self.inner.read(at, &mut page[..half])?;
                Err(io::ErrorKind::UnexpectedEof.into())
            }
            Some(Fault::FlippedBit { bit }) => {
                self.inner.read(at, page)?;
                flip(page, bit);
                Ok(())
            }
            Some(Fault::Lost) => {
                self.inner.free(0)?;
                self.inner.read(at, page)
            }
            Some(Fault::Panic) => panic!("a read was told to panic"),
        }
    }

    fn free(&mut self, at: u64) -> io::Result<()> {
        self.inner.free(at)
    }

    fn capacity(&self) -> Option<u64> {
        self.inner.capacity()
    }

    fn is_faithful(&self) -> bool {
        self.inner.is_faithful()
    }
}
