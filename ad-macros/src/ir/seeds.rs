//! Sweeps for several seeds at once: which statements run once, and which once for each seed.
//!
//! What computes values of the function, undoes what was overwritten, or uses the tape, runs once. A statement that
//! changes nothing but adjoints runs for each seed, on the adjoints of that seed. The statements of each seed are those
//! of a sweep for it alone, in their order, so that its adjoints have the same bits.
//!
//! An adjoint that lives longer than such a run of statements is *wide*: there is one for each seed.

use proc_macro2::Span;

use super::faults::Fault;
use super::{
    BarArg, CalleeKind, Class, Func, Stmt, StmtKind, VarId, control_stmts, has_static_zero,
    mentioned, shallow_touches, sweep_stmts,
};
use crate::ir::hash::{HashMap, HashSet};

/// Statements that run as often as each other.
pub(crate) enum Part<'a> {
    /// Once.
    Once(&'a Stmt),
    /// Once for each seed, one behind the other.
    PerSeed(&'a [Stmt]),
    /// The declaration of an adjoint for each seed.
    Declared(&'a Stmt),
}

/// Why sweeps cannot run for several seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unseeded {
    /// An operator of the user's, whose reverse sweep takes one seed.
    Operator,
    /// A loop whose iterations are divided among workers.
    Parallel,
    /// Adjoints are used in a way that is not foreseen.
    Unforeseen(&'static str),
}

/// What runs once and what for each seed, in lists of statements in which the adjoints of `wide` are wide.
pub(crate) fn parts<'a>(func: &Func, wide: &HashSet<VarId>, stmts: &'a [Stmt]) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let mut from = None;
    for (at, stmt) in stmts.iter().enumerate() {
        let apart = is_declared_apart(func, wide, stmt);
        if !apart && is_per_seed(func, stmt) {
            from.get_or_insert(at);
            continue;
        }
        if let Some(from) = from.take() {
            parts.push(Part::PerSeed(&stmts[from..at]));
        }
        parts.push(if apart {
            Part::Declared(stmt)
        } else {
            Part::Once(stmt)
        });
    }
    if let Some(from) = from {
        parts.push(Part::PerSeed(&stmts[from..]));
    }
    parts
}

/// The adjoint that a statement declares.
pub(crate) fn declared_adjoint(func: &Func, stmt: &Stmt) -> Option<VarId> {
    let var = match &stmt.kind {
        StmtKind::Let { var, .. } => *var,
        StmtKind::Pop { dest, .. } => *dest,
        control_stmts!()
        | sweep_stmts!()
        | StmtKind::Assign { .. }
        | StmtKind::Update { .. }
        | StmtKind::Swap(..)
        | StmtKind::Call { .. }
        | StmtKind::Push { .. }
        | StmtKind::Truncate { .. }
        | StmtKind::Fill { .. }
        | StmtKind::CopyFrom { .. }
        | StmtKind::Opaque(_) => return None,
    };
    is_adjoint(func, var).then_some(var)
}

/// Whether all seeds' adjoints are declared at once: of those that have a zero by their type, the zeros are.
fn is_declared_apart(func: &Func, wide: &HashSet<VarId>, stmt: &Stmt) -> bool {
    declared_adjoint(func, stmt)
        .is_some_and(|var| wide.contains(&var) && !has_static_zero(&func.var(var).ty))
}

fn is_adjoint(func: &Func, var: VarId) -> bool {
    func.var(var).class == Class::Adjoint
}

/// Whether a statement changes nothing but adjoints.
fn is_per_seed(func: &Func, stmt: &Stmt) -> bool {
    let inside = || {
        let blocks = stmt.kind.blocks();
        let mut stmts = blocks.iter().flat_map(|block| &block.stmts).peekable();
        stmts.peek().is_some() && stmts.all(|stmt| is_per_seed(func, stmt))
    };
    match &stmt.kind {
        StmtKind::Let { var, .. } => is_adjoint(func, *var),
        StmtKind::Assign { place, .. }
        | StmtKind::Update { place, .. }
        | StmtKind::Push { vec: place, .. }
        | StmtKind::Truncate { vec: place, .. }
        | StmtKind::Fill { slice: place, .. }
        | StmtKind::CopyFrom { dst: place, .. }
        | StmtKind::Accumulate { dst: place, .. }
        | StmtKind::Begin { place, .. }
        | StmtKind::BeginAll { dst: place, .. }
        | StmtKind::ClearAround { slice: place, .. }
        | StmtKind::SetZero(place)
        | StmtKind::DropLast(place)
        | StmtKind::Regrow { vec: place, .. } => is_adjoint(func, place.root),
        StmtKind::Swap(a, b) => {
            is_adjoint(func, a.root) && is_adjoint(func, b.root) || Fault::UndoneForEachSeed.is_on()
        }
        StmtKind::Recycle(var) => is_adjoint(func, *var),
        StmtKind::Pop { dest, vec } => is_adjoint(func, *dest) && is_adjoint(func, vec.root),
        StmtKind::Switch { .. } | StmtKind::Scope(_) => inside(),
        StmtKind::Loop(this) => this.exit.is_none() && this.strip.is_none() && inside(),
        StmtKind::Call { .. }
        | StmtKind::Opaque(_)
        | StmtKind::Checkpoint(_)
        | StmtKind::Jump(_)
        | StmtKind::Labelled(..)
        | sweep_stmts!(tape)
        | sweep_stmts!(forms) => false,
    }
}

/// The wide adjoints of some lists of statements, `given` among them. `Err`: where the sweeps cannot run for several
/// seeds, and why.
pub(crate) fn wide<'a>(
    func: &Func,
    given: impl IntoIterator<Item = VarId>,
    lists: impl IntoIterator<Item = &'a Vec<Stmt>> + Clone,
) -> Result<HashSet<VarId>, (Span, Unseeded)> {
    let mut wide: HashSet<VarId> = given.into_iter().collect();
    loop {
        let before = wide.len();
        for stmts in lists.clone() {
            widen(func, stmts, &mut wide);
        }
        // Each wide adjoint may end a run of statements.
        if wide.len() == before {
            break;
        }
    }
    for stmts in lists {
        check(func, &wide, stmts)?;
    }
    Ok(wide)
}

/// Adds the adjoints that are declared in one part of a block and used in another.
fn widen(func: &Func, stmts: &[Stmt], wide: &mut HashSet<VarId>) {
    let mut last = HashMap::default();
    for (at, stmt) in stmts.iter().enumerate() {
        for var in mentioned(stmt) {
            last.insert(var, at);
        }
    }
    let mut found = Vec::new();
    let mut at = 0;
    for part in parts(func, wide, stmts) {
        match part {
            Part::Once(stmt) => {
                found.extend(declared_adjoint(func, stmt));
                at += 1;
            }
            Part::Declared(_) => at += 1,
            Part::PerSeed(group) => {
                let end = at + group.len();
                let declared = group.iter().filter_map(|s| declared_adjoint(func, s));
                found.extend(declared.filter(|var| last.get(var).is_some_and(|at| *at >= end)));
                at = end;
            }
        }
    }
    wide.extend(found);
    for stmt in stmts.iter().filter(|stmt| !is_per_seed(func, stmt)) {
        let blocks = stmt.kind.blocks();
        blocks
            .into_iter()
            .for_each(|block| widen(func, &block.stmts, wide));
    }
}

/// Whether what runs once has nothing to do with adjoints, but for calls of reverse sweeps, which take all of them.
fn check(func: &Func, wide: &HashSet<VarId>, stmts: &[Stmt]) -> Result<(), (Span, Unseeded)> {
    for part in parts(func, wide, stmts) {
        match part {
            Part::PerSeed(_) => {}
            Part::Declared(stmt) => {
                if let StmtKind::Let { init: None, .. } = &stmt.kind {
                    let what = "an adjoint gets its value later";
                    return Err((stmt.span, Unseeded::Unforeseen(what)));
                }
            }
            Part::Once(stmt) => {
                once(func, wide, stmt).map_err(|why| (stmt.span, why))?;
                for block in stmt.kind.blocks() {
                    check(func, wide, &block.stmts)?;
                }
            }
        }
    }
    Ok(())
}

fn once(func: &Func, wide: &HashSet<VarId>, stmt: &Stmt) -> Result<(), Unseeded> {
    if matches!(stmt.kind, StmtKind::Parallel(_)) {
        return Err(Unseeded::Parallel);
    }
    let in_strips = matches!(stmt.kind, StmtKind::Strips(_) | StmtKind::RecordAt(_));
    if matches!(stmt.kind, sweep_stmts!(forms)) && !in_strips {
        return Err(Unseeded::Unforeseen("a loop has two versions"));
    }
    if let StmtKind::CallReverse {
        callee, bars, seed, ..
    } = &stmt.kind
    {
        if matches!(callee.kind, CalleeKind::Operator | CalleeKind::Conversion)
            || !callee.functions.is_empty()
        {
            return Err(Unseeded::Operator);
        }
        let places = bars.iter().filter_map(|bar| match bar {
            BarArg::Place(place) => Some(place),
            BarArg::Unused(_) => None,
        });
        return if places.chain(seed).all(|place| wide.contains(&place.root)) {
            Ok(())
        } else {
            Err(Unseeded::Unforeseen("a call gets the adjoint of one seed"))
        };
    }
    let mut alone = true;
    shallow_touches(stmt, &mut |place, _| alone &= !is_adjoint(func, place.root));
    if alone {
        Ok(())
    } else {
        Err(Unseeded::Unforeseen("an adjoint decides what is done"))
    }
}
