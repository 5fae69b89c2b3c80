//! The configuration of a tape.

use super::store::Store;
use super::{Tape, TapeError};

/// The size of a slab unless configured.
pub(super) const SLAB_BYTES: usize = 2 << 20;

/// The smallest slab that can be configured.
const MIN_SLAB_BYTES: usize = 64;

/// Configures a [`Tape`]; made by [`Tape::builder`].
///
/// ```
/// use ad_runtime::Tape;
///
/// let tape = Tape::builder().slab_bytes(64 << 10).shadow(true).build()?;
/// assert!(tape.is_empty());
/// # Ok::<(), ad_runtime::TapeError>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "nothing is built before `build`"]
pub struct TapeBuilder {
    slab_bytes: usize,
    shadow: bool,
}

impl TapeBuilder {
    pub(super) fn new() -> Self {
        Self {
            slab_bytes: SLAB_BYTES,
            shadow: false,
        }
    }

    /// The size of the blocks that a tape takes once it has outgrown its small first ones, in
    /// bytes (default 2 MiB, at least 64). A tile larger than that gets a larger block.
    pub fn slab_bytes(mut self, bytes: usize) -> Self {
        self.slab_bytes = bytes;
        self
    }

    /// Tags each item with its type and length and compares the tags on each pop (default: no).
    ///
    /// For tests: it is slow, and makes each mismatch of push and pop a panic that names both.
    pub fn shadow(mut self, shadow: bool) -> Self {
        self.shadow = shadow;
        self
    }

    /// Builds the tape. No memory is taken before the first push.
    ///
    /// # Errors
    ///
    /// [`TapeError::Configuration`] if slabs are smaller than 64 bytes.
    pub fn build(self) -> Result<Tape, TapeError> {
        if self.slab_bytes < MIN_SLAB_BYTES {
            let reason = format!(
                "slabs of {} bytes are too small, {MIN_SLAB_BYTES} is the least",
                self.slab_bytes
            );
            return Err(TapeError::Configuration { reason });
        }
        Ok(Tape::with_store(Store::new(self.slab_bytes, self.shadow)))
    }
}
