//! Where the pages of a tape and its child tapes lie on the one tier that they share.
//!
//! Each tape numbers its pages by where they would lie if it were alone: its *lane*. The thread keeps the map from
//! there to the tier.
//!
//! **How long the file gets.** Let *live* be the bytes of all pages that lie on the tier, and *peak* the most that was
//! live at once since the file was last empty. A page of length `len` is placed
//!
//! 1. at the beginning of the smallest piece of free room that holds it,
//! 2. else at the end, if the file is then no longer than `2 * peak`, where `peak` counts the page already (nor longer
//!    than the tier, if that says how much it holds),
//! 3. else in several pieces of free room, and only what is left over, if anything is, at the end.
//!
//! The file is never longer than `2 * peak`. Only steps 2 and 3 make it longer. After step 2 it is not, by its
//! condition. Step 3 is taken because of that condition if `end + len > 2 * peak`; as `peak >= live + len`, the free
//! room `end - live` is more than `live + len`, and the page fits into it. If step 3 is taken because the tier is full,
//! then what is put at the end is what no free room is left for: the file then is as long as what is live.
//!
//! A tape without children is last in, first out, and so are its pages as long as no write fails: those that are given
//! up are the last ones, and the end goes down with them. Its file is as long as what is live, and each page is in one
//! piece.

use std::collections::{BTreeMap, BTreeSet};

/// Which tape a page belongs to: 0 for the one that was built, then its child tapes.
pub(super) type Lane = u32;

/// A part of the tier, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) at: u64,
    pub(super) len: u64,
}

#[derive(Debug, Default)]
pub(super) struct Extents {
    /// The pieces of each page, nearly always one.
    pages: BTreeMap<(Lane, u64), Vec<Extent>>,
    free: Free,
    /// Where the last piece ends.
    end: u64,
    live: u64,
    peak: u64,
    /// What the tier can hold.
    capacity: u64,
}

impl Extents {
    pub(super) fn new(capacity: Option<u64>) -> Self {
        Self {
            capacity: capacity.unwrap_or(u64::MAX),
            ..Self::default()
        }
    }

    /// Where the page at `at` of the lane is to be written, which has `len` bytes: piece by piece. An older page there
    /// is gone.
    pub(super) fn place(&mut self, lane: Lane, at: u64, len: u64) -> &[Extent] {
        let key = (lane, at);
        if self.find(lane, at, len).is_none() {
            self.give_up(key);
            let pieces = self.pieces(len);
            self.pages.insert(key, pieces);
        }
        &self.pages[&key]
    }

    /// The pieces of the page at `at` of the lane, if there is one of `len` bytes.
    pub(super) fn find(&self, lane: Lane, at: u64, len: u64) -> Option<&[Extent]> {
        let pieces = self.pages.get(&(lane, at))?;
        let all: u64 = pieces.iter().map(|piece| piece.len).sum();
        (all == len).then_some(pieces)
    }

    /// Gives up the pages of a lane from `end` on.
    pub(super) fn keep(&mut self, lane: Lane, end: u64) {
        let above = (lane, end)..=(lane, u64::MAX);
        while let Some((&last, _)) = self.pages.range(above.clone()).next_back() {
            self.give_up(last);
        }
        if self.is_empty() {
            self.peak = 0;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Room for `len` bytes.
    fn pieces(&mut self, len: u64) -> Vec<Extent> {
        self.live += len;
        self.peak = self.peak.max(self.live);
        if let Some(at) = self.free.take(len) {
            return vec![Extent { at, len }];
        }
        let longest = self.peak.saturating_mul(2).min(self.capacity);
        if self.end.saturating_add(len) <= longest {
            return vec![self.append(len)];
        }
        let mut pieces = Vec::new();
        let mut left = len;
        while left > 0 {
            let piece = match (self.free.take(left), self.free.largest()) {
                (Some(at), _) => Extent { at, len: left },
                (None, Some(piece)) => {
                    self.free.remove(piece);
                    piece
                }
                (None, None) => self.append(left),
            };
            left -= piece.len;
            pieces.push(piece);
        }
        pieces
    }

    fn append(&mut self, len: u64) -> Extent {
        let at = self.end;
        self.end += len;
        Extent { at, len }
    }

    fn give_up(&mut self, key: (Lane, u64)) {
        for piece in self.pages.remove(&key).into_iter().flatten() {
            self.live -= piece.len;
            let room = self.free.merge(piece);
            if room.at + room.len == self.end {
                self.end = room.at;
            } else {
                self.free.insert(room);
            }
        }
    }
}

/// Free room below the end: no two pieces of it touch each other, and none the end.
#[derive(Debug, Default)]
struct Free {
    lengths: BTreeMap<u64, u64>,
    /// Length and offset.
    by_length: BTreeSet<(u64, u64)>,
}

impl Free {
    fn insert(&mut self, room: Extent) {
        self.lengths.insert(room.at, room.len);
        self.by_length.insert((room.len, room.at));
    }

    fn remove(&mut self, room: Extent) {
        self.lengths.remove(&room.at);
        self.by_length.remove(&(room.len, room.at));
    }

    /// Takes `len` bytes from the smallest piece that has them.
    fn take(&mut self, len: u64) -> Option<u64> {
        let &(found, at) = self.by_length.range((len, 0)..).next()?;
        self.remove(Extent { at, len: found });
        if found > len {
            self.insert(Extent {
                at: at + len,
                len: found - len,
            });
        }
        Some(at)
    }

    fn largest(&self) -> Option<Extent> {
        let &(len, at) = self.by_length.last()?;
        Some(Extent { at, len })
    }

    /// What becomes free with `piece` in one piece: its neighbours are taken out.
    fn merge(&mut self, piece: Extent) -> Extent {
        let mut room = piece;
        if let Some((&at, &len)) = self.lengths.range(..piece.at).next_back()
            && at + len == piece.at
        {
            self.remove(Extent { at, len });
            room = Extent {
                at,
                len: len + piece.len,
            };
        }
        let end = piece.at + piece.len;
        if let Some(&len) = self.lengths.get(&end) {
            self.remove(Extent { at: end, len });
            room.len += len;
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    /// What the lanes hold, and what the extents must say of it.
    #[derive(Default)]
    struct Model {
        extents: Extents,
        /// The pages of each lane, the newest last: offset in the lane, length, pieces.
        lanes: HashMap<Lane, Vec<(u64, u64, Vec<Extent>)>>,
        peak: u64,
    }

    impl Model {
        fn new() -> Self {
            Self {
                extents: Extents::new(None),
                ..Self::default()
            }
        }

        fn live(&self) -> u64 {
            self.lanes.values().flatten().map(|&(_, len, _)| len).sum()
        }

        fn push(&mut self, lane: Lane, len: u64) {
            let pages = self.lanes.entry(lane).or_default();
            let at = pages.last().map_or(0, |&(at, len, _)| at + len);
            let pieces = self.extents.place(lane, at, len).to_vec();
            assert_eq!(pieces.iter().map(|piece| piece.len).sum::<u64>(), len);
            pages.push((at, len, pieces));
            self.peak = self.peak.max(self.live());
        }

        /// The newest page is written again, perhaps with another length.
        fn again(&mut self, lane: Lane, len: u64) {
            let Some((at, _, _)) = self.lanes.entry(lane).or_default().pop() else {
                return;
            };
            let pieces = self.extents.place(lane, at, len).to_vec();
            self.lanes.entry(lane).or_default().push((at, len, pieces));
            self.peak = self.peak.max(self.live());
        }

        fn pop(&mut self, lane: Lane, pages: usize) {
            let held = self.lanes.entry(lane).or_default();
            let left = held.len().saturating_sub(pages);
            let end = held.get(left).map_or(u64::MAX, |&(at, _, _)| at);
            held.truncate(left);
            self.extents.keep(lane, end);
            assert_eq!(self.extents.is_empty(), self.live() == 0);
            if self.live() == 0 {
                self.peak = 0;
            }
        }

        /// Pages are where they were put, share no byte, and do not take more room than they may.
        fn check(&self) {
            let mut spans = Vec::new();
            for (&lane, pages) in &self.lanes {
                for (at, len, pieces) in pages {
                    assert_eq!(self.extents.find(lane, *at, *len), Some(&pieces[..]));
                    spans.extend(pieces.iter().map(|piece| (piece.at, piece.at + piece.len)));
                }
            }
            spans.sort_unstable();
            assert!(spans.windows(2).all(|w| w[0].1 <= w[1].0));
            assert_eq!(spans.last().map_or(0, |last| last.1), self.extents.end);
            assert!(self.extents.end <= 2 * self.peak);
        }
    }

    fn steps(
        lanes: u32,
        longest: u64,
    ) -> impl Strategy<Value = Vec<(Lane, u64, usize, Option<bool>)>> {
        let kind = prop_oneof![
            5 => Just(Some(true)), // push
            1 => Just(Some(false)), // write again
            4 => Just(None), // pop
        ];
        let len = prop_oneof![1..=longest, Just(1), Just(longest)];
        prop::collection::vec((0..lanes, len, 0..5_usize, kind), 0..300)
    }

    fn run(steps: &[(Lane, u64, usize, Option<bool>)], mut after: impl FnMut(&Model)) {
        let mut model = Model::new();
        for &(lane, len, pages, kind) in steps {
            match kind {
                Some(true) => model.push(lane, len),
                Some(false) => model.again(lane, len),
                None => model.pop(lane, pages),
            }
            model.check();
            after(&model);
        }
        for lane in 0..100 {
            model.pop(lane, usize::MAX);
        }
        model.check();
        assert_eq!((model.extents.end, model.extents.live), (0, 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_file_is_at_most_twice_what_lay_there_at_once(
            few in steps(3, 40),
            many in steps(40, 200),
            equal in steps(10, 2),
        ) {
            for steps in [few, many, equal] {
                run(&steps, |_| ());
            }
        }

        #[test]
        fn a_tape_alone_has_its_pages_in_order_and_no_more_than_those(steps in steps(1, 40)) {
            run(&steps, |model| {
                assert_eq!(model.extents.end, model.live());
                assert!(model.lanes.values().flatten().all(|(at, len, pieces)| {
                    pieces.len() == 1 && (pieces[0].len == *len) && pieces[0].at <= *at
                }));
            });
        }
    }

    /// Every second of many small pages goes; what is left is free room that holds no large one.
    #[test]
    fn a_page_goes_into_pieces_before_the_file_gets_too_long() {
        let mut model = Model::new();
        (0..100).for_each(|lane| model.push(lane, 1));
        (0..100).step_by(2).for_each(|lane| model.pop(lane, 1));
        model.push(200, 50);
        (1..100).step_by(4).for_each(|lane| model.pop(lane, 1));
        model.push(201, 25);
        model.check();
        assert_eq!(
            (model.extents.end, model.live(), model.peak),
            (175, 100, 100)
        );
        model.pop(200, 1);
        model.push(202, 60);
        model.check();
        assert_eq!(
            (model.extents.end, model.live(), model.peak),
            (175, 110, 110)
        );
        assert!(model.lanes[&202][0].2.len() > 1);
    }

    #[test]
    fn a_tier_that_is_full_gets_pages_in_pieces() {
        let mut model = Model::new();
        model.extents = Extents::new(Some(10));
        (0..10).for_each(|lane| model.push(lane, 1));
        [1, 3, 5].into_iter().for_each(|lane| model.pop(lane, 1));
        model.push(20, 3);
        model.check();
        assert_eq!((model.extents.end, model.live()), (10, 10));
        assert_eq!(model.lanes[&20][0].2.len(), 3);
        // What does not fit is for the tier to refuse.
        model.push(21, 1);
        assert_eq!(model.lanes[&21][0].2[0], Extent { at: 10, len: 1 });
    }
}
