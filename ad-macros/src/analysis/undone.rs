//! Overwrites that need no save, since the old value follows from the new one: `sign = -sign`, `k += 1`.
//!
//! No lattice: the text of one statement decides. The negation of a number has another, and sums of integers are undone
//! by differences, also where they wrap around; where overflow is checked, the difference is a number that was there.
//! What is added is a number of the text, so that nothing else need be there. Sums of floats round, so they are saved.
//! Being wrong would restore another value.

use crate::ir::{
    BinOp, Expr, ExprKind, Func, Stmt, StmtKind, Ty, UnOp, binary, place_ty, same_place,
};

/// What undoes the statement, if only what it overwrites has to be there.
pub(crate) fn undone(func: &Func, stmt: &Stmt) -> Option<Stmt> {
    let StmtKind::Assign {
        place,
        value,
        init: false,
    } = &stmt.kind
    else {
        return None;
    };
    let ty = place_ty(func, place);
    let is_int = matches!(ty, Ty::Int(_));
    if !place.is_region() || !(is_int || ty.is_float()) {
        return None;
    }
    let own = |e: &Expr| matches!(&e.kind, ExprKind::Read(p) if same_place(p, place));
    let read = || Expr::new(ExprKind::Read(place.clone()), ty.clone(), stmt.span);
    let value = if let ExprKind::Unary(UnOp::Neg, a) = &value.kind
        && own(a)
    {
        let kind = ExprKind::Unary(UnOp::Neg, Box::new(read()));
        Expr::new(kind, ty.clone(), stmt.span)
    } else if let ExprKind::Binary(op, a, b) = &value.kind
        && is_int
        && own(a)
        && matches!(b.kind, ExprKind::Lit(_))
    {
        let inverse = if *op == BinOp::Add {
            BinOp::Sub
        } else if *op == BinOp::Sub {
            BinOp::Add
        } else {
            return None;
        };
        binary(inverse, read(), (**b).clone())
    } else {
        return None;
    };
    let kind = StmtKind::Assign {
        place: place.clone(),
        value,
        init: false,
    };
    Some(Stmt::new(kind, stmt.span))
}
