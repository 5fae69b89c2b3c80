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

/// Methods of numbers that take the other one by reference.
pub(super) fn compares(name: &str) -> bool {
    matches!(
        name,
        "cmp" | "partial_cmp" | "eq" | "ne" | "lt" | "le" | "gt" | "ge"
    )
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
