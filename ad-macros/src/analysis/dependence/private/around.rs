//! What is asked of a variable that an iteration has for itself, beside what the iteration reads: how many elements it
//! has from outside, and that its adjoint is cleared.

use super::{Iteration, is_whole};
use crate::analysis::affine::{Definitions, Poly};
use crate::ir::{
    Block, ExprKind, Func, Len, Place, Stmt, StmtKind, Touch, Ty, VarId, same_place,
    shallow_touches, visit_stmts,
};

/// How many elements the variable has behind the statements, if one of them declares it.
pub(crate) fn length<'a>(
    func: &Func,
    before: impl Iterator<Item = &'a Stmt> + Clone,
    var: VarId,
) -> Option<Poly> {
    if let Ty::Array(_, Some(len)) = &func.var(var).ty {
        return match &**len {
            Len::Number(lit, _) => lit.int().map(Poly::number),
            Len::Named(name) => Some(Poly::named(name.to_string())),
            Len::Written(_) => None,
        };
    }
    let declared = |stmt: &'a Stmt| {
        if let StmtKind::Let { var: this, init } = &stmt.kind
            && *this == var
        {
            init.as_ref()
        } else {
            None
        }
    };
    let init = before.clone().find_map(declared)?;
    let mut others = before.filter(|stmt| declared(stmt).is_none());
    if let ExprKind::VecRepeat(_, len) = &init.kind
        && !others.any(|stmt| resizes(stmt, var))
    {
        Definitions::of(func, &Block::default()).poly(len)
    } else {
        None
    }
}

/// Whether the statement may change how many elements the variable has, or declares it.
pub(crate) fn resizes(stmt: &Stmt, var: VarId) -> bool {
    let mut changes = false;
    let writes_elements = matches!(
        stmt.kind,
        StmtKind::Fill { .. }
            | StmtKind::CopyFrom { .. }
            | StmtKind::PopSlice { .. }
            | StmtKind::PopRange { .. }
    );
    shallow_touches(stmt, &mut |place, touch| {
        let reads = matches!(touch, Touch::Read | Touch::Length);
        let whole = place.steps().is_empty() && !writes_elements;
        changes |= place.root == var && !reads && whole;
    });
    let inner = |block: &&Block| block.stmts.iter().any(|stmt| resizes(stmt, var));
    changes || stmt.kind.blocks().iter().any(inner)
}

/// Whether what is added to the adjoint of a variable in an iteration is cleared in the same one: its reverse clears
/// the adjoint of what each assignment overwrites.
pub(crate) fn clears(iteration: &Iteration<'_>, var: VarId, bar: VarId) -> bool {
    let mut cleared: Vec<&Place> = Vec::new();
    visit_stmts(iteration.reverse, &mut |stmt| {
        if let StmtKind::SetZero(place) = &stmt.kind
            && place.root == bar
        {
            cleared.push(place);
        } else if let StmtKind::Assign { place, value, .. } = &stmt.kind
            && place.root == bar
            && matches!(value.kind, ExprKind::Zero)
        {
            cleared.push(place);
        }
    });
    let mut all = true;
    visit_stmts(iteration.forward, &mut |stmt| {
        let (StmtKind::Assign { place, .. }
        | StmtKind::Fill { slice: place, .. }
        | StmtKind::CopyFrom { dst: place, .. }) = &stmt.kind
        else {
            return;
        };
        let mut of_adjoint = place.clone();
        of_adjoint.root = bar;
        let clears =
            |other: &&Place| is_whole(other) && is_whole(place) || same_place(&of_adjoint, other);
        all &= place.root != var || cleared.iter().any(clears);
    });
    all
}
