//! Generators of random numbers that are passed by `&mut`.
//!
//! A number that one yields is recorded, as a call is never run again. So no reverse sweep needs the state of a
//! generator, which need not be saved: it is left as the forward sweep leaves it, unlike other in-out parameters. That
//! holds as long as nothing is read of one but the numbers that it yields, which is what is checked here. Being wrong
//! would read a later state.

use crate::ir::{Expr, Func, Touch, VarId, expr_reads, visit_touches};

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

/// Where something else is read of one than what it yields.
pub(crate) fn read(func: &Func) -> Vec<Finding> {
    let mut found = Vec::new();
    for p in func.params.iter().filter(|p| p.generator) {
        for stmt in &func.body.stmts {
            visit_touches(stmt, &mut |place, touch| match touch {
                Touch::Read | Touch::Length | Touch::Write if place.root == p.var => {
                    found.push(Finding::GeneratorRead(p.ident.to_string(), place.span));
                }
                _ => {}
            });
        }
    }
    found
}
