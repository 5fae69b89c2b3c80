//! The pages in which blocks of a tape lie on a tier; `docs/tape-format.md` describes them byte by byte.
//!
//! A page is a header and the data of one block. The header says which write of which tape it is and guards both
//! with checksums, so that a page that is torn, stale, damaged, or of another tape is an error and never a number.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use super::block::HEADER;
use super::extents::Lane;

/// The first bytes of a page.
const MAGIC: [u8; 8] = *b"RGTAPE\r\n";

/// The version of the format.
const VERSION: u32 = 2;

/// What tells a tape, with its child tapes, from all others whose pages might be met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TapeId {
    /// Differs between processes.
    random: u64,
    /// Differs within one.
    number: u64,
}

impl TapeId {
    /// Another one with each call.
    pub(super) fn new() -> Self {
        static TAPES: AtomicU64 = AtomicU64::new(0);
        let number = TAPES.fetch_add(1, Ordering::Relaxed);
        // The keys of the hasher are random, but a process that was forked has those of its parent.
        let process = if cfg!(target_family = "wasm") {
            0
        } else {
            std::process::id()
        };
        Self {
            random: RandomState::new().hash_one((process, number)),
            number,
        }
    }
}

/// What a page says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) tape: TapeId,
    /// Number of the write, counted by the tape and its children together and never given twice: every other page of
    /// the tape, an older one at the same place for instance, has another one.
    pub(super) ticket: u64,
    /// Which of the tapes that share the tier: the one that was built, or one of its children.
    pub(super) lane: Lane,
    /// The offset of the page among those of its tape.
    pub(super) at: u64,
    /// Bytes of data.
    pub(super) fill: usize,
}

/// Writes the header of a page whose data are in place.
pub(super) fn seal(page: &mut [u8], label: Label) {
    let data = crc32fast::hash(&page[HEADER..HEADER + label.fill]);
    let (header, _) = page.split_at_mut(HEADER);
    header[0..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&label.lane.to_le_bytes());
    header[16..24].copy_from_slice(&label.ticket.to_le_bytes());
    header[24..32].copy_from_slice(&label.at.to_le_bytes());
    header[32..40].copy_from_slice(&(label.fill as u64).to_le_bytes());
    header[40..48].copy_from_slice(&label.tape.random.to_le_bytes());
    header[48..56].copy_from_slice(&label.tape.number.to_le_bytes());
    header[56..60].copy_from_slice(&data.to_le_bytes());
    let own = crc32fast::hash(&header[..60]);
    header[60..64].copy_from_slice(&own.to_le_bytes());
}

/// Whether a page is what was sealed under `label`; else what is wrong with it.
pub(super) fn check(page: &[u8], label: Label) -> Result<(), &'static str> {
    let word = |at: usize| u32::from_le_bytes([page[at], page[at + 1], page[at + 2], page[at + 3]]);
    let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
    if page[0..8] != MAGIC {
        return Err("it does not begin like a page of a tape");
    }
    if word(60) != crc32fast::hash(&page[..60]) {
        return Err("its header is damaged");
    }
    if word(8) != VERSION {
        return Err("it is of another version of the format");
    }
    if (long(40), long(48)) != (label.tape.random, label.tape.number) {
        return Err("it is a page of another tape");
    }
    let place = (word(12), long(24));
    if long(16) != label.ticket || place != (label.lane, label.at) || long(32) != label.fill as u64
    {
        return Err("it is a page of another time or place");
    }
    if word(56) != crc32fast::hash(&page[HEADER..HEADER + label.fill]) {
        return Err("its data are damaged");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const LABEL: Label = Label {
        tape: TapeId {
            random: 0x0123_4567_89AB_CDEF,
            number: 5,
        },
        lane: 3,
        ticket: 7,
        at: 4096,
        fill: 100,
    };

    fn sealed() -> Vec<u8> {
        let mut page: Vec<u8> = (0..4096).map(|i| (i % 251) as u8).collect();
        seal(&mut page, LABEL);
        page
    }

    #[test]
    fn a_sealed_page_is_accepted() {
        assert_eq!(check(&sealed(), LABEL), Ok(()));
    }

    #[test]
    fn every_flipped_bit_of_header_and_data_is_seen() {
        for bit in 0..(HEADER + LABEL.fill) * 8 {
            let mut page = sealed();
            page[bit / 8] ^= 1 << (bit % 8);
            assert!(check(&page, LABEL).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_page_of_another_tape_time_place_or_length_is_refused() {
        let page = sealed();
        let tape = |random, number| Label {
            tape: TapeId { random, number },
            ..LABEL
        };
        for other in [
            tape(LABEL.tape.random, 6),
            tape(LABEL.tape.random + 1, 5),
            Label { ticket: 8, ..LABEL },
            Label { lane: 4, ..LABEL },
            Label { at: 0, ..LABEL },
            Label { fill: 99, ..LABEL },
        ] {
            assert!(check(&page, other).is_err());
        }
        assert!(check(&vec![0; 4096], LABEL).is_err());
    }

    /// The half that differs between threads and processes, and the one that differs within a process, each alone.
    #[test]
    fn no_two_tapes_have_one_name() {
        let own = || (0..1000).map(|_| TapeId::new()).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(own)).collect();
        let mut names = own();
        for thread in threads {
            names.extend(thread.join().expect("no panic"));
        }
        for half in [|id: &TapeId| id.random, |id: &TapeId| id.number] {
            let halves: HashSet<u64> = names.iter().map(half).collect();
            assert_eq!(halves.len(), 5000);
        }
    }
}
