//! Variables that live from one segment of an iteration to another: each lane has its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Effects, Func, Segment, Stmt, StmtKind, Ty, VarId, effects_of};
use crate::optimize::loops::windows::Fresh;

/// The variables of the iteration's `own` that more than one segment uses, each with the array that holds it for all
/// lanes; says of each segment which of them it takes and leaves. `given`: what the first segment finds declared, and
/// what is recorded behind the last one.
pub(super) fn keep(
    func: &Func,
    fresh: &mut Fresh,
    mut segments: Vec<&mut Segment>,
    own: &dyn Fn(VarId) -> bool,
    given: [&[VarId]; 2],
) -> Result<Vec<(VarId, VarId)>, String> {
    let effects: Vec<_> = segments.iter().map(|s| effects_of(&s.body.stmts)).collect();
    let [declared, records] = given;
    let last = segments.len() - 1;
    let popped = |k: usize, var| k == 0 && declared.contains(&var);
    let recorded = |k: usize, var| k == last && records.contains(&var);
    let mut used: BTreeMap<VarId, usize> = BTreeMap::new();
    for (k, e) in effects.iter().enumerate() {
        let mut here: BTreeSet<VarId> = e.declares.iter().collect();
        here.extend(e.reads.iter().chain(e.writes.iter()));
        here.extend(declared.iter().filter(|var| popped(k, **var)));
        here.extend(records.iter().filter(|var| recorded(k, **var)));
        for var in here {
            *used.entry(var).or_default() += 1;
        }
    }
    let mut kept = Vec::new();
    for (var, _) in used.into_iter().filter(|(var, n)| *n > 1 && own(*var)) {
        let info = func.var(var);
        if info.ty == Ty::Float || !(info.ty.is_float() || info.ty == Ty::Bool) {
            return Err(format!("the type of `{}` is not known", info.name));
        }
        if !has_value_at_first(&segments, &effects, var) {
            return Err(format!("`{}` has no value at first", info.name));
        }
        let (name, ty) = (info.name.to_string(), info.ty.clone());
        let base = format!("{}_lanes", name.trim_start_matches("r#"));
        kept.push((var, fresh.temp(info.class, base, ty, true)));
        for (k, (segment, e)) in segments.iter_mut().zip(&effects).enumerate() {
            let declares = e.declares.contains(&var) || popped(k, var);
            let used = e.reads.contains(&var) || e.writes.contains(&var) || recorded(k, var);
            if used && !declares {
                segment.takes.push(var);
            }
            if declares || e.writes.contains(&var) {
                segment.leaves.push(var);
            }
        }
    }
    Ok(kept)
}

/// Whether the variable has a value behind the segment that declares it, if another one writes it.
fn has_value_at_first(segments: &[&mut Segment], effects: &[Effects], var: VarId) -> bool {
    let elsewhere = effects
        .iter()
        .any(|e| e.writes.contains(&var) && !e.declares.contains(&var));
    let declared = effects.iter().position(|e| e.declares.contains(&var));
    let ready = |k: usize| {
        let stmts = &segments[k].body.stmts;
        !declared_without_value(stmts, var) || is_assigned(stmts, var)
    };
    !elsewhere || declared.is_none_or(ready)
}

fn declared_without_value(stmts: &[Stmt], var: VarId) -> bool {
    let declares =
        |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Let { var: v, init: None } if *v == var);
    stmts.iter().any(declares)
}

/// Whether the variable has a value behind the statements, whichever arms of branches run.
fn is_assigned(stmts: &[Stmt], var: VarId) -> bool {
    stmts.iter().any(|stmt| {
        if let StmtKind::Switch { arms, .. } = &stmt.kind {
            arms.iter().all(|arm| is_assigned(&arm.stmts, var))
        } else {
            matches!(&stmt.kind, StmtKind::Assign { place, .. } if place.is_var() && place.root == var)
        }
    })
}
