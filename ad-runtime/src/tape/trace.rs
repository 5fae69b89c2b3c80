//! What a tape tells `tracing` (feature `trace`). Without the feature, everything here is empty.
//!
//! The documentation of the facade lists it. The thread of the tape uses the subscriber that was the default where the
//! tape was built.
//!
//! The store is in disorder while it works, so a subscriber that panics must not unwind through it: its panics end
//! here.

#[cfg(not(feature = "trace"))]
mod off;
#[cfg(feature = "trace")]
mod on;

#[cfg(not(feature = "trace"))]
pub(super) use off::*;
#[cfg(feature = "trace")]
pub(super) use on::*;

/// What is told of a tape with a budget.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "trace"), allow(dead_code))]
pub(super) struct Built {
    pub(super) budget: usize,
    pub(super) slab_bytes: usize,
    pub(super) prefetch: usize,
    pub(super) tier: bool,
}
