//! Generators of random numbers that are passed by `&mut`.
//!
//! A number that one yields is recorded, as a call is never run again. So no reverse sweep needs the state of a
//! generator, which need not be saved: it is left as the forward sweep leaves it, unlike other in-out parameters. That
//! holds as long as nothing is read of one but the numbers that it yields, which is what is checked here. Being wrong
//! would read a later state.

use crate::ir::{
    Expr, Func, StmtKind, Touch, VarId, expr_reads, mentions, visit_stmts, visit_touches,
};

use super::Finding;

/// Whether the variable is such a parameter.
pub(super) fn is_generator(func: &Func, var: VarId) -> bool {
    func.params.iter().any(|p| p.var == var && p.generator)
}

/// Whether an expression reads one.
pub(super) fn reads_generator(func: &Func, e: &Expr) -> bool {
    let mut found = false;
    if func.params.iter().any(|p| p.generator) {
        expr_reads(e, &mut |place| found |= is_generator(func, place.root));
    }
    found
}

/// Where something else is read of one than what it yields, and where one is asked in a region that runs again.
pub(crate) fn read(func: &Func) -> Vec<Finding> {
    let mut found = Vec::new();
    for p in func.params.iter().filter(|p| p.generator) {
        let name = p.ident.to_string();
        for stmt in &func.body.stmts {
            visit_touches(stmt, &mut |place, touch| match touch {
                Touch::Read | Touch::Length | Touch::Write if place.root == p.var => {
                    found.push(Finding::GeneratorRead(name.clone(), place.span));
                }
                Touch::Read
                | Touch::Length
                | Touch::Write
                | Touch::Add
                | Touch::AddInCall
                | Touch::Update
                | Touch::Declare => {}
            });
        }
        visit_stmts(&func.body, &mut |stmt| {
            if matches!(stmt.kind, StmtKind::Checkpoint(_)) && mentions(stmt, p.var) {
                found.push(Finding::CheckpointEffect(name.clone(), stmt.span));
            }
        });
    }
    found
}
