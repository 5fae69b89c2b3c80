//! Blocks and statements.

use super::Lowerer;
use super::operator::strip;
use super::scope::Binding;
use super::value::{Value, View, Want, holds_reference, span_of};
use crate::diag::catalog;
use crate::ir::{Ty, VarKind};

impl Lowerer<'_> {
    /// A block, flattened into the current one; its names end with it.
    pub(super) fn block(&mut self, block: &syn::Block, want: Want) -> Value {
        self.scoped(|l| {
            l.items(block);
            let mut last = Value::Unit;
            for (n, stmt) in block.stmts.iter().enumerate() {
                let is_tail = n + 1 == block.stmts.len();
                last = l.stmt(stmt, is_tail.then_some(want));
            }
            if l.diverged() && !matches!(last, Value::Error) {
                return Value::Never;
            }
            match last {
                // A block's value is a copy, not the place.
                Value::Place(place, ty) => Value::Expr(l.read(place, ty)),
                other => other,
            }
        })
    }

    /// One statement. `tail`: it may be the value of its block.
    fn stmt(&mut self, stmt: &syn::Stmt, tail: Option<Want>) -> Value {
        match stmt {
            syn::Stmt::Local(local) => {
                self.outside_conditions(|l| l.local(local));
                Value::Unit
            }
            syn::Stmt::Item(_) => Value::Unit,
            // A lone `;`.
            syn::Stmt::Expr(syn::Expr::Verbatim(tokens), _) if tokens.is_empty() => Value::Unit,
            syn::Stmt::Expr(e, None) => match tail {
                Some(Want::Discard) | None => self.effect(e),
                Some(want) => self.value(e, want),
            },
            syn::Stmt::Expr(e, Some(_)) => self.effect(e),
            syn::Stmt::Macro(m) => {
                self.plain_attributes(&m.attrs);
                let value = self.outside_conditions(|l| l.macro_call(&m.mac, span_of(m)));
                match tail {
                    Some(Want::Value | Want::Into(_)) if m.semi_token.is_none() => value,
                    _ => {
                        self.discard(value, span_of(m));
                        Value::Unit
                    }
                }
            }
        }
    }

    fn effect(&mut self, e: &syn::Expr) -> Value {
        let value = self.statement(e, Want::Discard);
        let never = matches!(value, Value::Never);
        self.discard(value, span_of(e));
        if never { Value::Never } else { Value::Unit }
    }

    /// A statement is evaluated on its own, also inside a condition.
    pub(super) fn statement(&mut self, e: &syn::Expr, want: Want) -> Value {
        self.outside_conditions(|l| l.value(e, want))
    }

    /// The value of an inlined closure's body.
    pub(super) fn statement_value(&mut self, e: &syn::Expr) -> Value {
        self.value(e, Want::Value)
    }

    pub(super) fn outside_conditions<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let passive = std::mem::take(&mut self.passive);
        let result = f(self);
        self.passive = passive;
        result
    }

    fn local(&mut self, local: &syn::Local) {
        if !self.plain_attributes(&local.attrs) {
            self.diags
                .over(&local.attrs[0], catalog::checkpoint_target());
        }
        let Some(init) = &local.init else {
            return self.deferred(&local.pat);
        };
        if let Some((_, otherwise)) = &init.diverge {
            return self.let_else(&local.pat, &init.expr, otherwise);
        }
        let (pat, annotation) = match &local.pat {
            syn::Pat::Type(p) => (&*p.pat, Some(&*p.ty)),
            other => (other, None),
        };
        if let (syn::Pat::Ident(p), e) = (pat, strip(&init.expr))
            && p.by_ref.is_none()
            && p.subpat.is_none()
            && let Some(function) = self.function_named(e)
        {
            return self.bind(&p.ident, Binding::Function(Box::new(function)));
        }
        let ended = annotation.and_then(|t| {
            super::fallible_ends::ended(&init.expr, t)
                .or_else(|| super::array_map::typed_from_fn(&init.expr, t))
                .or_else(|| super::conversions::written_out(&init.expr, t))
                .or_else(|| super::conversions::typed_none(&init.expr, t))
        });
        let init = &ended.unwrap_or_else(|| (*init.expr).clone());
        let init = match super::walks::bound_chain(init) {
            Some(chain) if !self.is_taken_one_by_one(chain) => chain,
            _ => init,
        };
        let noted = match annotation {
            Some(ty) => Some(ty.clone()),
            None => super::constructed::type_of_literal(init).or_else(|| self.type_of_name(init)),
        };
        match pat {
            syn::Pat::Ident(p) if self.is_outcome(init, annotation, &p.ident) => {
                self.bind_outcome(&p.ident, init);
            }
            syn::Pat::Ident(p) if self.bind_chain(p, init) => {}
            syn::Pat::Ident(p) if let Some(closure) = self.closure_of(init) => {
                self.bind_closure(p, &closure);
            }
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() && produces(init) => {
                self.produced(p, annotation, init);
            }
            _ => {
                let value = self.value(init, Want::Value);
                let value = self.check_references(init, value);
                let value = match annotation {
                    Some(t) => {
                        let ty = self.annotation(t);
                        self.annotated(value, &ty)
                    }
                    None => value,
                };
                self.bind_pattern(pat, value);
            }
        }
        if let Some(ty) = noted {
            self.note_written_type(pat, &ty);
        }
    }

    /// The written type of the variable that an expression names.
    fn type_of_name(&self, e: &syn::Expr) -> Option<syn::Type> {
        let Some(Binding::Var(var)) = self.lookup(super::scope::name_of(e)?) else {
            return None;
        };
        let param = self.func.params.iter().find(|param| param.var == var);
        let of_param = param
            .filter(|param| param.ident != "self")
            .map(|param| &param.written);
        self.written_types.get(&var).or(of_param).cloned()
    }

    /// The type that the text gives a variable which is no reference.
    pub(super) fn note_written_type(&mut self, pat: &syn::Pat, ty: &syn::Type) {
        if let syn::Pat::Ident(p) = pat
            && !matches!(ty, syn::Type::Reference(_))
            && !holds_placeholder(ty)
            && let Some(Binding::Var(var)) = self.lookup(&p.ident)
        {
            self.written_types.insert(var, ty.clone());
        }
    }

    /// `let x = if … { … } else { … };`: the arms assign the variable itself.
    fn produced(&mut self, p: &syn::PatIdent, annotation: Option<&syn::Type>, init: &syn::Expr) {
        let span = p.ident.span();
        let ty = match annotation {
            Some(t) => self.annotation(t),
            None => self.types.fresh(super::infer::Kind::General),
        };
        let ty = match ty {
            Ty::Ref(_, inner) => *inner,
            other => other,
        };
        let mutable = p.mutability.is_some();
        let var = self.declare(&p.ident, ty.clone(), VarKind::Local, mutable);
        let value = self.value(init, Want::Into(var));
        let value = self.check_references(init, value);
        let binding = match value {
            Value::Error => Binding::Poisoned,
            Value::Never => Binding::Poisoned,
            Value::Ref(view) if view.place.root == var => Binding::View {
                view,
                var: mutable.then_some(var),
            },
            Value::Ref(view) => {
                self.bind_name(&p.ident, mutable, Value::Ref(view));
                return;
            }
            Value::Tuple(values, span) if values.iter().any(holds_reference) => {
                self.bind_name(&p.ident, mutable, Value::Tuple(values, span));
                return;
            }
            other => {
                let other = self.annotated(other, &ty);
                self.initialise(var, other, span);
                Binding::Var(var)
            }
        };
        self.bind(&p.ident, binding);
    }

    /// `let x;`
    fn deferred(&mut self, pat: &syn::Pat) {
        let (pat, annotation) = match pat {
            syn::Pat::Type(p) => (&*p.pat, Some(self.annotation(&p.ty))),
            other => (other, None),
        };
        self.deferred_as(pat, annotation);
    }

    fn deferred_as(&mut self, pat: &syn::Pat, annotation: Option<Ty>) {
        let p = match (pat, &annotation) {
            (syn::Pat::Ident(p), _) => p,
            (syn::Pat::Wild(_), _) => return,
            (syn::Pat::Tuple(t), None) => {
                t.elems.iter().for_each(|part| self.deferred_as(part, None));
                return;
            }
            (syn::Pat::Tuple(t), Some(Ty::Tuple(types))) if t.elems.len() == types.len() => {
                for (part, ty) in t.elems.iter().zip(types) {
                    self.deferred_as(part, Some(ty.clone()));
                }
                return;
            }
            _ => {
                self.diags.over(pat, catalog::unsupported_pattern());
                self.poison(pat);
                return;
            }
        };
        let ty = match annotation {
            Some(Ty::Ref(_, inner)) => *inner,
            Some(ty) => ty,
            None => self.types.fresh(super::infer::Kind::General),
        };
        let mutable = p.mutability.is_some();
        let var = self.declare(&p.ident, ty, VarKind::Local, mutable);
        self.emit_let(var, None, p.ident.span());
        if mutable {
            self.deferred.insert(var, p.ident.span());
        }
        self.bind(&p.ident, Binding::Deferred { var, mutable });
    }

    /// Rust checks bounds where a reference is made.
    fn check_references(&mut self, e: &syn::Expr, value: Value) -> Value {
        match (strip(e), value) {
            (syn::Expr::Reference(_), Value::Ref(view)) => {
                let place = self.freeze_place(view.place);
                self.check_bounds(&place);
                Value::Ref(View { place, ..view })
            }
            (syn::Expr::Block(b), value) => match b.block.stmts.last() {
                Some(syn::Stmt::Expr(tail, None)) => self.check_references(tail, value),
                _ => value,
            },
            (syn::Expr::Tuple(t), Value::Tuple(values, span)) => {
                let parts = t.elems.iter().zip(values);
                let parts = parts.map(|(e, value)| self.check_references(e, value));
                Value::Tuple(parts.collect(), span)
            }
            (_, value) => value,
        }
    }
}

/// Whether a part of the type is left to rustc.
fn holds_placeholder(ty: &syn::Type) -> bool {
    struct Finder(bool);
    impl syn::visit::Visit<'_> for Finder {
        fn visit_type_infer(&mut self, _: &syn::TypeInfer) {
            self.0 = true;
        }
    }
    let mut finder = Finder(false);
    syn::visit::Visit::visit_type(&mut finder, ty);
    finder.0
}

/// Whether the expression can produce its value in a given variable.
fn produces(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::If(_)
        | syn::Expr::Match(_)
        | syn::Expr::Block(_)
        | syn::Expr::Loop(_)
        | syn::Expr::Call(_) => true,
        syn::Expr::Paren(p) => produces(&p.expr),
        syn::Expr::Group(g) => produces(&g.expr),
        _ => false,
    }
}
