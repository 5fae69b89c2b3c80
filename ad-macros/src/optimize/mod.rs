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

use crate::ir::{Remarks, Sweeps, Transform, Transforms, VarId, effects_of};

use loops::{defer, fuse, interchange, jam, order, time_tiling, windows};
use scalar::{assign, factors, inverses, mul_add, simplify};
use tape::strips;

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

/// Runs the passes over finished sweeps.
pub(crate) fn run_passes(sweeps: &mut Sweeps, transforms: Transforms, remarks: &mut Remarks) {
    let mut cx = Cx {
        transforms,
        remarks,
        bars: sweeps.bars.clone(),
        adjoints: sweeps.bars.keys().copied().collect(),
        primal_vars: sweeps.primal_vars,
    };
    let cx = &mut cx;
    simplify::simplify(&mut sweeps.reverse);
    if transforms.has(Transform::Factors) {
        factors::gather_factors(&mut sweeps.reverse, cx.primal_vars);
        inverses::share_inverses(&mut sweeps.func, &mut sweeps.reverse, &cx.adjoints);
    }
    if transforms.has(Transform::Strips) {
        strips::use_strips(sweeps, cx);
    }
    if transforms.has(Transform::Forward) {
        order::run_forwards(sweeps, cx);
    }
    if transforms.has(Transform::Fuse) {
        fuse::fuse_loops(sweeps, cx);
    }
    if transforms.has(Transform::Assign) {
        assign::assign_gradients(sweeps, cx);
    }
    if transforms.has(Transform::Interchange) {
        let joint = sweeps.joint.iter_mut().map(|joint| &mut joint.stmts);
        for stmts in joint.chain([&mut sweeps.reverse]) {
            interchange::interchange_loops(&sweeps.func, cx, stmts);
        }
    }
    let Sweeps {
        func,
        forward,
        reverse,
        joint,
        ..
    } = sweeps;
    let joint = joint.as_mut().map(|joint| &mut joint.stmts);
    let mut lists = vec![forward, &mut *reverse];
    lists.extend(joint);
    if transforms.has(Transform::Jam) {
        for stmts in &mut lists {
            jam::jam_loops(func, cx, stmts, &HashSet::new());
        }
    }
    if transforms.has(Transform::Defer) {
        for stmts in lists.iter_mut().skip(1) {
            defer::defer_products(func, cx, stmts);
        }
    }
    if transforms.has(Transform::Reslice) {
        for stmts in lists {
            windows::slice_loops(func, cx, stmts, &HashSet::new());
        }
    }
    if transforms.has(Transform::MulAdd) {
        mul_add::fuse(reverse, cx.primal_vars);
        // What changes no adjoint is of the forward sweep.
        let joint = sweeps.joint.iter_mut().flat_map(|joint| &mut joint.stmts);
        for stmt in joint.filter(|s| !effects_of([&**s]).writes.is_disjoint(&cx.adjoints)) {
            mul_add::fuse(std::slice::from_mut(stmt), cx.primal_vars);
        }
    }
    if transforms.has(Transform::Tiles) {
        let joint = sweeps.joint.iter_mut().map(|joint| &mut joint.stmts);
        for list in joint {
            time_tiling::tile_loops(&sweeps.func, cx, &mut [list]);
        }
        let lists = &mut [&mut sweeps.forward, &mut sweeps.reverse];
        time_tiling::tile_loops(&sweeps.func, cx, lists);
    }
}
