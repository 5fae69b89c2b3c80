//! Which entries are compared, and along which direction: reproducible from a seed.

/// `count` of the first `n` integers, in ascending order; all if there are no more.
pub(super) fn sample(n: usize, count: usize, random: &mut SplitMix) -> Vec<usize> {
    if n <= count {
        return (0..n).collect();
    }
    // One from each of `count` parts of equal size.
    (0..count)
        .map(|part| {
            let [start, end] =
                [part, part + 1].map(|p| (p as u128 * n as u128 / count as u128) as usize);
            start + (random.next() % (end - start) as u64) as usize
        })
        .collect()
}

/// Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators (2014).
pub(super) struct SplitMix(pub(super) u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in [−1, 1].
    pub(super) fn in_unit_interval(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
