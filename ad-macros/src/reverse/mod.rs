//! The reverse transformation: from the primal and its facts to a forward and a reverse sweep in the same IR.
//!
//! ```text
//! prepare    names what the reverse sweep must ask again (conditions), orders operands of calls
//! adjoints   one adjoint variable per active variable
//! partials   the adjoint of an expression       stmts   the adjoint of a statement
//! angles     sines and cosines that are each other's derivative
//! assemble   blocks and branches: what is recorded where, in which order it is undone
//! parallel   iterations divided among workers
//! again      results of calls that are computed again
//! choices    which operand a running maximum takes
//! calls      the sweeps of callees, and which of them leave what they wrote
//! loops      one record per iteration, how the reverse loop counts      region   checkpoints
//! last_write of writes under a condition, the last one
//! replay     recurrences that run again
//! ```
//!
//! What comes out is right; [`optimize`](crate::optimize) makes it fast.

pub(crate) mod adjoints;
mod again;
mod angles;
mod assemble;
mod branches;
mod calls;
pub(crate) mod choices;
#[cfg(any(test, retrograde_faults))]
pub(crate) mod inject;
#[cfg(not(any(test, retrograde_faults)))]
#[path = "no_inject.rs"]
pub(crate) mod inject;
mod last_write;
mod loops;
mod operands;
mod parallel;
mod partials;
pub(crate) mod prepare;
mod region;
mod replay;
mod restore;
mod stmts;

use proc_macro2::Span;

use crate::analysis::StmtKey;
use crate::analysis::activity::Activity;
use crate::analysis::again::is_repeatable;
use crate::analysis::decide::{Subject, decide};
use crate::analysis::outputs::{outputs, reads};
use crate::analysis::plan::{Fragments, Recorded};
use crate::analysis::shapes::lengths;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Block, Expr, ExprKind, Func, LoopId, Remarks, Shares, StmtKind, Sweeps, Transforms, VarId,
    has_static_zero,
};

use adjoints::Adjoints;

/// What the derivation is told beside the function.
pub(crate) struct Context<'a> {
    /// How parallel loops divide their work.
    pub(crate) shares: &'a HashMap<LoopId, Shares>,
    pub(crate) transforms: Transforms,
    pub(crate) remarks: &'a mut Remarks,
    /// Whether the reverse sweep leaves its outputs as they are.
    pub(crate) leaving: bool,
}

/// What was decided, and the sweeps do not show, for the report.
pub(crate) struct Facts {
    /// The primal.
    pub(crate) body: Block,
    /// Variables that the reverse sweep computes again.
    pub(crate) recomputed: HashSet<VarId>,
    /// Why others are recorded.
    pub(crate) recorded: HashMap<VarId, Recorded>,
    /// Statements whose overwrites are undone right before their own adjoint.
    pub(crate) restored: HashSet<StmtKey>,
}

/// Derives both sweeps. `Err` holds places for which no adjoint can be derived, with the reason's name.
pub(crate) fn reverse(
    mut func: Func,
    activity: &Activity,
    cx: Context<'_>,
) -> Result<(Sweeps, Facts), Vec<(Span, &'static str)>> {
    let mut body = std::mem::take(&mut func.body);
    operands::check(&func, activity, &mut body);
    let lengths = lengths(&mut func, activity, &mut body);
    let owned = owned(activity, &body);
    let primal_vars = u32::try_from(func.vars.len()).unwrap_or(u32::MAX);
    let mut adjoints = Adjoints::new(&mut func, activity, &lengths);
    adjoints.angles = angles::pairs(adjoints.func, &body);
    let mut fragments = Fragments::default();
    derive_fragments(&mut adjoints, &body, &mut fragments);
    if !adjoints.unsupported.is_empty() {
        return Err(adjoints.unsupported);
    }
    let result_bar = adjoints
        .func
        .result
        .filter(|r| activity.is_active(*r))
        .map(|r| adjoints.bar(r));
    let transforms = cx.transforms;
    let repeatable = is_repeatable(adjoints.func, &body);
    let subject = Subject {
        func: adjoints.func,
        activity,
        fragments: &fragments,
        primal_vars,
        transforms,
        lengths: &lengths,
        leaving: cx.leaving,
    };
    let decisions = decide(subject, &body);
    let leaves = decisions.leaves;
    let mut assembly =
        assemble::Assembly::new(adjoints, fragments, decisions, primal_vars, result_bar, cx);
    let sweep = assembly.block(&body);
    let param_bars = assembly.param_bars();
    let bars = assembly.bars();
    let procs = std::mem::take(&mut assembly.procs);
    let facts = assembly.finish(body);
    let (reads, outputs) = (reads(&func, &sweep.reverse), outputs(&func));
    let mut sweeps = Sweeps {
        func,
        forward: sweep.forward,
        yields: sweep.yields,
        reverse: sweep.reverse,
        procs,
        param_bars,
        result_bar,
        result_length: None,
        joint: None,
        begun: HashSet::default(),
        bars,
        primal_vars,
        owned,
        repeatable,
        reads,
        outputs,
        leaves,
    };
    // Without a seed the adjoint of the result is zero in the result's shape.
    if let (Some(_), Some(result)) = (result_bar, sweeps.func.result)
        && !has_static_zero(&sweeps.func.ret_ty)
        && !sweeps.func.seeded
        && !sweeps.yields.contains(&result)
    {
        let length = lengths.get(&result).cloned();
        let shape = match &length {
            Some(length) => length.place().map(|place| place.root),
            None => Some(result),
        };
        let missing = |var: &VarId| !sweeps.yields.contains(var);
        sweeps.yields.extend(shape.filter(missing));
        sweeps.result_length = length;
    }
    inject::into_derived(&mut sweeps);
    Ok((sweeps, facts))
}

/// A variable that got its value from code with nothing varied in it, and is varied all the same, is written later.
/// Were it a reference, the write would go to a variable whose derivative is not followed.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other values are no references that are not known"
)]
fn owned(activity: &Activity, body: &Block) -> HashSet<VarId> {
    let mut owned = HashSet::default();
    crate::ir::visit_stmts(body, &mut |stmt| {
        let var = match &stmt.kind {
            StmtKind::Call {
                dest: Some(dest),
                args,
                ..
            } if !activity.call_varied(args) => *dest,
            StmtKind::Let {
                var,
                init:
                    Some(Expr {
                        kind: ExprKind::Opaque(_),
                        ..
                    }),
            } => *var,
            _ => return,
        };
        if activity.varied.overlaps(var) {
            owned.insert(var);
        }
    });
    owned
}

fn derive_fragments(adjoints: &mut Adjoints<'_>, block: &Block, fragments: &mut Fragments) {
    let mut before = None;
    for stmt in &block.stmts {
        let inner = stmt.kind.blocks();
        if inner.is_empty() {
            let choice = before.and_then(|before| choices::adjoint(adjoints, before, stmt));
            let fragment = choice.unwrap_or_else(|| adjoints.of_stmt(stmt));
            if !fragment.is_empty() {
                fragments.insert(StmtKey::of(stmt), fragment);
            }
        }
        for block in inner {
            derive_fragments(adjoints, block, fragments);
        }
        before = Some(stmt);
    }
}
