//! What the body of a loop adds: how much is computed for it, and what needs no variable of its own.

use crate::ir::{Block, Expr, ExprKind, Sliced, Stmt, StmtKind, VarId};

/// The operations on numbers in some code.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a loop on windows holds no other statements (`access_classes`)"
)]
pub(in crate::optimize) fn weight(stmts: &[Stmt]) -> usize {
    fn operations(e: &Expr) -> usize {
        let here = matches!(
            e.kind,
            ExprKind::Binary(..) | ExprKind::Math(..) | ExprKind::Rule(..)
        );
        let inner: usize = e.children().into_iter().map(operations).sum();
        inner + usize::from(here)
    }
    let one = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Let {
            init: Some(value), ..
        }
        | StmtKind::Assign { value, .. } => operations(value),
        StmtKind::Update { value, .. } | StmtKind::Begin { value, .. } => 1 + operations(value),
        _ => stmt.kind.blocks().iter().map(|b| weight(&b.stmts)).sum(),
    };
    stmts.iter().map(one).sum()
}

/// Where all that is added is a variable of the body, which does not change any more, that variable itself is added.
pub(super) fn share_sources(sliced: &mut Sliced) {
    let Sliced { body, sums, .. } = sliced;
    for sum in sums {
        if let Some((at, var)) = only_variable(body, sum.source) {
            sum.source = var;
            body.stmts.remove(at);
        }
    }
}

/// The statement that declares `source`, if it is the only one that names it and its value is a variable, which later
/// statements do not change.
fn only_variable(body: &Block, source: VarId) -> Option<(usize, VarId)> {
    let names = |stmt: &Stmt, var| crate::ir::mentions(stmt, var);
    let mut naming = (0..body.stmts.len()).filter(|k| names(&body.stmts[*k], source));
    let (at, None) = (naming.next()?, naming.next()) else {
        return None;
    };
    let StmtKind::Let {
        init: Some(init), ..
    } = &body.stmts[at].kind
    else {
        return None;
    };
    let ExprKind::Read(place) = &init.kind else {
        return None;
    };
    let declared_here = body.stmts[..at]
        .iter()
        .any(|s| matches!(&s.kind, StmtKind::Let { var, .. } if *var == place.root));
    let changes = |stmt: &Stmt| crate::ir::effects_of([stmt]).writes.contains(&place.root);
    let stays = !body.stmts[at..].iter().any(changes);
    (place.is_var() && declared_here && stays).then_some((at, place.root))
}
