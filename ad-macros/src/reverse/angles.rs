//! Sines and cosines of one angle: each is the derivative of the other up to the sign, so the reverse sweep, which has
//! both values, asks the math library for neither. The same holds for the hyperbolic ones.

use crate::ir::faults::Fault;
use crate::ir::hash::HashMap;
use crate::ir::rules::negated;
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, MathFn, Stmt, StmtKind, VarId, binary, effects_of,
    expr_reads, same,
};

/// For the variable that holds the one, the variable that holds the other.
pub(super) type Pairs = HashMap<VarId, VarId>;

/// All pairs of a body. Both variables keep their values and are declared by one list of statements, which does not
/// write to the angle in between.
pub(super) fn pairs(func: &Func, body: &Block) -> Pairs {
    let mut pairs = Pairs::default();
    add(func, body, &mut pairs);
    pairs
}

fn add(func: &Func, block: &Block, pairs: &mut Pairs) {
    let mut before: Vec<(usize, VarId, MathFn, &Expr)> = Vec::new();
    for (at, stmt) in block.stmts.iter().enumerate() {
        for inner in stmt.kind.blocks() {
            add(func, inner, pairs);
        }
        let Some((var, f, angle)) = of_angle(func, stmt) else {
            continue;
        };
        let other = before.iter().rev().find(|(from, _, g, same_angle)| {
            other(f) == Some(*g)
                && same(angle, same_angle)
                && !writes_to(angle, &block.stmts[from + 1..at])
        });
        if let Some((_, other, ..)) = other {
            pairs.insert(var, *other);
            pairs.entry(*other).or_insert(var);
        }
        before.push((at, var, f, angle));
    }
}

fn of_angle<'s>(func: &Func, stmt: &'s Stmt) -> Option<(VarId, MathFn, &'s Expr)> {
    let StmtKind::Let {
        var,
        init: Some(init),
    } = &stmt.kind
    else {
        return None;
    };
    let ExprKind::Math(f, args) = &init.kind else {
        return None;
    };
    let found = other(*f).is_some() && !func.var(*var).mutable;
    found.then(|| (*var, *f, &args[0]))
}

fn writes_to(angle: &Expr, stmts: &[Stmt]) -> bool {
    let writes = effects_of(stmts).writes;
    let mut written = false;
    expr_reads(angle, &mut |place| written |= writes.contains(&place.root));
    written && !Fault::AngleChanged.is_on()
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other functions are not each other's derivative"
)]
fn other(f: MathFn) -> Option<MathFn> {
    match f {
        MathFn::Sin => Some(MathFn::Cos),
        MathFn::Cos => Some(MathFn::Sin),
        MathFn::Sinh => Some(MathFn::Cosh),
        MathFn::Cosh => Some(MathFn::Sinh),
        _ => None,
    }
}

/// What the adjoint of `f` at an angle contributes to that of the angle, if `value` is the other one at the same angle.
pub(super) fn transposed(f: MathFn, seed: Expr, value: Expr) -> Expr {
    let product = binary(BinOp::Mul, seed, value);
    if f == MathFn::Cos {
        negated(product)
    } else {
        product
    }
}
