//! Strips: a loop whose trip count is known on entry reserves the tape for its records instead of pushing each.
//!
//! Legal for `for i in lo..hi` over `usize` that runs to its end, where one record per iteration is all that the body
//! leaves on the tape, and the reverse body takes nothing else off it: a strip borrows the tape for as long as the loop runs.
//! Both loops of a site change, or none.

use std::collections::HashSet;

use crate::ir::edit::blocks_mut;
use crate::ir::{
    Block, Expr, ExprKind, Func, LoopKind, Order, RangeIter, RevKind, Site, Stmt, StmtKind, Ty,
    VarId, free_vars,
};

/// Changes every pair of loops that qualifies.
pub(super) fn use_strips(func: &Func, forward: &mut [Stmt], reverse: &mut [Stmt]) {
    let mut pairs = Pairs {
        func,
        writers: HashSet::new(),
        readers: HashSet::new(),
    };
    pairs.stmts(forward);
    pairs.stmts(reverse);
    let sites: HashSet<Site> = &pairs.writers & &pairs.readers;
    change(forward, &sites);
    change(reverse, &sites);
}

/// The sites of loops that qualify, forward and reverse.
struct Pairs<'a> {
    func: &'a Func,
    writers: HashSet<Site>,
    readers: HashSet<Site>,
}

impl Pairs<'_> {
    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Loop {
                    kind: LoopKind::For { var, range },
                    body,
                    exit: None,
                    ..
                } if self.is_plain(*var, range, body) => {
                    if let Some((Some(site), rest)) = body
                        .stmts
                        .split_last()
                        .map(|(last, rest)| (pushed(last), rest))
                        && !rest.iter().any(Stmt::uses_tape)
                    {
                        self.writers.insert(site);
                    }
                }
                StmtKind::RevLoop {
                    kind:
                        RevKind::For {
                            var,
                            range,
                            trips: None,
                        },
                    body,
                    ..
                } if self.is_plain(*var, range, body) => {
                    if let Some((Some(site), rest)) = body
                        .stmts
                        .split_first()
                        .map(|(first, rest)| (popped(first), rest))
                        && !rest.iter().any(Stmt::uses_tape)
                    {
                        self.readers.insert(site);
                    }
                }
                _ => {}
            }
            for block in stmt.kind.blocks() {
                self.stmts(&block.stmts);
            }
        }
    }

    /// Whether the loop counts up by one over `usize`, or over integers that could as well be, nobody looking at them.
    fn is_plain(&self, counter: VarId, range: &RangeIter, body: &Block) -> bool {
        let is_usize = |ty: &Ty| *ty == Ty::Int(Some("usize"));
        let known = [&self.func.var(counter).ty, &range.lo.ty, &range.hi.ty];
        let literal = |e: &Expr| matches!(e.kind, ExprKind::Lit(_)) && e.ty == Ty::Int(None);
        let unseen = || {
            literal(&range.lo) && literal(&range.hi) && !free_vars(&body.stmts).contains(&counter)
        };
        (known.into_iter().any(is_usize) || unseen())
            && range.step.is_none()
            && !range.rev
            && !range.rev_first
    }
}

fn pushed(stmt: &Stmt) -> Option<Site> {
    match &stmt.kind {
        StmtKind::PushRecord { site, .. } => Some(*site),
        _ => None,
    }
}

fn popped(stmt: &Stmt) -> Option<Site> {
    match &stmt.kind {
        StmtKind::PopRecord { site, .. } => Some(*site),
        _ => None,
    }
}

fn change(stmts: &mut [Stmt], sites: &HashSet<Site>) {
    for stmt in stmts {
        match &mut stmt.kind {
            StmtKind::Loop {
                kind: LoopKind::For { var, range },
                body,
                ..
            } => {
                if let Some(StmtKind::PushRecord { site, vars }) =
                    body.stmts.last().map(|last| last.kind.clone())
                    && sites.contains(&site)
                {
                    let (counter, range) = (*var, range.clone());
                    body.stmts.pop();
                    stmt.kind = StmtKind::StripLoop {
                        counter,
                        range,
                        site,
                        vars,
                        body: std::mem::take(body),
                    };
                    continue;
                }
            }
            StmtKind::RevLoop {
                kind: RevKind::For { var, range, .. },
                body,
                ..
            } => {
                if let Some(StmtKind::PopRecord { site, vars }) =
                    body.stmts.first().map(|first| first.kind.clone())
                    && sites.contains(&site)
                {
                    let (counter, range) = (*var, range.clone());
                    body.stmts.remove(0);
                    stmt.kind = StmtKind::RevStripLoop {
                        counter,
                        range,
                        site,
                        vars,
                        body: std::mem::take(body),
                        order: Order::Backward,
                    };
                    continue;
                }
            }
            _ => {}
        }
        for block in blocks_mut(stmt) {
            change(&mut block.stmts, sites);
        }
    }
}
