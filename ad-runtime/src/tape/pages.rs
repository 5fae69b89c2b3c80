//! What lies on a tier, for the thread that works with it: pages are placed, sealed, and checked here, and given up.

use std::sync::Arc;
use std::time::Duration;

use super::block::Block;
use super::error::{TapeError, TierOperation};
use super::extents::{Extents, Lane};
use super::page::{self, Label};
use super::patience::retried;
use crate::tier::Tier;

/// A longer file is given back as soon as nothing in it is needed, a shorter one once the tape has been idle: to give
/// room back to a file system and take it again made gradients that write a few megabytes slower by up to a half, and
/// did not show in those that write as much as this.
const AT_ONCE: u64 = 256 << 20;

/// How long the thread hears nothing of an empty tape before it gives back what lies on the tier.
const IDLE: Duration = Duration::from_millis(50);

/// The pages of a tape and its children, and the tier that holds them.
#[derive(Debug)]
pub(super) struct Pages {
    tier: Box<dyn Tier>,
    extents: Extents,
    /// How far the tier has been written to since it was last given back.
    length: u64,
    /// How often in a row it could not be given back.
    failures: u32,
}

impl Pages {
    pub(super) fn new(tier: Box<dyn Tier>, capacity: Option<u64>) -> Self {
        Self {
            tier,
            extents: Extents::new(capacity),
            length: 0,
            failures: 0,
        }
    }

    pub(super) fn write(&mut self, label: Label, block: &mut Block) -> Result<(), TapeError> {
        let page = block.page_mut(label.fill);
        page::seal(page, label);
        let len = page.len() as u64;
        let mut rest = &*page;
        for piece in self.extents.place(label.lane, label.at, len) {
            let (part, behind) = rest.split_at(piece.len as usize);
            self.length = self.length.max(piece.at + piece.len);
            retried(|| self.tier.write(piece.at, part))
                .map_err(|e| TapeError::tier(TierOperation::Write, Some(piece.at), e))?;
            rest = behind;
        }
        Ok(())
    }

    pub(super) fn read(&mut self, label: Label, block: &mut Block) -> Result<(), TapeError> {
        let page = block.page_mut(label.fill);
        let len = page.len() as u64;
        let Some(pieces) = self.extents.find(label.lane, label.at, len) else {
            return Err(corrupt(label.at, "it was written over"));
        };
        let begin = pieces.first().map_or(label.at, |first| first.at);
        let mut rest = &mut *page;
        for piece in pieces {
            let (part, behind) = rest.split_at_mut(piece.len as usize);
            retried(|| self.tier.read(piece.at, part))
                .map_err(|e| TapeError::tier(TierOperation::Read, Some(piece.at), e))?;
            rest = behind;
        }
        if !self.tier.is_faithful() {
            return Ok(());
        }
        page::check(page, label).map_err(|reason| corrupt(begin, reason))
    }

    /// Gives up the pages of a lane from `end` on. `true` if the file is then to be given back at once.
    pub(super) fn keep(&mut self, lane: Lane, end: u64) -> bool {
        self.extents.keep(lane, end);
        self.are_left_over() && self.length > AT_ONCE
    }

    /// Whether there is a file, and nothing in it that is needed.
    pub(super) fn are_left_over(&self) -> bool {
        self.length > 0 && self.extents.is_empty()
    }

    /// Gives the file back. What cannot be given back is used again by the next sweep, and given back later.
    pub(super) fn give_back(&mut self) -> Result<(), TapeError> {
        match retried(|| self.tier.free(0)) {
            Ok(()) => {
                self.length = 0;
                self.failures = 0;
                Ok(())
            }
            Err(error) => {
                self.failures = self.failures.saturating_add(1);
                Err(TapeError::tier(TierOperation::Write, None, error))
            }
        }
    }

    /// How long the tape must have been idle before the file is given back: longer with each time that failed, up to a
    /// minute or so.
    pub(super) fn idle_time(&self) -> Duration {
        IDLE * (1 << self.failures.min(10))
    }
}

fn corrupt(at: u64, reason: &str) -> TapeError {
    TapeError::Corrupt {
        at,
        reason: Arc::from(reason),
    }
}
