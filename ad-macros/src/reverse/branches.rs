//! Branches: what their arms leave for the reverse sweep, and where.

use proc_macro2::Span;

use crate::ir::{Block, Expr, Stmt, StmtKind, Ty, VarId};

use super::assemble::{Assembly, Step, Sweep};
use super::restore::new_site;

impl Assembly<'_> {
    /// Arms that use the tape anyway put there what they yield, so that the others record nothing. The reverse sweep
    /// asks the selector, as it does where no arm yields anything.
    fn record_in_arms(&mut self, arms: &mut [Sweep], span: Span) {
        let func = &self.adjoints.func;
        let in_loop = !self.around.is_empty();
        // What has a size of its own moves from sweep to sweep where no loop puts it on the tape.
        let sized = |var: &VarId| in_loop || func.var(*var).ty.bytes().is_some();
        let on_tape = |arm: &Sweep| arm.forward.iter().any(Stmt::uses_tape);
        let mut yielding = arms.iter().filter(|arm| !arm.yields.is_empty());
        if !yielding.all(|arm| on_tape(arm) && arm.yields.iter().all(sized)) {
            return;
        }
        for arm in arms.iter_mut().filter(|arm| !arm.yields.is_empty()) {
            let site = new_site(&mut self.sites);
            let vars = std::mem::take(&mut arm.yields);
            let pop = StmtKind::PopRecord {
                site,
                vars: vars.clone(),
            };
            let push = StmtKind::PushRecord { site, vars };
            arm.forward.push(Stmt::new(push, span));
            arm.reverse.insert(0, Stmt::new(pop, span));
        }
    }

    pub(super) fn switch(&mut self, selector: &Expr, arms: &[Block], span: Span) -> Step {
        let mut sweeps: Vec<Sweep> = arms.iter().map(|arm| self.block(arm)).collect();
        self.record_in_arms(&mut sweeps, span);
        let silent = sweeps.iter().all(|s| s.reverse.is_empty());
        if sweeps.iter().all(|s| s.yields.is_empty()) {
            let (mut forward, mut reverse) = (Vec::new(), Vec::new());
            for sweep in sweeps {
                forward.push(Block {
                    stmts: sweep.forward,
                });
                reverse.push(Block {
                    stmts: sweep.reverse,
                });
            }
            let switch = |arms| {
                Stmt::new(
                    StmtKind::Switch {
                        selector: selector.clone(),
                        arms,
                    },
                    span,
                )
            };
            let reverse = if silent {
                Vec::new()
            } else {
                vec![switch(reverse)]
            };
            return Step {
                forward: vec![switch(forward)],
                reverse,
            };
        }
        let rec = self.adjoints.func.temp("taken", Ty::Unknown, span);
        let (mut forward, mut reverse) = (Vec::new(), Vec::new());
        for sweep in sweeps {
            forward.push((
                Block {
                    stmts: sweep.forward,
                },
                sweep.yields.clone(),
            ));
            reverse.push((
                sweep.yields,
                Block {
                    stmts: sweep.reverse,
                },
            ));
        }
        Step {
            forward: vec![Stmt::new(
                StmtKind::Branch {
                    rec,
                    selector: selector.clone(),
                    arms: forward,
                },
                span,
            )],
            reverse: vec![Stmt::new(
                StmtKind::MatchRecord { rec, arms: reverse },
                span,
            )],
        }
    }
}
