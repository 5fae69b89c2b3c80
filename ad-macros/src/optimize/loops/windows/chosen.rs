//! Words that iterations choose by conditions on the counter, and record for the reverse sweep.
//!
//! ```text
//! let left = if i == 0 { n - 1 } else { i - 1 };
//! ```
//!
//! In the middle of the loop, where the conditions are known, the reverse sweep knows what was recorded. Legal if all
//! that is chosen from are numbers, the counter and variables that hold one value; worth it if these are at hand in the
//! reverse loop.

use crate::analysis::purity::is_all_arithmetic;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Block, Domain, Expr, Func, Loop, Site, Stmt, StmtKind, Ty, VarId, expr_reads, visit_stmts,
};

/// How the words in the records of loops are chosen, by the site of the records.
pub(in crate::optimize) type Chosen = HashMap<Site, Choices>;

/// The statements that choose, in the order of the text.
#[derive(Debug)]
pub(in crate::optimize) struct Choices {
    counter: VarId,
    pub(super) stmts: Block,
    /// What they read and do not declare.
    reads: HashSet<VarId>,
}

impl Choices {
    /// Whether a reverse loop with these variables can tell what was chosen.
    pub(super) fn are_known(&self, counter: VarId, is_there: impl Fn(VarId) -> bool) -> bool {
        self.counter == counter && self.reads.iter().all(|var| is_there(*var))
    }
}

/// Collects the choices of all loops of the forward sweep.
pub(in crate::optimize) fn collect(func: &Func, forward: &[Stmt], chosen: &mut Chosen) {
    for stmt in forward {
        if let Some(this) = stmt.as_loop()
            && let (Some(strip), Domain::Range { var, .. }) = (&this.strip, &this.domain)
            && let Some(choices) = of_loop(func, this, &strip.vars, *var)
        {
            chosen.insert(strip.site, choices);
        }
        stmt.kind
            .each_block(&mut |inner| collect(func, &inner.stmts, chosen));
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other statements choose nothing"
)]
fn of_loop(func: &Func, this: &Loop, records: &[VarId], counter: VarId) -> Option<Choices> {
    let is_word = |var: &VarId| func.var(*var).ty == Ty::USIZE && !func.var(*var).mutable;
    let chosen = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Let { var, init: None } => is_word(var) && records.contains(var),
        StmtKind::Let {
            var,
            init: Some(init),
        } => {
            let info = func.var(*var);
            info.ty == Ty::Bool && !info.mutable && is_all_arithmetic(init)
        }
        StmtKind::Switch { arms, .. } => {
            arms.iter().all(|arm| only_chooses(arm, records, &is_word))
        }
        _ => false,
    };
    let stmts: Vec<Stmt> = (this.body.stmts.iter().filter(|stmt| chosen(stmt)))
        .cloned()
        .collect();
    let any = stmts
        .iter()
        .any(|stmt| matches!(stmt.kind, StmtKind::Switch { .. }));
    let stmts = Block { stmts };
    let reads = reads_of(&stmts, counter);
    let fixed = reads.iter().all(is_word);
    (any && fixed).then_some(Choices {
        counter,
        stmts,
        reads,
    })
}

/// Whether an arm does nothing but choose words that are recorded.
fn only_chooses(arm: &Block, records: &[VarId], is_word: &dyn Fn(&VarId) -> bool) -> bool {
    arm.stmts.iter().all(|stmt| {
        let StmtKind::Assign {
            place,
            value,
            init: true,
        } = &stmt.kind
        else {
            return false;
        };
        place.is_var()
            && is_word(&place.root)
            && records.contains(&place.root)
            && is_all_arithmetic(value)
    })
}

/// What statements read and do not declare, but for the counter.
fn reads_of(block: &Block, counter: VarId) -> HashSet<VarId> {
    let (mut reads, mut declared) = (HashSet::default(), HashSet::from_iter([counter]));
    visit_stmts(block, &mut |stmt| {
        if let StmtKind::Let { var, .. } = &stmt.kind {
            declared.insert(*var);
        }
        for e in crate::ir::stmt_exprs(stmt) {
            expr_reads(e, &mut |place| {
                reads.insert(place.root);
            });
        }
    });
    reads.difference(&declared).copied().collect()
}

/// What was chosen, by variable, of statements in which the conditions are known.
pub(super) fn known(stmts: &Block) -> HashMap<VarId, Expr> {
    let mut known = HashMap::default();
    for stmt in &stmts.stmts {
        if let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
            && init.ty == Ty::USIZE
        {
            known.insert(*var, init.clone());
        }
    }
    known
}
