//! What the finished sweeps keep for the reverse sweep, by loop.

use crate::analysis::StmtKey;
use crate::analysis::plan::Recorded;
use crate::ir::Sweeps;
use crate::ir::{Direction, Stmt, StmtKind, Transform, VarId, VarKind, effects_of, name};
use crate::reverse::Facts;

use super::names::Names;
use super::{Explain, Kept};

impl Explain {
    /// Adds what is recorded, restored and recomputed. The sweeps are finished.
    pub(super) fn fill(&mut self, sweeps: &Sweeps, facts: &Facts) {
        let names = Names::new(&sweeps.func, [&sweeps.forward, &sweeps.reverse]);
        self.decisions(sweeps, facts, &facts.body.stmts, None);
        self.sweep(&names, &sweeps.forward, (None, false));
        self.sweep(&names, &sweeps.reverse, (None, false));
        let kept = &mut self.outside;
        kept.record(&names, &sweeps.yields);
    }

    /// `at`: the loop that holds the statements.
    fn decisions(&mut self, sweeps: &Sweeps, facts: &Facts, stmts: &[Stmt], at: Option<&Stmt>) {
        for stmt in stmts {
            if let Some(at) = at {
                if let StmtKind::Let { var, .. } = &stmt.kind
                    && facts.recomputed.contains(var)
                    && sweeps.func.var(*var).kind == VarKind::Local
                {
                    let name = format!("`{}`", name(&sweeps.func, *var));
                    add(&mut self.report(at.span).recomputed, name);
                }
                self.recorded(sweeps, facts, stmt, at);
                if facts.restored.contains(&StmtKey::of(stmt)) {
                    let mut roots: Vec<VarId> = effects_of([stmt]).writes.into_iter().collect();
                    roots.sort_unstable();
                    for root in roots {
                        let name = format!("`{}`", name(&sweeps.func, root));
                        add(&mut self.report(at.span).restored, name);
                    }
                }
            }
            let inner = stmt.as_loop().is_some().then_some(stmt);
            for block in stmt.kind.blocks() {
                self.decisions(sweeps, facts, &block.stmts, inner.or(at));
            }
        }
    }

    /// Why a variable of the user's is recorded that might have been computed again.
    fn recorded(&mut self, sweeps: &Sweeps, facts: &Facts, stmt: &Stmt, at: &Stmt) {
        let StmtKind::Let { var, .. } = &stmt.kind else {
            return;
        };
        if sweeps.func.var(*var).kind != VarKind::Local {
            return;
        }
        let why = match facts.recorded.get(var) {
            Some(Recorded::Overwritten(lost)) => {
                let lost = name(&sweeps.func, *lost);
                format!(
                    "is computed from `{lost}`, which is overwritten before the reverse sweep could do it again"
                )
            }
            Some(Recorded::Alone) => {
                "would need what it is computed from to be restored".to_owned()
            }
            Some(Recorded::Smaller) => {
                let how = format!(
                    "`{}` is recorded: what it is computed from would take more memory",
                    name(&sweeps.func, *var)
                );
                self.applied(at.span, Transform::Cut, how);
                return;
            }
            Some(Recorded::Costly) | None => return, // as it should be
        };
        let value = name(&sweeps.func, *var);
        self.refused(at.span, Transform::Recompute, format!("`{value}` {why}"));
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the report names these, and what `bulk` says itself"
    )]
    fn sweep(&mut self, names: &Names<'_>, stmts: &[Stmt], (at, in_branch): (Option<&Stmt>, bool)) {
        for stmt in stmts {
            let mut inner = (at, in_branch);
            match &stmt.kind {
                StmtKind::Loop(this) => {
                    inner = (Some(stmt), false);
                    if this.is_reverse() {
                        let report = self.report(stmt.span);
                        report.reversed = true;
                        report.counted |= this.domain.trips().is_some();
                    } else if let Some(strip) = &this.strip {
                        self.kept(inner.0).record(names, &strip.vars);
                    }
                }
                StmtKind::RecordAt(record) if record.direction == Direction::Forward => {
                    self.kept(at).record(names, &record.vars);
                }
                StmtKind::Switch { .. } => inner.1 = true,
                StmtKind::PushRecord { vars, .. } if in_branch => {
                    for var in vars {
                        let saved = format!("{} in a branch", names.value(*var));
                        add(&mut self.kept(at).beside, saved);
                    }
                }
                StmtKind::PushRecord { vars, .. } => self.kept(at).record(names, vars),
                StmtKind::PushSlice { place, .. } => {
                    let saved = format!("all of `{}`", names.place(place));
                    add(&mut self.kept(at).beside, saved);
                }
                StmtKind::CallForward { callee, .. } => {
                    let saved = format!("what `{}` records", callee.text());
                    add(&mut self.kept(at).beside, saved);
                }
                _ => {}
            }
            for block in stmt.kind.blocks() {
                self.sweep(names, &block.stmts, inner);
            }
        }
    }

    fn kept(&mut self, at: Option<&Stmt>) -> &mut Kept {
        match at {
            Some(stmt) => &mut self.report(stmt.span).kept,
            None => &mut self.outside,
        }
    }
}

impl Kept {
    fn record(&mut self, names: &Names<'_>, vars: &[VarId]) {
        if vars.is_empty() || !self.record.is_empty() {
            return; // a copy of a loop records what the loop does
        }
        self.record = vars.iter().map(|var| names.value(*var)).collect();
        self.bytes = names.record_bytes(vars);
    }
}

fn add(list: &mut Vec<String>, one: String) {
    if !list.contains(&one) {
        list.push(one);
    }
}
