//! Statements that compute with numbers and do nothing else: what may run for several iterations at once.

use crate::analysis::purity::{is_arithmetic, may_overflow};
use crate::ir::edit::blocks_mut;
use crate::ir::{
    BinOp, Expr, ExprKind, Func, MathFn, Place, RangeIter, Stmt, StmtKind, Ty, UnOp, VarId,
};

const MORE: &str = "the body does more than compute with numbers";

/// How a statement uses a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Read,
    Write,
}

/// What is to be done with the places of statements.
pub(super) trait Places {
    fn place(&mut self, place: &mut Place, how: Use) -> Result<(), String>;
}

/// Looks at statements of a loop.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    pub(super) func: &'a Func,
    pub(super) counter: VarId,
    pub(super) range: &'a RangeIter,
}

impl Numbers<'_> {
    /// Hands over the places of statements in which nothing but an index can panic, and which compute with nothing but
    /// numbers.
    pub(super) fn stmts(self, stmts: &mut [Stmt], places: &mut dyn Places) -> Result<(), String> {
        stmts.iter_mut().try_for_each(|s| self.stmt(s, places))
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn stmt(self, stmt: &mut Stmt, places: &mut dyn Places) -> Result<(), String> {
        match &mut stmt.kind {
            StmtKind::Let { var, init } => {
                let info = self.func.var(*var);
                if !info.ty.is_scalar() {
                    return Err(format!("`{}` is not a number", info.name));
                }
                if matches!(info.ty, Ty::Int(_)) {
                    return Ok(()); // part of an index, as whoever calls sees to
                }
                init.iter_mut().try_for_each(|e| self.expr(e, places))
            }
            StmtKind::Assign { place, value, .. }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Begin { place, value } => {
                self.expr(value, places)?;
                places.place(place, Use::Write)
            }
            StmtKind::Switch { selector, .. } => {
                self.expr(selector, places)?;
                blocks_mut(stmt)
                    .into_iter()
                    .try_for_each(|arm| self.stmts(&mut arm.stmts, places))
            }
            _ => Err(MORE.to_owned()),
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn expr(self, e: &mut Expr, places: &mut dyn Places) -> Result<(), String> {
        let arithmetic = is_arithmetic(e);
        match &mut e.kind {
            ExprKind::Read(place) if e.ty.is_scalar() => places.place(place, Use::Read),
            ExprKind::Read(_) => Err(MORE.to_owned()),
            ExprKind::Binary(op, a, b) if self.follows_counter(*op, a, b) => Ok(()),
            ExprKind::Binary(op, a, _) if matches!(a.ty, Ty::Int(_)) && may_overflow(*op) => {
                Err("it computes with integers".to_owned())
            }
            ExprKind::Unary(UnOp::Neg, a) if matches!(a.ty, Ty::Int(_)) => {
                Err("it computes with integers".to_owned())
            }
            ExprKind::Math(MathFn::Clamp, _) => Err("`clamp` may panic".to_owned()),
            _ if arithmetic => e
                .children_mut()
                .into_iter()
                .try_for_each(|child| self.expr(child, places)),
            _ => Err(MORE.to_owned()),
        }
    }

    /// Whether it is the number behind the counter of the outer loop, which is at most the end of its range.
    fn follows_counter(self, op: BinOp, a: &Expr, b: &Expr) -> bool {
        let counter = matches!(&a.kind, ExprKind::Read(p) if p.is_var() && p.root == self.counter);
        op == BinOp::Add && counter && b.int_literal() == Some(1) && !self.range.inclusive
    }
}
