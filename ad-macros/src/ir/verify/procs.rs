//! Procedures: each is given the variables that it has as parameters, runs only such as stand before it, and gives back
//! what it changes.

use crate::ir::{Proc, ProcId, Stmt, StmtKind, Sweeps, effects_of};

/// Checks the procedures of the sweeps, and where they run.
pub(super) fn verify(sweeps: &Sweeps) -> Result<(), String> {
    for (number, proc) in sweeps.procs.iter().enumerate() {
        returned(sweeps, number, proc)?;
        runs(sweeps, &proc.body.stmts, number)?;
    }
    let count = sweeps.procs.len();
    sweeps
        .lists()
        .try_for_each(|list| runs(sweeps, list, count))
}

/// Whoever runs a procedure sees what it writes.
fn returned(sweeps: &Sweeps, number: usize, proc: &Proc) -> Result<(), String> {
    let effects = effects_of(&proc.body.stmts);
    let lost = |var: &_| !effects.declares.contains(var) && !proc.interface.hands_out(*var);
    effects.writes.iter().find(lost).map_or(Ok(()), |var| {
        let name = &sweeps.func.var(var).name;
        Err(format!(
            "procedure {number} keeps to itself what it writes to `{name}`"
        ))
    })
}

/// `below`: the procedures that the statements may run.
fn runs(sweeps: &Sweeps, stmts: &[Stmt], below: usize) -> Result<(), String> {
    for stmt in stmts {
        if let StmtKind::Run(run) = &stmt.kind {
            let ProcId(number) = run.proc;
            let proc = sweeps.procs.get(number).filter(|_| number < below);
            let Some(proc) = proc else {
                return Err(format!("procedure {number} runs where it is not known"));
            };
            if proc.interface != run.interface {
                return Err(format!(
                    "procedure {number} is given other variables than it has"
                ));
            }
        }
        for block in stmt.kind.blocks() {
            runs(sweeps, &block.stmts, below)?;
        }
    }
    Ok(())
}
