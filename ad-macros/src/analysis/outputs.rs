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
//! needed for reverse sweeps alone    it does if one of them reads its argument: rustc finds out
//! ```
//!
//! Being wrong would let a reverse sweep read what a later iteration, or a later call, left there. So what has a length
//! of its own, fields, or a type that is not seen, is always put back, and so is what a callee gets of which the text
//! does not show the companion (methods, functions that are arguments).

use std::collections::{HashMap, HashSet};

use crate::ir::faults::Fault;
use crate::ir::{
    Arg, ArgMode, Block, CalleeKind, Func, Passing, RegionSet, Returning, Stmt, StmtKind, Touch,
    Transform, Ty, VarId, expr_reads, place_index_reads, shallow_touches, visit_stmts,
};

use super::StmtKey;
use super::again::is_numbers;
use super::plan::{Inputs, Plan};
use super::tbr::returned;

/// As many arguments as a companion says something of.
const ARGUMENTS: usize = 64;

/// Whether there is nothing to a parameter but numbers, as many as before the call.
pub(crate) fn is_plain(func: &Func, var: VarId) -> bool {
    let ty = func.var(var).ty.peel();
    is_numbers(ty) || matches!(ty, Ty::Slice(of) if is_numbers(of))
}

/// Whether a function has outputs that a reverse sweep could leave.
pub(crate) fn has_outputs(func: &Func) -> bool {
    let mut params = func.params.iter();
    params.any(|p| p.passing == Passing::InOut && is_plain(func, p.var))
}

/// The arguments that a reverse sweep reads, as bits: those that may not be changed between both sweeps.
pub(crate) fn reads(func: &Func, reverse: &[Stmt]) -> u64 {
    let mut read = HashSet::new();
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

/// The calls whose outputs something other than the reverse sweeps of calls reads. Empty if no companion says anything.
pub(super) fn needed(
    inputs: &Inputs<'_>,
    plan: &Plan,
    saved: &HashSet<StmtKey>,
    body: &Block,
) -> HashSet<StmtKey> {
    let mut any = false;
    visit_stmts(body, &mut |stmt| any |= says_what_it_reads(inputs, stmt));
    if any {
        returned(inputs, plan, (saved, true), body)
    } else {
        HashSet::new()
    }
}

/// What each call that may leave its outputs does.
pub(super) fn returning(
    inputs: &Inputs<'_>,
    plan: &Plan,
    (saved, needed): (&HashSet<StmtKey>, &HashSet<StmtKey>),
    body: &Block,
) -> HashMap<StmtKey, Returning> {
    let mut calls = Vec::new();
    visit_stmts(body, &mut |stmt| {
        if says_what_it_reads(inputs, stmt) {
            calls.push(stmt);
        }
    });
    if calls.is_empty() {
        return HashMap::new();
    }
    let by_sweeps = returned(inputs, plan, (saved, false), body);
    let mut found = HashMap::new();
    for stmt in &calls {
        let key = StmtKey::of(stmt);
        let returning = if needed.contains(&key) && !Fault::OutputLeft.is_on() {
            Returning::Always
        } else if by_sweeps.contains(&key) {
            Returning::If(calls.iter().flat_map(|other| shared(stmt, other)).collect())
        } else {
            Returning::Never
        };
        found.insert(key, returning);
    }
    found
}

/// The arguments of a call that are written where another one, or the same, writes, with its function.
fn shared(stmt: &Stmt, other: &Stmt) -> Vec<(syn::ExprPath, usize)> {
    let (
        StmtKind::Call { args, .. },
        StmtKind::Call {
            callee,
            args: others,
            ..
        },
    ) = (&stmt.kind, &other.kind)
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (at, arg) in others.iter().enumerate() {
        let ArgMode::InOut(theirs) = &arg.mode else {
            continue;
        };
        let meets = args.iter().any(|arg| match &arg.mode {
            ArgMode::InOut(own) => own.region().overlaps(theirs.region()),
            ArgMode::Value(_) | ArgMode::Shared(_) => false,
        });
        if meets {
            found.push((callee.path.clone(), at));
        }
    }
    found
}
