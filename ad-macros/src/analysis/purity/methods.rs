//! Methods of std that are known by their names: they give the same answer each time, and do nothing else.

use crate::ir::MathFn;

/// Methods of primitive numbers that are pure and cheap.
pub(super) const PURE_METHODS: &[&str] = &[
    "min",
    "max",
    "abs",
    "pow",
    "rem_euclid",
    "div_euclid",
    "abs_diff",
    "signum",
    "is_nan",
    "is_finite",
    "is_infinite",
    "is_sign_negative",
    "is_sign_positive",
    "is_empty",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "saturating_sub",
    "saturating_add",
    "is_some",
    "is_none",
    "div_ceil",
    "clamp",
];

pub(super) const PRIMITIVES: &[&str] = &[
    "f32", "f64", "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64",
    "i128", "bool", "char",
];

/// Whether a method of a number or a container of std gives the same answer again.
pub(super) fn is_pure_method(name: &str) -> bool {
    PURE_METHODS.contains(&name)
        || READING_METHODS.contains(&name)
        || MathFn::from_name(name).is_some()
        || name == "sin_cos"
}

/// Methods of standard containers and numbers that only read.
const READING_METHODS: &[&str] = &[
    "len",
    "is_empty",
    "contains",
    "first",
    "last",
    "clone",
    "total_cmp",
    "partial_cmp",
    "cmp",
    "is_normal",
    "classify",
    "count_ones",
    "leading_zeros",
    "trailing_zeros",
    "checked_sub",
    "checked_add",
    "checked_mul",
    "is_power_of_two",
    "ilog2",
    "isqrt",
    "to_bits",
    "unwrap_or",
    "unsigned_abs",
    "is_positive",
    "is_negative",
    "is_multiple_of",
    "next_multiple_of",
    "next_power_of_two",
    "midpoint",
    "ilog",
    "ilog10",
    "count_zeros",
    "leading_ones",
    "trailing_ones",
    "rotate_left",
    "rotate_right",
    "reverse_bits",
    "swap_bytes",
    "checked_div",
    "checked_rem",
    "checked_neg",
    "checked_abs",
    "checked_pow",
    "checked_shl",
    "checked_shr",
    "saturating_mul",
    "saturating_pow",
    "wrapping_neg",
    "wrapping_abs",
    "wrapping_pow",
    "wrapping_div",
    "wrapping_rem",
    "wrapping_shl",
    "wrapping_shr",
    "overflowing_add",
    "overflowing_sub",
    "overflowing_mul",
    "overflowing_neg",
];
