//! Outputs that a call leaves: what a function wrote through `&mut`, its reverse sweep puts back only for who reads it.
//!
//! Two questions, asked in two expansions. Of a function: which arguments does its reverse sweep read? Its companion
//! says so to all callers ([`reads`]). Of a call: does anything read what the reverse sweep of the callee would put
//! back? To-be-recorded (`tbr`) answers that twice: with the reverse sweeps of callees reading all that they wrote, and
//! with them reading nothing of it.
//!
//! ```text
//! needed either way                  the callee puts it back
//! needed neither way                 it does not
//! needed for reverse sweeps alone    it does if it could leave it, and one of them reads its argument: rustc finds out
//! ```
//!
//! A call that hands on a reference may write through it or not (`f(x)` with `x: &mut [f64]`, for a function of
//! `&[f64]`): the companion also says which arguments a reverse sweep can leave ([`outputs`]).
//!
//! Being wrong would let a reverse sweep read what a later iteration, or a later call, left there. So what has a length
//! of its own, fields, or a type that is not seen, is always put back, and so is what a callee gets of which the text
//! does not show the companion (methods, functions that are arguments).

use crate::ir::faults::Fault;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    ARGUMENTS, Arg, ArgMode, Argument, Block, CalleeKind, Func, Output, Passing, ReadBy, Region,
    RegionSet, Returning, Stmt, StmtKind, Touch, Transform, Ty, VarId, expr_reads,
    place_index_reads, shallow_touches, visit_stmts,
};

use super::StmtKey;
use super::again::is_numbers;
use super::plan::{Inputs, Plan};
use super::tbr::returned;

/// Outputs of calls, by the number of the argument.
pub(super) type Outputs = HashSet<(StmtKey, usize)>;

/// Whether there is nothing to a parameter but numbers, as many as before the call.
fn is_plain(func: &Func, var: VarId) -> bool {
    let ty = func.var(var).ty.peel();
    is_numbers(ty) || matches!(ty, Ty::Slice(of) if is_numbers(of))
}

/// Whether a form of the sweeps leaves what was written to a parameter. Of a field of an argument no companion says
/// anything.
pub(crate) fn is_left(func: &Func, var: VarId) -> bool {
    is_plain(func, var) && func.signature().iter().any(|param| param.var == var)
}

/// Whether a function has outputs that a reverse sweep could leave.
pub(crate) fn has_outputs(func: &Func) -> bool {
    outputs(func) != 0
}

/// The arguments that a reverse sweep could leave, as bits.
pub(crate) fn outputs(func: &Func) -> u64 {
    let mut bits = 0;
    for (at, param) in func.signature().iter().enumerate().take(ARGUMENTS) {
        let left = param.passing == Passing::InOut && is_left(func, param.var);
        if left && !(at == 0 && Fault::OutputUnsaid.is_on()) {
            bits |= 1 << at;
        }
    }
    bits
}

/// The arguments that a reverse sweep reads, as bits: those that may not be changed between both sweeps.
pub(crate) fn reads(func: &Func, reverse: &[Stmt]) -> u64 {
    let mut read = HashSet::default();
    add_reads(reverse, &mut read);
    let mut bits = 0;
    for (at, param) in func.signature().iter().enumerate().take(ARGUMENTS) {
        let reads = read.contains(&param.var) && !Fault::OutputReadUnsaid.is_on();
        if reads || !is_plain(func, param.var) {
            bits |= 1 << at;
        }
    }
    bits
}

fn add_reads(stmts: &[Stmt], read: &mut HashSet<VarId>) {
    for stmt in stmts {
        // What comes off the tape is written to the array, of which the length is known.
        let restored = if let StmtKind::PopSlice { place, .. }
        | StmtKind::PopRange { slice: place, .. } = &stmt.kind
        {
            Some(place.root)
        } else {
            None
        };
        shallow_touches(stmt, &mut |place, touch| match touch {
            Touch::Read | Touch::Add | Touch::AddInCall => _ = read.insert(place.root),
            Touch::Update if restored != Some(place.root) => _ = read.insert(place.root),
            Touch::Update | Touch::Length | Touch::Write | Touch::Declare => {}
        });
        stmt.kind
            .each_block(&mut |block| add_reads(&block.stmts, read));
    }
}

/// Whether the companion of the callee says which arguments its reverse sweep reads.
pub(super) fn says_what_it_reads(inputs: &Inputs<'_>, stmt: &Stmt) -> bool {
    let StmtKind::Call { dest, callee, args } = &stmt.kind else {
        return false;
    };
    inputs.transforms.has(Transform::Outputs)
        && callee.kind == CalleeKind::Function
        && callee.without.is_none()
        && callee.functions.is_empty()
        && !callee.fallible
        && args.len() <= ARGUMENTS
        && args.iter().any(|arg| matches!(arg.mode, ArgMode::InOut(_)))
        && are_apart(args)
        && inputs.activity.call_active(inputs.func, *dest, args)
}

/// Whether what a call writes is nothing that it reads by another argument. rustc refuses others, but for those that
/// differ in what no region shows.
fn are_apart(args: &[Arg]) -> bool {
    let (mut written, mut read) = (RegionSet::default(), RegionSet::default());
    for arg in args {
        match &arg.mode {
            ArgMode::InOut(place) => {
                written.insert(place.region());
                place_index_reads(place, &mut |p| _ = read.insert(p.region()));
            }
            ArgMode::Shared(place) => {
                read.insert(place.region());
                place_index_reads(place, &mut |p| _ = read.insert(p.region()));
            }
            ArgMode::Value(e) => expr_reads(e, &mut |p| _ = read.insert(p.region())),
        }
    }
    !written.meets(&read)
}

/// The outputs of calls that something other than the reverse sweeps of calls reads. Empty if no companion says
/// anything.
pub(super) fn needed(
    inputs: &Inputs<'_>,
    plan: &Plan,
    saved: &HashSet<StmtKey>,
    body: &Block,
) -> Outputs {
    let mut any = false;
    visit_stmts(body, &mut |stmt| any |= says_what_it_reads(inputs, stmt));
    if any {
        returned(inputs, plan, (saved, true), body)
    } else {
        Outputs::default()
    }
}

/// What each call that may leave its outputs does.
pub(super) fn returning(
    inputs: &Inputs<'_>,
    plan: &Plan,
    (saved, needed): (&HashSet<StmtKey>, &Outputs),
    body: &Block,
) -> HashMap<StmtKey, Returning> {
    let mut calls = Vec::new();
    visit_stmts(body, &mut |stmt| {
        if says_what_it_reads(inputs, stmt) {
            calls.push(stmt);
        }
    });
    if calls.is_empty() {
        return HashMap::default();
    }
    let by_sweeps = returned(inputs, plan, (saved, false), body);
    let decided = calls.iter().map(|stmt| {
        let key = StmtKey::of(stmt);
        let is_needed = |at: usize| needed.contains(&(key, at)) && !Fault::OutputLeft.is_on();
        let mut wanted = Vec::new();
        let mut all = true;
        for (of, region) in outputs_of(stmt) {
            let read_by = if is_needed(of.at) {
                ReadBy::Caller
            } else {
                all = false;
                if !by_sweeps.contains(&(key, of.at)) {
                    continue;
                }
                ReadBy::Sweeps(
                    calls
                        .iter()
                        .flat_map(|call| readers(call, region))
                        .collect(),
                )
            };
            wanted.push(Output { of, read_by });
        }
        let returning = match wanted.is_empty() {
            _ if all => Returning::Always,
            true => Returning::Never,
            false => Returning::If(wanted),
        };
        (key, returning)
    });
    decided.collect()
}

/// The outputs of a call, and what is written.
fn outputs_of(stmt: &Stmt) -> Vec<(Argument, Region)> {
    let StmtKind::Call { callee, args, .. } = &stmt.kind else {
        return Vec::new();
    };
    let output = |(at, arg): (usize, &Arg)| match &arg.mode {
        ArgMode::InOut(place) => {
            let of = callee.path.clone();
            Some((Argument { of, at }, place.region()))
        }
        ArgMode::Value(_) | ArgMode::Shared(_) => None,
    };
    args.iter().enumerate().filter_map(output).collect()
}

/// The arguments by which the reverse sweep of a call could read the region, of which the call writes something.
fn readers(stmt: &Stmt, region: Region) -> Vec<Argument> {
    let mut outputs = outputs_of(stmt);
    outputs.retain(|(_, written)| written.overlaps(region));
    outputs.into_iter().map(|(of, _)| of).collect()
}
