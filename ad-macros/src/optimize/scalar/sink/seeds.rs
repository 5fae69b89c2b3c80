//! Loops that an adjoint is a factor of everything in: they run where it is not zero.
//!
//! ```text
//! let sum_bar = layer_bar[c];           let sum_bar = layer_bar[c];
//! for k in 0..n {                       if sum_bar != 0.0 {
//!     w_bar[k] += sum_bar * x[c + k];       for k in 0..n {
//!     x_bar[c + k] += sum_bar * w[k];           w_bar[k] += sum_bar * x[c + k];
//! }                                             x_bar[c + k] += sum_bar * w[k];
//!                                           }
//!                                       }
//! ```
//!
//! Of four results that a maximum is taken of, three have no part in the value; nor has what a rectifier or a mask sets
//! to zero. Their adjoints are zero, and so is all that the reverse of the loops that computed them adds.
//!
//! Legal in adjoints alone, if the loop does nothing but add what is zero where the adjoint is, which it does not
//! change: nothing comes off the tape, and indices have been looked at by the forward sweep. Worth it for loops that do
//! more than a branch that is predicted wrongly costs; loops around it run as they stand.

use crate::analysis::target::speculation::{SKIPPED_OPERATIONS, SKIPPED_SEEDS};
use crate::ir::faults::Fault;
use crate::ir::{
    BinOp, Block, Class, Expr, ExprKind, Func, Stmt, StmtKind, Ty, VarId, VarSet, adds_zeros,
    binary, effects_of,
};
use crate::optimize::loops::windows::weight;

/// Puts such loops of the body of a loop under a condition, but for those of whose adjoints it is known that one is not
/// zero. Inside of them it is, which is added to `asked`.
pub(super) fn skip_loops(func: &Func, block: &mut Block, asked: &mut Vec<Vec<VarId>>) -> bool {
    let mut skips = false;
    let known = asked.clone();
    for stmt in &mut block.stmts {
        let seeds = seeds_of(func, stmt);
        if seeds.is_empty() || known.contains(&seeds) {
            continue;
        }
        let not_zero = seeds.iter().map(|seed| {
            let (ty, span) = (func.var(*seed).ty.clone(), stmt.span);
            let zero = Expr::new(ExprKind::Zero, ty.clone(), span);
            condition(BinOp::Ne, Expr::read_var(*seed, ty, span), zero)
        });
        let Some(selector) = not_zero.reduce(|a, b| condition(BinOp::Or, a, b)) else {
            continue;
        };
        let stmts = vec![stmt.clone()];
        let arms = vec![Block { stmts }, Block::default()];
        stmt.kind = StmtKind::Switch { selector, arms };
        asked.push(seeds);
        skips = true;
    }
    skips
}

fn condition(op: BinOp, a: Expr, b: Expr) -> Expr {
    let e = binary(op, a, b);
    Expr { ty: Ty::Bool, ..e }
}

/// The adjoint without which the loop adds zeros, or several.
fn seeds_of(func: &Func, stmt: &Stmt) -> Vec<VarId> {
    if !stmt.is_loop() || operations(stmt) < SKIPPED_OPERATIONS {
        return Vec::new();
    }
    let effects = effects_of([stmt]);
    let is_seed = |var: &VarId| {
        let info = func.var(*var);
        let number = matches!(info.ty, Ty::F32 | Ty::F64) && info.class == Class::Adjoint;
        number && !effects.writes.contains(var) && !effects.declares.contains(var)
    };
    let all: Vec<VarId> = effects.reads.iter().filter(is_seed).collect();
    let enough = |seeds: &Vec<VarId>| {
        let mut zero: VarSet = seeds.iter().copied().collect();
        let adds = adds_zeros(func, std::slice::from_ref(stmt), &mut zero);
        !seeds.is_empty() && (adds || Fault::SkippedNotZero.is_on())
    };
    let single = all.iter().map(|seed| vec![*seed]).find(enough);
    let several = || Some(all.clone()).filter(|all| all.len() <= SKIPPED_SEEDS && enough(all));
    single.or_else(several).unwrap_or_default()
}

/// The operations of a loop, of which an unknown number of iterations counts as many.
fn operations(stmt: &Stmt) -> usize {
    let trips = stmt.counting().and_then(|c| c.range.literal_trips());
    let trips = trips.map_or(SKIPPED_OPERATIONS, |n| {
        usize::try_from(n).unwrap_or(usize::MAX)
    });
    let body: usize = stmt.kind.blocks().iter().map(|b| weight(&b.stmts)).sum();
    body.saturating_mul(trips)
}
