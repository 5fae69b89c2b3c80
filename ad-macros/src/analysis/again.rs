//! Calls whose results are computed again instead of recorded.
//!
//! Two questions, asked in two expansions. Of a function: is it *repeatable*, which its companion then says to all
//! callers? It is if it gives the same result for the same arguments, does nothing else, and costs less than a record
//! of the result. Of a call: would the arguments be the same when the reverse sweep needs the result? Where rustc finds
//! that both hold, the reverse sweep calls the function once more; where only the second does, the result is recorded,
//! as if nobody had asked.
//!
//! The reverse sweep of the callee reads all arguments anyway, in the state after the call. So no overwrite is saved
//! for a call that is repeated before any of them. Being wrong would read a result of other arguments.

use crate::ir::faults::Fault;
use crate::ir::{
    Answer, Arg, ArgMode, BinOp, Block, CalleeKind, Domain, Expr, ExprKind, Func, Loop, MathFn,
    OpaqueKind, Passing, Place, Proj, RegionSet, Rule, Stmt, StmtKind, Transform, Ty, VarId,
    expr_reads, is_check, place_index_reads, sweep_stmts,
};

use super::plan::Inputs;
use super::purity::{cheap_to_recompute, is_all_arithmetic};
use super::target::effort::{DIVISION, REPEATED};

/// Whether the function gives the same result for the same arguments, does nothing else, and costs less than a record
/// of the result.
pub(crate) fn is_repeatable(func: &Func, body: &Block) -> bool {
    let takes = |ty: &Ty| {
        let parts = matches!(ty.peel(), Ty::Slice(_) | Ty::Vec(_));
        is_numbers(ty.peel()) || parts && is_numbers(&ty.peel().element())
    };
    let params = func.params.iter();
    let seen = params.clone().all(|p| takes(&func.var(p.var).ty));
    let writes = params.clone().any(|p| p.passing == Passing::InOut);
    let moves = |ty: &Ty| matches!(ty, Ty::Vec(_) | Ty::Queue(_));
    let by_value = params.clone().filter(|p| p.passing == Passing::Value);
    if !seen || writes || by_value.clone().any(|p| moves(&func.var(p.var).ty)) {
        return false;
    }
    let result = func.ret_ty.bytes().filter(|_| is_numbers(&func.ret_ty));
    let (Some(bytes), Some(_), None) = (result, func.result, func.failure) else {
        return false;
    };
    let numbers = bytes.div_ceil(8) as u64;
    block(func, body).is_some_and(|cost| cost <= REPEATED * numbers.max(1))
}

/// Numbers, and arrays and tuples of them.
pub(super) fn is_numbers(ty: &Ty) -> bool {
    match ty {
        Ty::Array(of, _) => is_numbers(of),
        Ty::Tuple(parts) => !parts.is_empty() && parts.iter().all(is_numbers),
        Ty::F32 | Ty::F64 | Ty::Float | Ty::Int(_) | Ty::Index | Ty::Bool => true,
        Ty::Four(_)
        | Ty::Mirrored(_)
        | Ty::Char
        | Ty::Unit
        | Ty::Str
        | Ty::Slice(_)
        | Ty::Vec(_)
        | Ty::Queue(_)
        | Ty::Option(_)
        | Ty::Ref(..)
        | Ty::Passive
        | Ty::Unknown
        | Ty::Struct(_)
        | Ty::Infer(_) => false,
    }
}

/// How many operations and loads a block takes; `None` if it does anything else.
fn block(func: &Func, block: &Block) -> Option<u64> {
    block
        .stmts
        .iter()
        .try_fold(0, |sum: u64, stmt| sum.checked_add(self::stmt(func, stmt)?))
}

fn stmt(func: &Func, stmt: &Stmt) -> Option<u64> {
    match &stmt.kind {
        StmtKind::Let { init: None, .. } => Some(0),
        StmtKind::Let { init: Some(e), .. } => expr(func, e),
        StmtKind::Assign { place, value, .. } | StmtKind::Update { place, value, .. } => {
            Some(1 + self::place(func, place)? + expr(func, value)?)
        }
        StmtKind::Switch { selector, arms } => {
            let arms = arms
                .iter()
                .try_fold(0, |sum: u64, arm| sum.checked_add(block(func, arm)?));
            Some(1 + expr(func, selector)? + arms?)
        }
        StmtKind::Loop(Loop {
            domain: Domain::Range { range, .. },
            body,
            exit: None,
            ..
        }) => range.literal_trips()?.checked_mul(1 + block(func, body)?),
        StmtKind::Opaque(o) => {
            matches!(o.kind, OpaqueKind::Other(kind) if is_check(kind)).then_some(1)
        }
        StmtKind::Call { .. } => Fault::ImpureCallRepeated.is_on().then_some(1),
        StmtKind::Swap(..)
        | StmtKind::Push { .. }
        | StmtKind::Pop { .. }
        | StmtKind::Truncate { .. }
        | StmtKind::Fill { .. }
        | StmtKind::CopyFrom { .. }
        | StmtKind::Loop(_)
        | StmtKind::Checkpoint(_)
        | StmtKind::Labelled(..)
        | StmtKind::Jump(_)
        | sweep_stmts!() => None,
    }
}

/// What an expression costs, of which nothing is allocated, moved, or called.
fn expr(func: &Func, e: &Expr) -> Option<u64> {
    let parts = || {
        e.children()
            .into_iter()
            .try_fold(0, |sum: u64, part| sum.checked_add(expr(func, part)?))
    };
    let copied = e.ty.bytes().map_or(1, |bytes| bytes.div_ceil(8) as u64);
    match &e.kind {
        ExprKind::Lit(_) | ExprKind::Zero => Some(0),
        ExprKind::Read(place) => {
            let here = is_numbers(&e.ty) || func.var(place.root).ty.is_unseen();
            Some(copied + self::place(func, place)?).filter(|_| here)
        }
        ExprKind::Len(place) => self::place(func, place),
        ExprKind::Unary(..) | ExprKind::Cast(..) | ExprKind::NoGradient(_) => {
            Some(1 + parts()?).filter(|_| e.ty.is_scalar())
        }
        ExprKind::Binary(op, a, _) => {
            let dear = matches!(op, BinOp::Div | BinOp::Rem);
            let cost = if dear { DIVISION } else { 1 };
            Some(cost + parts()?).filter(|_| e.ty.is_scalar() && a.ty.is_scalar())
        }
        ExprKind::Math(f, _) => {
            let cost = if *f == MathFn::Sqrt { DIVISION } else { 1 };
            Some(cost + parts()?).filter(|_| e.ty.is_float() && !f.is_expensive())
        }
        ExprKind::Tuple(_) | ExprKind::Array(_) => parts(),
        ExprKind::Repeat(..) => Some(copied + parts()?).filter(|_| e.ty.bytes().is_some()),
        ExprKind::Opaque(o) => Some(1 + o.args.len() as u64).filter(|_| cheap_to_recompute(e)),
        // Says what its argument is, and computes nothing.
        ExprKind::Rule(Rule::Number | Rule::Integer | Rule::Position, _) => parts(),
        ExprKind::Rule(..)
        | ExprKind::Struct(..)
        | ExprKind::VecLit(_)
        | ExprKind::VecRepeat(..)
        | ExprKind::VecNew(_)
        | ExprKind::Some(_)
        | ExprKind::None
        | ExprKind::ToVec(_)
        | ExprKind::ZeroLike(_)
        | ExprKind::Function(..)
        | ExprKind::SumOf(_) => None,
    }
}

/// What the indices of a place cost.
fn place(func: &Func, place: &Place) -> Option<u64> {
    place.proj.iter().try_fold(0, |sum: u64, step| match step {
        // A variable is an operand of the load.
        Proj::Index(index) if index.place().is_some_and(Place::is_var) => Some(sum),
        Proj::Index(index) => sum.checked_add(expr(func, index)?),
        Proj::Deref | Proj::Field(_) => Some(sum),
        Proj::Range { .. } | Proj::Payload | Proj::Variant(_) | Proj::Unbox => None,
    })
}

/// What a call reads, if its result may be computed again wherever that is the same.
pub(crate) fn may_repeat(inputs: &Inputs<'_>, stmt: &Stmt) -> Option<(VarId, RegionSet)> {
    let StmtKind::Call {
        dest: Some(dest),
        callee,
        args,
    } = &stmt.kind
    else {
        return None;
    };
    let func = inputs.func;
    let sweeps = callee.kind == CalleeKind::Function
        && callee.without.is_none()
        && callee.functions.is_empty()
        && !callee.iterated
        // What is kept of a reference is a copy of what it leads to.
        && !matches!(callee.answer, Some(Answer::LentValue | Answer::LentSlice));
    // The result of the function itself is handed over.
    let own = !func.var(*dest).mutable && func.result != Some(*dest);
    let active = inputs.activity.call_active(func, Some(*dest), args);
    if !sweeps || !own || !active || callee.fallible || !inputs.transforms.has(Transform::Recompute)
    {
        return None;
    }
    let mut leaves = RegionSet::default();
    for arg in args {
        leaves.add(argument(arg)?.iter());
    }
    Some((*dest, leaves))
}

/// What an argument reads, if it can be given twice.
fn argument(arg: &Arg) -> Option<RegionSet> {
    let mut reads = RegionSet::default();
    match &arg.mode {
        ArgMode::Shared(place) => {
            reads.insert(place.region());
            place_index_reads(place, &mut |p| _ = reads.insert(p.region()));
        }
        ArgMode::Value(e) => {
            let constant = matches!(e.kind, ExprKind::Opaque(_)) && cheap_to_recompute(e);
            let put_together = if let ExprKind::Array(parts) | ExprKind::Tuple(parts) = &e.kind {
                parts.iter().all(is_cheap)
            } else {
                is_cheap(e)
            };
            if !(constant || is_numbers(&e.ty) && put_together) {
                return None;
            }
            expr_reads(e, &mut |p| _ = reads.insert(p.region()));
        }
        ArgMode::InOut(_) => return None,
    }
    Some(reads)
}

/// Whether the argument is a copy, or a number that costs less than a record.
fn is_cheap(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Read(_)) || is_all_arithmetic(e) && cheap_to_recompute(e)
}
