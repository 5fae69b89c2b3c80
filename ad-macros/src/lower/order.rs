//! Several operands: what a later one would disturb in an earlier one is copied before.

use proc_macro2::Span;
use syn::visit::{self, Visit};

use super::Lowerer;
use super::effects::{acts, may_panic};
use super::sequence::is_sequence;
use super::value::{Value, View, Want, span_of};
use crate::ir::{
    ArgMode, Expr, ExprKind, Opaque, OpaqueArg, Place, Proj, Stmt, StmtKind, Ty, VarSet,
    effects_of, expr_reads, place_index_reads,
};

impl Lowerer<'_> {
    /// Lowers operands in execution order.
    pub(super) fn operands<'e>(
        &mut self,
        exprs: impl IntoIterator<Item = &'e syn::Expr>,
    ) -> Vec<Expr> {
        let values = self.sequence(exprs, |l, e| {
            let value = l.value(e, Want::Value);
            Value::Expr(l.operand(value, span_of(e)))
        });
        values
            .into_iter()
            .map(|v| self.stored_raw(v, Span::call_site()))
            .collect()
    }

    /// Lowers expressions in execution order; what a later one would disturb in an earlier one is copied before.
    pub(super) fn sequence<'e>(
        &mut self,
        exprs: impl IntoIterator<Item = &'e syn::Expr>,
        mut lower: impl FnMut(&mut Self, &syn::Expr) -> Value,
    ) -> Vec<Value> {
        let mut done: Vec<Value> = Vec::new();
        for e in exprs {
            let mark = self.mark();
            let value = lower(self, e);
            self.protect(&mut done, mark);
            done.push(value);
        }
        done
    }

    /// Copies those pending values that the statements after `mark` disturb; the copies go before `mark`.
    pub(super) fn protect(&mut self, pending: &mut [Value], mark: usize) {
        let stmts = &self.frame().stmts[mark..];
        if stmts.is_empty() {
            return;
        }
        let disturbance = Disturbance {
            writes: effects_of(stmts).writes,
            acts: stmts.iter().any(acts),
            binds: stmts.iter().all(only_binds),
            yields: stmts
                .iter()
                .all(|stmt| only_binds(stmt) || only_yields(stmt)),
        };
        let mut copies = Vec::new();
        for value in pending {
            self.protect_one(value, &disturbance, &mut copies);
        }
        self.frame().stmts.splice(mark..mark, copies);
    }

    fn protect_one(&mut self, value: &mut Value, by: &Disturbance, copies: &mut Vec<Stmt>) {
        match value {
            Value::Expr(e) => {
                if by.disturbs(e) {
                    *e = self.copy_before(e.clone(), copies);
                }
            }
            Value::Place(place, ty) => {
                let e = Expr::new(ExprKind::Read(place.clone()), ty.clone(), place.span);
                if by.disturbs(&e) {
                    *value = Value::Expr(self.copy_before(e, copies));
                }
            }
            Value::Ref(view) => self.protect_index(&mut view.place, by, copies),
            Value::Tuple(values, _) => {
                for value in values {
                    self.protect_one(value, by, copies);
                }
            }
            // An iterator, say, stays where the chain goes on with it.
            Value::Opaque(opaque, ..) if by.passes(opaque) => {}
            Value::Opaque(opaque, ty, span) => {
                let e = Expr::new(ExprKind::Opaque(opaque.clone()), ty.clone(), *span);
                *value = Value::Expr(self.copy_before(e, copies));
            }
            Value::Unit | Value::Never | Value::Error => {}
        }
    }

    fn protect_index(&mut self, place: &mut Place, by: &Disturbance, copies: &mut Vec<Stmt>) {
        for proj in &mut place.proj {
            match proj {
                Proj::Index(e) if by.disturbs(e) => **e = self.copy_before((**e).clone(), copies),
                Proj::Range { lo, hi, .. } => {
                    for e in lo.iter_mut().chain(hi) {
                        if by.disturbs(e) {
                            **e = self.copy_before((**e).clone(), copies);
                        }
                    }
                }
                Proj::Index(_)
                | Proj::Deref
                | Proj::Field(_)
                | Proj::Payload
                | Proj::Variant(_)
                | Proj::Unbox => {}
            }
        }
    }

    /// Keeps a place (not its value) meaning the same across the statements after `mark`.
    pub(super) fn protect_place(&mut self, place: &mut Place, mark: usize) {
        let view = View::new(place.clone(), Ty::Unknown, true);
        let mut pending = [Value::Ref(view)];
        self.protect(&mut pending, mark);
        if let [Value::Ref(view)] = pending {
            *place = view.place;
        }
    }

    fn copy_before(&mut self, mut e: Expr, copies: &mut Vec<Stmt>) -> Expr {
        let (operand, span) = (e.ty.clone(), e.span);
        // An operand behind a reference is copied, and stays behind one.
        e.ty = operand.peel().clone();
        let ty = e.ty.clone();
        let var = self.temp("before", ty, span);
        copies.push(Stmt::new(StmtKind::Let { var, init: Some(e) }, span));
        Expr::read_var(var, operand, span)
    }
}

/// What later statements do that earlier values must not see.
struct Disturbance {
    writes: VarSet,
    acts: bool,
    /// They bind values, and do nothing else.
    binds: bool,
    /// They bind values, also those of functions that write to none of their arguments.
    yields: bool,
}

/// Whether a statement binds a value that can be evaluated earlier or later.
fn only_binds(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Let { init: Some(e), .. } if !may_panic(e))
}

/// Whether a statement is there for a value alone.
fn only_yields(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Let { .. } => true,
        StmtKind::Call {
            dest: Some(_),
            args,
            ..
        } => args.iter().all(|arg| match &arg.mode {
            ArgMode::Value(_) | ArgMode::Shared(_) => true,
            ArgMode::InOut(_) => false,
        }),
        _ => false,
    }
}

/// Whether code makes a chain that does nothing before its end, out of what is only read.
fn waits(code: &syn::Expr) -> bool {
    struct Acts(bool);
    impl Visit<'_> for Acts {
        fn visit_expr_call(&mut self, _: &syn::ExprCall) {
            self.0 = true;
        }
        fn visit_macro(&mut self, _: &syn::Macro) {
            self.0 = true;
        }
        fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
            self.0 |= !is_sequence(&syn::Expr::MethodCall(call.clone()));
            visit::visit_expr_method_call(self, call);
        }
        // It runs with the items.
        fn visit_expr_closure(&mut self, _: &syn::ExprClosure) {}
    }
    let mut acts = Acts(false);
    acts.visit_expr(code);
    is_sequence(code) && !acts.0
}

impl Disturbance {
    /// Whether code that is kept as written, and writes to nothing of the function's, may run behind the statements.
    fn passes(&self, opaque: &Opaque) -> bool {
        let undisturbed = |arg: &OpaqueArg| match arg {
            OpaqueArg::Place(place) | OpaqueArg::Ref(place) => {
                let read = Expr::new(ExprKind::Read(place.clone()), Ty::Unknown, place.span);
                !self.disturbs(&read)
            }
            OpaqueArg::Value(e) => !self.disturbs(e),
            OpaqueArg::RefMut(_) => false,
        };
        let waits = self.binds || self.yields && waits(&opaque.code);
        waits && opaque.args.iter().all(|(_, arg)| undisturbed(arg))
    }

    fn disturbs(&self, e: &Expr) -> bool {
        let mut read = false;
        expr_reads(e, &mut |p| {
            read |= self.writes.contains(&p.root);
            place_index_reads(p, &mut |q| read |= self.writes.contains(&q.root));
        });
        read || (self.acts && may_panic(e))
    }
}
