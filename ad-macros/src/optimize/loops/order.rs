//! Reverse loops that may run forwards.
//!
//! Where nothing goes from iteration to iteration of a reverse loop but sums in adjoints
//! ([`carried`](crate::analysis::dependence::carried)), the order of the iterations only reorders these sums, and the
//! forward order is the one that the memory system and the vectoriser like.

use crate::analysis::dependence::carried::{Carried, Records, carried};
use crate::analysis::dependence::disjoint::Across;
use crate::ir::Transform;
use crate::ir::edit::blocks_mut;
use crate::ir::hash::HashMap;
use crate::ir::name;
use crate::ir::{Domain, Func, Loop, Order, Stmt, StmtKind, Sweeps, VarId};
use crate::optimize::Cx;
use crate::optimize::pass::Rewrite;

/// Finds where [`Order::Forward`] is legal.
pub(in crate::optimize) fn plan(sweeps: &Sweeps, cx: &mut Cx<'_>) -> Rewrite {
    let mut pass = Pass {
        func: &sweeps.func,
        cx,
        forwards: Vec::new(),
    };
    pass.stmts(&sweeps.reverse);
    let forwards = pass.forwards;
    Box::new(move |sweeps| run_forwards(&mut sweeps.reverse, &mut forwards.into_iter()))
}

/// `forwards`: for each loop of the reverse sweep, those inside first, whether it runs forwards.
fn run_forwards(stmts: &mut [Stmt], forwards: &mut impl Iterator<Item = bool>) {
    for stmt in stmts {
        for block in blocks_mut(stmt) {
            run_forwards(&mut block.stmts, forwards);
        }
        if let StmtKind::Loop(this) = &mut stmt.kind
            && this.is_reverse()
            && forwards.next() == Some(true)
        {
            this.order = Order::Forward;
            count_up(this);
        }
    }
}

/// Where any order is legal, a range that the function runs down goes up like all others. Records stay where they are.
fn count_up(this: &mut Loop) {
    if let Domain::Range { range, .. } = &mut this.domain
        && this.strip.is_none()
        && range.step.is_none()
    {
        (range.rev, range.rev_first) = (false, false);
    }
}

struct Pass<'a, 'b> {
    func: &'a Func,
    cx: &'a mut Cx<'b>,
    /// For each loop, those inside first, whether it may run forwards.
    forwards: Vec<bool>,
}

impl Pass<'_, '_> {
    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            for block in stmt.kind.blocks() {
                self.stmts(&block.stmts);
            }
            let Some(this) = stmt.as_loop().filter(|this| this.is_reverse()) else {
                continue;
            };
            if this.order == Order::Chained {
                self.forwards.push(false);
                continue;
            }
            let carried = match &this.domain {
                Domain::Range { var, range } | Domain::Prefix { var, range, .. } => {
                    let across = Across {
                        counter: *var,
                        range,
                    };
                    let vars = this.strip.as_ref().map_or(&[][..], |strip| &strip.vars);
                    carried(
                        self.func,
                        &this.body,
                        &this.body.stmts,
                        (across, Records::OfTheLoop),
                        vars,
                    )
                }
                Domain::Strip { .. } | Domain::Times(_) | Domain::While(_) | Domain::Forever => {
                    let why = "the loop is no `for` over a range that can be counted backwards";
                    self.cx.remarks.refused(stmt.span, Transform::Forward, why);
                    self.forwards.push(false);
                    continue;
                }
            };
            self.forwards.push(carried.is_none());
            match carried {
                None => {
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
    pub(crate) fn because(self, func: &Func, bars: &HashMap<VarId, VarId>) -> String {
        let primal = |var: &VarId| bars.get(var).map(|var| name(func, *var));
        match self {
            Carried::Ordered(what) => what.to_owned(),
            Carried::Overwritten(var) => match primal(&var) {
                Some(name) => format!(
                    "each iteration overwrites what `{name}` holds after the one before: the adjoint goes from \
                     iteration to iteration"
                ),
                None => format!("each iteration restores `{}`", name(func, var)),
            },
            Carried::Read(var) => {
                let name = primal(&var).unwrap_or_else(|| name(func, var));
                format!(
                    "an adjoint is read that another iteration adds to, that of `{name}`: iterations use it at more \
                     than one index"
                )
            }
        }
    }
}
