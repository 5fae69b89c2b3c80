//! What is the same in every iteration of a loop.
//!
//! An expression is invariant if nothing that it reads varies ([`Varying`]): the counter, what an iteration declares,
//! what it writes. Then it has one value in all iterations, if it repeats (`purity`). The value is known in front of
//! the loop if it can be computed there, which is another question: it must not panic (`purity`), and what it reads
//! must have a value there, which all but variables of the loop have.
//!
//! The variables of a polynomial are immutable ([`affine`](super::affine)), so of polynomials it is enough to know
//! which variables an iteration has for itself.
//!
//! Being wrong would take a value of one iteration for that of another.

use super::affine::Poly;
use crate::ir::hash::HashSet;
use crate::ir::{self, Block, Expr, ExprKind, Func, RangeIter, Stmt, VarId, effects_of};

/// The variables that do not hold one value in all iterations.
#[derive(Clone, Default, Debug)]
pub(crate) struct Varying(HashSet<VarId>);

impl Varying {
    /// In a loop: its counter, and what its body declares or writes.
    pub(crate) fn in_loop(counter: VarId, body: &Block) -> Self {
        let effects = effects_of(&body.stmts);
        Self::of([counter])
            .with(effects.declares)
            .with(effects.writes)
    }

    /// These, which is enough if all others are sure to stay what they are.
    pub(crate) fn of(vars: impl IntoIterator<Item = VarId>) -> Self {
        Self(vars.into_iter().collect())
    }

    pub(crate) fn with(mut self, vars: impl IntoIterator<Item = VarId>) -> Self {
        self.0.extend(vars);
        self
    }

    /// Notes that the variable is the same in all iterations after all.
    pub(crate) fn settle(&mut self, var: VarId) {
        self.0.remove(&var);
    }

    pub(crate) fn contains(&self, var: VarId) -> bool {
        self.0.contains(&var)
    }

    /// Whether nothing that the expression reads varies, indices included.
    pub(crate) fn is_invariant(&self, e: &Expr) -> bool {
        ir::is_invariant(e, &|var| self.contains(var))
    }

    /// Whether the polynomial has one value: of its variables, none varies.
    pub(crate) fn is_invariant_poly(&self, poly: &Poly) -> bool {
        poly.vars().all(|var| !self.contains(var))
    }
}

/// Variables that hold constants: what is made of nothing else is the same in every iteration of every loop, and can
/// be computed anywhere in the function.
#[derive(Clone, Default, Debug)]
pub(crate) struct Constants(HashSet<VarId>);

impl Constants {
    /// Notes the variable, if the statement declares one that holds a constant and never changes. Says whether it does.
    pub(crate) fn note(&mut self, func: &Func, stmt: &Stmt) -> bool {
        let definition = stmt.definition(func).filter(|(_, init)| self.holds(init));
        definition.is_some_and(|(var, _)| {
            self.0.insert(var);
            true
        })
    }

    /// Whether the expression is a number in the text, a constant of the user's, or a variable that holds one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing is known of others")]
    pub(crate) fn holds(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(_) => true,
            ExprKind::Opaque(o) => ir::is_constant(o),
            ExprKind::Read(p) => p.is_var() && self.0.contains(&p.root),
            _ => false,
        }
    }

    /// Whether both ends of a range are, and its step.
    pub(crate) fn hold_range(&self, range: &RangeIter) -> bool {
        range.exprs().all(|e| self.holds(e))
    }
}
