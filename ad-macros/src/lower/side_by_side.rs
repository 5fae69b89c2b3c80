//! Arguments of one call that lie in one array, side by side: the halves of `split_at_mut`, elements of a pattern.
//!
//! In the function each has a reference of its own, and the borrow checker has seen that nothing else leads to what is
//! written. In the IR both are places of one variable, which cannot be borrowed at once by these names. What is written
//! is copied, and put back behind the call: nobody looks at it meanwhile, so that the copy is as good.

use super::Lowerer;
use crate::ir::edit::blocks_mut;
use crate::ir::{
    Arg, ArgMode, Block, Domain, Expr, ExprKind, Loop, Place, Proj, RangeIter, Stmt, StmtKind, Ty,
    VarId, VarKind, expr_reads, place_ty, whole_slice,
};

impl Lowerer<'_> {
    /// Calls and copies whose operands cannot be borrowed at once.
    pub(super) fn apart(&mut self, block: &mut Block) {
        for mut stmt in std::mem::take(&mut block.stmts) {
            for inner in blocks_mut(&mut stmt) {
                self.apart(inner);
            }
            let mut behind = Vec::new();
            match &mut stmt.kind {
                StmtKind::Call { args, .. } => {
                    self.arguments_apart(args, &mut block.stmts, &mut behind);
                }
                StmtKind::CopyFrom { dst, src } if meet(dst, src) => {
                    let part = self.copied_part(src, &mut block.stmts);
                    *src = Place::var(part, src.span);
                }
                _ => {}
            }
            block.stmts.push(stmt);
            block.stmts.append(&mut behind);
        }
    }

    fn arguments_apart(
        &mut self,
        args: &mut [Arg],
        before: &mut Vec<Stmt>,
        behind: &mut Vec<Stmt>,
    ) {
        for at in 0..args.len() {
            let ArgMode::InOut(place) = &args[at].mode else {
                continue;
            };
            let place = place.clone();
            let meets = |other: &ArgMode| match other {
                ArgMode::Shared(other) | ArgMode::InOut(other) => meet(&place, other),
                ArgMode::Value(e) => reads(e, &place),
            };
            let others = || (0..args.len()).filter(|k| *k != at);
            if !others().any(|k| meets(&args[k].mode)) {
                continue;
            }
            let var = self.copied_part(&place, before);
            let (span, own) = (args[at].span, Place::var(var, place.span));
            let (is_slice, element) = self.elements_of(&place);
            let kind = match (is_slice, element.may_be_own()) {
                (true, true) => self.each(&place, &own, &|to, from| StmtKind::Assign {
                    place: to,
                    value: Expr::new(ExprKind::Read(from), element.clone(), span),
                    init: false,
                }),
                (true, false) => StmtKind::CopyFrom {
                    dst: place,
                    src: own.clone(),
                },
                (false, _) => StmtKind::Assign {
                    place,
                    value: Expr::read_var(var, self.func.var(var).ty.clone(), span),
                    init: false,
                },
            };
            behind.push(Stmt::new(kind, span));
            args[at].mode = ArgMode::InOut(if is_slice { whole_slice(own) } else { own });
        }
    }

    /// A variable with what a place holds. Elements that may be the user's are copied one by one, without `Clone`.
    fn copied_part(&mut self, place: &Place, before: &mut Vec<Stmt>) -> VarId {
        let span = place.span;
        let (is_slice, element) = self.elements_of(place);
        let value = match (is_slice, element.may_be_own()) {
            (true, own) => {
                let kind = match own {
                    true => ExprKind::VecNew(None),
                    false => ExprKind::ToVec(place.clone()),
                };
                Expr::new(kind, Ty::Vec(Box::new(element.clone())), span)
            }
            (false, _) => {
                let ty = place_ty(&self.func, place);
                Expr::new(ExprKind::Read(place.clone()), ty, span)
            }
        };
        let var = self.func.temp("part", value.ty.clone(), span);
        let init = Some(value);
        before.push(Stmt::new(StmtKind::Let { var, init }, span));
        if is_slice && element.may_be_own() {
            let vec = Place::var(var, span);
            let kind = self.each(place, place, &|from, _| StmtKind::Push {
                vec: vec.clone(),
                value: Expr::new(ExprKind::Read(from), element.clone(), span),
            });
            before.push(Stmt::new(kind, span));
        }
        var
    }

    /// A loop over the elements of two places, as many as the second one has.
    fn each(&mut self, a: &Place, b: &Place, body: &dyn Fn(Place, Place) -> StmtKind) -> StmtKind {
        let span = a.span;
        let at = self.func.temp("k", Ty::USIZE, span);
        self.func.var_mut(at).kind = VarKind::Counter;
        let range = RangeIter {
            lo: Expr::usize_literal(0, span),
            hi: Expr::new(ExprKind::Len(b.clone()), Ty::USIZE, span),
            inclusive: false,
            step: None,
            rev: false,
            rev_first: false,
        };
        let part = |of: &Place| of.then(Proj::index(Expr::read_var(at, Ty::USIZE, span)));
        let body = Block {
            stmts: vec![Stmt::new(body(part(a), part(b)), span)],
        };
        let id = self.fresh_loop();
        let domain = Domain::Range { var: at, range };
        StmtKind::Loop(Loop::forward(id, domain, body, None))
    }

    /// Whether a place has no size of its own, and the type of its elements.
    fn elements_of(&self, place: &Place) -> (bool, Ty) {
        let ty = place_ty(&self.func, place);
        let is_slice =
            matches!(place.proj.last(), Some(Proj::Range { .. })) || matches!(ty, Ty::Slice(_));
        (is_slice, ty.element())
    }
}

/// Whether references to both places cannot be borrowed at once, one of them to be written: only fields are apart.
pub(super) fn meet(a: &Place, b: &Place) -> bool {
    !told_apart(a, b, true)
}

/// Whether fields tell two places apart: those in front of any payload of an enum, or behind one as well.
pub(super) fn told_apart(a: &Place, b: &Place, behind_payloads: bool) -> bool {
    let same = |pair: &(&Proj, &Proj)| match pair {
        (Proj::Field(_), Proj::Field(_)) | (Proj::Deref, Proj::Deref) => true,
        (Proj::Payload, Proj::Payload) => behind_payloads,
        _ => false,
    };
    let differ =
        |(a, b): (&Proj, &Proj)| matches!((a, b), (Proj::Field(a), Proj::Field(b)) if a != b);
    a.root != b.root || a.proj.iter().zip(&b.proj).take_while(same).any(differ)
}

fn reads(e: &Expr, place: &Place) -> bool {
    let mut found = false;
    expr_reads(e, &mut |read| found |= meet(read, place));
    found
}
