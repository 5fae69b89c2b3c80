//! Methods of std that are known by their names alone, when nothing is known of the receiver.

use super::IntTy;

/// Methods that by std's naming look at their operands and keep nothing.
pub(crate) fn is_reader(name: &str) -> bool {
    only_reads(name)
        || name.starts_with("is_")
        || is_iterator_method(name)
        || converts_to_integer(name).is_some()
        || matches!(
            name,
            "any"
                | "all"
                | "count"
                | "position"
                | "rposition"
                | "then"
                | "then_some"
                | "classify"
                | "recip"
        )
}

/// The integer that a method of `ToPrimitive` of `num_traits` may yield: `x.to_usize()`.
pub(crate) fn converts_to_integer(name: &str) -> Option<IntTy> {
    IntTy::from_name(name.strip_prefix("to_")?)
}

/// Methods that take `self` by value of a scalar or by `&self`, so that nothing is written.
pub(crate) fn only_reads(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "len",
        "is_empty",
        "is_nan",
        "is_finite",
        "is_infinite",
        "is_normal",
        "is_subnormal",
        "is_sign_negative",
        "is_sign_positive",
        "is_some",
        "is_none",
        "is_power_of_two",
        "iter",
        "contains",
        "first",
        "last",
        "get",
        "to_vec",
        "clone",
        "to_owned",
        "binary_search",
        "binary_search_by",
        "binary_search_by_key",
        "partition_point",
        "windows",
        "chunks",
        "chunks_exact",
        "starts_with",
        "ends_with",
        "concat",
        "join",
        "as_slice",
        "as_str",
        "as_ref",
        "as_bytes",
        "chars",
        "bytes",
        "lines",
        "split",
        "trim",
        "to_string",
        "capacity",
        "keys",
        "values",
        "contains_key",
        "is_some",
        "is_none",
        "is_ok",
        "is_err",
        "copied",
        "cloned",
        "unwrap_or",
        "min",
        "max",
        "abs",
        "pow",
        "cmp",
        "partial_cmp",
        "total_cmp",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "borrow",
        "as_deref",
        "count_ones",
        "is_sorted",
        "into",
        "unwrap",
        "expect",
        "clamp",
        "split_at",
        "is_nan",
        "is_finite",
        "is_infinite",
        "rev",
        "map",
        "sum",
        "enumerate",
        "zip",
        "sin_cos",
    ];
    NAMES.contains(&name) || crate::ir::MathFn::from_name(name).is_some()
}

/// Whether `name` is a method of `Iterator` (for wording, and because none keeps its receiver).
pub(crate) fn is_iterator_method(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "iter",
        "iter_mut",
        "into_iter",
        "map",
        "filter",
        "filter_map",
        "flat_map",
        "flatten",
        "collect",
        "min_by",
        "max_by",
        "min_by_key",
        "max_by_key",
        "scan",
        "take_while",
        "skip_while",
        "map_while",
        "chain",
        "cycle",
        "inspect",
        "peekable",
        "reduce",
        "try_fold",
        "partition",
        "unzip",
        "last",
        "nth",
        "find",
        "find_map",
        "windows",
        "chunks",
        "chunks_exact",
        "chunks_mut",
        "chunks_exact_mut",
        "rchunks",
        "split",
        "enumerate",
        "zip",
        "rev",
        "skip",
        "take",
        "step_by",
        "copied",
        "cloned",
        "sum",
        "product",
        "fold",
    ];
    NAMES.contains(&name)
}
