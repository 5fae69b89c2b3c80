//! Numbers that generated code puts in the place of counters, items, lengths and arguments have the type of what they
//! stand for.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::too_many_lines,
    unused,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod support;
#[path = "transforms/twins.rs"]
mod twins;

use std::hint::black_box;

use support::{assert_close, assert_same_value, check, flat};
use twins::{agree, numbers, twins};

/// One test for each weight of `x[at]` in a loop over `range`: the gradient is the weights, with the transformations
/// and without.
macro_rules! weights {
    ($x:ident; $($name:ident: for $i:pat in ($range:expr) { $at:expr, $weight:expr })*) => { $(
        mod $name {
            use super::*;
            mod on {
                use super::*;
                #[retrograde::gradient]
                pub(super) fn f($x: &[f64]) -> f64 {
                    let mut sum = 0.0;
                    for $i in $range {
                        sum += $x[$at] * (($weight) as f64);
                    }
                    sum
                }
            }
            mod off {
                use super::*;
                #[retrograde::gradient(no(all))]
                pub(super) fn f($x: &[f64]) -> f64 {
                    let mut sum = 0.0;
                    for $i in $range {
                        sum += $x[$at] * (($weight) as f64);
                    }
                    sum
                }
            }
            fn gradient($x: &[f64]) -> Vec<f64> {
                let mut gradient = vec![0.0; $x.len()];
                for $i in $range {
                    gradient[$at] += ($weight) as f64;
                }
                gradient
            }

            #[test]
            fn is_the_weights() {
                let x = numbers(8, 3);
                let x = black_box(x.as_slice());
                let want = gradient(x);
                for (value, gradient) in [on::f_grad(x), off::f_grad(x)] {
                    assert_same_value(value, on::f(x));
                    assert_close(&gradient, &want, 1e-14, x);
                }
            }
        }
    )* };
}

// A counter of `usize`: what its methods give.
weights! { x;
    counter_pow: for i in (1..4) { i, i.pow(2) }
    counter_saturating_sub: for i in (1..4) { i, i.saturating_sub(1) }
    counter_saturating_add: for i in (1..4) { i, i.saturating_add(1) }
    counter_saturating_mul: for i in (1..4) { i, i.saturating_mul(3) }
    counter_saturating_pow: for i in (1..4) { i, i.saturating_pow(3) }
    counter_min: for i in (1..4) { i, i.min(2) }
    counter_max: for i in (1..4) { i, i.max(2) }
    counter_clamp: for i in (1..4) { i, i.clamp(1, 2) }
    counter_abs_diff: for i in (1..4) { i, i.abs_diff(1) }
    counter_checked_sub: for i in (1..4) { i, i.checked_sub(1).unwrap_or(0) }
    counter_checked_add: for i in (1..4) { i, i.checked_add(1).unwrap_or(0) }
    counter_checked_mul: for i in (1..4) { i, i.checked_mul(3).unwrap_or(0) }
    counter_checked_div: for i in (1..4) { i, i.checked_div(2).unwrap_or(0) }
    counter_checked_rem: for i in (1..4) { i, i.checked_rem(2).unwrap_or(0) }
    counter_checked_pow: for i in (1..4) { i, i.checked_pow(2).unwrap_or(0) }
    counter_wrapping_sub: for i in (1..4) { i, i.wrapping_sub(9) }
    counter_wrapping_add: for i in (1..4) { i, i.wrapping_add(9) }
    counter_wrapping_neg: for i in (1..4) { i, i.wrapping_neg() }
    counter_wrapping_pow: for i in (1..4) { i, i.wrapping_pow(70) }
    counter_wrapping_shl: for i in (1..4) { i, i.wrapping_shl(60) }
    counter_overflowing_sub: for i in (1..4) { i, i.overflowing_sub(1).0 }
    counter_overflowing_flag: for i in (1..4) { i, u8::from(i.overflowing_sub(1).1) }
    counter_multiple: for i in (1..4) { i, u8::from(i.is_multiple_of(2)) }
    counter_power_of_two: for i in (1..4) { i, u8::from(i.is_power_of_two()) }
    counter_next_power: for i in (1..4) { i, i.next_power_of_two() }
    counter_count_ones: for i in (1..4) { i, i.count_ones() }
    counter_count_zeros: for i in (1..4) { i, i.count_zeros() }
    counter_leading: for i in (1..4) { i, i.leading_zeros() }
    counter_trailing: for i in (1..4) { i, i.trailing_zeros() }
    counter_rotate: for i in (1..4) { i, i.rotate_left(62) }
    counter_swap_bytes: for i in (1..4) { i, i.swap_bytes() }
    counter_reverse_bits: for i in (1..4) { i, i.reverse_bits() }
    counter_isqrt: for i in (1..4) { i, i.isqrt() }
    counter_div_ceil: for i in (1..4) { i, i.div_ceil(2) }
    counter_next_multiple: for i in (1..4) { i, i.next_multiple_of(3) }
    counter_rem_euclid: for i in (1..4) { i, i.rem_euclid(3) }
    counter_div_euclid: for i in (1..4) { i, i.div_euclid(2) }
    counter_by_path: for i in (1..4) { i, usize::pow(i, 2) }
    counter_by_path_min: for i in (1..4) { i, Ord::min(i, 2) }
    counter_by_type: for i in (1..4) { i, <usize>::saturating_sub(i, 1) }
    counter_root: for i in (1..4) { i, (i as f64).sqrt() }
    counter_narrow: for i in (1..4) { i, (i as u8).pow(2) }
    counter_wide: for i in (1..4) { i, (i as u128).pow(2) }
    counter_negative: for i in (1..4) { i, -(i as i64) }
    counter_signum: for i in (1..4) { i, (-(i as i64)).signum() }
    counter_cloned: for i in (1..4) { i, i.clone() }
    counter_in_a_block: for i in (1..4) { i, { i }.min(3) }
    counter_in_a_branch: for i in (1..4) { i, if i > 1 { i } else { 3 }.min(2) }
    counter_not: for i in (1..4) { i, !i }
    counter_not_narrow: for i in (1..4) { i, !(i as u8) }
    counter_shifted: for i in (1..4) { i, i << 40 }
    counter_shift_by: for i in (1..4) { i, 1u64 << i }
    counter_difference: for i in (1..4) { i, i - 1 + 1 }
    counter_remainder: for i in (1..4) { i, (i + 5) % 3 }
    counter_part: for i in (1..4) { i, x[i - 1..].len() }
    counter_part_method: for i in (1..4) { i, x[i - 1..].len().saturating_sub(5) }
    counter_tuple: for i in (1..4) { i, (i, 2).0.pow(2) }
    counter_array: for i in (1..4) { i, [i, 2][0].pow(2) }
    counter_reference: for i in (1..4) { i, (&i).pow(2) }
    counter_compared: for i in (1..4) { i, u8::from(i.cmp(&2) == std::cmp::Ordering::Less) }
    counter_equal: for i in (1..4) { i, u8::from(i.eq(&2)) }
    counter_less: for i in (1..4) { i, u8::from(i.lt(&2)) + u8::from(2usize.ge(&i)) }
    counter_partly: for i in (1..4) { i, u8::from(i.partial_cmp(&i.min(2)).is_some()) }
    counter_text: for i in (1..4) { i, i.to_string().len() }
    counter_bytes: for i in (1..4) { i, i.to_le_bytes()[0] }
    counter_converted: for i in (1..4) { i, u64::try_from(i).unwrap_or(0) }
    number_under_a_name: for i in (1..4) { i, { let n: usize = 3; n.pow(2) + i } }
    number_at_the_end: for i in (1..4) { i, { let n = 3; i.pow(n) } }
}

// A counter with a sign.
weights! { x;
    signed_pow: for i in (-2i64..2) { (i + 2) as usize, i.pow(2) }
    signed_abs: for i in (-2i64..2) { (i + 2) as usize, i.abs() }
    signed_signum: for i in (-2i64..2) { (i + 2) as usize, i.signum() }
    signed_unsigned_abs: for i in (-2i64..2) { (i + 2) as usize, i.unsigned_abs() }
    signed_abs_diff: for i in (-2i64..2) { (i + 2) as usize, i.abs_diff(1) }
    signed_saturating: for i in (-2i64..2) { (i + 2) as usize, i.saturating_sub(i64::MAX) }
    signed_checked: for i in (-2i64..2) { (i + 2) as usize, i.checked_neg().unwrap_or(0) }
    signed_rem_euclid: for i in (-2i64..2) { (i + 2) as usize, i.rem_euclid(3) }
    signed_remainder: for i in (-2i64..2) { (i + 2) as usize, i % 2 }
    signed_div: for i in (-2i64..2) { (i + 2) as usize, i / 2 }
    signed_min: for i in (-2i64..2) { (i + 2) as usize, i.min(0) }
    signed_negative: for i in (-2i64..2) { (i + 2) as usize, u8::from(i.is_negative()) }
    signed_bits: for i in (-2i64..2) { (i + 2) as usize, i.count_ones() }
    signed_not: for i in (-2i64..2) { (i + 2) as usize, !i }
    signed_shift: for i in (-2i64..2) { (i + 2) as usize, i >> 1 }
    signed_shift_left: for i in (-2i64..2) { (i + 2) as usize, i << 40 }
    signed_neg: for i in (-2i64..2) { (i + 2) as usize, -i }
    signed_neg_pow: for i in (-2i64..2) { (i + 2) as usize, (-i).pow(3) }
    signed_wrapping: for i in (-2i64..2) { (i + 2) as usize, i.wrapping_shr(1) }
    signed_checked_abs: for i in (-2i64..2) { (i + 2) as usize, i.checked_abs().unwrap_or(7) }
    signed_isize: for i in (-2i64..2) { (i + 2) as usize, (i as isize).rem_euclid(3) }
    signed_cast: for i in (-2i64..2) { (i + 2) as usize, i as u8 }
    signed_cast_word: for i in (-2i64..2) { (i + 2) as usize, i as u64 }
    signed_float: for i in (-2i64..2) { (i + 2) as usize, (i as f64).abs() }
    signed_path: for i in (-2i64..2) { (i + 2) as usize, i64::pow(i, 2) }
    signed_clamp: for i in (-2i64..2) { (i + 2) as usize, i.clamp(-1, 1) }
}

// Counters of other types, and ranges from the other end.
weights! { x;
    of_u8_0: for i in (0u8..4) { i as usize, i.wrapping_sub(1) }
    of_u8_252_closed: for i in (252u8..=255) { (i - 250) as usize, i.wrapping_add(2) }
    of_i8_minus_128_closed: for i in (-128i8..=-126) { (i as isize + 128) as usize, i.wrapping_neg() }
    of_u16_1: for i in (1u16..4) { i as usize, !i }
    of_i16_minus_1: for i in (-1i16..2) { (i + 1) as usize, i.pow(3) }
    of_u32_1: for i in (1u32..4) { i as usize, i.pow(2) }
    of_i32_minus_1: for i in (-1i32..2) { (i + 1) as usize, i.abs() }
    of_u64_18446744073709551612: for i in (18446744073709551612u64..18446744073709551615) {
        (i - 18446744073709551610) as usize, i.count_ones() }
    of_i64_i64_min: for i in (i64::MIN..i64::MIN + 2) { (i as i128 - i64::MIN as i128) as usize, i.wrapping_abs() }
    of_i64_minus_9223372036854775808: for i in (-9223372036854775808i64..-9223372036854775805) {
        (i.wrapping_sub(i64::MIN)) as usize, i.wrapping_abs() }
    of_u128_170141183460469231731687303715884105728: for i in
        (170141183460469231731687303715884105728u128..170141183460469231731687303715884105730) {
            (i - 170141183460469231731687303715884105728) as usize, i.leading_zeros() }
    of_u128_340282366920938463463374607431768211450: for i in
        (340282366920938463463374607431768211450u128..340282366920938463463374607431768211453) {
            (i - 340282366920938463463374607431768211450) as usize, i.leading_zeros() }
    of_i128_minus_3: for i in (-3i128..0) { (i + 3) as usize, i.pow(2) }
    of_isize_minus_3: for i in (-3isize..0) { (i + 3) as usize, i.pow(2) }
    of_usize_0_closed: for i in (0usize..=3) { i, i.pow(2) }
    from_the_end: for i in ((1..4usize).rev()) { i, i.pow(2) }
    with_named_bounds: for i in (LOW..LOW + 3) { i, i.pow(2) }
}

const LOW: usize = 1;

// Items of array literals, tuples of them, and positions.
weights! { x;
    item_pow: for i in ([1, 2, 4]) { i, i.pow(2) }
    item_saturating: for i in ([1usize, 2, 4]) { i, i.saturating_sub(2) }
    item_not: for i in ([1, 2, 4]) { i, !i }
    item_shift: for i in ([1, 2, 4]) { i, i << 40 }
    item_signed: for k in ([-1i64, 0, 3]) { (k + 1) as usize, k.abs() }
    item_negative: for k in ([-1, 0, 3i64]) { (k + 1) as usize, (-k).pow(2) }
    item_float: for w in ([1., 2.5, 4e0f64]) { 1, w.sqrt() }
    item_float_of_32: for w in ([1., 2.5, 4e0f32]) { 1, w.abs() }
    item_negative_float: for w in ([-1., 2.5, -4f64]) { 1, w.abs() }
    item_float_typed: for w in ([1.0f64, 2., 3.]) { 1, w.max(2.) }
    items_in_tuples: for (k, w) in ([(1usize, -2i32), (3, 4)]) { k, w.pow(2) }
    items_in_tuples_pow: for (k, w) in ([(1, -2i32), (3, 4)]) { k, k.pow(2) as i32 * w.signum() }
    items_enumerated: for (at, k) in ([2usize, 3, 5].into_iter().enumerate()) { k, at.pow(2) + at.abs_diff(1) }
    items_reversed: for k in ([2usize, 3, 5].into_iter().rev()) { k, k.trailing_zeros() }
    items_in_a_variable: for (at, k) in ([1, 2].iter().enumerate()) { *k, at.pow(2) + k.pow(2) }
}

// Lengths of parts of arrays, and what is made of them.
weights! { x;
    chunk_length: for c in (x.chunks_exact(4)) { c.len() - 1, c.len().saturating_sub(1) }
    chunk_pow: for c in (x.chunks_exact(4)) { c.len() - 1, c.len().pow(2) }
    chunk_not: for c in (x.chunks_exact(4)) { c.len() - 1, !c.len() }
    chunk_shift: for c in (x.chunks_exact(4)) { c.len() - 1, c.len() << 40 }
    chunk_wrap: for c in (x.chunks_exact(4)) { c.len() - 1, c.len().wrapping_sub(5) }
    chunk_checked: for c in (x.chunks_exact(4)) { c.len() - 1, c.len().checked_sub(5).unwrap_or(9) }
    window_length: for w in (x.windows(3)) { w.len(), w.len().checked_sub(1).unwrap_or(0) }
    window_pow: for w in (x.windows(3)) { w.len(), w.len().pow(2) }
    window_ones: for w in (x.windows(3)) { w.len(), w.len().count_ones() }
    window_multiple: for w in (x.windows(3)) { w.len(), u8::from(w.len().is_multiple_of(3)) }
    window_power: for w in (x.windows(3)) { w.len(), w.len().next_power_of_two() }
    window_root: for w in (x.windows(3)) { w.len(), w.len().isqrt() }
    window_path: for w in (x.windows(3)) { w.len(), usize::pow(w.len(), 2) }
    window_negative: for w in (x.windows(3)) { w.len(), -(w.len() as i64) }
    window_block: for w in (x.windows(3)) { w.len(), { w.len() }.min(2) }
    window_clone: for w in (x.windows(3)) { w.len(), w.len().clone() }
    part_length: for i in (0..2usize) { i, x[i * 4..i * 4 + 4].len().saturating_sub(1) }
    part_windows: for w in (x[4..8].windows(2)) { w.len(), w.len().pow(2) }
    part_rows: for i in (0..x.len() / 4) { i, x[i * 4..i * 4 + 4].len().pow(2) }
}

twins! {
    /// applied `reslice`, `lanes`, `gather`, `fuse`
    pub(super) fn windows_of_windows(x: &[f64], m: &[[f64; 3]; 2]) -> f64 {
        let mut s = 0.0;
        for v in x.windows(3) {
            for u in v.windows(2) {
                s += u[0] * u[1];
            }
        }
        s
    }

    /// applied `fuse`
    pub(super) fn windows_of_parts(x: &[f64], m: &[[f64; 3]; 2]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() / 4 {
            let part = &x[i * 4..i * 4 + 4];
            for u in part.windows(2) {
                s += u[0] * u[1] * part.len().pow(2) as f64;
            }
            for u in part.chunks(3) {
                s += u[0] * u.len().saturating_sub(1) as f64;
            }
        }
        s
    }

    /// applied `fuse`
    pub(super) fn windows_of_chunks(x: &[f64], m: &[[f64; 3]; 2]) -> f64 {
        let mut s = 0.0;
        for c in x.chunks_exact(4) {
            for w in c.windows(3) {
                for k in 0..w.len().checked_sub(1).unwrap_or(0) {
                    s += w[k] * w[k + 1] * (w.len() - k).pow(2) as f64;
                }
            }
        }
        s
    }

    /// A length that is no number of a person's wraps around as a `usize`.
    ///
    /// applied `reslice`, `gather`
    pub(super) fn lengths_that_wrap_around(x: &[f64], m: &[[f64; 3]; 2]) -> f64 {
        let mut s = 0.0;
        for w in x.windows(3) {
            s += w[0] * (!w.len()) as f64;
            s += w[1] * (w.len() << 40) as f64;
            s += w[2] * (w.len() >> 1 << 63) as f64 * 1e-10;
        }
        s
    }

    /// applied `fuse`
    pub(super) fn rows_of_arrays(x: &[f64], m: &[[f64; 3]; 2]) -> f64 {
        let mut s = 0.0;
        for row in m {
            for k in 0..row.len().min(7) {
                s += row[k] * row.len().pow(2) as f64 * m.len().abs_diff(k) as f64;
            }
            for w in row.windows(2) {
                s += w[0] * w[1] * row.len().count_ones() as f64;
            }
        }
        s
    }

    /// applied `fuse`
    pub(super) fn closures(x: &[f64], m: &[[f64; 3]; 2]) -> f64 {
        let a: f64 = (0..2).map(|i: usize| m[i][1] * i.pow(2) as f64).sum();
        let b: f64 = [1usize, 0].iter().map(|k| m[*k][0] * k.abs_diff(3) as f64).sum();
        let c = (0..2usize).fold(0.0, |t, i| t + m[i][i.min(2)] * (!i) as f64 * 1e-19);
        let d: f64 = m[0].windows(2).map(|w| w[0] * w.len().pow(3) as f64).sum();
        a + b + c + d
    }

    /// applied `fuse`
    pub(super) fn generic_functions(x: &[f64], m: &[[f64; 3]; 2]) -> f64 {
        let mut s = 0.0;
        for w in x.windows(3) {
            s += w[0] * std::mem::size_of_val(&w.len()) as f64;
            s += w[1] * width(w.len()) as f64;
        }
        for k in 0..2 {
            s += m[k][0] * width(k) as f64;
        }
        s
    }

    /// applied `fuse`
    pub(super) fn floats(x: &[f64], m: &[[f64; 3]; 2]) -> f64 {
        let mut s = 0.0;
        for (k, w) in [(0, 1.), (1, -2.5)] {
            s += m[k][0] * f64::max(w, 0.5) + m[k][1] * f64::mul_add(w, 2., 1.) - m[k][2] / w.abs().max(1.);
            s += (m[k][0] * 2.).max(1.).min(w.powi(2));
        }
        s
    }
}

fn width<T>(_: T) -> usize {
    std::mem::size_of::<T>()
}

/// With all transformations, with none, and the differences.
macro_rules! same {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            let m = [[0.3, -1.2, 0.8], [1.1, 0.4, -0.6]];
            let m = black_box(&m);
            for n in [0, 1, 2, 3, 4, 7, 8, 23, 33] {
                let data = numbers(n, 5);
                let x = black_box(data.as_slice());
                agree(|| on::$f(x, m), || on::$g(x, m), || off::$g(x, m));
                check(
                    |x| on::$f(x, m),
                    |x| { let (value, (dx, _)) = on::$g(x, m); (value, dx) },
                    &[x],
                );
                check(
                    |m| on::$f(x, &shaped(m)),
                    |m| { let (value, (_, dm)) = on::$g(x, &shaped(m)); (value, dm) },
                    &[m.as_flattened()],
                );
            }
        }
    )* };
}

fn shaped(m: &[f64]) -> [[f64; 3]; 2] {
    [[m[0], m[1], m[2]], [m[3], m[4], m[5]]]
}

same! {
    windows_of_windows windows_of_windows_grad
    windows_of_parts windows_of_parts_grad
    windows_of_chunks windows_of_chunks_grad
    rows_of_arrays rows_of_arrays_grad
    closures closures_grad
    generic_functions generic_functions_grad
    floats floats_grad
}

#[test]
fn lengths_that_wrap_around() {
    let data = numbers(8, 5);
    let (x, m) = (black_box(data.as_slice()), [[0.0; 3]; 2]);
    let (value, (dx, _)) = on::lengths_that_wrap_around_grad(x, &m);
    assert_same_value(value, on::lengths_that_wrap_around(x, &m));
    let mut want = vec![0.0; 8];
    for i in 0..6 {
        want[i] += 18446744073709551612_u64 as f64;
        want[i + 1] += 3298534883328_u64 as f64;
        want[i + 2] += 9223372036854775808_u64 as f64 * 1e-10;
    }
    assert_close(&dx, &want, 1e-14, x);
}
