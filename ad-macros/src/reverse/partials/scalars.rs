//! Adjoints of operations on numbers: the terms of the operation, transposed.

use crate::ir::rules::{Linear, Rule, rule};
use crate::ir::{BinOp, Expr, ExprKind, same};

use super::{AdjointBuilder, Seed};

impl AdjointBuilder<'_, '_> {
    /// Gives each active operand its term at the adjoint of the result. All terms are there before the first operand
    /// is looked into, so they share what is bound for them.
    pub(super) fn operation(&mut self, linear: &Linear<'_>, seed: Seed, result: Option<&Expr>) {
        let ty = &linear.node.ty;
        let terms = linear.terms.iter();
        let active: Vec<_> = terms.filter(|t| self.active(t.operand)).collect();
        let seed = if active.len() > 1 {
            self.seed_atom(seed, ty)
        } else {
            self.seed_value(seed, ty)
        };
        let mut contributions = Vec::new();
        for term in active {
            let mut value = |e: &Expr| {
                let shared = result.filter(|_| std::ptr::eq(e, linear.node));
                shared.cloned().unwrap_or_else(|| self.value(e))
            };
            let contribution = linear.transposed(term, seed.clone(), &mut value);
            contributions.extend(contribution.map(|c| (term.operand, cancelled(c, term.operand))));
        }
        for (operand, contribution) in contributions {
            self.run(operand, Seed::Value(contribution), None);
        }
    }
}

/// Where the root of `x` is multiplied with `x`, the two cancel in its adjoint without a division.
fn cancelled(mut contribution: Expr, x: &Expr) -> Expr {
    if let ExprKind::Rule(Rule::Sqrt, args) = &mut contribution.kind
        && let Some(rest) = without_factor(&args[0], x)
    {
        return rule(Rule::SqrtTimes, vec![rest.clone(), args.remove(1)]);
    }
    contribution
}

/// The other factor of a product with `x`.
fn without_factor<'e>(e: &'e Expr, x: &Expr) -> Option<&'e Expr> {
    let ExprKind::Binary(BinOp::Mul, a, b) = &e.kind else {
        return None;
    };
    match (same(a, x), same(b, x)) {
        (_, true) => Some(a),
        (true, _) => Some(b),
        _ => None,
    }
}
