//! The adjoint of a single statement.
//!
//! An adjoint runs in the state *before* its statement: what the statement overwrote has been restored by
//! the time it runs (`assemble` puts the restoring code in front), so that operands are read where the
//! primal read them. Only in-out arguments of calls are seen in the state after the call; the callee's
//! reverse sweep restores them itself.

use crate::ir::{
    Arg, ArgMode, BarArg, BinOp, Callee, Class, Expr, ExprKind, Place, Stmt, StmtKind, Ty, UnOp,
    VarId, control_stmts, leaf_stmts, sweep_stmts, whole_slice,
};

use super::adjoints::Adjoints;
use super::partials::{AdjointBuilder, Seed};

impl<'a> Adjoints<'a> {
    /// The adjoint of a statement without blocks of its own.
    pub(crate) fn of_stmt(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        let mut out = Vec::new();
        match &stmt.kind {
            StmtKind::Let { var, init: Some(e) } if self.activity.is_active(*var) => {
                let seed = Place::var(self.bar(*var), stmt.span);
                let result = Expr::read_var(*var, e.ty.clone(), e.span);
                AdjointBuilder::new(self, &mut out).run(e, Seed::Place(seed), Some(&result));
            }
            StmtKind::Assign { place, value, init } if self.is_active(place) => {
                self.assign(place, value, *init, &mut out)
            }
            StmtKind::Update { place, op, value } if self.is_active(place) => {
                self.update(place, *op, value, &mut out)
            }
            StmtKind::Swap(a, b) if self.is_active(a) || self.is_active(b) => {
                let (a, b) = (self.bar_place(a), self.bar_place(b));
                out.push(Stmt::new(StmtKind::Swap(a, b), stmt.span));
            }
            StmtKind::Call { dest, callee, args }
                if self.activity.call_active(self.func, *dest, args) =>
            {
                self.call(*dest, callee, args, stmt, &mut out);
            }
            StmtKind::Push { vec, value } if self.is_active(vec) => {
                let dest = self.seed_var(value, stmt);
                let vec = self.bar_place(vec);
                out.push(Stmt::new(StmtKind::Pop { dest, vec }, stmt.span));
                AdjointBuilder::new(self, &mut out).run(
                    value,
                    Seed::Place(Place::var(dest, stmt.span)),
                    None,
                );
            }
            StmtKind::Pop { dest, vec } if self.is_active(vec) => {
                self.pop(*dest, vec, stmt, &mut out)
            }
            StmtKind::Truncate { vec, .. } if self.is_active(vec) => {
                let bar = self.bar_place(vec);
                out.push(Stmt::new(
                    StmtKind::Regrow {
                        vec: bar,
                        like: vec.clone(),
                    },
                    stmt.span,
                ));
            }
            StmtKind::Fill { slice, value } if self.is_active(slice) => {
                self.fill(slice, value, stmt, &mut out)
            }
            StmtKind::CopyFrom { dst, src } if self.is_active(dst) => {
                let dst = whole_slice(self.bar_place(dst));
                if self.is_active(src) {
                    let src = whole_slice(self.bar_place(src));
                    out.push(Stmt::new(
                        StmtKind::Accumulate {
                            dst: src,
                            src: dst.clone(),
                        },
                        stmt.span,
                    ));
                }
                out.push(Stmt::new(StmtKind::SetZero(dst), stmt.span));
            }
            // What is written carries no derivative that matters; kept code is checked by `analysis::lost`.
            leaf_stmts!()
            // What they hold has its own.
            | control_stmts!()
            | sweep_stmts!() => {}
        }
        out
    }

    fn seed_var(&mut self, value: &Expr, stmt: &Stmt) -> VarId {
        self.func.temp_of(
            Class::Adjoint,
            "d",
            crate::ir::tangent_ty(&value.ty),
            stmt.span,
        )
    }

    fn assign(&mut self, place: &Place, value: &Expr, init: bool, out: &mut Vec<Stmt>) {
        let bar = self.bar_place(place);
        let ty = crate::ir::tangent_ty(&value.ty);
        if init {
            // Nothing was there before, so nothing in front of the assignment reads this adjoint.
            AdjointBuilder::new(self, out).run(value, Seed::Place(bar), None);
            return;
        }
        if !self.activity.expr_active(value) {
            self.clear(place, bar, value, out);
            return;
        }
        let seed = self.bind(Expr::new(ExprKind::Read(bar.clone()), ty, place.span), out);
        self.clear(place, bar, value, out);
        let ExprKind::Read(seed) = seed.kind else {
            return;
        };
        AdjointBuilder::new(self, out).run(value, Seed::Place(seed), None);
    }

    /// Sets the adjoint of an overwritten place to zero, in the shape of the value that was there before.
    fn clear(&mut self, place: &Place, bar: Place, value: &Expr, out: &mut Vec<Stmt>) {
        let zero = self.zero(&value.ty, place, place.span);
        let kind = StmtKind::Assign {
            place: bar,
            value: zero,
            init: false,
        };
        out.push(Stmt::new(kind, place.span));
    }

    fn update(&mut self, place: &Place, op: BinOp, value: &Expr, out: &mut Vec<Stmt>) {
        if !self.activity.expr_active(value) {
            return;
        }
        let bar = self.bar_place(place);
        let mut seed = Expr::new(ExprKind::Read(bar), value.ty.clone(), place.span);
        let mut reads_itself = false;
        crate::ir::expr_reads(value, &mut |p| reads_itself |= p.root == place.root);
        if reads_itself {
            seed = self.bind(seed, out);
        }
        if op == BinOp::Sub {
            seed = Expr::new(
                ExprKind::Unary(UnOp::Neg, Box::new(seed)),
                value.ty.clone(),
                place.span,
            );
        }
        AdjointBuilder::new(self, out).run(value, Seed::Value(seed), None);
    }

    fn pop(&mut self, dest: VarId, vec: &Place, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let ty = self.func.var(dest).ty.clone();
        let value = if self.activity.is_active(dest) {
            let bar = self.bar(dest);
            Expr::new(
                ExprKind::Read(Place::var(bar, stmt.span)),
                crate::ir::tangent_ty(&ty),
                stmt.span,
            )
        } else {
            self.zero(&ty, &Place::var(dest, stmt.span), stmt.span)
        };
        let vec = self.bar_place(vec);
        out.push(Stmt::new(StmtKind::Push { vec, value }, stmt.span));
    }

    fn fill(&mut self, slice: &Place, value: &Expr, stmt: &Stmt, out: &mut Vec<Stmt>) {
        let bar = self.bar_place(slice);
        if self.activity.expr_active(value) {
            let mut builder = AdjointBuilder::new(self, out);
            if value.ty.is_float() {
                let sum = Expr::new(ExprKind::SumOf(bar.clone()), value.ty.clone(), stmt.span);
                let sum = builder.adjoints.bind(sum, builder.out);
                builder.run(value, Seed::Value(sum), None);
            } else {
                builder.for_each_element(&bar, stmt.span, |builder, element| {
                    builder.run(value, Seed::Place(element), None)
                });
            }
        }
        out.push(Stmt::new(StmtKind::SetZero(bar), stmt.span));
    }

    /// The callee's reverse sweep, with an adjoint for each argument. An argument by value has one of its
    /// own, carried on afterwards; a root that an earlier argument already lends gets a copy that is added.
    fn call(
        &mut self,
        dest: Option<VarId>,
        callee: &Callee,
        args: &[Arg],
        stmt: &Stmt,
        out: &mut Vec<Stmt>,
    ) {
        let span = stmt.span;
        // An error has no adjoint, and the reverse sweep does not ask for it.
        let (args, _) = callee.split(args);
        let mut lent: Vec<VarId> = args
            .iter()
            .filter_map(|arg| match &arg.mode {
                ArgMode::InOut(p) => Some(p.root),
                ArgMode::Value(_) | ArgMode::Shared(_) => None,
            })
            .collect();
        let mut bars = Vec::new();
        let mut after: Vec<Stmt> = Vec::new();
        for arg in args {
            bars.push(match &arg.mode {
                ArgMode::Value(e) if self.activity.expr_active(e) => {
                    let bar = self.own_bar(e, span, out);
                    AdjointBuilder::new(self, &mut after).run(e, Seed::Place(bar.clone()), None);
                    BarArg::Place(bar)
                }
                ArgMode::Shared(p) if self.is_active(p) => {
                    if lent.contains(&p.root) {
                        let like = Expr::new(ExprKind::Read(p.clone()), Ty::Unknown, span);
                        let bar = self.own_bar(&like, span, out);
                        let dst = self.bar_place(p);
                        after.push(Stmt::new(
                            StmtKind::Accumulate {
                                dst,
                                src: bar.clone(),
                            },
                            span,
                        ));
                        BarArg::Place(bar)
                    } else {
                        lent.push(p.root);
                        BarArg::Place(self.bar_place(p))
                    }
                }
                ArgMode::InOut(p) if self.is_active(p) => BarArg::Place(self.bar_place(p)),
                ArgMode::Value(_) | ArgMode::Shared(_) | ArgMode::InOut(_) => {
                    arg.unused_bar(self.func)
                }
            });
        }
        let seed = match dest {
            Some(d) if self.activity.is_active(d) => Some(Place::var(self.bar(d), span)),
            _ => None,
        };
        let kind = StmtKind::CallReverse {
            callee: Box::new(Callee {
                fallible: false,
                ..callee.clone()
            }),
            args: args.to_vec(),
            bars,
            seed,
        };
        out.push(Stmt::new(kind, span));
        out.append(&mut after);
    }

    /// A zero adjoint for the value of an argument, of its own.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other values are computed once more"
    )]
    pub(super) fn own_bar(
        &mut self,
        e: &Expr,
        span: proc_macro2::Span,
        out: &mut Vec<Stmt>,
    ) -> Place {
        let ty = crate::ir::tangent_ty(&e.ty);
        let init = if crate::ir::has_static_zero(&e.ty) {
            Expr::new(ExprKind::Zero, ty.clone(), span)
        } else {
            match &e.kind {
                ExprKind::Read(p) => Expr::new(ExprKind::ZeroLike(p.clone()), ty.clone(), span),
                // A vector, whatever it is made from.
                ExprKind::ToVec(p) => {
                    Expr::new(ExprKind::ZeroLike(whole_slice(p.clone())), ty.clone(), span)
                }
                _ => {
                    let value = self.bind_value(e.clone(), out);
                    let ExprKind::Read(p) = value.kind else {
                        return Place::var(VarId(0), span);
                    };
                    Expr::new(ExprKind::ZeroLike(p), ty.clone(), span)
                }
            }
        };
        let var = self.func.temp_of(Class::Adjoint, "d", ty, span);
        self.func.var_mut(var).mutable = true;
        out.push(Stmt::new(
            StmtKind::Let {
                var,
                init: Some(init),
            },
            span,
        ));
        Place::var(var, span)
    }
}
