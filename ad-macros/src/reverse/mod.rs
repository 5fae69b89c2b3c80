//! The reverse transformation: from the primal and its facts to a forward and a reverse sweep in the same IR.
//!
//! ```text
//! unroll     short loops written out
//! prepare    names what the reverse sweep must ask again (conditions), orders operands of calls
//! adjoints   one adjoint variable per active variable
//! partials   the adjoint of an expression       stmts   the adjoint of a statement
//! assemble   blocks and branches: what is recorded where, in which order it is undone
//! parallel   iterations divided among workers
//! loops      one record per iteration, how the reverse loop counts      region   checkpoints
//! last       of writes under a condition, the last one
//! bulk       saves of whole ranges before a loop instead of one element per iteration
//! simplify   zero-then-add becomes assignment       strips    room on the tape for a whole loop
//! order      which reverse loops may run forwards     assign    gradients begin with an assignment
//! fuse       both sweeps of an iteration together, for who asks for the gradient at once
//! factors    signs and powers of two in adjoints      mul_add    `mul_add` in adjoints
//! interchange  loops around an innermost one change places
//! jam        several iterations of a loop share one run of the loop inside
//! defer      products that jammed loops add to a matrix, for several iterations of a loop around them
//! slices     innermost loops on slices of what they touch, sums in adjoints in blocks
//! tiles      time loops between two arrays with rows computed on the tape, or few rows there
//! ```

mod adjoints;
mod assemble;
mod assign;
pub(crate) mod bulk;
mod copies;
mod defer;
mod factors;
mod footprint;
mod fuse;
mod interchange;
mod inverses;
mod items;
mod jam;
mod last;
mod lengths;
mod loops;
mod mul_add;
mod operands;
mod order;
mod parallel;
mod partials;
pub(crate) mod prepare;
mod region;
mod restore;
mod simplify;
mod slices;
mod stmts;
mod strips;
mod tiles;
pub(crate) mod unroll;
pub(crate) mod views;

pub(crate) use adjoints::{has_local_accumulator, has_static_zero, starts_from_caller};
pub(crate) use restore::place_ty;
pub(crate) use slices::is_fixed;
pub(crate) use stmts::whole_slice;

use std::collections::{HashMap, HashSet};

use proc_macro2::Span;

use crate::analysis::StmtKey;
use crate::analysis::activity::Activity;
use crate::analysis::decide::decide;
use crate::analysis::plan::Fragments;
use crate::explain::Explain;
use crate::ir::{Block, Expr, ExprKind, Func, Stmt, StmtKind, VarId, effects_of};
use crate::transform::Transform;

use adjoints::Adjoints;

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
    /// The adjoint variable of each differentiable parameter, in order.
    pub(crate) param_bars: Vec<(usize, VarId)>,
    /// The adjoint variable of the result, if the result is active.
    pub(crate) result_bar: Option<VarId>,
    /// Both sweeps in one, where something is gained by it.
    pub(crate) joint: Option<Joint>,
    /// The parameters whose gradient the reverse sweep, or both in one, begin by themselves.
    pub(crate) begun: HashSet<usize>,
    /// What the sweeps do, loop by loop.
    pub(crate) explain: Explain,
}

/// Both sweeps in one list, for who asks for value and gradient at once: some loops run forward and in reverse in each
/// iteration.
#[derive(Debug)]
pub(crate) struct Joint {
    pub(crate) stmts: Vec<Stmt>,
    /// The value of the function, as the forward sweep leaves it.
    pub(crate) outcome: VarId,
}

/// Derives both sweeps. `Err` holds places for which no adjoint can be derived, with the reason's name.
pub(crate) fn reverse(
    mut func: Func,
    activity: &Activity,
) -> Result<Sweeps, Vec<(Span, &'static str)>> {
    let mut body = std::mem::take(&mut func.body);
    operands::check(&func, activity, &mut body);
    mark_owned(&mut func, activity, &body);
    let explain = Explain::new(&func, &body);
    let primal_vars = u32::try_from(func.vars.len()).unwrap_or(u32::MAX);
    let mut adjoints = Adjoints::new(&mut func, activity);
    let mut fragments = Fragments::new();
    derive_fragments(&mut adjoints, &body, &mut fragments);
    if !adjoints.unsupported.is_empty() {
        return Err(adjoints.unsupported);
    }
    let result_bar = adjoints
        .func
        .result
        .filter(|r| activity.is_active(*r))
        .map(|r| adjoints.bar(r));
    let decisions = decide(adjoints.func, activity, &fragments, primal_vars, &body);
    let mut assembly = assemble::Assembly::new(
        adjoints,
        fragments,
        decisions,
        primal_vars,
        result_bar,
        explain,
    );
    let sweep = assembly.block(&body);
    let param_bars = assembly.param_bars();
    let bars = assembly.bars();
    let (explain, facts) = assembly.finish(&body);
    let mut sweeps = Sweeps {
        func,
        forward: sweep.forward,
        yields: sweep.yields,
        reverse: sweep.reverse,
        param_bars,
        result_bar,
        joint: None,
        begun: HashSet::new(),
        explain,
    };
    // Without a seed the adjoint of the result is zero in the result's shape.
    if let (Some(_), Some(result)) = (result_bar, sweeps.func.result)
        && !has_static_zero(&sweeps.func.ret_ty)
        && !sweeps.yields.contains(&result)
    {
        sweeps.yields.push(result);
    }
    simplify::simplify(&mut sweeps.reverse);
    improve(&mut sweeps, &bars, primal_vars);
    let mut explain = std::mem::take(&mut sweeps.explain);
    explain.fill(&sweeps, &facts);
    sweeps.explain = explain;
    Ok(sweeps)
}

/// The transformations of the finished sweeps. `bars`: whose adjoint a variable is.
fn improve(sweeps: &mut Sweeps, bars: &HashMap<VarId, VarId>, primal_vars: u32) {
    let transforms = sweeps.func.transforms;
    let adjoints: HashSet<VarId> = bars.keys().copied().collect();
    if transforms.has(Transform::Factors) {
        factors::gather_factors(&mut sweeps.reverse, primal_vars);
        inverses::share_inverses(&mut sweeps.func, &mut sweeps.reverse, &adjoints);
    }
    if transforms.has(Transform::Strips) {
        strips::use_strips(sweeps);
    }
    if transforms.has(Transform::Forward) {
        order::run_forwards(sweeps, bars);
    }
    if transforms.has(Transform::Fuse) {
        fuse::fuse_loops(sweeps, bars, &adjoints);
    }
    if transforms.has(Transform::Assign) {
        assign::assign_gradients(sweeps);
    }
    if transforms.has(Transform::Interchange) {
        let joint = sweeps.joint.iter_mut().map(|joint| &mut joint.stmts);
        for stmts in joint.chain([&mut sweeps.reverse]) {
            interchange::interchange_loops(&sweeps.func, &mut sweeps.explain, stmts);
        }
    }
    let Sweeps {
        func,
        explain,
        forward,
        reverse,
        joint,
        ..
    } = sweeps;
    let divided = HashSet::new();
    let around = slices::Around {
        divided: &divided,
        adjoints: &adjoints,
    };
    let joint = joint.as_mut().map(|joint| &mut joint.stmts);
    let mut lists = vec![forward, &mut *reverse];
    lists.extend(joint);
    if transforms.has(Transform::Jam) {
        for stmts in &mut lists {
            jam::jam_loops(func, explain, stmts, &divided, primal_vars);
        }
    }
    if transforms.has(Transform::Defer) {
        for stmts in lists.iter_mut().skip(1) {
            defer::defer_products(func, explain, stmts, bars);
        }
    }
    if transforms.has(Transform::Reslice) {
        for stmts in lists {
            slices::slice_loops(func, explain, stmts, &around);
        }
    }
    if transforms.has(Transform::MulAdd) {
        mul_add::fuse(reverse, primal_vars);
        // What changes no adjoint is of the forward sweep.
        let joint = sweeps.joint.iter_mut().flat_map(|joint| &mut joint.stmts);
        for stmt in joint.filter(|s| !effects_of([&**s]).writes.is_disjoint(&adjoints)) {
            mul_add::fuse(std::slice::from_mut(stmt), primal_vars);
        }
    }
    if transforms.has(Transform::Tiles) {
        let joint = sweeps.joint.iter_mut().map(|joint| &mut joint.stmts);
        let (func, explain) = (&sweeps.func, &mut sweeps.explain);
        for list in joint {
            tiles::tile_loops(func, explain, bars, &mut [list]);
        }
        let lists = &mut [&mut sweeps.forward, &mut sweeps.reverse];
        tiles::tile_loops(func, explain, bars, lists);
    }
}

/// A variable that got its value from code with nothing varied in it, and is varied all the same, is written later.
/// Were it a reference, the write would go to a variable whose derivative is not followed.
fn mark_owned(func: &mut Func, activity: &Activity, body: &Block) {
    let mut owned = HashSet::new();
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
        if activity.varied.contains(&var) {
            owned.insert(var);
        }
    });
    func.owned = owned;
}

fn derive_fragments(adjoints: &mut Adjoints<'_>, block: &Block, fragments: &mut Fragments) {
    for stmt in &block.stmts {
        let inner = stmt.kind.blocks();
        if inner.is_empty() {
            let fragment = adjoints.of_stmt(stmt);
            if !fragment.is_empty() {
                fragments.insert(StmtKey::of(stmt), fragment);
            }
        }
        for block in inner {
            derive_fragments(adjoints, block, fragments);
        }
    }
}

/// What a statement reads, writes or declares, at the level of its block; a variable may come twice.
fn mentioned(stmt: &Stmt) -> impl Iterator<Item = VarId> {
    let effects = effects_of([stmt]);
    let declared = match &stmt.kind {
        StmtKind::Let { var, .. } => Some(*var),
        _ => None,
    };
    effects
        .reads
        .into_iter()
        .chain(effects.writes)
        .chain(declared)
}

pub(crate) fn mentions(stmt: &Stmt, var: VarId) -> bool {
    mentioned(stmt).any(|v| v == var)
}
