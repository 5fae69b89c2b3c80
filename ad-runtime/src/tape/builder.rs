//! The configuration of a tape.

use std::fmt;
#[cfg(feature = "disk")]
use std::path::PathBuf;
use std::time::Duration;

use super::block::HEADER;
use super::observe::{Observer, TapeEvent};
use super::spill::Spill;
use super::store::Store;
use super::{Tape, TapeError, residence, trace};
use crate::tier::{PAGE, Tier};

/// The size of a slab unless configured.
pub(super) const SLAB_BYTES: usize = 2 << 20;

/// The smallest slab that can be configured.
const MIN_SLAB_BYTES: usize = 64;

/// The smallest and the largest slab that a budget leads to.
const SPILL_SLABS: std::ops::RangeInclusive<usize> = 128 << 10..=4 << 20;

/// Pages on their way at once, unless configured.
const PREFETCH: usize = 2;

/// Configures a [`Tape`]; made by [`Tape::builder`].
///
/// ```
/// use ad_runtime::Tape;
///
/// let tape = Tape::builder().slab_bytes(64 << 10).shadow(true).build()?;
/// assert!(tape.is_empty());
/// # Ok::<(), ad_runtime::TapeError>(())
/// ```
#[must_use = "nothing is built before `build`"]
pub struct TapeBuilder {
    slab_bytes: Option<usize>,
    shadow: bool,
    budget: Option<usize>,
    prefetch: usize,
    tier_timeout: Option<Duration>,
    target: Target,
    observer: Option<Box<Observer>>,
    #[cfg(feature = "report")]
    tally: bool,
}

/// Where the tape spills to.
enum Target {
    Nowhere,
    #[cfg(feature = "disk")]
    Directory(PathBuf),
    Tier(Box<dyn Tier>),
}

impl TapeBuilder {
    pub(super) fn new() -> Self {
        Self {
            slab_bytes: None,
            shadow: false,
            budget: None,
            prefetch: PREFETCH,
            tier_timeout: None,
            target: Target::Nowhere,
            observer: None,
            #[cfg(feature = "report")]
            tally: false,
        }
    }

    /// The size of the blocks that a tape takes once it has outgrown its small first ones, in
    /// bytes (default 2 MiB, at least 64; with a budget by default an eighth of it within 128 KiB and 4 MiB, and always
    /// a multiple of 4096). A tile larger than that gets a larger block.
    pub fn slab_bytes(mut self, bytes: usize) -> Self {
        self.slab_bytes = Some(bytes);
        self
    }

    /// Tags each item with its type and length and compares the tags on each pop (default: no).
    ///
    /// For tests: it is slow, and makes each mismatch of push and pop a panic that names both.
    pub fn shadow(mut self, shadow: bool) -> Self {
        self.shadow = shadow;
        self
    }

    /// The memory that the tape may take, in bytes (default: no limit).
    ///
    /// When it is used up, the oldest slabs go to the tier ([`spill_to`](Self::spill_to), [`tier`](Self::tier)) and
    /// come back before the reverse sweep needs them; without a tier, the next push fails with
    /// [`TapeError::Budget`]. One item in one piece, a record or a tile, should not be larger than a third of the
    /// budget; slices may have any size. Generated code makes items of up to 128 KiB.
    ///
    /// The budget is for the data. Beside it, the tape and each child of a [fork](Tape::fork) take
    ///
    /// - less than half a megabyte each, for their small first blocks and a strip of a loop;
    /// - 8,256 bytes per slab in memory, as pages are aligned: a sixteenth of slabs of 128 KiB, but twice the budget
    ///   for slabs of 4 KiB;
    /// - up to 300 bytes per slab, in memory or on the tier, for what is known of it.
    ///
    /// What the tape cannot do is a panic, and an error of the functions that return one; not in programs with `panic =
    /// "abort"`, which a tape that fails ends with a message ([`catch_tape_error`](crate::catch_tape_error)).
    ///
    /// A tape whose tier fails on the way back is to be rewound or cleared; until then each pop fails. Cleared, it can
    /// be used again, and lets the tier give up what it held.
    ///
    /// ```
    /// use ad_runtime::tier::MemoryTier;
    /// use ad_runtime::{Site, Tape};
    ///
    /// let mut tape = Tape::builder().memory_budget(1 << 20).tier(MemoryTier::new()).build()?;
    /// let site = Site::new();
    /// (0..1_000_000).for_each(|i| tape.push(site, f64::from(i))); // 8 MB
    /// assert!(tape.stats().held_bytes < 3 << 19);
    /// assert!((0..1_000_000).rev().all(|i| tape.pop(site) == f64::from(i)));
    /// # Ok::<(), ad_runtime::TapeError>(())
    /// ```
    pub fn memory_budget(mut self, bytes: usize) -> Self {
        self.budget = Some(bytes);
        self
    }

    /// Spills to a file without name in the directory `dir`, which must exist (`""` is no directory). The file is gone
    /// when the tape is, or the process.
    #[cfg(feature = "disk")]
    pub fn spill_to(mut self, dir: impl Into<PathBuf>) -> Self {
        self.target = Target::Directory(dir.into());
        self
    }

    /// Spills to a tier of your own.
    pub fn tier(mut self, tier: impl Tier + 'static) -> Self {
        self.target = Target::Tier(Box::new(tier));
        self
    }

    /// How many slabs are on their way to the tier or back at once (default 2, at least 1).
    pub fn prefetch(mut self, slabs: usize) -> Self {
        self.prefetch = slabs;
        self
    }

    /// How long the tape waits for its tier while that answers nothing at all (default: for as long as it takes).
    ///
    /// A sweep that has waited so long fails with [`TapeError::TierTimeout`]. The blocks that the tier has then count
    /// towards the budget until it gives them back; cleared, the tape can be used again within what is left, and as
    /// before once the tier answers. A drop waits as long at most, and then leaves the tier and these blocks to their
    /// thread, which ends when the tier answers.
    ///
    /// Without a limit, a tier that never answers blocks the sweep that needs it, [`trim`](Tape::trim), and the drop of
    /// the tape for ever. A tier that is slow is no reason for an error: the time is that since its last answer to any
    /// tape of a [fork](Tape::fork), and up to twice the limit may pass until it is seen.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use ad_runtime::Tape;
    /// use ad_runtime::tier::MemoryTier;
    ///
    /// let builder = Tape::builder().memory_budget(1 << 20).tier(MemoryTier::new());
    /// let tape = builder.tier_timeout(Duration::from_secs(30)).build()?;
    /// # Ok::<(), ad_runtime::TapeError>(())
    /// ```
    pub fn tier_timeout(mut self, limit: Duration) -> Self {
        self.tier_timeout = Some(limit);
        self
    }

    /// Calls `callback` whenever a sweep goes on to another block of the tape, forward and back: about once per slab.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// use ad_runtime::{Site, Sweep, Tape};
    ///
    /// let most = Arc::new(Mutex::new(0));
    /// let seen = Arc::clone(&most);
    /// let mut tape = Tape::builder()
    ///     .observer(move |event| {
    ///         if event.sweep == Sweep::Forward {
    ///             *seen.lock().unwrap() = event.bytes;
    ///         }
    ///     })
    ///     .build()?;
    /// (0..1_000_000).for_each(|i| tape.push(Site::new(), f64::from(i)));
    /// assert!(*most.lock().unwrap() > 6_000_000);
    /// # Ok::<(), ad_runtime::TapeError>(())
    /// ```
    pub fn observer(mut self, callback: impl FnMut(&TapeEvent) + Send + 'static) -> Self {
        self.observer = Some(Box::new(Observer::new(Box::new(callback))));
        self
    }

    /// Counts the bytes that each place of the source pushes, for [`Tape::tallied`] (default: no).
    #[cfg(feature = "report")]
    pub fn tally(mut self, tally: bool) -> Self {
        self.tally = tally;
        self
    }

    /// Builds the tape. No memory is taken before the first push.
    ///
    /// # Errors
    ///
    /// [`TapeError::Configuration`] if slabs are smaller than 64 bytes (with a budget, are no multiple of 4096), the
    /// budget is less than three slabs, there is a tier without a budget, the directory to spill to has no name,
    /// nothing is to be prefetched, or the tier has no time to answer; [`TapeError::Tier`] if the file or the thread of
    /// the tier cannot be made.
    pub fn build(mut self) -> Result<Tape, TapeError> {
        let observer = self.observer.take();
        #[cfg(feature = "report")]
        let tally = self.tally.then(Box::default);
        let mut store = self.store()?;
        store.observer = observer;
        #[cfg(feature = "report")]
        {
            store.tally = tally;
        }
        Ok(Tape::with_store(store))
    }

    fn store(self) -> Result<Store, TapeError> {
        let Some(budget) = self.budget else {
            if !matches!(self.target, Target::Nowhere) {
                return configuration("a tape that spills needs a `memory_budget`".to_owned());
            }
            let slab_bytes = self.slab_bytes.unwrap_or(SLAB_BYTES);
            if slab_bytes < MIN_SLAB_BYTES {
                return configuration(format!(
                    "slabs of {slab_bytes} bytes are too small, {MIN_SLAB_BYTES} is the least"
                ));
            }
            return Ok(Store::new(slab_bytes, self.shadow, None));
        };
        let slab_bytes = self.slab_bytes.unwrap_or_else(|| {
            (budget / 8)
                .clamp(*SPILL_SLABS.start(), *SPILL_SLABS.end())
                .next_multiple_of(PAGE)
        });
        if slab_bytes < PAGE || !slab_bytes.is_multiple_of(PAGE) {
            return configuration(format!(
                "slabs of {slab_bytes} bytes are no pages: with a budget, their size is a multiple of {PAGE}"
            ));
        }
        if budget < residence::least_budget(slab_bytes) {
            return configuration(format!(
                "a budget of {budget} bytes is less than three slabs of {slab_bytes} bytes"
            ));
        }
        if self.prefetch == 0 {
            return configuration("`prefetch` must be at least 1".to_owned());
        }
        if self.tier_timeout.is_some_and(|limit| limit.is_zero()) {
            return configuration("`tier_timeout` must be more than zero".to_owned());
        }
        let tier = match self.target {
            Target::Nowhere => None,
            #[cfg(feature = "disk")]
            Target::Directory(dir) => Some(disk(&dir)?),
            Target::Tier(tier) => Some(tier),
        };
        trace::built(trace::Built {
            budget,
            slab_bytes,
            prefetch: self.prefetch,
            tier: tier.is_some(),
        });
        // The header of a page lies before the data: a page is then as large as the slab that was asked for.
        let spill = Spill::new(tier, self.tier_timeout, budget, self.prefetch)?;
        Ok(Store::new(
            slab_bytes - HEADER,
            self.shadow,
            Some(Box::new(spill)),
        ))
    }
}

#[cfg(feature = "disk")]
fn disk(dir: &std::path::Path) -> Result<Box<dyn Tier>, TapeError> {
    if dir.as_os_str().is_empty() {
        return configuration(
            "`spill_to` needs the name of a directory; the current one is `.`".to_owned(),
        );
    }
    match crate::tier::DiskTier::new(dir) {
        Ok(tier) => Ok(Box::new(tier)),
        Err(error) => Err(TapeError::tier(super::TierOperation::Start, None, error)),
    }
}

fn configuration<T>(reason: String) -> Result<T, TapeError> {
    Err(TapeError::Configuration { reason })
}

impl fmt::Debug for TapeBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TapeBuilder")
            .field("slab_bytes", &self.slab_bytes)
            .field("shadow", &self.shadow)
            .field("memory_budget", &self.budget)
            .field("prefetch", &self.prefetch)
            .field("tier_timeout", &self.tier_timeout)
            .finish_non_exhaustive()
    }
}
