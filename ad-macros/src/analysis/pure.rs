//! Which expressions may be evaluated again in the reverse sweep, and at what price.

use super::calls;
use crate::ir::{
    BOUNDS, DEFAULT_VALUE, Expr, ExprKind, Func, MathFn, Opaque, OpaqueArg, OpaqueKind, Rule,
    SEQUENCE, Ty,
};

/// Whether evaluating `e` again gives the same value (its operands being unchanged) and costs less than
/// a record: arithmetic, comparisons, loads. Calls into libm, allocations and code that the compiler
/// cannot see do not count.
pub(crate) fn cheap_to_recompute(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) | ExprKind::Len(_) | ExprKind::None => true,
        ExprKind::Read(_) => e.ty.is_scalar() || small(&e.ty) || e.ty == Ty::Unknown,
        ExprKind::Unary(_, a)
        | ExprKind::Cast(a, _)
        | ExprKind::NoGradient(a)
        | ExprKind::Some(a) => cheap_to_recompute(a),
        ExprKind::Binary(_, a, b) => cheap_to_recompute(a) && cheap_to_recompute(b),
        ExprKind::Math(f, args) => !f.is_expensive() && args.iter().all(cheap_to_recompute),
        ExprKind::Tuple(args) | ExprKind::Array(args) => {
            args.len() <= 8 && args.iter().all(cheap_to_recompute)
        }
        ExprKind::Repeat(a, _) => small(&e.ty) && cheap_to_recompute(a),
        ExprKind::Opaque(o) => opaque_is_pure(o),
        ExprKind::Rule(Rule::Number, args) => args.iter().all(cheap_to_recompute),
        ExprKind::VecLit(_)
        | ExprKind::VecRepeat(..)
        | ExprKind::VecNew(_)
        | ExprKind::ToVec(_)
        | ExprKind::Rule(..)
        | ExprKind::ZeroLike(_)
        | ExprKind::Zero
        | ExprKind::SumOf(_) => false,
    }
}

fn small(ty: &Ty) -> bool {
    match ty {
        Ty::Tuple(parts) => parts.len() <= 4 && parts.iter().all(Ty::is_scalar),
        Ty::Unit => true,
        Ty::Option(t) => t.is_scalar(),
        _ => false,
    }
}

/// Methods of primitive numbers that are pure and cheap.
const PURE_METHODS: &[&str] = &[
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

/// Whether kept code gives the same value whenever it runs, so that a region may run it twice.
pub(crate) fn may_run_twice(func: &Func, o: &Opaque) -> bool {
    let known = o.args.iter().all(|(_, arg)| match arg {
        OpaqueArg::Place(p) | OpaqueArg::Ref(p) => {
            is_std(&crate::ir::place_ty(func, p)) && is_std(&func.var(p.root).ty)
        }
        OpaqueArg::Value(e) => is_std(&e.ty),
        OpaqueArg::RefMut(_) => false,
    });
    match &o.kind {
        OpaqueKind::Const => matches!(&o.code, syn::Expr::Path(_) | syn::Expr::Index(_)),
        OpaqueKind::Macro(name) => {
            let name = name.trim_end_matches('!');
            !matches!(name, "print" | "println" | "eprint" | "eprintln") && !calls::any(o, known)
        }
        // The compiler's own checks.
        OpaqueKind::Other(
            BOUNDS
            | "a check"
            | "a test of an option"
            | "unreachable code"
            | DEFAULT_VALUE
            | SEQUENCE,
        ) => true,
        OpaqueKind::Other(_) | OpaqueKind::Method(_) | OpaqueKind::Call(_) => !calls::any(o, known),
    }
}

/// Whether a type is one of the language's or of std's, all through: what its methods do is known by their names.
fn is_std(ty: &Ty) -> bool {
    match ty {
        Ty::Unknown | Ty::Passive | Ty::Infer(_) => false,
        Ty::Ref(_, t) | Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) | Ty::Option(t) => is_std(t),
        Ty::Tuple(ts) => ts.iter().all(is_std),
        Ty::F32 | Ty::F64 | Ty::Float | Ty::Int(_) | Ty::Bool | Ty::Char | Ty::Unit | Ty::Str => {
            true
        }
    }
}

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

fn opaque_is_pure(o: &Opaque) -> bool {
    let args_are_plain = o.args.iter().all(|(_, arg)| match arg {
        OpaqueArg::Place(_) | OpaqueArg::Ref(_) => true,
        OpaqueArg::Value(e) => cheap_to_recompute(e),
        OpaqueArg::RefMut(_) => false,
    });
    args_are_plain
        && match &o.kind {
            OpaqueKind::Const => matches!(&o.code, syn::Expr::Path(_) | syn::Expr::Index(_)),
            OpaqueKind::Method(name) => {
                PURE_METHODS.contains(&name.to_string().as_str())
                    && o.args.iter().all(|(_, arg)| match arg {
                        OpaqueArg::Value(e) => e.ty.is_scalar(),
                        OpaqueArg::Place(_) | OpaqueArg::Ref(_) | OpaqueArg::RefMut(_) => false,
                    })
            }
            OpaqueKind::Call(_) | OpaqueKind::Macro(_) | OpaqueKind::Other(_) => false,
        }
}
