//! What adds nothing to adjoints where others are zero.

use super::{
    BinOp, Class, Expr, ExprKind, Func, RangeIter, Rule, Stmt, StmtKind, UnOp, VarSet, is_constant,
    same_place,
};

/// Whether an adjoint of any shape that is declared so is zero.
pub(crate) fn begins_with_zeros(e: &Expr) -> bool {
    let of = if let ExprKind::VecRepeat(of, _) = &e.kind {
        of
    } else {
        e
    };
    matches!(of.kind, ExprKind::Zero | ExprKind::ZeroLike(_))
}

/// Whether an expression is zero where these variables are, infinite and undefined factors apart.
pub(crate) fn is_zero(e: &Expr, zero: &VarSet) -> bool {
    if let ExprKind::Binary(op, a, b) = &e.kind {
        let (a, b) = (is_zero(a, zero), is_zero(b, zero));
        let sum = matches!(op, BinOp::Add | BinOp::Sub);
        return *op == BinOp::Mul && (a || b) || sum && a && b || *op == BinOp::Div && a;
    }
    if let ExprKind::Unary(UnOp::Neg, a) = &e.kind {
        return is_zero(a, zero);
    }
    let variable =
        matches!(&e.kind, ExprKind::Read(place) if place.is_var() && zero.contains(&place.root));
    variable || matches!(e.kind, ExprKind::Zero)
}

/// Whether the statements do nothing but add what is zero where all of `zero` is. What they declare that is zero then
/// belongs to it.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named may do more"
)]
pub(crate) fn adds_zeros(func: &Func, stmts: &[Stmt], zero: &mut VarSet) -> bool {
    stmts.iter().all(|stmt| match &stmt.kind {
        StmtKind::Let {
            var,
            init: Some(init),
        } if is_arithmetic(init) => {
            if is_zero(init, zero) {
                zero.insert(*var);
            }
            true
        }
        StmtKind::Update {
            place,
            op: BinOp::Add | BinOp::Sub,
            value,
        } => {
            let adjoint = func.var(place.root).class == Class::Adjoint;
            adjoint && is_zero(value, zero)
        }
        StmtKind::Assign { place, value, .. } => {
            let ExprKind::Rule(Rule::MulAdd, args) = &value.kind else {
                return false;
            };
            let [a, b, sum] = args.as_slice() else {
                return false;
            };
            let adjoint = func.var(place.root).class == Class::Adjoint;
            let adds = matches!(&sum.kind, ExprKind::Read(of) if same_place(of, place));
            adjoint && adds && (is_zero(a, zero) || is_zero(b, zero))
        }
        StmtKind::Loop(this) => {
            let counting = stmt.counting();
            let ready = counting.is_some_and(|c| c.strip.is_none() && is_ready(c.range));
            ready && adds_zeros(func, &this.body.stmts, zero)
        }
        // Which of the arms runs, an adjoint decides: where it is zero, none does.
        StmtKind::Switch { selector, arms } => {
            let skips = func.class_of(selector) == Class::Adjoint && is_arithmetic(selector);
            skips
                && arms
                    .iter()
                    .all(|arm| adds_zeros(func, &arm.stmts, &mut zero.clone()))
        }
        StmtKind::Scope(block) => adds_zeros(func, &block.stmts, zero),
        // The other one does the same.
        StmtKind::Versioned(both) => adds_zeros(func, &both.plain.stmts, zero),
        _ => false,
    })
}

fn is_ready(range: &RangeIter) -> bool {
    let step = range.step.iter();
    [&range.lo, &range.hi]
        .into_iter()
        .chain(step)
        .all(is_arithmetic)
}

/// Whether evaluating it does nothing else.
fn is_arithmetic(e: &Expr) -> bool {
    if let ExprKind::Opaque(o) = &e.kind {
        return is_constant(o);
    }
    e.children().into_iter().all(is_arithmetic)
}
