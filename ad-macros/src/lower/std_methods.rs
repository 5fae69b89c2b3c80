//! Methods that std has: what is called by these names is read as std's, unless more is known.

use crate::ir::{MathFn, is_reader};

/// Whether std has a method of this name with as many arguments, that reads only or belongs to a type that holds what
/// it gets.
pub(crate) fn is_of_std(name: &str, args: usize) -> bool {
    if let Some(function) = MathFn::from_name(name) {
        return function.arity() == args + 1;
    }
    if is_reader(name) {
        return match name {
            "sum" | "product" | "count" | "len" | "is_empty" | "first" | "last" | "iter"
            | "rev" | "clone" | "to_vec" | "enumerate" | "recip" => args == 0,
            "any" | "all" | "position" => args == 1,
            "get" | "map" | "filter" | "take" | "skip" | "zip" | "chain" | "split" | "nth"
            | "find" | "scan" => args <= 1,
            _ => true,
        };
    }
    const NAMES: &[&str] = &[
        "and_then",
        "append",
        "borrow_mut",
        "clear",
        "clone_from_slice",
        "copy_from_slice",
        "copy_within",
        "dedup",
        "drain",
        "entry",
        "extend",
        "fill",
        "err",
        "first_mut",
        "get_mut",
        "insert",
        "last_mut",
        "lock",
        "map_or",
        "map_or_else",
        "ok",
        "ok_or",
        "or_else",
        "pop",
        "push",
        "push_str",
        "remove",
        "resize",
        "retain",
        "reverse",
        "rotate_left",
        "rotate_right",
        "split_off",
        "swap",
        "swap_remove",
        "truncate",
        "to_string",
        "unwrap_or_default",
        "unwrap_or_else",
    ];
    NAMES.contains(&name) || name.starts_with("sort") || converts(name)
}

/// Whether std has a conversion of this name. Units and vectors have others, `as_radians` and `into_array`.
fn converts(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "as_bytes",
        "as_chunks",
        "as_deref",
        "as_deref_mut",
        "as_flattened",
        "as_flattened_mut",
        "as_micros",
        "as_millis",
        "as_mut",
        "as_mut_ptr",
        "as_mut_slice",
        "as_mut_slices",
        "as_nanos",
        "as_os_str",
        "as_path",
        "as_ptr",
        "as_ref",
        "as_secs",
        "as_secs_f32",
        "as_secs_f64",
        "as_slice",
        "as_slices",
        "as_str",
        "into_boxed_slice",
        "into_boxed_str",
        "into_bytes",
        "into_flattened",
        "into_inner",
        "into_iter",
        "into_keys",
        "into_os_string",
        "into_owned",
        "into_parts",
        "into_raw",
        "into_sorted_vec",
        "into_string",
        "into_values",
        "into_vec",
    ];
    NAMES.contains(&name)
}
