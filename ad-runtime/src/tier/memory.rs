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

    /// Forgets of what begins before `at` the part that lies behind it.
    fn cut(&mut self, at: u64) {
        if let Some((&start, stored)) = self.pages.range_mut(..at).next_back()
            && start + stored.len() as u64 > at
        {
            *stored = stored[..(at - start) as usize].into();
        }
    }
}

impl Tier for MemoryTier {
    fn write(&mut self, at: u64, page: &[u8]) -> io::Result<()> {
        let end = at.saturating_add(page.len() as u64);
        if self.limit.is_some_and(|limit| end > limit) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.cut(at);
        while let Some((&covered, _)) = self.pages.range(at..end).next() {
            self.pages.remove(&covered);
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
        self.cut(at);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written over is gone, whatever its own offset and length were: no more is kept than a device would hold.
    #[test]
    fn what_is_written_over_takes_no_memory() {
        let mut tier = MemoryTier::new();
        let page = |x: u8, pages: usize| vec![x; pages * super::super::PAGE];
        let at = |pages: usize| (pages * super::super::PAGE) as u64;
        tier.write(at(0), &page(1, 4)).expect("room");
        tier.write(at(2), &page(2, 1)).expect("room");
        let mut back = page(0, 2);
        tier.read(at(0), &mut back).expect("there");
        assert_eq!(back, page(1, 2));
        assert!(
            tier.read(at(0), &mut page(0, 3)).is_err(),
            "a part of it is gone"
        );
        (0..8).for_each(|k| tier.write(at(k), &page(3, 1)).expect("room"));
        tier.write(at(1), &page(4, 5)).expect("room");
        let kept: Vec<(u64, usize)> = tier
            .pages
            .iter()
            .map(|(&at, page)| (at, page.len()))
            .collect();
        assert_eq!(
            kept,
            [
                (0, 4096),
                (4096, 5 * 4096),
                (6 * 4096, 4096),
                (7 * 4096, 4096)
            ]
        );
        tier.free(at(3)).expect("works");
        assert_eq!(
            tier.pages.values().map(|page| page.len()).sum::<usize>(),
            3 * 4096
        );
    }
}
