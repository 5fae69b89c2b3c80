//! The passes over the finished sweeps, and those over the primal before it is differentiated.
//!
//! The files, by what they change; the order of the passes is that of [`SCHEDULE`]. What a pass is says [`pass`]; one
//! that is worth it only if later ones do this or that asks [`speculate`].
//!
//! ```text
//! prepare   unroll        short loops written out
//!           induction     counters from those of loops
//!           motion        what no iteration changes in front of the loop
//!           speculate     conditions in front of the branches that they stand in
//!           views         views of views as views of the array
//!           preallocate   lists that loops fill with their lengths at once
//! scalar    simplify      zero-then-add becomes assignment
//!           factors       signs and powers of two in adjoints       inverses   one reciprocal for several divisions
//!           assign        gradients begin with an assignment
//!           sink          what adds zeros behind a branch goes into the branch
//!           mul_add       `mul_add` in adjoints
//! tape      strips        room on the tape for a whole loop
//! loops     order         which reverse loops may run forwards
//!           fuse          both sweeps of an iteration together, for who asks for the gradient at once
//!           interchange   loops around an innermost one change places
//!           jam           several iterations of a loop share one run of the loop inside
//!           defer         products that jammed loops add to a matrix, for several iterations of a loop around them
//!           windows       innermost loops on slices of what they touch, sums in adjoints in blocks
//!           time_tiling   time loops between two arrays with rows computed on the tape, or few rows there
//!           versions      what the passes above have planned, as checks, windows and loops
//!           type_checks   what rustc is asked about types that the macro does not see
//!           moves         vectors that nobody looks at again are moved, not copied
//!           recycle       vectors of adjoints are taken from those that blocks are done with
//! ```

#[cfg(test)]
pub(crate) mod fault;
pub(crate) mod loops;
mod moves;
mod pass;
pub(crate) mod prepare;
mod recycle;
mod scalar;
mod speculate;
mod tape;
mod type_checks;

use crate::ir::hash::{HashMap, HashSet};
use crate::ir::verify::{PrimalOrder, verify_sweeps};
use crate::ir::{Remarks, Stmt, Sweeps, Transform, Transforms, VarId, VarKind, effects_of};

use loops::{defer, fuse, interchange, jam, order, time_tiling, versions, windows};
use pass::{Pass, Properties, Property, Rewrite, Run};
use scalar::{assign, factors, inverses, mul_add, simplify, sink};
use tape::strips;

/// The passes over finished sweeps, in their order. Behind each, the sweeps are right.
const SCHEDULE: &[Pass] = &[
    Pass {
        name: "simplify",
        transform: None,
        requires: &[Property::Loops, Property::OneReverse],
        establishes: &[],
        invalidates: &[],
        run: Run::InTurn(|sweeps, _| simplify::simplify(&mut sweeps.reverse)),
    },
    Pass {
        name: "factors",
        transform: Some(Transform::Factors),
        requires: &[
            Property::Loops,
            Property::OneReverse,
            Property::SumsOfProducts,
        ],
        establishes: &[],
        invalidates: &[],
        run: Run::InTurn(|sweeps, cx| {
            let (vars, first) = (&sweeps.func.vars, cx.primal_vars);
            let own = |var: VarId| var.0 >= first && vars[var.0 as usize].kind != VarKind::Replayed;
            factors::gather_factors(&mut sweeps.reverse, &own);
        }),
    },
    Pass {
        name: "inverses",
        transform: Some(Transform::Factors),
        requires: &[
            Property::Loops,
            Property::OneReverse,
            Property::SumsOfProducts,
        ],
        establishes: &[],
        invalidates: &[],
        run: Run::InTurn(|sweeps, cx| {
            inverses::share_inverses(&mut sweeps.func, &mut sweeps.reverse, &cx.adjoints);
            inverses::multiply_by_literals(&mut sweeps.reverse);
        }),
    },
    Pass {
        name: "strips",
        transform: Some(Transform::Strips),
        requires: &[Property::Loops, Property::OneReverse],
        establishes: &[Property::Strips],
        invalidates: &[],
        run: Run::Planned(strips::plan),
    },
    Pass {
        name: "order",
        transform: Some(Transform::Forward),
        requires: &[Property::Loops, Property::OneReverse],
        establishes: &[Property::Orders],
        invalidates: &[],
        run: Run::Planned(order::plan),
    },
    Pass {
        name: "fuse",
        transform: Some(Transform::Fuse),
        // It asks what `jam`, `interchange` and `windows` would make of the loops.
        requires: &[
            Property::Loops,
            Property::OneReverse,
            Property::SumsOfProducts,
            Property::Strips,
            Property::Orders,
        ],
        establishes: &[Property::BothSweeps],
        invalidates: &[Property::OneReverse],
        run: Run::InTurn(fuse::fuse_loops),
    },
    Pass {
        name: "assign",
        transform: Some(Transform::Assign),
        requires: &[Property::Loops, Property::BothSweeps],
        establishes: &[],
        invalidates: &[],
        run: Run::Planned(assign::plan),
    },
    Pass {
        name: "interchange",
        transform: Some(Transform::Interchange),
        requires: &[Property::Loops, Property::Orders, Property::BothSweeps],
        establishes: &[],
        invalidates: &[],
        run: Run::InTurn(interchange_all),
    },
    Pass {
        name: "jam",
        transform: Some(Transform::Jam),
        requires: &[
            Property::NoSlices,
            Property::SumsOfProducts,
            Property::Strips,
            Property::Orders,
            Property::BothSweeps,
        ],
        establishes: &[Property::Jams],
        invalidates: &[Property::Loops],
        run: Run::InTurn(jam_all),
    },
    Pass {
        name: "defer",
        transform: Some(Transform::Defer),
        requires: &[Property::NoSlices, Property::SumsOfProducts, Property::Jams],
        establishes: &[],
        invalidates: &[Property::Loops],
        run: Run::InTurn(defer_all),
    },
    Pass {
        name: "windows",
        transform: Some(Transform::Reslice),
        requires: &[
            Property::NoSlices,
            Property::SumsOfProducts,
            Property::Strips,
            Property::Orders,
            Property::BothSweeps,
            Property::Jams,
        ],
        establishes: &[Property::Slices],
        invalidates: &[Property::Loops, Property::NoSlices],
        run: Run::InTurn(slice_all),
    },
    Pass {
        name: "sink",
        transform: Some(Transform::Sink),
        requires: &[
            Property::SumsOfProducts,
            Property::BothSweeps,
            Property::Jams,
            Property::Slices,
            Property::OneVersion,
        ],
        establishes: &[],
        invalidates: &[],
        run: Run::InTurn(|sweeps, cx| {
            let joint = sweeps.joint.iter_mut().map(|joint| &mut joint.stmts);
            for stmts in joint.chain([&mut sweeps.reverse]) {
                sink::sink_all(&sweeps.func, cx, stmts);
            }
        }),
    },
    Pass {
        name: "mul_add",
        transform: Some(Transform::MulAdd),
        requires: &[Property::Jams, Property::Slices, Property::OneVersion],
        establishes: &[],
        invalidates: &[Property::SumsOfProducts],
        run: Run::InTurn(mul_add_all),
    },
    Pass {
        name: "tiles",
        transform: Some(Transform::Tiles),
        requires: &[
            Property::Strips,
            Property::BothSweeps,
            Property::Slices,
            Property::OneVersion,
        ],
        establishes: &[],
        invalidates: &[Property::Loops],
        run: Run::Planned(tile_all),
    },
    Pass {
        name: "versions",
        transform: None,
        // It makes what the others have planned.
        requires: &[Property::Strips, Property::Jams, Property::Slices],
        establishes: &[Property::Made],
        invalidates: &[Property::Loops, Property::OneVersion],
        run: Run::InTurn(version_all),
    },
    Pass {
        name: "type_checks",
        transform: None,
        // Nothing moves the places any more that it asks about.
        requires: &[Property::Made],
        establishes: &[],
        invalidates: &[],
        run: Run::Planned(type_checks::plan),
    },
    Pass {
        name: "moves",
        transform: None,
        // What others would move between a read and the end of a variable is where it stays.
        requires: &[Property::Made],
        establishes: &[],
        invalidates: &[],
        run: Run::InTurn(|sweeps, _| moves::moves(sweeps)),
    },
    Pass {
        name: "recycle",
        transform: Some(Transform::Recycle),
        // What is moved is not there any more at the end of its block.
        requires: &[Property::Made],
        establishes: &[],
        invalidates: &[],
        run: Run::InTurn(recycle::recycle),
    },
];

/// What passes may do, what they know of the sweeps, and what they say.
pub(in crate::optimize) struct Cx<'a> {
    transforms: Transforms,
    remarks: &'a mut Remarks,
    /// Whose adjoint a variable is.
    bars: HashMap<VarId, VarId>,
    /// The adjoints.
    adjoints: HashSet<VarId>,
    /// Variables from this on belong to adjoints.
    primal_vars: u32,
}

/// How passes are watched.
pub(crate) struct Watch<'a> {
    /// Whether the sweeps are verified behind each pass.
    pub(crate) verify: bool,
    /// Is shown the sweeps behind each pass, with its name.
    pub(crate) see: &'a mut dyn FnMut(&'static str, &Sweeps),
}

/// Runs the passes over finished sweeps. `Err` says what a pass broke.
pub(crate) fn run_passes(
    sweeps: &mut Sweeps,
    transforms: Transforms,
    remarks: &mut Remarks,
    watch: Watch<'_>,
) -> Result<(), String> {
    run_schedule(SCHEDULE, sweeps, transforms, remarks, watch)
}

fn run_schedule(
    schedule: &[Pass],
    sweeps: &mut Sweeps,
    transforms: Transforms,
    remarks: &mut Remarks,
    watch: Watch<'_>,
) -> Result<(), String> {
    let mut cx = Cx {
        transforms,
        remarks,
        bars: sweeps.bars.clone(),
        adjoints: sweeps.bars.keys().copied().collect(),
        primal_vars: sweeps.primal_vars,
    };
    let derived = watch.verify.then(|| PrimalOrder::of(sweeps));
    let mut properties = Properties::derived();
    for pass in schedule {
        properties.admit(pass)?;
        let on = pass.transform.is_none_or(|one| transforms.has(one));
        if on {
            match &pass.run {
                Run::Planned(plan) => plan(sweeps, &mut cx)(sweeps),
                Run::InTurn(run) => run(sweeps, &mut cx),
            }
            #[cfg(test)]
            fault::of(pass.name, sweeps);
        }
        properties.behind(pass);
        if let Some(derived) = derived.as_ref().filter(|_| on) {
            verify_sweeps(sweeps)
                .and_then(|()| derived.is_kept(sweeps))
                .and_then(|()| properties.check(sweeps))
                .map_err(|reason| format!("`{}`: {reason}", pass.name))?;
        }
        (watch.see)(pass.name, sweeps);
    }
    properties.check(sweeps)
}

/// The list of both sweeps, if there is one.
fn both(sweeps: &mut Sweeps) -> Option<&mut Vec<Stmt>> {
    sweeps.joint.as_mut().map(|joint| &mut joint.stmts)
}

fn interchange_all(sweeps: &mut Sweeps, cx: &mut Cx<'_>) {
    let joint = sweeps.joint.iter_mut().map(|joint| &mut joint.stmts);
    for stmts in joint.chain([&mut sweeps.reverse]) {
        interchange::interchange_loops(&sweeps.func, cx, stmts);
    }
}

fn jam_all(sweeps: &mut Sweeps, cx: &mut Cx<'_>) {
    let joint = sweeps.joint.as_mut().map(|joint| &mut joint.stmts);
    let procs = sweeps.procs.iter_mut().map(|proc| &mut proc.body.stmts);
    let lists = [&mut sweeps.forward, &mut sweeps.reverse];
    for stmts in lists.into_iter().chain(joint).chain(procs) {
        jam::jam_loops(&mut sweeps.func, cx, stmts, &HashSet::default());
    }
}

fn defer_all(sweeps: &mut Sweeps, cx: &mut Cx<'_>) {
    let joint = sweeps.joint.as_mut().map(|joint| &mut joint.stmts);
    for stmts in [&mut sweeps.reverse].into_iter().chain(joint) {
        defer::defer_products(&mut sweeps.func, cx, stmts);
    }
}

fn slice_all(sweeps: &mut Sweeps, cx: &mut Cx<'_>) {
    let mut chosen = windows::Chosen::default();
    windows::collect(&sweeps.func, &sweeps.forward, &mut chosen);
    let joint = sweeps.joint.as_mut().map(|joint| &mut joint.stmts);
    let procs = sweeps.procs.iter_mut().map(|proc| &mut proc.body.stmts);
    let lists = [&mut sweeps.forward, &mut sweeps.reverse];
    for stmts in lists.into_iter().chain(joint).chain(procs) {
        windows::slice_loops(&mut sweeps.func, cx, stmts, (&HashSet::default(), &chosen));
    }
}

fn mul_add_all(sweeps: &mut Sweeps, cx: &mut Cx<'_>) {
    mul_add::fuse(&sweeps.func, &mut sweeps.reverse);
    // What changes no adjoint is of the forward sweep.
    let joint = sweeps.joint.iter_mut().flat_map(|joint| &mut joint.stmts);
    for stmt in joint.filter(|s| effects_of([&**s]).writes.meets(&cx.adjoints)) {
        mul_add::fuse(&sweeps.func, std::slice::from_mut(stmt));
    }
}

fn version_all(sweeps: &mut Sweeps, _: &mut Cx<'_>) {
    let joint = sweeps.joint.as_mut().map(|joint| &mut joint.stmts);
    let procs = sweeps.procs.iter_mut().map(|proc| &mut proc.body.stmts);
    let lists = [&mut sweeps.forward, &mut sweeps.reverse];
    for stmts in lists.into_iter().chain(joint).chain(procs) {
        versions::make_versions(&mut sweeps.func, stmts);
    }
}

fn tile_all(sweeps: &Sweeps, cx: &mut Cx<'_>) -> Rewrite {
    let joint = sweeps.joint.as_ref().map(|joint| &joint.stmts);
    let joint = joint.map(|stmts| time_tiling::plan(&sweeps.func, cx, &[stmts]));
    let lists = [&sweeps.forward, &sweeps.reverse];
    let apart = time_tiling::plan(&sweeps.func, cx, &lists);
    Box::new(move |sweeps| {
        if let (Some(plan), Some(stmts)) = (joint, both(sweeps)) {
            time_tiling::apply(&plan, stmts);
        }
        time_tiling::apply(&apart, &mut sweeps.forward);
        time_tiling::apply(&apart, &mut sweeps.reverse);
    })
}

#[cfg(test)]
mod tests;
