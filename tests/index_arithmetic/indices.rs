//! Indices made of the counter of one loop and of numbers from outside.

/// Hands all of them to a macro that puts each into a loop.
macro_rules! indices {
    ($shape:ident) => {
        $shape! { (x w n m p base i)
            saturating_add_minus { i.saturating_add(p) - base }
            saturating_add_literals { i.saturating_add(usize::MAX - 3) - (usize::MAX - 10) }
            saturating_add_masked { i.saturating_add(p) % 16 }
            saturating_sub { (i + 3).saturating_sub(p) }
            saturating_mul { i.saturating_mul(p) % 11 }
            wrapping_add { i.wrapping_add(p).wrapping_sub(base) }
            wrapping_mul { i.wrapping_mul(p) & 7 }
            wrapping_neg { i.wrapping_neg().wrapping_add(base) }
            checked_sub { i.checked_sub(p).unwrap_or(base) }
            checked_add { i.checked_add(p).unwrap_or(i) }
            checked_mul { i.checked_mul(p).unwrap_or(1) % 13 }
            overflowing { i.overflowing_add(p).0.wrapping_add(2) }
            abs_diff { i.abs_diff(base) }
            narrow_u8 { (i * 96) as u8 as usize % 48 }
            narrow_u16 { ((i * p) as u16 as usize) % 48 }
            narrow_u32 { (i + p) as u32 as usize }
            narrow_and_wrap { (i as u8).wrapping_mul(64) as usize / 8 }
            signed { (i as isize - 3).unsigned_abs() }
            signed_remainder { (i as i32 - 3).rem_euclid(4) as usize }
            signed_narrow { ((i as isize - base as isize) as i8).unsigned_abs() as usize % 48 }
            signed_back { (i as i64 + base as i64) as usize }
            plain_sum { i + p - base }
            plain_sum_other_order { base + i - p }
            plain_multiple { p * i + base }
            plain_multiple_minus { p * i - base }
            plain_square { (i * i) % 17 }
            plain_backwards { base - i }
            twice { 2 * i + p }
            half { i / 2 + base }
            bits { i ^ p }
            shifts { (i << 62) >> 61 }
            min_max { i.min(base).max(1) }
            power { i.wrapping_pow(2) % 9 }
            large_literal { i + 18446744073709551615 }
            large_multiple { 18446744073709551615usize * i + p }
        }
    };
}
