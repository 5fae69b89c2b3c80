//! Reverse loops that may run forwards.
//!
//! A reverse loop carries nothing from iteration to iteration if its body, besides variables of its own,
//! touches no tape, restores no primal state, and uses each adjoint in one of two ways: it only adds into it
//! and never reads it; or its iterations meet different elements (`analysis::apart`): `bar[i + c]` with one `c`, `bar[2 * i]` and
//! `bar[2 * i + 1]`, but not `bar[i]` and `bar[i + 1]`. Then the order of the iterations only reorders sums in adjoints, and the
//! forward order is the one that the memory system and the vectoriser like.

use std::collections::{HashMap, HashSet};

use crate::analysis::affine::{Definitions, Poly};
use crate::analysis::apart::Across;
use crate::ir::Transform;
use crate::ir::edit::blocks_mut;
use crate::ir::name;
use crate::ir::{
    Block, Direction, Domain, Expr, Func, Loop, Order, Place, Proj, Stmt, StmtKind, VarId,
    expr_reads, place_index_reads,
};
use crate::optimize::Cx;

use crate::ir::Sweeps;

/// Sets [`Order::Forward`] wherever it is legal.
pub(in crate::optimize) fn run_forwards(sweeps: &mut Sweeps, cx: &mut Cx<'_>) {
    let mut pass = Pass {
        func: &sweeps.func,
        cx,
    };
    pass.stmts(&mut sweeps.reverse);
}

struct Pass<'a, 'b> {
    func: &'a Func,
    cx: &'a mut Cx<'b>,
}

impl Pass<'_, '_> {
    fn stmts(&mut self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            for block in blocks_mut(stmt) {
                self.stmts(&mut block.stmts);
            }
            let StmtKind::Loop(this) = &mut stmt.kind else {
                continue;
            };
            if !this.is_reverse() {
                continue;
            }
            let carried = match &this.domain {
                Domain::Range { var, range } | Domain::Prefix { var, range, .. } => {
                    let across = Across {
                        counter: *var,
                        range,
                    };
                    let vars = this.strip.as_ref().map_or(&[][..], |strip| &strip.vars);
                    carried(self.func, &this.body, &this.body.stmts, across, vars)
                }
                Domain::Times(_) | Domain::While(_) | Domain::Forever => {
                    let why = "the loop is no `for` over a range that can be counted backwards";
                    self.cx.remarks.refused(stmt.span, Transform::Forward, why);
                    continue;
                }
            };
            match carried {
                None => {
                    this.order = Order::Forward;
                    let how = "its reverse runs in the order of the loop";
                    self.cx.remarks.applied(stmt.span, Transform::Forward, how);
                }
                Some(carried) => {
                    let why = carried.because(self.func, &self.cx.bars);
                    self.cx.remarks.refused(stmt.span, Transform::Forward, why);
                }
            }
        }
    }
}

impl Carried {
    /// What is in the way. `bars`: whose adjoint a variable is.
    pub(in crate::optimize) fn because(self, func: &Func, bars: &HashMap<VarId, VarId>) -> String {
        let primal = |var: &VarId| bars.get(var).map(|var| name(func, *var));
        match self {
            Carried::Ordered(what) => what.to_owned(),
            Carried::Overwritten(var) => match primal(&var) {
                Some(name) => format!(
                    "each iteration overwrites what `{name}` holds after the one before: the adjoint goes from iteration to iteration"
                ),
                None => format!("each iteration restores `{}`", name(func, var)),
            },
            Carried::Read(var) => {
                let name = primal(&var).unwrap_or_else(|| name(func, var));
                format!(
                    "an adjoint is read that another iteration adds to, that of `{name}`: iterations use it at more than one index"
                )
            }
        }
    }
}

/// What goes from one iteration of a reverse loop to another.
pub(in crate::optimize) enum Carried {
    /// Something whose order matters by itself.
    Ordered(&'static str),
    /// A variable that iterations overwrite.
    Overwritten(VarId),
    /// An adjoint that iterations add to and read.
    Read(VarId),
}

/// `None` if nothing is carried by the statements `reverse` of a loop's body. `declared`: variables that an iteration has for itself, beside
/// the counter and those that the statements declare.
pub(in crate::optimize) fn carried(
    func: &Func,
    body: &Block,
    reverse: &[Stmt],
    across: Across<'_>,
    declared: &[VarId],
) -> Option<Carried> {
    let mut traffic = Traffic {
        definitions: Definitions::of(func, body),
        reads: HashSet::new(),
        added: HashSet::new(),
        declared: declared.iter().copied().collect(),
        overwritten: HashSet::new(),
        elements: HashMap::new(),
        ordered: None,
    };
    traffic.stmts(reverse);
    let shared = |v: &&VarId| !traffic.declared.contains(v);
    let one_element = |v: &VarId| match traffic.elements.get(v) {
        Some(Some(indices)) => traffic.apart(indices, across),
        _ => false,
    };
    if let Some(what) = traffic.ordered {
        return Some(Carried::Ordered(what));
    }
    let overwritten = traffic.overwritten.iter().filter(shared);
    if let Some(var) = overwritten.filter(|v| !one_element(v)).min() {
        return Some(Carried::Overwritten(*var));
    }
    let read = traffic.added.iter().filter(shared);
    let read = read.filter(|v| traffic.reads.contains(v) && !one_element(v));
    read.min().map(|var| Carried::Read(*var))
}

struct Traffic<'a> {
    definitions: Definitions<'a>,
    reads: HashSet<VarId>,
    added: HashSet<VarId>,
    declared: HashSet<VarId>,
    overwritten: HashSet<VarId>,
    /// The indices with which a root is touched, `None` if there is another projection or an index without a form.
    elements: HashMap<VarId, Option<Vec<Poly>>>,
    /// Something whose order matters by itself.
    ordered: Option<&'static str>,
}

impl Traffic<'_> {
    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
            for inner in stmt.kind.blocks() {
                self.stmts(&inner.stmts);
            }
        }
    }

    fn touch(&mut self, place: &Place) {
        let index = match place.proj.as_slice() {
            [Proj::Index(e), ..] | [Proj::Deref, Proj::Index(e), ..] => self.definitions.poly(e),
            _ => None,
        };
        let known = self
            .elements
            .entry(place.root)
            .or_insert_with(|| Some(Vec::new()));
        match (known.as_mut(), index) {
            (Some(indices), Some(index)) => {
                if !indices.contains(&index) {
                    indices.push(index);
                }
            }
            (None, _) | (_, None) => *known = None,
        }
    }

    fn read(&mut self, e: &Expr) {
        let mut places = Vec::new();
        expr_reads(e, &mut |p| places.push(p.clone()));
        for place in places {
            self.reads.insert(place.root);
            self.touch(&place);
        }
    }

    fn indices(&mut self, place: &Place) {
        let mut places = Vec::new();
        place_index_reads(place, &mut |p| places.push(p.clone()));
        for place in places {
            self.reads.insert(place.root);
            self.touch(&place);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { var, init } => {
                self.declared.insert(*var);
                init.iter().for_each(|e| self.read(e));
            }
            StmtKind::Update { place, value, .. } => {
                self.read(value);
                self.indices(place);
                self.touch(place);
                self.added.insert(place.root);
            }
            StmtKind::Accumulate { dst, src } => {
                self.indices(dst);
                self.indices(src);
                self.touch(dst);
                self.touch(src);
                self.reads.insert(src.root);
                self.added.insert(dst.root);
            }
            StmtKind::Assign { place, value, .. } => {
                self.read(value);
                self.indices(place);
                self.touch(place);
                self.overwritten.insert(place.root);
            }
            StmtKind::SetZero(place) => {
                self.indices(place);
                self.touch(place);
                self.overwritten.insert(place.root);
            }
            StmtKind::Switch { selector, .. } => self.read(selector),
            StmtKind::MatchRecord { rec, arms } => {
                self.reads.insert(*rec);
                self.declared.extend(arms.iter().flat_map(|(vars, _)| vars));
            }
            StmtKind::Loop(Loop {
                sweep: Direction::Reverse,
                strip: None,
                ..
            })
            | StmtKind::Scope(_) => {
                crate::ir::shallow_accesses(stmt, &mut |var, access| match access {
                    crate::ir::Access::Declare => {
                        self.declared.insert(var);
                    }
                    crate::ir::Access::Read
                    | crate::ir::Access::WriteAll
                    | crate::ir::Access::WritePart => {
                        self.reads.insert(var);
                    }
                });
            }
            other => self.ordered = self.ordered.or(Some(ordered(other))),
        }
    }

    /// Whether different iterations touch different elements, the indices being these.
    fn apart(&self, indices: &[Poly], across: Across<'_>) -> bool {
        let fixed = |v: VarId| v != across.counter && !self.declared.contains(&v);
        indices.iter().enumerate().all(|(k, a)| {
            indices[k..]
                .iter()
                .all(|b| self.definitions.apart(a, b, across, &fixed))
        })
    }
}

/// Why the order of iterations with such a statement matters.
fn ordered(kind: &StmtKind) -> &'static str {
    match kind {
        StmtKind::PopRecord { .. } => "each iteration takes its record off the tape (see `strips`)",
        StmtKind::Loop(this) if this.is_reverse() => "an inner loop takes its records off the tape",
        StmtKind::PopSlice { .. } | StmtKind::PopRange { .. } => {
            "each iteration takes a saved slice off the tape"
        }
        StmtKind::CallReverse { .. } => {
            "the body calls a function, which takes its record off the tape"
        }
        StmtKind::Swap(..) => "each iteration swaps values back",
        StmtKind::Parallel(_) => "an inner loop is parallel",
        _ => "each iteration undoes what the one before needs undone",
    }
}
