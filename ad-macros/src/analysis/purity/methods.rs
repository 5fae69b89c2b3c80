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

/// Methods of containers, iterators and options that only read what they are called on. What they are given are
/// closures, or values whose own methods they may call.
const CHAIN_METHODS: &[&str] = &[
    // Where a chain begins.
    "iter",
    "into_iter",
    "windows",
    "chunks",
    "chunks_exact",
    "rchunks",
    "rchunks_exact",
    "to_vec",
    "as_slice",
    "get",
    "split_first",
    "split_last",
    // Adapters.
    "map",
    "filter",
    "filter_map",
    "flat_map",
    "flatten",
    "enumerate",
    "zip",
    "chain",
    "rev",
    "skip",
    "take",
    "step_by",
    "copied",
    "cloned",
    "inspect",
    "take_while",
    "skip_while",
    "map_while",
    "scan",
    // Ends.
    "count",
    "any",
    "all",
    "position",
    "rposition",
    "find",
    "find_map",
    "fold",
    "nth",
    "min_by",
    "max_by",
    "min_by_key",
    "max_by_key",
    "reduce",
    "binary_search",
    "binary_search_by",
    "partition_point",
    "starts_with",
    "ends_with",
    "is_sorted",
    "is_sorted_by",
    // Of what they yield.
    "unwrap",
    "expect",
    "unwrap_or_else",
    "map_or",
    "map_or_else",
    "and_then",
    "is_some_and",
    "is_none_or",
    "reverse",
    "then_with",
    // Of a copy that a sort makes.
    "sort_by",
    "sort_by_key",
    "sort_by_cached_key",
    "sort_unstable_by",
    "sort_unstable_by_key",
    "select_nth_unstable_by",
];

/// Methods whose result may be of any type that the code around asks for.
const RESULT_METHODS: &[&str] = &["collect", "sum", "product"];

/// Whether a method only reads what it is called on, and calls nothing but methods of its operands.
pub(super) fn is_chain_method(name: &str) -> bool {
    CHAIN_METHODS.contains(&name) || RESULT_METHODS.contains(&name)
}

/// Whether the result may be of any type.
pub(super) fn is_result_method(name: &str) -> bool {
    RESULT_METHODS.contains(&name)
}
