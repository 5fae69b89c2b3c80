//! What decisions cost: the bytes that the forward sweep of the whole nest leaves for the reverse sweep.
//!
//! Loops whose length the text does not show are taken to run [`TRIPS`] times, so an inner loop outweighs
//! everything around it. Of the arms of a branch the dearest one counts. What a loop saves in one copy before it is
//! counted as [`bulk`](super::bulk) would save it, at half its size: it is a copy of consecutive memory, and the loop
//! stays free of records. Being wrong here costs bytes, never a gradient: each set of decisions that is compared is
//! right by itself.

use super::target::tape::TRIPS;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::place_ty;
use crate::ir::{
    Block, Domain, Loop, Stmt, StmtKind, Ty, VarId, control_stmts, effects_of, leaf_stmts,
    sweep_stmts,
};

use super::StmtKey;
use super::bulk::BulkInputs;
use super::decide::Decisions;
use super::plan::{Inputs, declared_by};
use super::undone::undone;

/// Bytes, counted twice so that half of them is a number.
#[derive(Default, Debug)]
pub(crate) struct Cost {
    pub(crate) total: u64,
    /// For each variable, what its records and the saves of its old values cost.
    pub(crate) of: HashMap<VarId, u64>,
    /// For each variable that is declared, what one record of it costs.
    pub(crate) record: HashMap<VarId, u64>,
}

/// What the decisions cost.
pub(crate) fn cost(inputs: &Inputs<'_>, decisions: &Decisions, body: &Block) -> Cost {
    let mut bill = Bill {
        inputs,
        decisions,
        hoisted: HashSet::default(),
        cost: Cost::default(),
    };
    let total = bill.block(body, 2, true);
    bill.cost.total = total;
    bill.cost
}

struct Bill<'a> {
    inputs: &'a Inputs<'a>,
    decisions: &'a Decisions,
    /// Overwrites whose save stands in front of a loop.
    hoisted: HashSet<StmtKey>,
    cost: Cost,
}

impl Bill<'_> {
    /// A block that runs `times` times; the block of the function hands its variables over without a copy.
    fn block(&mut self, block: &Block, times: u64, outermost: bool) -> u64 {
        let mut sum: u64 = 0;
        for stmt in &block.stmts {
            for var in declared_by(stmt) {
                let ty = &self.inputs.func.var(var).ty;
                let moved = outermost && ty.bytes().is_none();
                let bytes = if moved { 0 } else { size(ty) };
                let price = times.saturating_mul(bytes);
                self.cost.record.insert(var, price);
                let plan = &self.decisions.plan;
                if plan.needed.contains(&var) && !plan.recompute.contains_key(&var) {
                    sum = sum.saturating_add(self.charge(var, price));
                }
            }
            sum = sum.saturating_add(self.stmt(stmt, times));
        }
        sum
    }

    fn stmt(&mut self, stmt: &Stmt, times: u64) -> u64 {
        match &stmt.kind {
            StmtKind::Loop(Loop {
                domain: kind, body, ..
            }) => {
                let trips = trips(kind);
                let hoisted = self.hoist(kind, body, times, trips);
                let inside = self.block(body, times.saturating_mul(trips), false);
                hoisted.saturating_add(inside)
            }
            StmtKind::Switch { arms, .. } => {
                let arms = arms.iter().map(|arm| self.block(arm, times, false));
                arms.max().unwrap_or_default()
            }
            StmtKind::Checkpoint(body) => self.block(body, times, false),
            leaf_stmts!() | StmtKind::Jump(_) | StmtKind::Labelled(..) | sweep_stmts!() => {
                self.save(stmt, times)
            }
        }
    }

    /// What the saves cost that move in front of the loop.
    fn hoist(&mut self, kind: &Domain, body: &Block, times: u64, trips: u64) -> u64 {
        let bulk = BulkInputs {
            func: self.inputs.func,
            fragments: self.inputs.fragments,
            plan: &self.decisions.plan,
            saved: &self.decisions.saved,
        };
        let mut sum: u64 = 0;
        for scalar in bulk.scalar_saves(body, &self.hoisted) {
            self.hoisted.extend(scalar.keys);
            let price = times.saturating_mul(size(&place_ty(self.inputs.func, &scalar.place)));
            sum = sum.saturating_add(self.charge(scalar.place.root, price));
        }
        if let Domain::Range { var, .. } = kind {
            for bulk in bulk.bulk_saves(*var, body, &self.hoisted) {
                self.hoisted.insert(bulk.key);
                let bytes = size(&place_ty(self.inputs.func, &bulk.slice).element());
                let price = (times / 2).saturating_mul(trips).saturating_mul(bytes);
                sum = sum.saturating_add(self.charge(bulk.slice.root, price));
            }
        }
        sum
    }

    /// What it costs that the statement keeps what it overwrites.
    fn save(&mut self, stmt: &Stmt, times: u64) -> u64 {
        let key = StmtKey::of(stmt);
        if !self.decisions.saved.contains(&key) || self.hoisted.contains(&key) {
            return 0;
        }
        let bytes = match &stmt.kind {
            // What they take away is moved, or there again without a record.
            StmtKind::Swap(..) | StmtKind::Push { .. } | StmtKind::Pop { .. } => 0,
            StmtKind::Assign { .. } if undone(self.inputs.func, stmt).is_some() => 0,
            StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } => {
                size(&place_ty(self.inputs.func, place))
            }
            StmtKind::Let { .. }
            | StmtKind::Call { .. }
            | StmtKind::Truncate { .. }
            | StmtKind::Fill { .. }
            | StmtKind::CopyFrom { .. }
            | StmtKind::Opaque(_)
            | control_stmts!()
            | sweep_stmts!() => 8 * TRIPS,
        };
        let price = times.saturating_mul(bytes);
        let mut sum: u64 = 0;
        for root in effects_of([stmt]).writes {
            sum = sum.saturating_add(self.charge(root, price));
        }
        sum
    }

    fn charge(&mut self, var: VarId, price: u64) -> u64 {
        let sum = self.cost.of.entry(var).or_default();
        *sum = sum.saturating_add(price);
        price
    }
}

/// The size of a value, as far as the text says.
fn size(ty: &Ty) -> u64 {
    if let Ty::Ref(_, t) = ty {
        return size(t);
    }
    let is_array = matches!(ty, Ty::Vec(_) | Ty::Slice(_) | Ty::Array(..));
    match ty.bytes() {
        Some(bytes) => bytes as u64,
        None if is_array => TRIPS * size(&ty.element()),
        None => 8,
    }
}

fn trips(kind: &Domain) -> u64 {
    let Domain::Range { range, .. } = kind else {
        return TRIPS;
    };
    range.literal_trips().unwrap_or(TRIPS)
}
