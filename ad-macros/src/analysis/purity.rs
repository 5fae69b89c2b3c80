//! Which expressions may be evaluated elsewhere: again, earlier or later, or where the program would not evaluate
//! them at all.
//!
//! | question | what it says of an expression | what is left to prove for who moves it |
//! |---|---|---|
//! | [`repeats`] | the same value each time, and nothing else; it may panic | the same operands, and no new panic |
//! | [`is_movable`] | the same, and it cannot panic | the same operands (`invariant`) |
//! | [`cheap_to_recompute`] | it repeats, for less than a record costs | the same operands; it ran before |
//! | [`may_run_twice`] | the same of code that is kept as written, whatever it costs | as above |
//! | [`is_arithmetic`] | this node makes one number of others, or reads one | all of the above, and the types |
//!
//! None of them looks at what the operands hold. An answer that is wrong in favour of moving would change a value,
//! run an effect twice, or panic where the program does not; one that is wrong against it leaves code where it is.

mod kept_code;
mod methods;

use super::affine::method;
use super::target::tape;
use crate::ir::{
    BOUNDS, BinOp, CLONED, DEFAULT_VALUE, ELEMENTS, Expr, ExprKind, Func, IS_BOX, IS_COPY,
    IS_OPTION, IS_POINTER, IS_QUEUE, IS_VEC, MathFn, Opaque, OpaqueArg, OpaqueKind, PARTS, Rule,
    SEQUENCE, STD_NAME, Ty, UNWRAPPED, UnOp, is_constant,
};
use methods::PURE_METHODS;

/// Whether evaluating `e` again gives the same value, its operands being unchanged, and does nothing else. Of kept
/// code, that is known of constants and of a few methods of words.
pub(crate) fn repeats(e: &Expr) -> bool {
    if let ExprKind::Opaque(o) = &e.kind {
        is_constant(o) || total(e).is_some_and(|(a, b)| repeats(&a) && repeats(&b))
    } else {
        e.children().into_iter().all(repeats)
    }
}

/// What whoever moves an expression says of a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// It does not panic where it goes, for a reason of the pass's own.
    Known,
    /// The pass leaves it where it is, for a reason of its own.
    Left,
    /// Whatever [`is_movable`] finds.
    Asked,
}

/// Whether `e` may be evaluated wherever its operands hold the same values, even where the program does not evaluate
/// it: it repeats and cannot panic. Indices may be out of bounds, integers overflow, and `clamp` looks at its bounds.
/// `part`: what the caller says of parts of it.
pub(crate) fn is_movable(e: &Expr, part: &dyn Fn(&Expr) -> Part) -> bool {
    let all = |es: &[&Expr]| es.iter().all(|e| is_movable(e, part));
    match part(e) {
        Part::Known => return repeats(e),
        Part::Left => return false,
        Part::Asked => {}
    }
    let here = match &e.kind {
        ExprKind::Lit(_) | ExprKind::Zero | ExprKind::Cast(..) => true,
        ExprKind::Read(place) => place.is_path() && e.ty.is_scalar(),
        ExprKind::Len(place) => place.is_path(),
        ExprKind::Unary(UnOp::Not, _) => e.ty.is_scalar(),
        ExprKind::Unary(UnOp::Neg, _) => e.ty.is_float(),
        ExprKind::Binary(op, a, _) => e.ty.is_float() || op.is_logical() || a.ty.is_float(),
        ExprKind::Math(f, _) => e.ty.is_float() && *f != MathFn::Clamp,
        // Functions of the runtime on numbers.
        ExprKind::Rule(..) => e.ty.is_float() || e.ty.is_unseen(),
        ExprKind::Opaque(o) => {
            return is_constant(o) || total(e).is_some_and(|(a, b)| all(&[&a, &b]));
        }
        ExprKind::NoGradient(_)
        | ExprKind::Tuple(_)
        | ExprKind::Struct(..)
        | ExprKind::Array(_)
        | ExprKind::Repeat(..)
        | ExprKind::VecLit(_)
        | ExprKind::VecRepeat(..)
        | ExprKind::VecNew(_)
        | ExprKind::Some(_)
        | ExprKind::None
        | ExprKind::ToVec(_)
        | ExprKind::ZeroLike(_)
        | ExprKind::Function(..)
        | ExprKind::SumOf(_) => false,
    };
    here && all(&e.children())
}

/// The operands, if the expression is a method of words that has a value for all of them.
fn total(e: &Expr) -> Option<(Expr, Expr)> {
    let methods = ["min", "max", "saturating_sub", "saturating_add"];
    methods.iter().find_map(|name| method(e, name))
}

/// Whether the operation itself, whatever its operands are, makes one number of others, or reads one: nothing is
/// allocated, called or put together. It may panic.
pub(crate) fn is_arithmetic(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_)
        | ExprKind::Read(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Cast(..)
        | ExprKind::Math(..)
        | ExprKind::NoGradient(_)
        | ExprKind::Rule(..)
        | ExprKind::Zero => true,
        ExprKind::Opaque(o) => is_constant(o),
        ExprKind::Tuple(_)
        | ExprKind::Struct(..)
        | ExprKind::Array(_)
        | ExprKind::Repeat(..)
        | ExprKind::VecLit(_)
        | ExprKind::VecRepeat(..)
        | ExprKind::VecNew(_)
        | ExprKind::Some(_)
        | ExprKind::None
        | ExprKind::Len(_)
        | ExprKind::ToVec(_)
        | ExprKind::ZeroLike(_)
        | ExprKind::Function(..)
        | ExprKind::SumOf(_) => false,
    }
}

/// Whether [`is_arithmetic`] holds of the expression and of all that it is made of.
pub(crate) fn is_all_arithmetic(e: &Expr) -> bool {
    is_arithmetic(e) && e.children().into_iter().all(is_all_arithmetic)
}

/// Whether an operation on integers can overflow, divide by zero or shift too far.
pub(crate) fn may_overflow(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr
    )
}

/// Whether evaluating `e` again gives the same value (its operands being unchanged) and costs less than
/// a record: arithmetic, comparisons, loads. Calls into libm, allocations and code that the compiler
/// cannot see do not count.
pub(crate) fn cheap_to_recompute(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) | ExprKind::Len(_) | ExprKind::None => true,
        ExprKind::Read(_) => e.ty.is_scalar() || small(&e.ty) || e.ty.is_unseen(),
        ExprKind::Unary(_, a)
        | ExprKind::Cast(a, _)
        | ExprKind::NoGradient(a)
        | ExprKind::Some(a) => cheap_to_recompute(a),
        ExprKind::Binary(_, a, b) => cheap_to_recompute(a) && cheap_to_recompute(b),
        ExprKind::Math(f, args) => !f.is_expensive() && args.iter().all(cheap_to_recompute),
        ExprKind::Tuple(args) | ExprKind::Array(args) => {
            args.len() <= tape::PARTS && args.iter().all(cheap_to_recompute)
        }
        ExprKind::Struct(_, values) => values.iter().all(remade),
        ExprKind::Repeat(a, _) => small(&e.ty) && cheap_to_recompute(a),
        ExprKind::Opaque(o) => opaque_is_pure(o),
        ExprKind::Rule(Rule::Number | Rule::Integer | Rule::Position, args) => {
            args.iter().all(cheap_to_recompute)
        }
        ExprKind::VecLit(_)
        | ExprKind::VecRepeat(..)
        | ExprKind::VecNew(_)
        | ExprKind::ToVec(_)
        | ExprKind::Rule(..)
        | ExprKind::ZeroLike(_)
        | ExprKind::Zero
        | ExprKind::Function(..)
        | ExprKind::SumOf(_) => false,
    }
}

/// Whether a field's value can be made again. A type of the user's need be no record, so a struct is made of its fields
/// again even where that copies arrays.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named is computed where it stands"
)]
fn remade(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Read(_) | ExprKind::ToVec(_) | ExprKind::VecNew(None) => true,
        ExprKind::Array(values) | ExprKind::VecLit(values) => values.iter().all(remade),
        ExprKind::Repeat(value, _) => remade(value),
        ExprKind::VecRepeat(value, len) => remade(value) && cheap_to_recompute(len),
        _ => cheap_to_recompute(e),
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named is computed where it stands"
)]
fn small(ty: &Ty) -> bool {
    match ty {
        Ty::Tuple(parts) => parts.len() <= tape::PARTS_READ && parts.iter().all(Ty::is_scalar),
        Ty::Unit => true,
        Ty::Option(t) => t.is_scalar(),
        _ => false,
    }
}

/// A constant by its name, one of its elements, or a static, `*&TABLE`.
fn is_named(code: &syn::Expr) -> bool {
    matches!(
        code,
        syn::Expr::Path(_) | syn::Expr::Index(_) | syn::Expr::Unary(_)
    )
}

/// Whether kept code gives the same value whenever it runs, so that a region may run it twice. `ty`: that of its value.
pub(crate) fn may_run_twice(func: &Func, o: &Opaque, ty: Option<&Ty>) -> bool {
    let known = |arg: &OpaqueArg| match arg {
        OpaqueArg::Place(p) | OpaqueArg::Ref(p) => is_std(&crate::ir::place_ty(func, p)),
        OpaqueArg::Value(e) => is_std(&e.ty),
        OpaqueArg::RefMut(_) => false,
    };
    let calls = || kept_code::calls(o, &known, ty.is_some_and(is_std));
    match &o.kind {
        OpaqueKind::Const => is_named(&o.code),
        OpaqueKind::Macro(name) => {
            let name = name.trim_end_matches('!');
            !kept_code::PRINTING.contains(&name) && !calls()
        }
        // The compiler's own checks.
        OpaqueKind::Other(
            BOUNDS
            | UNWRAPPED
            | "a test of an option"
            | "unreachable code"
            | DEFAULT_VALUE
            | CLONED
            | SEQUENCE
            | IS_BOX
            | IS_POINTER
            | IS_VEC
            | IS_QUEUE
            | IS_OPTION
            | IS_COPY
            | ELEMENTS
            | STD_NAME
            | PARTS,
        ) => true,
        OpaqueKind::Other(_) | OpaqueKind::Method(_) | OpaqueKind::Call(_) => !calls(),
    }
}

/// Whether a type is one of the language's or of std's, all through: what its methods do is known by their names.
fn is_std(ty: &Ty) -> bool {
    match ty {
        Ty::Unknown | Ty::Struct(_) | Ty::Passive | Ty::Infer(_) => false,
        Ty::Four(t)
        | Ty::Mirrored(t)
        | Ty::Array(t, _)
        | Ty::Slice(t)
        | Ty::Vec(t)
        | Ty::Queue(t)
        | Ty::Option(t)
        | Ty::Ref(_, t) => is_std(t),
        Ty::Tuple(ts) => ts.iter().all(is_std),
        Ty::F32
        | Ty::F64
        | Ty::Float
        | Ty::Int(_)
        | Ty::Index
        | Ty::Bool
        | Ty::Char
        | Ty::Unit
        | Ty::Str => true,
    }
}

fn opaque_is_pure(o: &Opaque) -> bool {
    let args_are_plain = o.args.iter().all(|(_, arg)| match arg {
        OpaqueArg::Place(_) | OpaqueArg::Ref(_) => true,
        OpaqueArg::Value(e) => cheap_to_recompute(e),
        OpaqueArg::RefMut(_) => false,
    });
    args_are_plain
        && match &o.kind {
            OpaqueKind::Const => is_named(&o.code),
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
