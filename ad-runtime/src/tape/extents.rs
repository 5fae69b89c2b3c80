//! Where the pages of a tape and its child tapes lie on the one tier that they share.
//!
//! Each tape numbers its pages by where they would lie if it were alone: its *lane*. The thread keeps the map from there to
//! the tier. Space is taken at the end, or where a page of the same size lay that nobody needs any more.

use std::collections::BTreeMap;

/// Which tape a page belongs to: 0 for the one that was built, then its child tapes.
pub(super) type Lane = u32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Extent {
    at: u64,
    len: u64,
}

#[derive(Debug, Default)]
pub(super) struct Extents {
    pages: BTreeMap<(Lane, u64), Extent>,
    /// Offsets without a page, by length.
    free: BTreeMap<u64, Vec<u64>>,
    end: u64,
}

impl Extents {
    /// Where `len` bytes at `at` of the lane are to be written. Pages of the lane that lay there are gone.
    pub(super) fn place(&mut self, lane: Lane, at: u64, len: u64) -> u64 {
        if let Some(extent) = self.pages.get(&(lane, at))
            && extent.len >= len
        {
            return extent.at;
        }
        let before = self.pages.range((lane, 0)..(lane, at)).next_back();
        let first = match before {
            Some((&(_, start), extent)) if start.saturating_add(extent.len) > at => start,
            _ => at,
        };
        self.release(lane, first, at.saturating_add(len));
        let at_tier = match self.free.get_mut(&len).and_then(Vec::pop) {
            Some(at_tier) => at_tier,
            None => {
                let end = self.end;
                self.end += len;
                end
            }
        };
        let extent = Extent { at: at_tier, len };
        self.pages.insert((lane, at), extent);
        at_tier
    }

    /// Where the page at `at` of the lane lies, if one of at least `len` bytes does.
    pub(super) fn find(&self, lane: Lane, at: u64, len: u64) -> Option<u64> {
        let extent = self.pages.get(&(lane, at))?;
        (extent.len >= len).then_some(extent.at)
    }

    /// Gives up all pages of a lane. `true` if no lane has any left.
    pub(super) fn clear(&mut self, lane: Lane) -> bool {
        self.release(lane, 0, u64::MAX);
        if self.pages.is_empty() {
            *self = Self::default();
        }
        self.pages.is_empty()
    }

    /// Gives up the pages of a lane that begin in `first..end`.
    fn release(&mut self, lane: Lane, first: u64, end: u64) {
        while let Some((&key, &extent)) = self.pages.range((lane, first)..(lane, end)).next() {
            self.pages.remove(&key);
            self.free.entry(extent.len).or_default().push(extent.at);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Pages never share a byte of the tier, and keep their place until the lane writes over them.
        #[test]
        fn pages_are_where_they_were_put_and_apart(
            steps in prop::collection::vec((0..3_u32, 0..12_u64, 1..4_u64, 0..10), 0..80),
        ) {
            let mut extents = Extents::default();
            let mut model: HashMap<(Lane, u64), (u64, u64)> = HashMap::new();
            for (lane, at, len, kind) in steps {
                if kind == 0 {
                    model.retain(|key, _| key.0 != lane);
                    prop_assert_eq!(extents.clear(lane), model.is_empty());
                    continue;
                }
                // A page that is written over keeps its room.
                let len = match model.get(&(lane, at)) {
                    Some(&(_, old)) => len.max(old),
                    None => len,
                };
                model.retain(|&(other, start), &mut (_, size)| {
                    other != lane || start + size <= at || start >= at + len
                });
                let placed = extents.place(lane, at, len);
                model.insert((lane, at), (placed, len));
                for (&(lane, at), &(placed, len)) in &model {
                    prop_assert_eq!(extents.find(lane, at, len), Some(placed));
                }
                let mut spans: Vec<_> = model.values().copied().collect();
                spans.sort_unstable();
                prop_assert!(spans.windows(2).all(|w| w[0].0 + w[0].1 <= w[1].0));
            }
        }
    }

    #[test]
    fn a_tape_alone_has_its_pages_in_order() {
        let mut extents = Extents::default();
        let placed: Vec<u64> = (0..5).map(|k| extents.place(0, k * 8, 8)).collect();
        assert_eq!(placed, [0, 8, 16, 24, 32]);
        assert!(extents.clear(0));
        assert_eq!(extents.place(0, 0, 8), 0);
    }
}
