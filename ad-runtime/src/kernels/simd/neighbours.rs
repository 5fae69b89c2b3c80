//! What neighbouring elements get, added up in registers before it goes to memory.
//!
//! ```text
//! one by one   x_bar[a..][..4] += c0      x_bar[a + 1..][..4] += c1
//! here         x_bar[a..][..4] += c0 + (the last of the c1 before, and all but the last of c1)
//! ```
//!
//! Sums that go to elements a few places apart overlap in memory. Added one by one, each load would have to wait until
//! the store before it is through, as the processor forwards to a load only what one store has written as a whole. So
//! what goes `shift` places further on is moved over by as many lanes; what then belongs to elements of the next
//! iterations waits in a register. Where `shift` is more than a register has, only what is left of it after whole
//! registers is moved, and what goes the same number of whole registers further on is one sum.

use std::cell::Cell;

use super::{Simd, add};

/// The numbers of the iterations before that belong to elements of the next ones.
#[derive(Clone, Copy, Debug)]
pub struct Waiting<W> {
    numbers: W,
}

impl<W: Simd> Waiting<W> {
    /// None.
    #[inline(always)]
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            numbers: W::splat(W::Number::default()),
        }
    }

    /// Adds what waits behind `done` iterations: of a sum that goes `shift` places further on.
    ///
    /// # Panics
    ///
    /// If there are too few elements.
    #[inline(always)]
    pub fn add(self, to: &[Cell<W::Number>], done: usize, shift: usize) {
        let to = &to[done + whole::<W>(shift)..];
        self.numbers.add_last(shift % W::LANES, to);
    }
}

/// What the elements of some iterations get, summed up so far.
#[derive(Clone, Copy, Debug)]
pub struct Near<W> {
    total: W,
    /// How many places further on it goes: whole registers.
    at: usize,
}

impl<W: Simd> Near<W> {
    /// What goes to the first elements.
    #[inline(always)]
    #[must_use]
    pub fn first(value: W) -> Self {
        Self {
            total: value,
            at: 0,
        }
    }

    /// What goes `shift` places further on. What has been summed up is added where it belongs, if that is elsewhere:
    /// so sums are best given in the order of their shifts.
    ///
    /// # Panics
    ///
    /// If there are too few elements.
    #[inline(always)]
    pub fn and(
        &mut self,
        to: &[Cell<W::Number>],
        done: usize,
        waiting: &mut Waiting<W>,
        value: W,
        shift: usize,
    ) {
        let before = std::mem::replace(&mut waiting.numbers, value);
        let moved = value.behind(before, shift % W::LANES);
        let at = whole::<W>(shift);
        if at == self.at {
            self.total = self.total + moved;
        } else {
            self.add(to, done);
            *self = Self { total: moved, at };
        }
    }

    /// Adds what has been summed up to the elements of the iterations from `done` on.
    ///
    /// # Panics
    ///
    /// If there are too few elements.
    #[inline(always)]
    pub fn add(self, to: &[Cell<W::Number>], done: usize) {
        add(to, done + self.at, self.total);
    }
}

/// As many of `shift` places as fill registers.
#[inline(always)]
fn whole<W: Simd>(shift: usize) -> usize {
    shift / W::LANES * W::LANES
}
