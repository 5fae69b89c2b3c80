//! Which blocks of a tape with a memory budget are in memory.
//!
//! The tape is last in, first out, so the oldest blocks are those that are not needed for longest: they leave first
//! and come back last. While the sweep fills one block, those before it are already on their way; while it empties one,
//! those before it are on their way back.

use super::block::Block;
use super::error::{Fault, TapeError};
use super::slot::{Slot, State};
use super::spill::{Done, Spill, Way};
use super::store::Store;
use crate::tier::PAGE;

impl Store {
    /// Decides where the page of slot `at` will be: after those of all slots below.
    pub(super) fn place_page(&mut self, at: usize) {
        if self.spill.is_none() {
            return;
        }
        let below = at.checked_sub(1).map(|below| &self.slots[below]);
        let offset = below.map_or(0, Slot::next_page);
        self.slots[at].at = offset;
        self.slots[at].copy = None;
    }

    /// A block of at least `bytes` that does not exceed the budget: older ones leave for it.
    pub(super) fn block_within_budget(&mut self, bytes: usize) -> Result<Block, TapeError> {
        if bytes < self.slab_bytes() {
            return Block::obtain_exact(bytes); // the first few blocks do not count
        }
        self.settle_arrivals()?;
        let Some(block) = self.buffer(bytes, None)? else {
            return Block::obtain(bytes);
        };
        match self.keep_ahead() {
            Ok(()) => Ok(block),
            Err(error) => {
                self.released(block);
                Err(error)
            }
        }
    }

    /// An item for which a block of `bytes` would be needed beside those that cannot leave.
    fn over_budget(spill: &Spill, bytes: usize) -> TapeError {
        TapeError::Budget {
            needed: spill.held.saturating_add(bytes),
            budget: spill.budget,
            tier_would_do: !spill.has_tier() && least_budget(bytes) <= spill.budget,
        }
    }

    /// Sends the oldest blocks on their way while there is time, so that the next one need not wait.
    fn keep_ahead(&mut self) -> Result<(), TapeError> {
        loop {
            let slab = self.slab_bytes();
            let Some(spill) = &self.spill else {
                return Ok(());
            };
            let full = spill.held + slab > spill.budget;
            if !full || spill.free.len() + spill.in_flight >= spill.ahead {
                return Ok(());
            }
            if !self.send_oldest()? {
                return Ok(());
            }
        }
    }

    /// Sends the oldest block that is in memory to the tier; `false` if there is none but the current one.
    fn send_oldest(&mut self) -> Result<bool, TapeError> {
        if !self.spill.as_ref().is_some_and(|spill| spill.has_tier()) {
            return Ok(false);
        }
        let current = self.depth.saturating_sub(1);
        let oldest = (self.oldest_here..current)
            .find(|&at| self.slots[at].is_here() && self.slots[at].spills);
        self.oldest_here = oldest.unwrap_or(current);
        match oldest {
            Some(at) => self.send_out(at).map(|()| true),
            None => Ok(false),
        }
    }

    /// Sends a block out, or drops it if the tier has what it holds, or it holds nothing.
    fn send_out(&mut self, at: usize) -> Result<(), TapeError> {
        let Some(spill) = &mut self.spill else {
            return Ok(());
        };
        let slot = &mut self.slots[at];
        let State::Here(block) = slot.replace(State::Away) else {
            return Ok(());
        };
        if slot.copy.is_some() || slot.fill == 0 {
            spill.free.push(block);
            return Ok(());
        }
        let ticket = spill.ticket();
        match spill.send(Way::Out, ticket, slot.at, slot.fill, block) {
            Ok(()) => {
                slot.replace(State::Leaving(ticket));
                Ok(())
            }
            Err((block, error)) => {
                slot.put(block);
                Err(error)
            }
        }
    }

    /// Takes in what has been done, without waiting.
    fn settle_arrivals(&mut self) -> Result<(), TapeError> {
        while let Some(done) = self.spill.as_mut().and_then(|spill| spill.poll()) {
            self.arrived(done, None)?;
        }
        Ok(())
    }

    /// Waits for everything that is on its way. What went wrong comes up where the block is needed.
    pub(super) fn settle_all(&mut self) {
        while let Some(spill) = &mut self.spill
            && spill.in_flight > 0
        {
            let Ok(done) = spill.wait() else {
                return;
            };
            let _ = self.arrived(done, None);
        }
    }

    /// Puts a block that came back where it belongs: into its slot, or to the free ones if the slot is gone. The block
    /// of slot `wanted` stays in memory even if it has just been written.
    fn arrived(&mut self, done: Done, wanted: Option<usize>) -> Result<(), TapeError> {
        let Done {
            way,
            label,
            block,
            outcome,
        } = done;
        let in_use = self.slots.len().min(self.depth);
        let waits = |slot: &Slot| match slot.state() {
            State::Leaving(ticket) => way == Way::Out && *ticket == label.ticket,
            State::Coming => way == Way::In && slot.copy == Some(label.ticket),
            State::Here(_) | State::Away => false,
        };
        let found = self.slots[..in_use].iter().rposition(waits);
        self.oldest_here = found.map_or(self.oldest_here, |at| self.oldest_here.min(at));
        let slot = found.map(|at| &mut self.slots[at]);
        match (slot, way, &outcome) {
            (Some(slot), Way::Out, Ok(())) if found == wanted => {
                slot.copy = Some(label.ticket);
                slot.put(block);
            }
            (Some(slot), Way::Out, Ok(())) => {
                slot.copy = Some(label.ticket);
                slot.replace(State::Away);
                self.released(block);
            }
            // What could not be written stays.
            (Some(slot), Way::Out, Err(_)) | (Some(slot), Way::In, Ok(())) => {
                slot.put(block);
            }
            (Some(slot), Way::In, Err(_)) => {
                slot.replace(State::Away);
                self.released(block);
            }
            // The tape was rewound meanwhile: nobody needs the block, nor hears of its fate.
            (None, ..) => {
                self.released(block);
                return Ok(());
            }
        }
        outcome
    }

    fn released(&mut self, block: Block) {
        match &mut self.spill {
            Some(spill) => spill.free.push(block),
            None => block.recycle(),
        }
    }

    /// Brings the block of the current slot to memory, and those below it on their way.
    pub(super) fn bring(&mut self, at: usize) -> Result<(), Box<Fault>> {
        while !self.slots[at].is_here() {
            let moving = matches!(self.slots[at].state(), State::Leaving(_) | State::Coming);
            if !moving {
                let Some(block) = self.buffer(self.slots[at].capacity(), Some(at))? else {
                    break;
                };
                self.fetch(at, block)?;
                continue;
            }
            let Some(spill) = &mut self.spill else {
                return Ok(());
            };
            let done = spill.wait()?;
            let wanted = done.way == Way::In && done.label.at == self.slots[at].at;
            match self.arrived(done, Some(at)) {
                // A block that could not leave is still here, one that could not come is asked for again when it is
                // needed.
                Err(error) if wanted => return Err(error.into()),
                Ok(()) | Err(_) => {}
            }
        }
        self.give_up_pages();
        self.look_ahead(at);
        Ok(())
    }

    /// A free block of at least `bytes`, if need be after older blocks have left for it. `None` if the block of slot
    /// `wanted` has come to memory meanwhile.
    ///
    /// What goes wrong with other blocks on the way is an error only if no slot is `wanted`: a block that could not
    /// leave is still here, and one that could not come is asked for again.
    fn buffer(&mut self, bytes: usize, wanted: Option<usize>) -> Result<Option<Block>, TapeError> {
        loop {
            let Some(spill) = &mut self.spill else {
                return Ok(None);
            };
            // Not a much larger one: what it holds would need as much again when it comes back.
            let fits =
                |block: &Block| (bytes..=bytes.saturating_add(PAGE)).contains(&block.capacity());
            if let Some(at) = spill.free.iter().position(fits) {
                return Ok(Some(spill.free.swap_remove(at)));
            }
            if spill.held.saturating_add(bytes) <= spill.budget {
                let block = Block::obtain_paged(bytes)?;
                spill.holds(block.capacity(), 0);
                return Ok(Some(block));
            }
            if let Some(small) = spill.free.pop() {
                spill.holds(0, small.capacity());
                small.recycle();
            } else if spill.in_flight > 0 {
                let done = spill.wait()?;
                let arrived = self.arrived(done, wanted);
                match wanted {
                    Some(at) if self.slots[at].is_here() => return Ok(None),
                    Some(_) => {}
                    None => arrived?,
                }
            } else {
                let over = Self::over_budget(spill, bytes);
                if !self.send_oldest()? {
                    return Err(over);
                }
            }
        }
    }

    /// Makes do with a smaller budget from now on.
    pub(super) fn shrink(&mut self, budget: usize) -> Result<(), TapeError> {
        while let Some(spill) = &mut self.spill {
            spill.budget = budget;
            if spill.held <= budget {
                break;
            }
            if let Some(block) = spill.free.pop() {
                spill.holds(0, block.capacity());
                block.recycle();
            } else if spill.in_flight > 0 {
                let done = spill.wait()?;
                self.arrived(done, None)?;
            } else if !self.send_oldest()? {
                break; // the current block alone
            }
        }
        Ok(())
    }

    /// Asks for the block of a slot that is away; one that held nothing has no page, and `block` is as good.
    fn fetch(&mut self, at: usize, block: Block) -> Result<(), TapeError> {
        let slot = &mut self.slots[at];
        let Some(spill) = &mut self.spill else {
            return Ok(());
        };
        let ticket = match (slot.copy, slot.fill) {
            (Some(ticket), _) => ticket,
            (None, 0) => {
                slot.put(block);
                self.oldest_here = self.oldest_here.min(at);
                return Ok(());
            }
            (None, _) => unreachable!("a block with something in it leaves under a ticket"),
        };
        match spill.send(Way::In, ticket, slot.at, slot.fill, block) {
            Ok(()) => {
                slot.replace(State::Coming);
                Ok(())
            }
            Err((block, error)) => {
                spill.free.push(block);
                Err(error)
            }
        }
    }

    /// Asks for the blocks below `at`, the next first, as far as there are buffers for them.
    pub(super) fn look_ahead(&mut self, at: usize) {
        for below in (0..at).rev() {
            let Some(spill) = &mut self.spill else {
                return;
            };
            if !matches!(self.slots[below].state(), State::Away) {
                continue;
            }
            let bytes = self.slots[below].capacity();
            let fits = spill.free.iter().position(|b| b.capacity() >= bytes);
            let (Some(k), true) = (fits, spill.in_flight < spill.ahead) else {
                return;
            };
            let block = spill.free.swap_remove(k);
            if self.fetch(below, block).is_err() {
                return; // it is asked for again when it is needed
            }
        }
    }

    /// Frees the blocks above the current one.
    pub(super) fn retire(&mut self) {
        while self.slots.len() > self.depth {
            let Some(slot) = self.slots.pop() else {
                return;
            };
            let spills = slot.spills;
            if let State::Here(block) = slot.into_state() {
                if spills {
                    self.released(block);
                } else {
                    block.recycle();
                }
            }
        }
        self.oldest_here = self.oldest_here.min(self.depth);
    }

    /// Notes which pages nobody will ask for: those of blocks above the current one, which are gone, and its own once
    /// it is in memory, as it is written again before it leaves again.
    pub(super) fn give_up_pages(&mut self) {
        let Some(spill) = &mut self.spill else {
            return;
        };
        let current = self.depth.checked_sub(1).map(|at| &mut self.slots[at]);
        spill.keep(match current {
            None => 0,
            Some(slot) if slot.is_here() => {
                slot.copy = None;
                slot.at
            }
            Some(slot) => slot.at + 1,
        });
    }

    /// Lets the tier give them up, if no page is on its way that says so.
    pub(super) fn tell(&mut self) {
        if let Some(spill) = &mut self.spill {
            spill.tell();
        }
    }
}

/// The least budget to work with: a slab to fill, and two on their way.
pub(super) fn least_budget(slab_bytes: usize) -> usize {
    slab_bytes.saturating_mul(3)
}

// `Spill` is sent with the tape.
const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<Spill>();
};
