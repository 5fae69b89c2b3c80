//! Where recording a value costs less than what it would be computed from: a minimum cut.
//!
//! `plan` recomputes whatever it may. That is dear where the operands would not be kept otherwise: `(p - q).sin()` of
//! two numbers that every time step changes needs both of them saved, or the difference recorded. The question is one
//! for the whole nest, as the operands may serve other values as well.
//!
//! Each value is two nodes joined by an edge, whose capacity is what recording the value costs ([`cost`]). The
//! source feeds what has to be recorded to be there at all: results of calls into libm, and variables that are
//! overwritten, at the cost of all their saves. An operand feeds the values that may be recomputed from it. What an
//! adjoint reads feeds the sink. An uncut path is a value that the reverse sweep needs and nothing has kept; so the
//! cheapest cut is the cheapest choice, and of several the one nearest to the source, which recomputes most.
//!
//! An overwritten variable costs what its saves cost more than they do when all of those values are recorded: some
//! adjoints read it in any case. Its saves count as one: the cut does not know that some of them may be spared, nor
//! that the index of a save may have to be kept for it. So its answer is a proposal: `decide` follows it only if all
//! decisions together then cost less.

use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Block, Domain, Loop, Stmt, StmtKind, VarId, expr_reads, free_vars, leaf_stmts,
    region_effects_of, sweep_stmts,
};

use super::StmtKey;
use super::cost::{Cost, cost};
use super::decide::Decisions;
use super::flow::{Flow, UNBOUNDED};
use super::plan::{Inputs, has_reverse, restore_reads};

/// The question, for decisions that recompute whatever may be recomputed.
pub(crate) struct Question<'a> {
    inputs: Inputs<'a>,
    decisions: &'a Decisions,
    costs: Cost,
    /// The values that are recomputed, in the order of the text, with what each is computed from.
    operands: Vec<(VarId, HashSet<VarId>)>,
    /// What costs something, and what is computed from that.
    fed: HashSet<VarId>,
    /// What could be recorded instead of recomputed, where recomputing costs something.
    pub(crate) candidates: HashSet<VarId>,
}

impl<'a> Question<'a> {
    pub(crate) fn new(inputs: &Inputs<'a>, decisions: &'a Decisions, body: &Block) -> Self {
        let costs = cost(inputs, decisions, body);
        let operands = operands(decisions, body);
        let fed = fed(inputs, decisions, &costs, &operands);
        let saved = &decisions.saved;
        let candidates = operands.iter().map(|(var, _)| *var);
        let candidates = candidates.filter(|var| fed.contains(var) && may_record(inputs, *var));
        Question {
            inputs: Inputs { saved, ..*inputs },
            decisions,
            costs,
            candidates: candidates.collect(),
            operands,
            fed,
        }
    }

    /// The candidates that had better be recorded. `all`: the decisions that record all of them.
    pub(crate) fn answer(&self, all: &Decisions, body: &Block) -> HashSet<VarId> {
        let anyway = cost(&self.inputs, all, body);
        let mut needed = HashSet::default();
        needs(&self.inputs, body, &mut needed);
        let mut net = Net::new();
        for var in sorted(&self.fed) {
            let (node_in, node_out) = net.nodes(var);
            let recomputed = self.decisions.plan.recompute.contains_key(&var);
            let saved = self.inputs.func.var(var).mutable;
            let capacity = match (recomputed, saved) {
                (true, _) if !self.candidates.contains(&var) => UNBOUNDED,
                (true, _) => price(&self.costs.record, var),
                (false, true) => price(&self.costs.of, var).saturating_sub(price(&anyway.of, var)),
                (false, false) => price(&self.costs.of, var),
            };
            net.flow.edge(node_in, node_out, capacity);
            if !recomputed {
                net.flow.edge(SOURCE, node_in, UNBOUNDED);
            }
            if needed.contains(&var) && (recomputed || !saved) {
                net.flow.edge(node_out, SINK, UNBOUNDED);
            }
        }
        for (var, reads) in &self.operands {
            let fed = sorted(reads).into_iter();
            for read in fed.filter(|read| self.fed.contains(read)) {
                let (from, to) = (net.nodes(read).1, net.nodes(*var).0);
                net.flow.edge(from, to, UNBOUNDED);
            }
        }
        net.cut(|var| self.candidates.contains(var))
    }
}

fn price(prices: &HashMap<VarId, u64>, var: VarId) -> u64 {
    prices.get(&var).copied().unwrap_or_default()
}

/// A number whose record has a type that the text shows.
fn may_record(inputs: &Inputs<'_>, var: VarId) -> bool {
    let ty = &inputs.func.var(var).ty;
    ty.is_scalar() && ty.bytes().is_some()
}

fn operands(decisions: &Decisions, body: &Block) -> Vec<(VarId, HashSet<VarId>)> {
    let mut found = Vec::new();
    crate::ir::visit_stmts(body, &mut |stmt| {
        if let StmtKind::Let { var, .. } = &stmt.kind
            && decisions.plan.recompute.contains_key(var)
            && let Some(reads) = decisions.plan.def_reads.get(&StmtKey::of(stmt))
        {
            found.push((*var, reads.roots().collect()));
        }
    });
    found
}

fn fed(
    inputs: &Inputs<'_>,
    decisions: &Decisions,
    costs: &Cost,
    operands: &[(VarId, HashSet<VarId>)],
) -> HashSet<VarId> {
    let recomputed = &decisions.plan.recompute;
    let kept = costs.of.iter().filter(|(_, cost)| **cost > 0);
    let mut fed: HashSet<VarId> = kept.map(|(var, _)| *var).collect();
    fed.retain(|var| var.0 < inputs.primal_vars && !recomputed.contains_key(var));
    for (var, reads) in operands {
        if !reads.is_disjoint(&fed) {
            fed.insert(*var);
        }
    }
    fed
}

/// What the reverse sweep reads in any case: in adjoints, as a choice or a range, to find what it restores.
fn needs(inputs: &Inputs<'_>, block: &Block, needed: &mut HashSet<VarId>) {
    for stmt in &block.stmts {
        if let Some(fragment) = inputs.fragments.get(&StmtKey::of(stmt)) {
            needed.extend(free_vars(fragment));
        }
        if inputs.saved.contains(&StmtKey::of(stmt)) {
            let written = region_effects_of([stmt]).writes;
            let reads = restore_reads(stmt);
            let indices = reads.iter().filter(|region| !written.overlaps(*region));
            needed.extend(indices.map(|region| region.root));
        }
        let inner = stmt.kind.blocks();
        if inner.iter().any(|block| has_reverse(inputs, block)) {
            needs_around(stmt, needed);
        }
        for block in inner {
            needs(inputs, block, needed);
        }
    }
}

/// What the reverse of a statement with blocks reads itself.
fn needs_around(stmt: &Stmt, needed: &mut HashSet<VarId>) {
    let mut read = |e| {
        expr_reads(e, &mut |p| {
            needed.insert(p.root);
        })
    };
    match &stmt.kind {
        StmtKind::Switch { selector, .. } => read(selector),
        StmtKind::Loop(Loop {
            domain: Domain::Range { range, .. },
            ..
        }) => range.exprs().for_each(read),
        StmtKind::Checkpoint(body) => needed.extend(free_vars(&body.stmts)),
        // What is counted, or left by a flag, is recorded by itself.
        StmtKind::Loop(_) | StmtKind::Labelled(..) | StmtKind::Jump(_) => {}
        leaf_stmts!() | sweep_stmts!() => {}
    }
}

const SOURCE: usize = 0;
const SINK: usize = 1;

/// Two nodes for each value.
struct Net {
    flow: Flow,
    node: HashMap<VarId, usize>,
}

impl Net {
    fn new() -> Self {
        Net {
            flow: Flow::new(2),
            node: HashMap::default(),
        }
    }

    fn nodes(&mut self, var: VarId) -> (usize, usize) {
        let first = *self
            .node
            .entry(var)
            .or_insert_with(|| self.flow.add_nodes(2));
        (first, first + 1)
    }

    /// Those of the values that are cut.
    fn cut(mut self, is_candidate: impl Fn(&VarId) -> bool) -> HashSet<VarId> {
        let Some(reached) = self.flow.source_side(SOURCE, SINK) else {
            return HashSet::default();
        };
        let cut = |node: usize| reached[node] && !reached[node + 1];
        let candidates = self.node.into_iter().filter(|(var, _)| is_candidate(var));
        candidates
            .filter(|(_, node)| cut(*node))
            .map(|(var, _)| var)
            .collect()
    }
}

fn sorted(vars: &HashSet<VarId>) -> Vec<VarId> {
    let mut vars: Vec<VarId> = vars.iter().copied().collect();
    vars.sort_unstable();
    vars
}
