//! Maps and sets with a hash function that is cheap without optimisation, in which users' builds run the compiler: the
//! default one of std withstands keys that were chosen to collide, which nobody does to their own program.

use std::hash::{BuildHasherDefault, Hasher};

pub(crate) type HashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Multiplied>>;
pub(crate) type HashSet<T> = std::collections::HashSet<T, BuildHasherDefault<Multiplied>>;

/// Turns, adds and multiplies, a word at a time.
#[derive(Clone, Copy, Default)]
pub(crate) struct Multiplied(u64);

impl Multiplied {
    fn word(&mut self, word: u64) {
        // 2^64 / π: odd, and without a pattern in its bits.
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for Multiplied {
    fn write(&mut self, bytes: &[u8]) {
        let mut at = 0;
        let mut word = 0;
        while at < bytes.len() {
            word = word << 8 | u64::from(bytes[at]);
            at += 1;
            if at & 7 == 0 {
                self.word(word);
                word = 0;
            }
        }
        if at & 7 != 0 {
            self.word(word);
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.word(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.word(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.word(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.word(n as u64);
    }

    fn write_isize(&mut self, n: isize) {
        self.word(n as u64);
    }

    fn finish(&self) -> u64 {
        // What the low bits of a product come from are low bits alone, and keys that are addresses have none.
        self.0.rotate_left(26)
    }
}
