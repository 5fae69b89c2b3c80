//! Strips: a loop whose trip count is known on entry reserves the tape for its records instead of pushing each.
//!
//! Legal for `for i in lo..hi` over `usize`, backwards or in steps of a number as well, that runs to its end, where one
//! record per iteration is all that the body leaves on the tape, and the reverse body takes nothing else off it: a
//! strip borrows the tape for as long as the loop runs. Both loops of a site change, or none.

use std::collections::BTreeMap;

use proc_macro2::Span;

use crate::ir::Transform;
use crate::ir::edit::blocks_mut;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    Direction, Domain, Expr, ExprKind, Func, Loop, Site, Stmt, StmtKind, Strip, Ty, free_vars,
};
use crate::optimize::Cx;
use crate::optimize::pass::Rewrite;

use crate::ir::Sweeps;

/// Finds every pair of loops that qualifies.
pub(in crate::optimize) fn plan(sweeps: &Sweeps, cx: &mut Cx<'_>) -> Rewrite {
    let mut pairs = Pairs {
        func: &sweeps.func,
        writers: BTreeMap::new(),
        readers: HashMap::default(),
    };
    pairs.stmts(&sweeps.forward);
    pairs.stmts(&sweeps.reverse);
    let mut sites = HashSet::default();
    for (site, (span, written)) in &pairs.writers {
        let read = pairs.readers.get(site).copied();
        match written.and(read.unwrap_or(Ok(()))) {
            Ok(()) if read.is_some() => {
                sites.insert(*site);
                let how = "the tape is reserved for all iterations at once";
                cx.remarks.applied(*span, Transform::Strips, how);
            }
            Ok(()) => {}
            Err(why) => cx.remarks.refused(*span, Transform::Strips, why),
        }
    }
    Box::new(move |sweeps| {
        change(&mut sweeps.forward, &sites);
        change(&mut sweeps.reverse, &sites);
    })
}

/// Whether a loop qualifies, or the first reason why not.
type Verdict = Result<(), &'static str>;

/// The loops of sites, forward and reverse.
struct Pairs<'a> {
    func: &'a Func,
    writers: BTreeMap<Site, (Span, Verdict)>,
    readers: HashMap<Site, Verdict>,
}

impl Pairs<'_> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named gets no strip"
    )]
    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Loop(this) if this.is_reverse() => {
                    if let Some((first, rest)) = this.body.stmts.split_first()
                        && let Some(site) = popped(first)
                    {
                        let verdict = self.counts(this).and(alone(rest));
                        self.readers.insert(site, verdict);
                    }
                }
                StmtKind::Loop(this) => {
                    let body = &this.body.stmts;
                    // Where iterations are counted, the count comes last.
                    let record = body.iter().rposition(|s| pushed(s).is_some());
                    if let Some((at, site)) = record.and_then(|at| Some((at, pushed(&body[at])?))) {
                        let counting = match self.counts(this) {
                            _ if this.exit.is_some() => Err(LEFT_EARLY),
                            Ok(()) if at + 1 < body.len() => Err(NO_RANGE),
                            verdict => verdict,
                        };
                        let verdict = counting.and(alone(&body[..at]));
                        self.writers.insert(site, (stmt.span, verdict));
                    }
                }
                _ => {}
            }
            for block in stmt.kind.blocks() {
                self.stmts(&block.stmts);
            }
        }
    }

    /// Whether the loop counts over `usize`, or over integers that could as well be, nobody looking at them.
    fn counts(&self, this: &Loop) -> Verdict {
        let (counter, range) = match &this.domain {
            Domain::Range { var, range } => (*var, range),
            Domain::Prefix { .. }
            | Domain::Strip { .. }
            | Domain::Times(_)
            | Domain::While(_)
            | Domain::Forever => {
                return Err(NO_RANGE);
            }
        };
        let is_usize = |ty: &Ty| *ty == Ty::USIZE;
        let known = [&self.func.var(counter).ty, &range.lo.ty, &range.hi.ty];
        let literal = |e: &Expr| matches!(e.kind, ExprKind::Lit(_)) && e.ty == Ty::Int(None);
        let unseen = || {
            literal(&range.lo)
                && literal(&range.hi)
                && !free_vars(&this.body.stmts).contains(&counter)
        };
        if range.known_step().is_none() {
            Err("the range has a step that is no number")
        } else if known.into_iter().any(is_usize) || unseen() {
            Ok(())
        } else {
            Err("the range is not known to be of `usize`")
        }
    }
}

const LEFT_EARLY: &str = "the loop can be left early (`break`, `return`)";
const NO_RANGE: &str =
    "the number of iterations is not known on entry: the loop is no `for` over a range";

/// Whether statements beside the record leave the tape alone.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named gets no strip"
)]
fn alone(rest: &[Stmt]) -> Verdict {
    match rest.iter().find(|stmt| stmt.uses_tape()) {
        None => Ok(()),
        Some(stmt) => Err(match &stmt.kind {
            StmtKind::CallForward { .. } | StmtKind::CallReverse { .. } => {
                "the body also calls a function that records"
            }
            StmtKind::PushSlice { .. } | StmtKind::PopSlice { .. } => {
                "the body also saves a slice in each iteration"
            }
            StmtKind::PushRange { .. }
            | StmtKind::PopRange { .. }
            | StmtKind::Loop(_)
            | StmtKind::Parallel(_) => "the body has a loop that records, too",
            StmtKind::Scope(_) => "the body has a region that runs again",
            _ => "a branch of the body records, too",
        }),
    }
}

fn pushed(stmt: &Stmt) -> Option<Site> {
    if let StmtKind::PushRecord { site, .. } = &stmt.kind {
        Some(*site)
    } else {
        None
    }
}

fn popped(stmt: &Stmt) -> Option<Site> {
    if let StmtKind::PopRecord { site, .. } = &stmt.kind {
        Some(*site)
    } else {
        None
    }
}

fn change(stmts: &mut [Stmt], sites: &HashSet<Site>) {
    for stmt in stmts {
        if let StmtKind::Loop(this) = &mut stmt.kind {
            let body = &mut this.body.stmts;
            let at = match this.sweep {
                Direction::Forward => body.len().checked_sub(1),
                Direction::Reverse => (!body.is_empty()).then_some(0),
            };
            if let Some(at) = at
                && let StmtKind::PushRecord { site, vars } | StmtKind::PopRecord { site, vars } =
                    &body[at].kind
                && sites.contains(site)
            {
                let (site, vars) = (*site, vars.clone());
                body.remove(at);
                this.strip = Some(Strip { site, vars });
                continue;
            }
        }
        for block in blocks_mut(stmt) {
            change(&mut block.stmts, sites);
        }
    }
}
