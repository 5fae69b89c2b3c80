//! The passes over the finished sweeps, and those over the primal before it is differentiated.
//!
//! ```text
//! prepare   unroll        short loops written out
//!           views         views of views as views of the array
//! scalar    simplify      zero-then-add becomes assignment
//!           factors       signs and powers of two in adjoints       inverses   one reciprocal for several divisions
//!           assign        gradients begin with an assignment
//!           mul_add       `mul_add` in adjoints
//! tape      strips        room on the tape for a whole loop
//! loops     order         which reverse loops may run forwards
//!           fuse          both sweeps of an iteration together, for who asks for the gradient at once
//!           interchange   loops around an innermost one change places
//!           jam           several iterations of a loop share one run of the loop inside
//!           defer         products that jammed loops add to a matrix, for several iterations of a loop around them
//!           windows       innermost loops on slices of what they touch, sums in adjoints in blocks
//!           time_tiling   time loops between two arrays with rows computed on the tape, or few rows there
//! ```

pub(crate) mod loops;
pub(crate) mod prepare;
pub(crate) mod scalar;
pub(crate) mod tape;

use std::collections::{HashMap, HashSet};

use crate::ir::Transform;
use crate::ir::{Sweeps, VarId, effects_of};
use crate::reverse::Derived;

use loops::{defer, fuse, interchange, jam, order, time_tiling, windows};
use scalar::{assign, factors, inverses, mul_add, simplify};
use tape::strips;

/// Runs the passes.
pub(crate) fn run_passes(derived: Derived) -> Sweeps {
    let Derived {
        mut sweeps,
        bars,
        primal_vars,
        facts,
    } = derived;
    simplify::simplify(&mut sweeps.reverse);
    improve(&mut sweeps, &bars, primal_vars);
    let mut explain = std::mem::take(&mut sweeps.explain);
    explain.fill(&sweeps, &facts);
    sweeps.explain = explain;
    sweeps
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
    let around = windows::Around {
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
            windows::slice_loops(func, explain, stmts, &around);
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
            time_tiling::tile_loops(func, explain, bars, &mut [list]);
        }
        let lists = &mut [&mut sweeps.forward, &mut sweeps.reverse];
        time_tiling::tile_loops(func, explain, bars, lists);
    }
}
