//! Tiers in memory: one that keeps pages as a device would, and one that keeps nothing.

use std::collections::BTreeMap;
use std::io;

use super::Tier;

/// Pages in memory that does not count towards the budget of the tape.
#[derive(Debug, Default, Clone)]
pub struct MemoryTier {
    pages: BTreeMap<u64, Box<[u8]>>,
    limit: Option<u64>,
}

impl MemoryTier {
    /// A tier without limit.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A tier that is full at `bytes`.
    #[must_use]
    pub fn with_limit(bytes: u64) -> Self {
        Self {
            pages: BTreeMap::new(),
            limit: Some(bytes),
        }
    }
}

impl Tier for MemoryTier {
    fn write(&mut self, at: u64, page: &[u8]) -> io::Result<()> {
        let end = at.saturating_add(page.len() as u64);
        if self.limit.is_some_and(|limit| end > limit) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.pages.insert(at, page.into());
        Ok(())
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> io::Result<()> {
        match self.pages.get(&at) {
            Some(stored) if stored.len() >= page.len() => {
                page.copy_from_slice(&stored[..page.len()]);
                Ok(())
            }
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    fn free(&mut self, at: u64) -> io::Result<()> {
        self.pages.split_off(&at);
        Ok(())
    }

    fn capacity(&self) -> Option<u64> {
        self.limit
    }
}

/// Forgets what is written, and leaves what is read as it was: the floor of every measurement of a tier.
///
/// Gradients over it are meaningless once something was spilled.
#[derive(Debug, Default, Clone, Copy)]
pub struct NullTier;

impl Tier for NullTier {
    fn write(&mut self, _at: u64, _page: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn read(&mut self, _at: u64, _page: &mut [u8]) -> io::Result<()> {
        Ok(())
    }

    fn is_faithful(&self) -> bool {
        false
    }
}
