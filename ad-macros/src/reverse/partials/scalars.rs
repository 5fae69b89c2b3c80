//! Adjoints of operations on numbers: the terms of the operation, transposed.

use crate::ir::rules::{Linear, Rule, rule};
use crate::ir::{BinOp, Expr, ExprKind, MathFn, same};
use crate::reverse::angles;

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
        let angle = self.other_of_angle(linear, result);
        let mut contributions = Vec::new();
        for term in active {
            let mut value = |e: &Expr| {
                let shared = result.filter(|_| std::ptr::eq(e, linear.node));
                shared.cloned().unwrap_or_else(|| self.value(e))
            };
            let contribution = match &angle {
                Some((f, other)) => Some(angles::transposed(*f, seed.clone(), other.clone())),
                None => linear.transposed(term, seed.clone(), &mut value),
            };
            contributions.extend(contribution.map(|c| (term.operand, cancelled(c, term.operand))));
        }
        for (operand, contribution) in contributions {
            self.run(operand, Seed::Value(contribution), None);
        }
    }

    /// If the operation is the sine of an angle, the value of its cosine, where there is one; and the other way round.
    fn other_of_angle(&self, linear: &Linear<'_>, result: Option<&Expr>) -> Option<(MathFn, Expr)> {
        let ExprKind::Math(f, _) = &linear.node.kind else {
            return None;
        };
        let var = result?.place().filter(|place| place.is_var())?.root;
        let other = *self.adjoints.angles.get(&var)?;
        let (ty, span) = (linear.node.ty.clone(), linear.node.span);
        Some((*f, Expr::read_var(other, ty, span)))
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
