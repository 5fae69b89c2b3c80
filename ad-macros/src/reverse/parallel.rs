//! `#[parallel]` loops: each worker sweeps over iterations of its own, forward on a child tape, and back over the same.
//!
//! The adjoint of a part is divided as the part is. The adjoint of a sum is only read. Every other adjoint that the
//! iterations add to is one of each worker's own: the first goes on with the adjoint as it is, the others begin with
//! zero, and they are added up in the order of the workers. So the gradient has the same bits for the same number of
//! workers.

use proc_macro2::Span;

use crate::ir::{
    BinOp, Block, Class, Domain, Expr, ExprKind, Held, LoopId, OwnAdjoint, Parallel, Place, Proj,
    RangeIter, Rule, Shares, Stmt, StmtKind, Ty, VarId, effects_of,
};

use super::assemble::{Assembly, Step};
use crate::ir::whole_slice;

impl Assembly<'_> {
    pub(super) fn parallel_loop(
        &mut self,
        stmt: &Stmt,
        id: LoopId,
        (counter, range): (VarId, &RangeIter),
        body: &Block,
        shares: &Shares,
    ) -> Step {
        let span = stmt.span;
        // What a sum held before the loop; what it holds in the loop nobody needs.
        let kept = self.hoist_scalars(body, span);
        let sweep = self.block(body);
        let usize = || Ty::USIZE;
        if sweep.reverse.is_empty() {
            let kind = Domain::Range {
                var: counter,
                range: range.clone(),
            };
            let mut step = self.structured_loop(stmt, id, &kind, sweep, None);
            let mut forward = kept.save;
            forward.append(&mut step.forward);
            return Step {
                forward,
                reverse: kept.restore,
            };
        }
        let func = &mut *self.adjoints.func;
        let [first, last, workers] =
            ["first", "last", "workers"].map(|name| func.temp(name, usize(), span));
        let bounds = RangeIter {
            lo: Expr::read_var(first, usize(), span),
            hi: Expr::read_var(last, usize(), span),
            ..range.clone()
        };
        let kind = Domain::Range {
            var: counter,
            range: bounds,
        };
        let step = self.structured_loop(stmt, id, &kind, sweep, None);
        let written = effects_of(&step.forward).writes;
        let mut parallel = Parallel {
            reverse: false,
            range: range.clone(),
            workers,
            first,
            last,
            shares: Shares {
                parts: shares
                    .parts
                    .iter()
                    .filter(|(root, _)| written.contains(root))
                    .cloned()
                    .collect(),
                sums: shares.sums.clone(),
            },
            own: Vec::new(),
            body: Block {
                stmts: step.forward,
            },
        };
        let count = ExprKind::Rule(Rule::Workers, vec![range.lo.clone(), range.hi.clone()]);
        let count = StmtKind::Let {
            var: workers,
            init: Some(Expr::new(count, usize(), span)),
        };
        let mut forward = kept.save;
        forward.push(Stmt::new(count, span));
        forward.push(Stmt::new(
            StmtKind::Parallel(Box::new(parallel.clone())),
            span,
        ));
        parallel.reverse = true;
        (parallel.shares, parallel.own) = self.divided_adjoints(shares, body, &step.reverse, span);
        parallel.body = Block {
            stmts: step.reverse,
        };
        let mut reverse = vec![Stmt::new(StmtKind::Parallel(Box::new(parallel)), span)];
        reverse.extend(kept.restore);
        Step { forward, reverse }
    }

    /// How the adjoints, and the values that come back, are divided in the reverse sweep.
    fn divided_adjoints(
        &mut self,
        shares: &Shares,
        body: &Block,
        reverse: &[Stmt],
        span: Span,
    ) -> (Shares, Vec<OwnAdjoint>) {
        let effects = effects_of(reverse);
        let declared = effects_of(&body.stmts).declares;
        let mut divided = Shares::default();
        let mut own = Vec::new();
        let roots: Vec<VarId> = (0..self.primal_vars).map(VarId).collect();
        for root in roots.into_iter().filter(|root| !declared.contains(root)) {
            let size = shares.parts.iter().find(|(part, _)| *part == root);
            if effects.writes.contains(&root) {
                divided.parts.extend(size.cloned());
            }
            let Some(bar) = self
                .adjoints
                .bar_if_used(root)
                .filter(|bar| effects.writes.contains(bar))
            else {
                continue;
            };
            match size {
                Some((_, size)) => divided.parts.push((bar, size.clone())),
                None => own.push(self.own_adjoint(root, bar, span)),
            }
        }
        (divided, own)
    }

    fn own_adjoint(&mut self, root: VarId, bar: VarId, span: Span) -> OwnAdjoint {
        let mut like = Place::var(root, span);
        if matches!(self.adjoints.func.var(root).ty, Ty::Ref(..)) {
            like = like.then(Proj::Deref);
        }
        let ty = self.adjoints.func.var(root).ty.peel().clone();
        let zero = self.adjoints.zero(&ty, &like, span);
        let func = &mut self.adjoints.func;
        let done = func.temp_of(Class::Adjoint, "part", zero.ty.clone(), span);
        let mut dst = Place::var(bar, span);
        if matches!(self.adjoints.func.var(bar).ty, Ty::Ref(..)) {
            dst = dst.then(Proj::Deref);
        }
        let mut src = Place::var(done, span);
        let add = if ty.is_float() {
            StmtKind::Update {
                place: dst,
                op: BinOp::Add,
                value: Expr::read_var(done, ty, span),
            }
        } else {
            if matches!(ty, Ty::Slice(_) | Ty::Vec(_)) {
                (dst, src) = (whole_slice(dst), whole_slice(src));
            }
            StmtKind::Accumulate { dst, src }
        };
        let bar_ty = &self.adjoints.func.var(bar).ty;
        let held = if !matches!(bar_ty, Ty::Ref(..)) {
            Held::Value
        } else if matches!(bar_ty.peel(), Ty::Slice(_) | Ty::Vec(_)) {
            Held::Elements
        } else {
            Held::Reference
        };
        OwnAdjoint {
            bar,
            zero,
            held,
            // Of types that are seen it is known what a copy is.
            copied: !self.adjoints.func.var(bar).ty.peel().may_be_own(),
            done,
            add: Stmt::new(add, span),
        }
    }
}
