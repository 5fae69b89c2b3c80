//! splitmix64: reproducible on every platform.

/// A stream of pseudo-random numbers.
#[derive(Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    /// The stream of program `index` under `seed`: independent of how many programs are made.
    pub(crate) fn for_program(seed: u64, index: u32) -> Rng {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (u64::from(index) << 20));
        rng.next();
        Rng(rng.next())
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A number in `lo..=hi`.
    pub(crate) fn within(&mut self, lo: usize, hi: usize) -> usize {
        lo + self.below(hi - lo + 1)
    }

    pub(crate) fn percent(&mut self, p: usize) -> bool {
        self.below(100) < p
    }

    pub(crate) fn pick<'t, T: ?Sized>(&mut self, options: &[&'t T]) -> &'t T {
        options[self.below(options.len())]
    }

    /// A float in ±2 with few digits.
    pub(crate) fn input(&mut self) -> f64 {
        (self.below(4001) as f64 - 2000.0) / 1000.0
    }
}
