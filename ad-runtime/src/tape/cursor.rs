//! The window of a tape: the hot half of its state.

use super::block::NEAR;

/// The window of the current block that can be written and read without a look at the store.
///
/// Invariant: `bottom <= top <= end`, all within one block whose bytes are initialised (or all
/// nowhere). Without a shadow, `bottom` and `end` are the bounds of the block; with one, all
/// three are equal between operations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor {
    pub(super) top: *mut u8,
    pub(super) bottom: *mut u8,
    pub(super) end: *mut u8,
}

impl Cursor {
    /// The window of a tape without a block: an address that nothing is ever read from, far enough
    /// from zero for [`NEAR`].
    pub(super) const EMPTY: Self = {
        let nowhere = std::ptr::without_provenance_mut(NEAR);
        Self {
            top: nowhere,
            bottom: nowhere,
            end: nowhere,
        }
    };

    /// Assigns field by field: one wide store would keep the fields out of registers in a loop.
    #[inline(always)]
    pub(super) fn set(&mut self, other: Self) {
        self.top = other.top;
        self.bottom = other.bottom;
        self.end = other.end;
    }

    /// Whether `bytes` can be pushed.
    #[inline(always)]
    pub(super) fn has_room(self, bytes: usize) -> bool {
        if bytes <= NEAR {
            self.top.addr().wrapping_add(bytes) <= self.end.addr()
        } else {
            self.free() >= bytes
        }
    }

    /// Whether `bytes` can be popped.
    #[inline(always)]
    pub(super) fn has(self, bytes: usize) -> bool {
        if bytes <= NEAR {
            self.top.addr().wrapping_sub(bytes) >= self.bottom.addr()
        } else {
            self.used() >= bytes
        }
    }

    /// A window in which nothing can be pushed or popped, at an address.
    pub(super) fn closed_at(top: *mut u8) -> Self {
        Self {
            top,
            bottom: top,
            end: top,
        }
    }

    /// Whether nothing can be pushed or popped without a look at the store.
    #[inline(always)]
    pub(super) fn is_closed(self) -> bool {
        self.bottom == self.end
    }

    /// Bytes that can be pushed.
    #[inline(always)]
    pub(super) fn free(self) -> usize {
        self.end.addr().wrapping_sub(self.top.addr())
    }

    /// Bytes that can be popped.
    #[inline(always)]
    pub(super) fn used(self) -> usize {
        self.top.addr().wrapping_sub(self.bottom.addr())
    }
}
