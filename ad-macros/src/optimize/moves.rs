//! Vectors that are moved where nobody looks at them again.
//!
//! ```text
//! let old = u; u = v;            copies     let old = move u; u = move v;
//! let d = u_bar; u_bar = zero    copies     let d = move u_bar; u_bar = zero
//! ```
//!
//! To the compiler, `u = v` is a copy, whoever owns `v` afterwards; printed as one, it would allocate and copy all of
//! it. A variable is moved if its block declares it and neither a later statement nor a record names it, or if the next
//! statement overwrites it; and if nothing that a statement leaves behind can be a reference into it. rustc checks that
//! what is moved is not used again.

use crate::ir::edit::blocks_mut;
use crate::ir::hash::HashSet;
use crate::ir::versions::Function;
use crate::ir::{
    Access, BOUNDS, ELEMENTS, Expr, ExprKind, Func, Opaque, OpaqueKind, PARTS, Place, STD_NAME,
    Stmt, StmtKind, Sweeps, Ty, VarId, effects_of, mentions, shallow_accesses,
};

/// Turns reads of whole vectors into moves.
pub(super) fn moves(sweeps: &mut Sweeps) {
    if !sweeps.func.vars.iter().any(|var| is_vector(&var.ty)) {
        return;
    }
    let held = held(sweeps);
    let func = &sweeps.func;
    let joint = sweeps.joint.iter_mut().map(|joint| &mut joint.stmts);
    let procs = sweeps.procs.iter_mut().map(|proc| &mut proc.body.stmts);
    let lists = [&mut sweeps.forward, &mut sweeps.reverse]
        .into_iter()
        .chain(joint)
        .chain(procs);
    for stmts in lists {
        let moves = Moves {
            func,
            held: &held,
            declared: declared_by_lets(stmts),
            lent: lent(func, stmts),
        };
        moves.block(stmts, &[]);
    }
}

/// What somebody reads whom no statement shows: records, and those who get the results.
pub(super) fn held(sweeps: &Sweeps) -> HashSet<VarId> {
    let mut held: HashSet<VarId> = sweeps.yields.iter().copied().collect();
    held.extend(sweeps.func.result);
    held.extend(sweeps.result_bar);
    held.extend(sweeps.param_bars.iter().map(|(_, bar)| *bar));
    held.extend(sweeps.joint.iter().map(|joint| joint.outcome));
    for proc in &sweeps.procs {
        let interface = &proc.interface;
        held.extend(interface.given.iter().map(|(var, _)| *var));
        held.extend(interface.changed.iter().chain(&interface.begun));
    }
    for stmts in sweeps.lists() {
        each(stmts, &mut |stmt| {
            if let Some(this) = stmt.as_loop().filter(|this| !this.is_reverse()) {
                held.extend(this.strip.iter().flat_map(|strip| &strip.vars));
            } else if let StmtKind::RecordAt(record) = &stmt.kind {
                held.extend(&record.vars);
            } else if let StmtKind::Branch { arms, .. } = &stmt.kind {
                held.extend(arms.iter().flat_map(|(_, vars)| vars));
            }
        });
    }
    held
}

pub(super) fn each(stmts: &[Stmt], f: &mut dyn FnMut(&Stmt)) {
    for stmt in stmts {
        f(stmt);
        for block in stmt.kind.blocks() {
            each(&block.stmts, f);
        }
    }
}

fn declared_by_lets(stmts: &[Stmt]) -> HashSet<VarId> {
    let mut declared = HashSet::default();
    each(stmts, &mut |stmt| {
        if let StmtKind::Let { var, .. } = &stmt.kind {
            declared.insert(*var);
        }
    });
    declared
}

/// What a variable may refer to that outlives a statement: one whose type does not show that it owns what it holds, and
/// what code that is kept as it is may have stored.
pub(super) fn lent(func: &Func, stmts: &[Stmt]) -> HashSet<VarId> {
    let mut lent = HashSet::default();
    let is_owner = |var: VarId| owns(&func.var(var).ty);
    each(stmts, &mut |stmt| {
        let mut leaves = matches!(&stmt.kind, StmtKind::Opaque(o) if !is_check(o));
        // Slices of generated code end with the version of the loop that they are for.
        let stores = matches!(
            &stmt.kind,
            StmtKind::Let { .. }
                | StmtKind::Assign { .. }
                | StmtKind::Push { .. }
                | StmtKind::Call { .. }
                | StmtKind::CallForward { .. }
        );
        shallow_accesses(stmt, &mut |var, access| {
            leaves |= stores && access != Access::Read && !is_owner(var);
        });
        if leaves {
            shallow_accesses(stmt, &mut |var, _| _ = lent.insert(var));
        }
    });
    lent
}

/// Whether code runs nothing, or a macro that only checks or prints.
pub(super) fn is_check(o: &Opaque) -> bool {
    matches!(
        o.kind,
        OpaqueKind::Other(BOUNDS | ELEMENTS | PARTS | STD_NAME)
    ) || o.kind.goes_on()
}

/// Whether values of the type are all that they refer to.
fn owns(ty: &Ty) -> bool {
    if let Ty::Vec(of) | Ty::Array(of, _) | Ty::Option(of) | Ty::Queue(of) = ty {
        return owns(of);
    }
    if let Ty::Tuple(parts) = ty {
        return parts.iter().all(owns);
    }
    ty.is_scalar() || matches!(ty, Ty::Unit)
}

struct Moves<'a> {
    func: &'a Func,
    held: &'a HashSet<VarId>,
    /// By a `let` anywhere in the list: the list owns them.
    declared: HashSet<VarId>,
    lent: HashSet<VarId>,
}

impl Moves<'_> {
    /// `records`: variables that the block is given, and owns.
    fn block(&self, stmts: &mut [Stmt], records: &[VarId]) {
        let mut own: HashSet<VarId> = records.iter().copied().collect();
        for k in 0..stmts.len() {
            let this = stmts[k].as_loop().filter(|this| this.is_reverse());
            let strip = this.and_then(|this| this.strip.as_ref());
            let given = strip.map(|strip| strip.vars.clone()).unwrap_or_default();
            for block in blocks_mut(&mut stmts[k]) {
                self.block(&mut block.stmts, &given);
            }
            let (before, behind) = stmts.split_at_mut(k + 1);
            if let Some(var) = moved(&before[k]).filter(|var| self.may_move(*var)) {
                let dead = own.contains(&var)
                    && !self.held.contains(&var)
                    && !behind.iter().any(|stmt| mentions(stmt, var));
                let next = behind.first();
                let overwritten = next.is_some_and(|next| overwrites(next, var));
                if dead || overwritten && self.declared.contains(&var) {
                    make_move(&mut before[k]);
                }
            }
            if let StmtKind::Let { var, .. } = &stmts[k].kind {
                own.insert(*var);
            } else if let StmtKind::PopRecord { vars, .. } = &stmts[k].kind {
                own.extend(vars);
            }
        }
    }

    fn may_move(&self, var: VarId) -> bool {
        is_vector(&self.func.var(var).ty) && !self.lent.contains(&var)
    }
}

fn is_vector(ty: &Ty) -> bool {
    matches!(ty, Ty::Vec(_))
}

/// The variable whose value a statement stores as it is, in something else.
fn moved(stmt: &Stmt) -> Option<VarId> {
    let ExprKind::Read(place) = &stmt.stored()?.kind else {
        return None;
    };
    let other = !effects_of([stmt]).writes.contains(&place.root);
    (place.is_var() && other).then_some(place.root)
}

/// Whether the statement gives the variable another value, and reads nothing of it.
fn overwrites(stmt: &Stmt, var: VarId) -> bool {
    let StmtKind::Assign { place, .. } = &stmt.kind else {
        return false;
    };
    let is_whole = |place: &Place| place.is_var() && place.root == var;
    is_whole(place) && !effects_of([stmt]).reads.contains(&var)
}

fn make_move(stmt: &mut Stmt) {
    if let Some(value) = stmt.stored_mut() {
        let read = value.clone();
        let (ty, span) = (read.ty.clone(), read.span);
        *value = Expr::new(ExprKind::Function(Function::Moved, vec![read]), ty, span);
    }
}
