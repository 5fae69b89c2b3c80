//! Constant propagation into indices: an immutable integer that is declared with a number is that number wherever an
//! index is computed from it, so that places can be told apart by their text.

use crate::ir::edit::{each_place_within, each_stmt};
use crate::ir::hash::HashMap;
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, Place, Proj, StmtKind, Ty, VarId, visit_stmts,
};

/// Writes the numbers into the indices of a body.
pub(super) fn propagate(func: &Func, body: &mut Block) {
    let mut numbers = HashMap::default();
    visit_stmts(body, &mut |stmt| {
        if let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
            && let ExprKind::Lit(lit) = &init.kind
            && let Some(number) = lit.int()
            && matches!(func.var(*var).ty, Ty::Int(_))
            && !func.var(*var).mutable
        {
            numbers.insert(*var, number);
        }
    });
    if numbers.is_empty() {
        return;
    }
    each_stmt(body, &mut |stmt| {
        each_place_within(stmt, &mut |place| index_by_numbers(place, &numbers));
    });
}

fn index_by_numbers(place: &mut Place, numbers: &HashMap<VarId, i128>) {
    for proj in &mut place.proj {
        if let Proj::Index(e) = proj {
            number_within(e, numbers);
        }
    }
}

/// In sums, differences and products.
fn number_within(e: &mut Expr, numbers: &HashMap<VarId, i128>) {
    if let ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, a, b) = &mut e.kind {
        number_within(a, numbers);
        number_within(b, numbers);
    } else if let ExprKind::Read(place) = &e.kind
        && place.is_var()
        && let Some(value) = numbers.get(&place.root)
        && let Some(number) = Expr::word(*value, e.span)
    {
        e.kind = number.kind;
    }
}
