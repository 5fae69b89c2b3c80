//! What methods are called, and what that says of them.

use crate::ir::{MathFn, OpaqueKind};

/// Whether code of this kind compares two values.
pub(super) fn yields_order(kind: &OpaqueKind) -> bool {
    matches!(kind, OpaqueKind::Method(name) if *name == "partial_cmp" || *name == "total_cmp" || *name == "cmp")
}

/// Whether floats have a method of this name, with a derivative or as a question about the value.
pub(crate) fn is_float_function(name: &str, args: usize) -> bool {
    let without_arguments = matches!(name, "sin_cos" | "is_nan" | "is_finite" | "is_infinite")
        || name.starts_with("is_sign_");
    (without_arguments && args == 0)
        || MathFn::from_name(name).is_some_and(|f| f.arity() == args + 1)
}

/// Whether the numbers of the language have a method of this name themselves that takes them by value and answers with
/// no number: nothing comes in front of it.
pub(super) fn answers_by_value(name: &str) -> bool {
    matches!(
        name,
        "is_nan"
            | "is_finite"
            | "is_infinite"
            | "is_normal"
            | "is_subnormal"
            | "is_sign_negative"
            | "is_sign_positive"
            | "is_positive"
            | "is_negative"
            | "is_power_of_two"
            | "is_multiple_of"
            | "classify"
    )
}

/// Methods of numbers that take the other one by reference.
pub(super) fn compares(name: &str) -> bool {
    matches!(
        name,
        "cmp" | "partial_cmp" | "eq" | "ne" | "lt" | "le" | "gt" | "ge"
    )
}

/// Whether integers have a method of this name that yields one of the same type.
pub(super) fn yields_itself(name: &str) -> bool {
    const PREFIXES: [&str; 4] = ["wrapping_", "saturating_", "strict_", "unchecked_"];
    const NAMES: &[&str] = &[
        "abs",
        "add",
        "bitand",
        "bitor",
        "bitxor",
        "clamp",
        "clone",
        "div",
        "div_ceil",
        "div_euclid",
        "div_floor",
        "from_be",
        "from_le",
        "isqrt",
        "max",
        "midpoint",
        "min",
        "mul",
        "neg",
        "next_multiple_of",
        "next_power_of_two",
        "not",
        "pow",
        "rem",
        "rem_euclid",
        "reverse_bits",
        "rotate_left",
        "rotate_right",
        "shl",
        "shr",
        "signum",
        "sub",
        "swap_bytes",
        "to_be",
        "to_le",
        "to_owned",
    ];
    NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

pub(super) fn same_type_arguments(name: &str) -> bool {
    matches!(
        name,
        "min"
            | "max"
            | "clamp"
            | "wrapping_add"
            | "wrapping_sub"
            | "wrapping_mul"
            | "saturating_add"
            | "saturating_sub"
            | "saturating_mul"
            | "rem_euclid"
            | "div_euclid"
            | "div_ceil"
            | "next_multiple_of"
            | "midpoint"
    )
}

/// Whether std has a method of this name for floats, arrays, slices or `Vec`, beside those that are read as theirs
/// anyway. Any other one is of a trait of somebody's.
pub(super) fn is_known_of_language(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "abs_sub",
        "align_to",
        "array_chunks",
        "array_windows",
        "as_ref",
        "as_mut",
        "borrow",
        "capacity",
        "chunk_by",
        "classify",
        "clone_from",
        "clamp_magnitude",
        "cmp",
        "concat",
        "contains",
        "dedup_by",
        "dedup_by_key",
        "div_euclid",
        "each_mut",
        "each_ref",
        "ends_with",
        "extend_from_slice",
        "extend_from_within",
        "extract_if",
        "fill_with",
        "first_chunk",
        "first_chunk_mut",
        "fmt",
        "get_unchecked",
        "get_unchecked_mut",
        "hash",
        "insert_mut",
        "into",
        "into_boxed_slice",
        "into_iter",
        "into_owned",
        "into_vec",
        "iter_mut",
        "join",
        "last_chunk",
        "last_chunk_mut",
        "leak",
        "midpoint",
        "next_down",
        "next_up",
        "partial_cmp",
        "partition_dedup",
        "partition_point",
        "pop_back",
        "pop_front",
        "pop_if",
        "push_back",
        "push_front",
        "repeat",
        "reserve",
        "resize_with",
        "retain_mut",
        "round_ties_even",
        "set_len",
        "shrink_to",
        "shrink_to_fit",
        "rev",
        "sin_cos",
        "split",
        "spare_capacity_mut",
        "splice",
        "starts_with",
        "strip_prefix",
        "strip_suffix",
        "subslice_range",
        "swap_with_slice",
        "to_be_bytes",
        "to_bits",
        "to_int_unchecked",
        "to_le_bytes",
        "to_mut",
        "to_ne_bytes",
        "to_owned",
        "to_string",
        "total_cmp",
        "try_into",
        "try_map",
        "try_reserve",
        "type_id",
        "windows",
    ];
    const PREFIXES: [&str; 8] = [
        "algebraic_",
        "binary_search",
        "chunks",
        "is_",
        "rchunks",
        "rsplit",
        "select_nth",
        "split_",
    ];
    compares(name)
        || NAMES.contains(&name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
