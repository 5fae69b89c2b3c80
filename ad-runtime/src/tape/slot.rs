//! A place for one block in a tape: the block, or where it is meanwhile.

use super::block::{Block, page_bytes};

/// Where a block is.
#[derive(Debug)]
pub(super) enum State {
    /// In memory.
    Here(Block),
    /// On its way to the tier, under this ticket.
    Leaving(u64),
    /// On the tier.
    Away,
    /// On its way back.
    Coming,
}

/// One block of a tape.
#[derive(Debug)]
pub(super) struct Slot {
    /// Bytes in use; kept up to date only while the block is not the current one.
    pub(super) fill: usize,
    capacity: usize,
    state: State,
    /// Whether the block counts towards the memory budget, and has a page on the tier.
    pub(super) spills: bool,
    /// Bytes in use, and capacity, of all blocks below.
    below: (usize, usize),
    /// The offset of its page on the tier.
    pub(super) at: u64,
    /// The ticket of the page on the tier that holds what the block holds.
    pub(super) copy: Option<u64>,
}

impl Slot {
    pub(super) fn new(block: Block, spills: bool) -> Self {
        Self {
            fill: 0,
            capacity: block.capacity(),
            state: State::Here(block),
            spills,
            below: (0, 0),
            at: 0,
            copy: None,
        }
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn is_here(&self) -> bool {
        matches!(self.state, State::Here(_))
    }

    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// The block.
    ///
    /// # Panics
    ///
    /// If it is not in memory, which the store rules out before.
    pub(super) fn block(&self) -> &Block {
        match &self.state {
            State::Here(block) => block,
            State::Leaving(_) | State::Away | State::Coming => {
                unreachable!("the block is brought to memory before it is used")
            }
        }
    }

    /// Puts a block in, which may be larger than the one before.
    pub(super) fn put(&mut self, block: Block) {
        self.capacity = block.capacity();
        self.state = State::Here(block);
    }

    /// Takes the block out, which is then in `state`.
    pub(super) fn replace(&mut self, state: State) -> State {
        std::mem::replace(&mut self.state, state)
    }

    pub(super) fn into_state(self) -> State {
        self.state
    }

    /// Notes that the block is no longer the current one: whatever is on the tier is out of date.
    pub(super) fn leave(&mut self, fill: usize) {
        self.fill = fill;
        self.copy = None;
    }

    pub(super) fn bytes_below(&self) -> usize {
        self.below.0
    }

    pub(super) fn set_below(&mut self, bytes: usize, capacity: usize) {
        self.below = (bytes, capacity);
    }

    /// Bytes in use, and capacity, of this block and all below.
    pub(super) fn sums(&self) -> (usize, usize) {
        (self.below.0 + self.fill, self.below.1 + self.capacity)
    }

    /// Where the page after this one begins.
    pub(super) fn next_page(&self) -> u64 {
        if self.spills {
            self.at + page_bytes(self.capacity) as u64
        } else {
            self.at
        }
    }
}
