//! Loops: one record per iteration, and how the reverse loop counts.

use proc_macro2::Span;

use crate::ir::{
    Block, Domain, Expr, ExprKind, Func, IntTy, Loop, Order, RangeIter, Site, Stmt, StmtKind, Ty,
    VarId, VarInfo, VarKind, free_vars,
};

use super::assemble::{Assembly, Step, Sweep};
use super::restore::{increment, new_site};

impl Assembly<'_> {
    pub(super) fn structured_loop(
        &mut self,
        stmt: &Stmt,
        id: crate::ir::LoopId,
        kind: &Domain,
        sweep: Sweep,
        exit: Option<VarId>,
    ) -> Step {
        let span = stmt.span;
        let rebuilt = |body: Vec<Stmt>| {
            Stmt::new(
                StmtKind::Loop(Loop::forward(id, kind.clone(), Block { stmts: body }, exit)),
                span,
            )
        };
        if let Some(step) = self.last_write(kind, &sweep, &rebuilt, span) {
            return step;
        }
        if let Domain::Range { range, .. } = kind
            && exit.is_none()
            && runs_backwards(range, false)
            && let Some(step) = self.replayed_loop(stmt, kind, &sweep, &rebuilt)
        {
            return step;
        }
        let Sweep {
            forward: mut body,
            mut reverse,
            yields,
        } = sweep;
        if reverse.is_empty() {
            return Step {
                forward: vec![rebuilt(body)],
                reverse,
            };
        }
        let by_count = match kind {
            Domain::Range { range, .. } => !runs_backwards(range, exit.is_some()),
            Domain::Prefix { .. }
            | Domain::Strip { .. }
            | Domain::Times(_)
            | Domain::While(_)
            | Domain::Forever => true,
        };
        let mut yields = yields;
        if let (Domain::Range { var, .. }, true) = (kind, by_count)
            && free_vars(&reverse).contains(var)
        {
            yields.push(*var); // the counter is recorded
        }
        if !yields.is_empty() {
            let site: Site = new_site(&mut self.sites);
            body.push(Stmt::new(
                StmtKind::PushRecord {
                    site,
                    vars: yields.clone(),
                },
                span,
            ));
            reverse.insert(
                0,
                Stmt::new(StmtKind::PopRecord { site, vars: yields }, span),
            );
        }
        let known = !by_count && exit.is_none();
        let mut forward = Vec::new();
        let trips = (!known).then(|| {
            let trips = self.counter("trips", span);
            let zero = Expr::usize_literal(0, span);
            forward.push(Stmt::new(
                StmtKind::Let {
                    var: trips,
                    init: Some(zero),
                },
                span,
            ));
            body.push(increment(trips, span));
            trips
        });
        forward.push(rebuilt(body));
        let kind = match (kind, trips) {
            (Domain::Range { var, range }, None) if !by_count => Domain::Range {
                var: *var,
                range: range.clone(),
            },
            (Domain::Range { var, range }, Some(trips)) if !by_count => Domain::Prefix {
                var: *var,
                range: range.clone(),
                trips,
            },
            (_, Some(trips)) => Domain::Times(trips),
            (_, None) => return Step::default(), // such loops always count
        };
        let reverse = Block { stmts: reverse };
        let back = StmtKind::Loop(Loop::reverse(kind, reverse, Order::Backward));
        Step {
            forward,
            reverse: vec![Stmt::new(back, span)],
        }
    }

    /// A new variable that counts.
    pub(super) fn counter(&mut self, base: &str, span: Span) -> VarId {
        let func: &mut Func = self.adjoints.func;
        let name = func.fresh_name(base, Span::mixed_site().located_at(span));
        func.add(VarInfo {
            name,
            ty: Ty::USIZE,
            mutable: true,
            kind: VarKind::Temp,
            constant: false,
            class: crate::ir::Class::Primal,
            type_of: None,
        })
    }
}

/// Whether the iterator of the loop can be run backwards, or backwards from where it was left: what the
/// standard library offers depends on the integer type and on the form of the range.
fn runs_backwards(range: &RangeIter, left_early: bool) -> bool {
    use IntTy::{I8, I16, I32, Isize, U8, U16, U32, Usize};
    let exact = |e: &Expr| {
        let ty = &e.ty;
        matches!(
            ty,
            Ty::Int(Some(Usize | Isize | U8 | I8 | U16 | I16 | U32 | I32))
        )
    };
    let literal = |e: &Expr| matches!(&e.kind, ExprKind::Lit(_)) && e.ty == Ty::Int(None);
    let sized = exact(&range.lo) || exact(&range.hi) || (literal(&range.lo) && literal(&range.hi));
    let plain = range.step.is_none() && !left_early;
    plain || (sized && !range.inclusive)
}
