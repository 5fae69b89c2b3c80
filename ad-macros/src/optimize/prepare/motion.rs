//! *Loop-invariant code motion*: what has one value in all iterations is computed in front of the loop.
//!
//! ```text
//! for i in 0..x.len() {
//!     let z = (x[i] - mu) / sigma;
//!     s -= 0.5 * z * z + sigma.ln();     // becomes ln_1, which is declared in front of the loop
//! }
//! ```
//!
//! The loop of the function is left as it is, where rustc's back end does the same. In the sweeps it is worth more:
//! nothing is recorded or computed again for each iteration, and the adjoints of all iterations are added up before
//! they go through the derivative of the expression, once.
//!
//! Legal if no iteration writes an operand, for then the expression has the same bits wherever it stands, and if it
//! cannot panic, as a loop may have no iterations. Worth it for functions of the math library, roots and divisions;
//! a condition in the loop keeps what it guards. What stands in a region is left there, and so is what a parallel loop
//! computes: those are the user's units.

use crate::analysis::purity::{Part, is_movable};
use crate::ir::edit::{blocks_mut, each_expr};
use crate::ir::faults::Fault;
use crate::ir::{
    BinOp, Block, Domain, Expr, ExprKind, Func, Loop, MathFn, Proj, RegionSet, Remarks, Stmt,
    StmtKind, Transform, Ty, VarSet, effects_of, expr_reads, place_ty, region_effects_of,
};

/// Changes the whole function.
pub(super) fn hoist(func: &mut Func, remarks: &mut Remarks) {
    let mut body = std::mem::take(&mut func.body);
    Motion { func, remarks }.block(&mut body);
    func.body = body;
}

struct Motion<'a> {
    func: &'a mut Func,
    remarks: &'a mut Remarks,
}

impl Motion<'_> {
    /// Inner loops come first: what leaves one of them may leave the next.
    fn block(&mut self, block: &mut Block) {
        let stmts = std::mem::take(&mut block.stmts);
        let mut out = Vec::with_capacity(stmts.len());
        for mut stmt in stmts {
            let parallel = |this: &Loop| self.func.parallel.contains(&this.id);
            let left = matches!(stmt.kind, StmtKind::Checkpoint(_))
                || stmt.as_loop().is_some_and(parallel);
            if !left {
                for inner in blocks_mut(&mut stmt) {
                    self.block(inner);
                }
                self.out_of(&mut stmt, &mut out);
            }
            out.push(stmt);
        }
        block.stmts = out;
    }

    /// Moves what a loop computes in each iteration, whatever it meets there, in front of it.
    fn out_of(&mut self, stmt: &mut Stmt, out: &mut Vec<Stmt>) {
        if !stmt.is_loop() {
            return;
        }
        let mut changed = Changed::by(stmt);
        let span = stmt.span;
        let StmtKind::Loop(Loop { domain, body, .. }) = &mut stmt.kind else {
            return;
        };
        let mut moved = 0;
        if let Domain::While(cond) = domain {
            self.extract(cond, &changed, &mut moved, out);
        }
        let stmts = std::mem::take(&mut body.stmts);
        for mut inner in stmts {
            if let StmtKind::Let {
                var,
                init: Some(init),
            } = &inner.kind
                && !self.func.var(*var).mutable
                && self.is_worth_it(init, &changed)
            {
                changed.declared.remove(*var);
                moved += 1;
                out.push(inner);
                continue;
            }
            let is_loop = inner.as_loop().is_some();
            each_expr(&mut inner, &mut |e| {
                // The condition of an inner loop is evaluated there; what does not change has left it.
                if !is_loop {
                    self.extract(e, &changed, &mut moved, out);
                }
            });
            body.stmts.push(inner);
        }
        if moved > 0 {
            let how = match moved {
                1 => "a value that no iteration changes is computed in front of it".to_owned(),
                n => format!("{n} values that no iteration changes are computed in front of it"),
            };
            self.remarks.applied(span, Transform::Motion, how);
        }
    }

    /// Puts a variable in the place of each largest part of an expression that can leave the loop.
    fn extract(&mut self, e: &mut Expr, changed: &Changed, moved: &mut usize, out: &mut Vec<Stmt>) {
        if self.is_worth_it(e, changed) {
            let base = if let ExprKind::Math(f, _) = &e.kind {
                f.name()
            } else {
                "fixed"
            };
            *moved += 1;
            let (ty, span) = (e.ty.clone(), e.span);
            let var = self.func.temp(base, ty.clone(), span);
            let value = std::mem::replace(e, Expr::read_var(var, ty, span));
            let init = Some(value);
            out.push(Stmt::new(StmtKind::Let { var, init }, span));
        } else if !matches!(e.kind, ExprKind::Opaque(_)) {
            for part in e.children_mut() {
                self.extract(part, changed, moved, out);
            }
        }
    }

    fn is_worth_it(&self, e: &Expr, changed: &Changed) -> bool {
        let known = |part: &Expr| {
            if self.is_within(part) {
                Part::Known
            } else {
                Part::Asked
            }
        };
        matches!(e.ty, Ty::F32 | Ty::F64)
            && is_dear(e)
            && is_movable(e, &known)
            && !changed.changes(e)
    }

    /// Whether it reads a float to which nothing leads but fields, and numbers below the lengths of arrays.
    fn is_within(&self, e: &Expr) -> bool {
        let ExprKind::Read(place) = &e.kind else {
            return false;
        };
        let mut around = place.clone();
        while let Some(proj) = around.proj.pop() {
            let inside = if let Proj::Index(index) = &proj {
                let index = index.int_literal();
                matches!(place_ty(self.func, &around).peel(), Ty::Array(_, Some(len))
                    if index.zip(len.number()).is_some_and(|(index, len)| index < len))
            } else {
                matches!(proj, Proj::Deref | Proj::Field(_))
            };
            if !inside {
                return false;
            }
        }
        e.ty.is_float()
    }
}

/// What a loop writes and declares.
struct Changed {
    declared: VarSet,
    written: RegionSet,
}

impl Changed {
    fn by(stmt: &Stmt) -> Self {
        Changed {
            declared: effects_of([stmt]).declares,
            written: region_effects_of([stmt]).writes,
        }
    }

    /// Whether an iteration may change an operand, or declares it.
    fn changes(&self, e: &Expr) -> bool {
        let mut changes = false;
        expr_reads(e, &mut |place| {
            let written =
                self.written.overlaps(place.region()) && !Fault::MovedThoughWritten.is_on();
            changes |= written || self.declared.contains(&place.root);
        });
        changes
    }
}

/// Whether an expression takes longer than an addition: its derivative divides, or calls the math library.
pub(super) fn is_dear(e: &Expr) -> bool {
    let here = if let ExprKind::Math(f, _) = &e.kind {
        f.is_expensive() || matches!(f, MathFn::Sqrt | MathFn::Recip)
    } else {
        matches!(&e.kind, ExprKind::Binary(BinOp::Div, _, by) if !matches!(by.kind, ExprKind::Lit(_)))
    };
    here || e.children().into_iter().any(is_dear)
}
