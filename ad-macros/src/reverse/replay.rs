//! Recurrences that the reverse sweep runs again: `power *= t`, `x += h`, `seed = next(seed)`.
//!
//! ```text
//! for j in 0..n { missed -= x[j] * power; power *= t; }
//! ```
//!
//! Undone from the last iteration to the first, such a variable is recorded in each iteration, and what is restored
//! bars every other order. Where nothing else goes from one iteration of the reverse to another, the reverse loop runs
//! in the order of the primal instead, and computes the variable as the primal did, from what it was in front of the
//! loop: the same operations on the same operands, so the same bits.
//!
//! Legal if
//!
//! - the loop is a `for` over a range that runs to its end;
//! - each recurrence is a scalar from outside the loop that one statement of the body writes, under no condition;
//! - what it becomes is arithmetic of recurrences, of the counter, of what such statements of the body declare, and of
//!   scalars that the loop does not write;
//! - beside what follows from recurrences, iterations record nothing, and their reverse carries nothing
//!   ([`carried`]): a record is read from the end, a recurrence runs from the start.
//!
//! Being wrong would let the reverse sweep read another value than the forward sweep had.

mod recurrences;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;

use crate::analysis::StmtKey;
use crate::analysis::dependence::carried::{Records, carried};
use crate::analysis::dependence::disjoint::Across;
use crate::ir::edit::{blocks_mut, each_place_within};
use crate::ir::faults::Fault;
use crate::ir::hash::HashMap;
use crate::ir::{
    Block, Class, Domain, Expr, ExprKind, Func, Loop, Order, Place, Stmt, StmtKind, Transform,
    VarId, VarKind, VarSet, binary, effects_of, free_vars, mentions, name,
};

use super::assemble::{Assembly, Step, Sweep};
use recurrences::{Recurrences, update_of};

/// The reverse of a loop that runs recurrences again.
struct Replayed {
    /// In front of the loop.
    kept: Vec<Stmt>,
    /// Its body, without saves that nobody reads.
    forward: Vec<Stmt>,
    /// In front of the reverse loop.
    starts: Vec<Stmt>,
    body: Vec<Stmt>,
    /// Behind it.
    ends: Vec<Stmt>,
    /// What runs again, so that it is not restored.
    carried: BTreeSet<VarId>,
}

/// What was found: what runs again, and the reverse of an iteration without what is restored.
struct Found {
    again: Vec<Stmt>,
    carried: BTreeSet<VarId>,
    fixed: BTreeSet<VarId>,
    /// Where in the reverse of an iteration recurrences are restored.
    restores: BTreeMap<usize, VarId>,
}

impl Assembly<'_> {
    /// The loop and its reverse, over a range that runs to its end, if that can run recurrences again; `loop_of` is the
    /// loop with another body.
    pub(super) fn replayed_loop(
        &mut self,
        stmt: &Stmt,
        kind: &Domain,
        sweep: &Sweep,
        loop_of: &dyn Fn(Vec<Stmt>) -> Stmt,
    ) -> Option<Step> {
        let span = stmt.span;
        let replayed = self.replay(kind, sweep, span)?;
        let own = stmt.as_loop().into_iter().flat_map(|this| &this.body.stmts);
        let again =
            own.filter(|stmt| update_of(stmt).is_some_and(|v| replayed.carried.contains(&v)));
        self.hoisted.extend(again.map(StmtKey::of));
        let body = Block {
            stmts: replayed.body,
        };
        let back = StmtKind::Loop(Loop::reverse(kind.clone(), body, Order::Chained));
        let (mut forward, mut reverse) = (replayed.kept, replayed.starts);
        forward.push(loop_of(replayed.forward));
        reverse.push(Stmt::new(back, span));
        reverse.extend(replayed.ends);
        Some(Step { forward, reverse })
    }

    fn replay(&mut self, kind: &Domain, sweep: &Sweep, span: Span) -> Option<Replayed> {
        let transforms = self.cx.transforms;
        if !transforms.has(Transform::Replay) || !transforms.has(Transform::Forward) {
            return None;
        }
        let restores = self.restores(sweep);
        match self.recurrences(kind, sweep, &restores) {
            Ok(found) => Some(self.replayed(&found?, sweep, span)),
            Err(why) => {
                // Others are recorded because the adjoint goes from iteration to iteration, too.
                let passive = |var: &VarId| !self.adjoints.activity.is_active(*var);
                if restores.values().any(passive) {
                    self.cx.remarks.refused(span, Transform::Replay, why);
                }
                None
            }
        }
    }

    /// Where the reverse of an iteration restores scalars that live longer.
    fn restores(&self, sweep: &Sweep) -> BTreeMap<usize, VarId> {
        let declared = effects_of(&sweep.forward).declares;
        let func = &self.adjoints.func;
        let restored = |stmt: &Stmt| {
            update_of(stmt).filter(|var| {
                var.0 < self.primal_vars
                    && !declared.contains(var)
                    && func.var(*var).class == Class::Primal
                    && func.var(*var).ty.is_scalar()
            })
        };
        let stmts = sweep.reverse.iter().enumerate();
        stmts
            .filter_map(|(k, stmt)| Some((k, restored(stmt)?)))
            .collect()
    }

    /// What can run again; `None` if nothing goes from iteration to iteration, `Err` says what is in the way.
    fn recurrences(
        &self,
        kind: &Domain,
        sweep: &Sweep,
        restores: &BTreeMap<usize, VarId>,
    ) -> Result<Option<Found>, String> {
        let Domain::Range { var, range } = kind else {
            return Ok(None);
        };
        if restores.is_empty() && sweep.yields.is_empty() {
            return Ok(None);
        }
        let func = &*self.adjoints.func;
        let mut found = Recurrences::new(func, *var, &sweep.forward);
        for restored in restores.values() {
            found.include(*restored)?;
        }
        let mut rest = Vec::new();
        for (k, stmt) in sweep.reverse.iter().enumerate() {
            if !restores.contains_key(&k) {
                rest.push(stmt.clone());
            }
        }
        let used = free_vars(&rest);
        let recorded = sweep.yields.iter().filter(|var| used.contains(var));
        let recorded: Vec<VarId> = recorded.copied().collect();
        for var in &recorded {
            found.include(*var)?;
        }
        if found.carried.is_empty() {
            return Ok(None);
        }
        // None of the function's; a small number, as sets of variables have a bit for each number below theirs.
        let none = VarId(u32::try_from(func.vars.len()).unwrap_or(u32::MAX));
        for var in recorded.iter().chain(&found.carried) {
            let restored = restores.values().filter(|v| *v == var).count();
            let mut rest = rest.clone();
            // Only places are renamed; what names a variable in another way is not foreseen.
            rename(&mut rest, *var, none);
            let mentioned = rest.iter().any(|stmt| mentions(stmt, *var));
            let written = sweep.reverse.iter().any(|stmt| {
                let top = update_of(stmt) == Some(*var);
                !top && effects_of([stmt]).writes.contains(var)
            });
            let unsaved = restored == 0 && used.contains(var) && found.carried.contains(var);
            if restored > 1 || mentioned || written || unsaved {
                return Err(format!("`{}` is restored in parts", name(func, *var)));
            }
        }
        let own: Vec<VarId> = found.carried.iter().chain(&sweep.yields).copied().collect();
        let across = Across {
            counter: *var,
            range,
        };
        let body = Block { stmts: rest };
        let why = carried(func, &body, &body.stmts, (across, Records::OfTheLoop), &own);
        if let Some(why) = why.filter(|_| !Fault::ReplayedCarried.is_on()) {
            return Err(why.because(func, &self.adjoints.primals()));
        }
        let again = found.again.iter().map(|at| sweep.forward[*at].clone());
        Ok(Some(Found {
            again: again.collect(),
            carried: found.carried,
            fixed: found.fixed,
            restores: restores.clone(),
        }))
    }

    fn replayed(&mut self, found: &Found, sweep: &Sweep, span: Span) -> Replayed {
        let mut renamed: HashMap<VarId, VarId> = HashMap::default();
        // Without what the loop does not change, which is there as it was.
        let mut names: HashMap<VarId, VarId> = HashMap::default();
        let (mut kept, mut starts, mut body) = (Vec::new(), Vec::new(), Vec::new());
        let mut ends = Vec::new();
        for fixed in &found.fixed {
            let info = self.adjoints.func.var(*fixed);
            // Parameters are there in the reverse sweep, too. Others may be declared again behind its loop.
            if info.kind == VarKind::Param && !info.mutable {
                continue;
            }
            let copy = self.again(*fixed, span);
            kept.push(declare(copy, self.read(*fixed, span), span));
            renamed.insert(*fixed, copy);
        }
        // What each is at the start of an iteration.
        let mut start_of = HashMap::default();
        for var in &found.carried {
            let (before, again) = (self.again(*var, span), self.again(*var, span));
            self.adjoints.func.var_mut(again).mutable = true;
            kept.push(declare(before, self.read(*var, span), span));
            starts.push(declare(again, self.read(before, span), span));
            renamed.insert(*var, again);
            names.insert(*var, again);
            self.replayed.push((*var, before));
            if found.restores.values().any(|v| v == var) {
                let start = self.again(*var, span);
                body.push(declare(start, self.read(again, span), span));
                start_of.insert(*var, start);
                ends.push(assign(*var, self.read(before, span), span));
            }
        }
        for stmt in &found.again {
            let mut stmt = stmt.clone();
            if let StmtKind::Update { place, op, value } = &stmt.kind {
                // An update would be taken for a sum, whose order is free.
                let old = Expr::new(
                    ExprKind::Read(place.clone()),
                    self.adjoints.func.var(place.root).ty.clone(),
                    stmt.span,
                );
                stmt.kind = StmtKind::Assign {
                    place: place.clone(),
                    value: binary(*op, old, value.clone()),
                    init: false,
                };
            }
            if let StmtKind::Let { var, .. } = &mut stmt.kind {
                let again = self.again(*var, span);
                renamed.insert(*var, again);
                names.insert(*var, again);
                *var = again;
            }
            let mut stmt = [stmt];
            rename_all(&mut stmt, &renamed);
            body.extend(stmt);
        }
        // The reverse of an iteration begins in the state behind it.
        for (k, stmt) in sweep.reverse.iter().enumerate() {
            if let Some(var) = found.restores.get(&k) {
                names.insert(*var, start_of[var]);
                continue;
            }
            let mut stmt = [stmt.clone()];
            rename_all(&mut stmt, &names);
            body.extend(stmt);
        }
        let used = effects_of(&body).reads;
        let listed: Vec<String> = found
            .carried
            .iter()
            .map(|var| format!("`{}`", name(self.adjoints.func, *var)))
            .collect();
        let how = format!(
            "{} computed again, in the order of the loop",
            match listed.as_slice() {
                [one] => format!("{one} is"),
                all => format!("{} are", all.join(", ")),
            }
        );
        self.cx.remarks.applied(span, Transform::Replay, how);
        let func = &*self.adjoints.func;
        body.retain(|stmt| !is_unused(func, stmt, &used, self.primal_vars));
        let mut forward = sweep.forward.clone();
        let read = effects_of(&forward).reads;
        forward.retain(|stmt| !is_unused(func, stmt, &read, self.primal_vars));
        Replayed {
            kept,
            forward,
            starts,
            body,
            ends,
            carried: found.carried.clone(),
        }
    }

    /// Once a block is put together: what recurrences start from is known by the text, if it is, and what nobody reads
    /// any more is not restored.
    pub(super) fn settle_replays(
        &mut self,
        block: &Block,
        forward: &mut Vec<Stmt>,
        reverse: &mut Vec<Stmt>,
    ) {
        let func = &*self.adjoints.func;
        for (var, before) in &self.replayed {
            let is_kept =
                |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Let { var, .. } if var == before);
            let Some(at) = forward.iter().position(is_kept) else {
                continue;
            };
            let Some(value) = known_before(func, &forward[..at], *var) else {
                continue;
            };
            for stmt in reverse.iter_mut() {
                if let StmtKind::Let {
                    init: Some(read), ..
                }
                | StmtKind::Assign { value: read, .. } = &mut stmt.kind
                    && matches!(&read.kind, ExprKind::Read(p) if p.is_var() && p.root == *before)
                {
                    *read = value.clone();
                }
            }
            forward.remove(at);
        }
        let read = effects_of(&*reverse).reads;
        let declares = |var: VarId| {
            let stmts = &mut block.stmts.iter();
            stmts.any(|s| matches!(&s.kind, StmtKind::Let { var: v, .. } if *v == var))
        };
        for (var, _) in &self.replayed {
            if declares(*var) && !read.contains(var) {
                unrestore(reverse, *var);
            }
        }
    }

    /// A variable that holds what another one does, computed again or kept.
    fn again(&mut self, of: VarId, span: Span) -> VarId {
        let info = self.adjoints.func.var(of);
        let (base, ty) = (info.name.to_string(), info.ty.clone());
        let func = &mut *self.adjoints.func;
        let var = func.temp(base.trim_start_matches("r#"), ty, span);
        func.var_mut(var).kind = VarKind::Replayed;
        var
    }

    fn read(&self, var: VarId, span: Span) -> Expr {
        Expr::read_var(var, self.adjoints.func.var(var).ty.clone(), span)
    }
}

/// Takes out what restores the variable, which nobody reads.
fn unrestore(stmts: &mut Vec<Stmt>, var: VarId) {
    stmts.retain(|stmt| update_of(stmt) != Some(var));
    for stmt in stmts {
        for block in blocks_mut(stmt) {
            unrestore(&mut block.stmts, var);
        }
    }
}

/// The number of the text, or the parameter, that the variable holds behind the statements.
fn known_before(func: &Func, stmts: &[Stmt], var: VarId) -> Option<Expr> {
    for stmt in stmts.iter().rev() {
        if let StmtKind::Let {
            var: v,
            init: Some(value),
        } = &stmt.kind
            && *v == var
        {
            return is_at_hand(func, value).then(|| value.clone());
        }
        if effects_of([stmt]).writes.contains(&var) {
            return if let StmtKind::Assign { place, value, .. } = &stmt.kind
                && place.is_var()
                && is_at_hand(func, value)
            {
                Some(value.clone())
            } else {
                None
            };
        }
    }
    None
}

fn is_at_hand(func: &Func, e: &Expr) -> bool {
    if let ExprKind::Read(p) = &e.kind {
        let info = func.var(p.root);
        p.is_var() && info.kind == VarKind::Param && !info.mutable
    } else {
        matches!(&e.kind, ExprKind::Lit(_))
    }
}

/// Whether the statement declares a variable of the sweeps, a save, say, that is not among those that are read.
fn is_unused(func: &Func, stmt: &Stmt, read: &VarSet, primal_vars: u32) -> bool {
    stmt.definition(func).is_some_and(|(var, value)| {
        let is_copy = matches!(value.kind, ExprKind::Read(_));
        is_copy && var.0 >= primal_vars && !read.contains(&var)
    })
}

fn rename(stmts: &mut [Stmt], from: VarId, to: VarId) {
    rename_all(stmts, &HashMap::from_iter([(from, to)]));
}

fn rename_all(stmts: &mut [Stmt], names: &HashMap<VarId, VarId>) {
    for stmt in stmts {
        each_place_within(stmt, &mut |place| {
            if let Some(to) = names.get(&place.root) {
                place.root = *to;
            }
        });
        for block in blocks_mut(stmt) {
            rename_all(&mut block.stmts, names);
        }
    }
}

fn declare(var: VarId, value: Expr, span: Span) -> Stmt {
    let kind = StmtKind::Let {
        var,
        init: Some(value),
    };
    Stmt::new(kind, span)
}

fn assign(var: VarId, value: Expr, span: Span) -> Stmt {
    let kind = StmtKind::Assign {
        place: Place::var(var, span),
        value,
        init: false,
    };
    Stmt::new(kind, span)
}
