//! Variables of structs, enums and boxes that an early exit leaves without a value.
//!
//! Such types have no default value as a rule. (What a function returned may be a float, and has one; the result of the
//! function itself is held even where it may be one, which changes nothing but how it is kept.) What is assigned
//! on some paths is held in an `Option`, which is `None` on the others: the value is its payload, wherever it is used.

use super::defaults::{Assigned, assigned};
use crate::ir::edit::{blocks_mut, each_place_within};
use crate::ir::hash::HashSet;
use crate::ir::{Block, Expr, ExprKind, Func, Place, Proj, Stmt, StmtKind, Ty, VarId, visit_stmts};

/// Holds those that need it.
pub(super) fn hold(func: &mut Func, body: &mut Block) {
    let mut vars = HashSet::default();
    partly_assigned(func, body, &mut vars);
    if vars.is_empty() {
        return;
    }
    let shown = shown(body);
    vars.retain(|var| {
        shown.contains(var)
            || matches!(func.var(*var).ty, Ty::Struct(_))
            || func.result == Some(*var)
    });
    for var in &vars {
        let info = func.var_mut(*var);
        info.ty = Ty::Option(Box::new(info.ty.clone()));
        info.mutable = true;
    }
    held_in(func, body, &vars);
    if let Some(result) = func.result.filter(|result| vars.contains(result)) {
        let span = func.var(result).name.span();
        let value = Expr::read_var(result, func.ret_ty.clone(), span);
        let var = func.temp("result", func.ret_ty.clone(), span);
        let kind = StmtKind::Let {
            var,
            init: Some(value),
        };
        let mut stmt = Stmt::new(kind, span);
        each_place_within(&mut stmt, &mut |place| open(&vars, place));
        body.stmts.push(stmt);
        func.result = Some(var);
    }
}

/// Variables without initialiser that not every path assigns, of types that the text does not show.
fn partly_assigned(func: &Func, block: &Block, found: &mut HashSet<VarId>) {
    for (n, stmt) in block.stmts.iter().enumerate() {
        if let StmtKind::Let { var, init: None } = &stmt.kind
            && func.var(*var).ty.is_unseen()
            && assigned(&block.stmts[n + 1..], *var) == Assigned::OnSomePaths
        {
            found.insert(*var);
        }
        let inner = stmt.kind.blocks();
        inner
            .into_iter()
            .for_each(|block| partly_assigned(func, block, found));
    }
}

/// Variables that the code shows to be structs, enums or boxes.
fn shown(body: &Block) -> HashSet<VarId> {
    let (mut shown, mut given) = (HashSet::default(), Vec::new());
    visit_stmts(body, &mut |stmt| {
        if let StmtKind::Let {
            var,
            init: Some(value),
        } = &stmt.kind
        {
            give(*var, value, &mut shown, &mut given);
        }
        if let StmtKind::Assign { place, value, .. } = &stmt.kind
            && place.is_var()
        {
            give(place.root, value, &mut shown, &mut given);
        }
        each_place_within(&mut stmt.clone(), &mut |place| {
            if matches!(place.proj.first(), Some(Proj::Variant(_) | Proj::Unbox)) {
                shown.insert(place.root);
            }
        });
    });
    loop {
        let before = shown.len();
        for (a, b) in &given {
            if shown.contains(a) || shown.contains(b) {
                shown.extend([*a, *b]);
            }
        }
        if shown.len() == before {
            return shown;
        }
    }
}

fn give(var: VarId, value: &Expr, shown: &mut HashSet<VarId>, given: &mut Vec<(VarId, VarId)>) {
    match &value.kind {
        ExprKind::Struct(..) => _ = shown.insert(var),
        ExprKind::Read(from) if from.is_var() => given.push((var, from.root)),
        _ => {}
    }
}

fn held_in(func: &mut Func, block: &mut Block, vars: &HashSet<VarId>) {
    for mut stmt in std::mem::take(&mut block.stmts) {
        blocks_mut(&mut stmt)
            .into_iter()
            .for_each(|block| held_in(func, block, vars));
        let span = stmt.span;
        let behind = match &mut stmt.kind {
            StmtKind::Let { var, init } if vars.contains(var) => {
                let ty = func.var(*var).ty.clone();
                *init = Some(Expr::new(ExprKind::None, ty, span));
                None
            }
            StmtKind::Call {
                dest: Some(dest), ..
            }
            | StmtKind::Pop { dest, .. }
                if vars.contains(dest) =>
            {
                let held = *dest;
                *dest = func.temp("value", Ty::Unknown, span);
                let place = Place::var(held, span);
                let value = some(func, held, Expr::read_var(*dest, Ty::Unknown, span));
                Some(StmtKind::Assign {
                    place,
                    value,
                    init: true,
                })
            }
            _ => None,
        };
        match &mut stmt.kind {
            StmtKind::Assign { place, .. } if place.is_var() && vars.contains(&place.root) => {
                let held = place.root;
                each_place_within(&mut stmt, &mut |place| open(vars, place));
                if let StmtKind::Assign { place, value, .. } = &mut stmt.kind {
                    place.proj.clear();
                    let whole =
                        std::mem::replace(value, Expr::new(ExprKind::None, Ty::Unknown, span));
                    *value = some(func, held, whole);
                }
            }
            _ => each_place_within(&mut stmt, &mut |place| open(vars, place)),
        }
        block.stmts.push(stmt);
        block.stmts.extend(behind.map(|kind| Stmt::new(kind, span)));
    }
}

fn some(func: &Func, var: VarId, value: Expr) -> Expr {
    let (ty, span) = (func.var(var).ty.clone(), value.span);
    Expr::new(ExprKind::Some(Box::new(value)), ty, span)
}

fn open(vars: &HashSet<VarId>, place: &mut Place) {
    if vars.contains(&place.root) {
        place.proj.insert(0, Proj::Payload);
    }
}
