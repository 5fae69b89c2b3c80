//! Lasting values: immutable variables that can be computed again anywhere below their declaration, as nothing that
//! they are computed from ever changes.
//!
//! `let [a, b] = PAIRS[k];` copies an array of a constant, whose type the text does not show, or of a parameter. What
//! is taken from the copy is not recorded: the reverse sweep copies again. `plan` asks for a reason, as it does not
//! record values of types that it does not see for the sake of others; a lasting one is not recorded either.

use crate::ir::hash::HashSet;
use crate::ir::{Block, Expr, ExprKind, Func, Passing, Ty, VarId, expr_reads, visit_stmts};

use super::purity::cheap_to_recompute;

/// The lasting variables.
pub(crate) fn lasting(func: &Func, body: &Block) -> HashSet<VarId> {
    let shared = func.params.iter().filter(|p| p.passing == Passing::Shared);
    let mut found: HashSet<VarId> = shared.map(|p| p.var).collect();
    found.retain(|var| !func.var(*var).mutable);
    // In the order of the text, so that what a variable is computed from comes first.
    visit_stmts(body, &mut |stmt| {
        if let Some((var, init)) = stmt.definition(func)
            && is_taken(init)
            && only_reads(func, &found, init)
        {
            found.insert(var);
        }
    });
    found
}

/// Whether the value is a copy of something: of a constant, or of a part of a variable.
fn is_taken(e: &Expr) -> bool {
    let copy = matches!(&e.kind, ExprKind::Opaque(_) | ExprKind::Read(_));
    let numbers = matches!(&e.kind, ExprKind::Read(_)) && is_array_of_numbers(&e.ty);
    copy && (numbers || cheap_to_recompute(e))
}

fn is_array_of_numbers(ty: &Ty) -> bool {
    matches!(ty, Ty::Array(of, _) if of.is_scalar() || is_array_of_numbers(of))
}

/// Whether all that the expression reads is immutable, and there without being recorded where the text does not show
/// its type.
fn only_reads(func: &Func, lasting: &HashSet<VarId>, e: &Expr) -> bool {
    let mut only = true;
    expr_reads(e, &mut |place| {
        let info = func.var(place.root);
        only &= !info.mutable && (!info.ty.is_unseen() || lasting.contains(&place.root));
    });
    only
}
