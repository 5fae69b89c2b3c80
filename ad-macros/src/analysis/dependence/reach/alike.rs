//! Indices that are computed alike: one does not overflow where the other does not.

use super::Iterations;
use crate::ir::{BinOp, Expr, ExprKind};

impl Iterations<'_> {
    /// Whether two indices with one polynomial are computed alike, so that what overflows in one does in the other.
    pub(crate) fn alike(&self, a: &Expr, b: &Expr) -> bool {
        let through = |e: &Expr| {
            if let ExprKind::Read(p) = &e.kind {
                self.held(p.root).cloned()
            } else {
                None
            }
        };
        if let Some(held) = through(a) {
            return self.alike(&held, b);
        }
        if let Some(held) = through(b) {
            return self.alike(a, &held);
        }
        match (&a.kind, &b.kind) {
            (ExprKind::Binary(BinOp::Add, ..), ExprKind::Binary(BinOp::Add, ..)) => {
                let (mut a_parts, mut b_parts) = (Vec::new(), Vec::new());
                self.summands(a, &mut a_parts);
                self.summands(b, &mut b_parts);
                // Sums of the same numbers overflow together, whatever their order.
                a_parts.len() == b_parts.len()
                    && a_parts.iter().all(|part| {
                        let found = b_parts.iter().position(|other| self.alike(part, other));
                        found.map(|k| b_parts.swap_remove(k)).is_some()
                    })
            }
            (ExprKind::Binary(f, a1, a2), ExprKind::Binary(g, b1, b2)) => {
                f == g && self.alike(a1, b1) && self.alike(a2, b2)
            }
            (ExprKind::Binary(..), _) | (_, ExprKind::Binary(..)) => false,
            _ => self
                .definitions
                .poly(a)
                .is_some_and(|p| Some(p) == self.definitions.poly(b)),
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is no sum is a summand"
    )]
    fn summands(&self, e: &Expr, parts: &mut Vec<Expr>) {
        match &e.kind {
            ExprKind::Binary(BinOp::Add, a, b) => {
                self.summands(a, parts);
                self.summands(b, parts);
            }
            ExprKind::Read(p) if let Some(held) = self.held(p.root) => self.summands(held, parts),
            _ => parts.push(e.clone()),
        }
    }
}
