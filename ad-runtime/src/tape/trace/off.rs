//! Nothing: the twins of `on.rs`.

use std::time::Duration;

use super::Built;
use crate::tape::error::TapeError;
use crate::tape::observe::Sweep;
use crate::tape::page::Label;
use crate::tape::spill::Way;

#[derive(Debug)]
pub(in crate::tape) struct Origin;

impl Origin {
    #[inline(always)]
    pub(in crate::tape) fn here() -> Self {
        Self
    }

    #[inline(always)]
    pub(in crate::tape) fn within(self, work: impl FnOnce()) {
        work();
    }
}

#[derive(Debug, Default)]
pub(in crate::tape) struct Watch(());

impl Watch {
    #[inline(always)]
    pub(in crate::tape) fn went_to(&mut self, _: usize) -> Option<Sweep> {
        None
    }
}

#[inline(always)]
pub(in crate::tape) fn block(_: Sweep, _: usize) {}

#[inline(always)]
pub(in crate::tape) fn page(
    _: Way,
    _: Label,
    work: impl FnOnce() -> Result<(), TapeError>,
) -> Result<(), TapeError> {
    work()
}

#[inline(always)]
pub(in crate::tape) fn wait<T>(work: impl FnOnce() -> (T, Duration)) -> (T, Duration) {
    work()
}

#[inline(always)]
pub(in crate::tape) fn built(_: Built) {}

#[inline(always)]
pub(in crate::tape) fn rewound(_: usize, _: usize) {}

#[inline(always)]
pub(in crate::tape) fn trimmed(_: usize, _: usize) {}
