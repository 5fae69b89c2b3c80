//! The sweeps of a function.

use crate::ir::hash::{HashMap, HashSet};
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;

use super::{
    Direction, Expr, Func, Param, Passing, Proc, ProcId, Site, Stmt, StmtKind, VarId, effects_of,
};

/// Both sweeps of a function.
#[derive(Debug)]
pub(crate) struct Sweeps {
    pub(crate) func: Func,
    /// The forward sweep.
    pub(crate) forward: Vec<Stmt>,
    /// What the forward sweep leaves for the reverse sweep: the record of the function.
    pub(crate) yields: Vec<VarId>,
    /// The reverse sweep.
    pub(crate) reverse: Vec<Stmt>,
    /// What the sweeps run in several places. A procedure runs only such as stand before it.
    pub(crate) procs: Vec<Proc>,
    /// The adjoint variable of each differentiable parameter, in order.
    pub(crate) param_bars: Vec<(usize, VarId)>,
    /// The adjoint variable of the result, if the result is active.
    pub(crate) result_bar: Option<VarId>,
    /// How many elements the result has, if it is a vector and the reverse sweep knows its length alone: a literal or
    /// a variable.
    pub(crate) result_length: Option<Expr>,
    /// Both sweeps in one, where something is gained by it.
    pub(crate) joint: Option<Joint>,
    /// The parameters whose gradient the reverse sweep, or both in one, begin by themselves.
    pub(crate) begun: HashSet<usize>,
    /// Whose adjoint a variable is.
    pub(crate) bars: HashMap<VarId, VarId>,
    /// How many variables the function has itself; those of the sweeps come behind them.
    pub(crate) primal_vars: u32,
    /// Variables bound to the result of code that the compiler cannot see, and written with active values later:
    /// rustc is to check that they are not references.
    pub(crate) owned: HashSet<VarId>,
    /// Whether callers may compute the result again instead of recording it.
    pub(crate) repeatable: bool,
    /// The arguments that the reverse sweep reads, as bits.
    pub(crate) reads: u64,
    /// The arguments that a reverse sweep could leave as they are, as bits.
    pub(crate) outputs: u64,
    /// Whether a reverse sweep that leaves its outputs as they are would have less to save.
    pub(crate) leaves: bool,
}

impl Sweeps {
    /// All lists of statements: both sweeps, apart and together, and the procedures.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &Vec<Stmt>> {
        let joint = self.joint.iter().map(|joint| &joint.stmts);
        let procs = self.procs.iter().map(|proc| &proc.body.stmts);
        [&self.forward, &self.reverse]
            .into_iter()
            .chain(joint)
            .chain(procs)
    }

    /// The numbers of the procedures that some statements run, those included that other procedures run.
    pub(crate) fn procs_of<'a>(
        &'a self,
        lists: impl IntoIterator<Item = &'a Vec<Stmt>>,
    ) -> BTreeSet<ProcId> {
        fn add(sweeps: &Sweeps, stmts: &[Stmt], found: &mut BTreeSet<ProcId>) {
            for stmt in stmts {
                if let StmtKind::Run(run) = &stmt.kind
                    && found.insert(run.proc)
                    && let Some(proc) = sweeps.procs.get(run.proc.0)
                {
                    add(sweeps, &proc.body.stmts, found);
                }
                for block in stmt.kind.blocks() {
                    add(sweeps, &block.stmts, found);
                }
            }
        }
        let mut found = BTreeSet::new();
        for stmts in lists {
            add(self, stmts, &mut found);
        }
        found
    }
}

/// Both sweeps in one list, for who asks for value and gradient at once: some loops run forward and in reverse in each
/// iteration.
#[derive(Debug)]
pub(crate) struct Joint {
    pub(crate) stmts: Vec<Stmt>,
    /// The value of the function, as the forward sweep leaves it.
    pub(crate) outcome: VarId,
}

impl Sweeps {
    /// Whether they touch the tape apart from the record of the function itself.
    pub(crate) fn use_tape(&self) -> bool {
        // Procedures do not.
        let mut stmts = self.forward.iter().chain(&self.reverse);
        stmts.any(Stmt::uses_tape)
    }

    /// Whether value and gradient at once touch the tape.
    pub(crate) fn joint_uses_tape(&self) -> bool {
        match &self.joint {
            Some(joint) => joint.stmts.iter().any(Stmt::uses_tape),
            None => self.use_tape(),
        }
    }

    /// The in-out parameters whose outputs the reverse sweep undoes; a generator is left as it is.
    pub(crate) fn undone(&self) -> impl Iterator<Item = &Param> {
        let undone = effects_of(&self.reverse).writes;
        let params = self.func.params.iter();
        params
            .filter(move |p| p.passing == Passing::InOut && !p.generator && undone.contains(&p.var))
    }
}

/// The sites of records in some lists of statements, and where each is in the source: at its loop, or at the slice that
/// is saved.
pub(crate) fn sites<'s>(lists: impl IntoIterator<Item = &'s Vec<Stmt>>) -> BTreeMap<Site, Span> {
    let mut spans = BTreeMap::new();
    for stmts in lists {
        sites_in(stmts, &mut spans);
    }
    spans
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "no other statement has a site"
)]
fn sites_in(stmts: &[Stmt], spans: &mut BTreeMap<Site, Span>) {
    for stmt in stmts {
        let site = match &stmt.kind {
            StmtKind::PushRecord { site, .. }
            | StmtKind::PushSlice { site, .. }
            | StmtKind::PushRange { site, .. } => Some(site),
            StmtKind::Strips(strips) if strips.direction == Direction::Forward => {
                Some(&strips.site)
            }
            _ => None,
        };
        if let Some(site) = site {
            spans.entry(*site).or_insert(stmt.span);
        }
        for block in stmt.kind.blocks() {
            sites_in(&block.stmts, spans);
        }
    }
}

/// Scalar parameters accumulate their adjoint in a local, which is added to the caller's at the end.
pub(crate) fn has_local_accumulator(param: &Param) -> bool {
    param.ty.is_float()
}

/// Whether the adjoint of a parameter starts from what the caller passes (an in-out scalar).
pub(crate) fn starts_from_caller(param: &Param) -> bool {
    param.passing == Passing::InOut
}
