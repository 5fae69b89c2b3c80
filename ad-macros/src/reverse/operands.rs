//! Lets rustc check that the operands of differentiated arithmetic are numbers.
//!
//! The derivative rules are those of `f32` and `f64`. Where the text does not show the type of an operand (a constant,
//! a static, a part of a `#[constant]` parameter, the result of a call), it may be a type of the user's with operators
//! of its own. Arithmetic on types of which nothing is known is another matter: there rustc chooses (`operators`).

use proc_macro2::Ident;

use crate::analysis::activity::Activity;
use crate::ir::edit::{blocks_mut, each_expr, each_stmt};
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, IS_BOX, IS_POINTER, Opaque, OpaqueArg, OpaqueKind, Place,
    Proj, Rule, Stmt, StmtKind, Ty, UnOp, same_place,
};

use crate::ir::place_ty;

/// Wraps such operands.
pub(crate) fn check(func: &Func, activity: &Activity, block: &mut Block) {
    each_stmt(block, &mut |stmt| {
        check_stmt(func, activity, stmt);
        blocks_mut(stmt)
            .into_iter()
            .for_each(|b| passive_boxes(activity, b));
    });
    passive_boxes(activity, block);
}

/// What carries no derivative may dereference to whatever it likes: the content is taken once, as the code is written.
/// Where it is used as a place, it has to be the same one each time.
fn passive_boxes(activity: &Activity, block: &mut Block) {
    let mut stmts = std::mem::take(&mut block.stmts).into_iter().peekable();
    while let Some(mut stmt) = stmts.next() {
        let Some(held) = checked_box(&stmt).filter(|held| !activity.is_active(held.root)) else {
            block.stmts.push(stmt);
            continue;
        };
        let taken = held.then(Proj::Unbox);
        if let Some(StmtKind::Let { init: Some(e), .. }) =
            stmts.peek_mut().map(|next| &mut next.kind)
            && matches!(&e.kind, ExprKind::Read(p) if same_place(p, &taken))
        {
            e.kind = as_written(&held);
            continue;
        }
        if let StmtKind::Opaque(o) = &mut stmt.kind {
            o.kind = OpaqueKind::Other(IS_POINTER);
        }
        block.stmts.push(stmt);
    }
}

/// The place that a statement checks to be a box.
fn checked_box(stmt: &Stmt) -> Option<Place> {
    if let StmtKind::Opaque(o) = &stmt.kind
        && matches!(o.kind, OpaqueKind::Other(IS_BOX))
        && let [(_, OpaqueArg::Ref(place))] = &*o.args
    {
        Some(place.clone())
    } else {
        None
    }
}

/// `*held`
fn as_written(held: &Place) -> ExprKind {
    let name = Ident::new("__held", held.span);
    ExprKind::Opaque(Box::new(Opaque {
        code: syn::parse_quote!(*#name),
        args: vec![(name, OpaqueArg::Place(held.clone()))],
        kind: OpaqueKind::Other("a dereference of something that is not a known reference"),
    }))
}

fn check_stmt(func: &Func, activity: &Activity, stmt: &mut Stmt) {
    unseen_update(func, activity, stmt);
    each_expr(stmt, &mut |e| within(func, activity, e));
    if let StmtKind::Update { place, value, .. } = &mut stmt.kind
        && (activity.varied.overlaps(place.region()) || activity.expr_varied(value))
    {
        operand(func, value);
    }
}

/// `a.b += 1.0` where nothing shows what `b` is: with a value that has a derivative, the two adjoints meet, and rustc
/// compares their types. With a constant they do not, and rustc has to find the rule.
fn unseen_update(func: &Func, activity: &Activity, stmt: &mut Stmt) {
    let StmtKind::Update { place, op, value } = &stmt.kind else {
        return;
    };
    let unseen = place_ty(func, place).is_unseen();
    let (varied, constant) = (
        activity.varied.overlaps(place.region()),
        !activity.expr_varied(value),
    );
    let Some(op) = op.assigning().filter(|_| unseen && varied && constant) else {
        return;
    };
    let old = Expr::new(ExprKind::Read(place.clone()), Ty::Unknown, stmt.span);
    let kind = ExprKind::Binary(op, Box::new(old), Box::new(value.clone()));
    stmt.kind = StmtKind::Assign {
        place: place.clone(),
        value: Expr::new(kind, Ty::Unknown, stmt.span),
        init: false,
    };
}

fn within(func: &Func, activity: &Activity, e: &mut Expr) {
    // Of an operator that rustc chooses, it chooses the rule as well.
    let varied = activity.expr_varied(e) && !e.is_operator();
    if let ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem, a, b) =
        &mut e.kind
        && varied
    {
        operand(func, a);
        operand(func, b);
    }
    if e.ty == Ty::Int(None)
        && let ExprKind::Binary(_, a, b) = &mut e.kind
    {
        // That they are integers is a guess, from a literal: a vector may be scaled by one.
        for part in [a, b] {
            if reads_unseen(func, activity, part) {
                operand(func, part);
            }
        }
    }
    e.children_mut()
        .into_iter()
        .for_each(|child| within(func, activity, child));
}

/// Whether it is something that may carry a derivative, of a type that nothing but a guess makes an integer.
fn reads_unseen(func: &Func, activity: &Activity, e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Read(p)
        if place_ty(func, p).is_unseen() && activity.varied.overlaps(p.region()))
}

/// Wraps an operand if its type is not certain.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the types of other expressions are certain"
)]
fn operand(func: &Func, e: &mut Expr) {
    let certain = match &e.kind {
        ExprKind::Opaque(_) => false,
        ExprKind::Read(p) => matches!(place_ty(func, p), Ty::F32 | Ty::F64),
        ExprKind::NoGradient(inner) | ExprKind::Unary(UnOp::Neg, inner) => {
            !matches!(inner.kind, ExprKind::Opaque(_) | ExprKind::Read(_))
        }
        _ => true,
    };
    if certain {
        return;
    }
    let placeholder = Expr::new(ExprKind::None, e.ty.clone(), e.span);
    let inner = std::mem::replace(e, placeholder);
    let (ty, span) = (inner.ty.clone(), inner.span);
    *e = Expr::new(ExprKind::Rule(Rule::Number, vec![inner]), ty, span);
}
