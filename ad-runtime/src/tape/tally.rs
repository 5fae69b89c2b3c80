//! What each place in the source has pushed; feature `report`.
//!
//! A [`Site`](super::Site) then knows where it was made: in generated code that is the loop whose records it links. A
//! tape counts only if it was told to. Without the feature there is nothing: sites stay of size zero, and the functions
//! here are empty.

use super::{Site, Tape};

#[cfg(feature = "report")]
pub(super) type Tally = std::collections::HashMap<&'static std::panic::Location<'static>, u64>;

#[cfg(feature = "report")]
impl Tape {
    /// The bytes that were pushed at each place of the source since the tape was built, in the order of the source;
    /// empty without [`tally`](super::TapeBuilder::tally). What children of the tape pushed is theirs.
    #[must_use]
    pub fn tallied(&self) -> Vec<(&'static std::panic::Location<'static>, u64)> {
        let tally = self.store.tally.as_deref();
        let mut all: Vec<_> = tally
            .into_iter()
            .flatten()
            .map(|(at, n)| (*at, *n))
            .collect();
        all.sort_unstable();
        all
    }

    /// Bytes in use before a push, if anybody counts.
    #[inline(always)]
    pub(super) fn before_push(&self) -> usize {
        match &self.store.tally {
            Some(_) => self.store.bytes_in_use(self.cursor.top),
            None => 0,
        }
    }

    /// Counts what a push has added.
    #[inline(always)]
    pub(super) fn after_push<T>(&mut self, site: Site<T>, before: usize) {
        if self.store.tally.is_some() {
            self.count(site.place(), before);
        }
    }

    #[cold]
    fn count(&mut self, at: &'static std::panic::Location<'static>, before: usize) {
        let bytes = self.store.bytes_in_use(self.cursor.top) - before;
        if let Some(tally) = &mut self.store.tally {
            *tally.entry(at).or_default() += bytes as u64;
        }
    }
}

#[cfg(not(feature = "report"))]
impl Tape {
    #[inline(always)]
    #[expect(clippy::unused_self, reason = "as with the feature")]
    pub(super) fn before_push(&self) -> usize {
        0
    }

    #[inline(always)]
    #[expect(clippy::unused_self, reason = "as with the feature")]
    pub(super) fn after_push<T>(&mut self, _: Site<T>, _: usize) {}
}

#[cfg(all(test, feature = "report"))]
mod tests {
    use super::super::{Site, Tape};

    #[test]
    fn every_push_counts_where_its_site_was_made() {
        let mut tape = Tape::builder().tally(true).build().expect("valid");
        let (one, many, strips) = (Site::new(), Site::new(), Site::new());
        for i in 0..10_000 {
            tape.push(one, f64::from(i));
        }
        tape.push_slice(many, &[1_u8; 5000]);
        let mut at = 0;
        while at < 3000 {
            let mut strip = tape.push_strip(strips, at..3000);
            strip.range().for_each(|i| strip.set(i, i as f32));
            at = strip.range().end;
        }
        let varying = Site::new();
        tape.push(varying, vec![1.0_f64; 3]);
        let counts: Vec<u64> = tape.tallied().iter().map(|(_, bytes)| *bytes).collect();
        // All three sites of the first line have one line, but columns of their own.
        assert_eq!(counts, [80_000, 5008, 12_000, 32]);
        let lines: Vec<u32> = tape.tallied().iter().map(|(at, _)| at.line()).collect();
        assert_eq!(lines[0], lines[2]);
        assert!(lines[3] > lines[2] && tape.tallied()[0].0.file() == file!());
        assert!(Tape::new().tallied().is_empty());
    }
}
