//! Closures that are bound to a name, and what `return` and `?` leave in the body of a closure.
//!
//! A closure is no value: its name stands for its text and for the names that were in scope where it was written. The
//! body is inlined where it is called. What it captures by reference cannot change outside it before its last call;
//! what it captures by value is copied where it stands.

use std::rc::Rc;

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::ext::IdentExt;

use super::Lowerer;
use super::bodies::{Shown, Yields, shown};
use super::fallible::Halves;
use super::infer::Kind;
use super::operator::strip;
use super::prescan::names_in;
use super::scope::{Binding, Scope, plain_ident};
use super::value::{Value, Want, span_of};
use crate::diag::catalog;
use crate::ir::{Place, Ty, VarId};

/// A closure with the names that it sees.
#[derive(Clone)]
pub(super) struct Local {
    pub(super) closure: Rc<syn::ExprClosure>,
    pub(super) scopes: Rc<Vec<Scope>>,
}

impl Lowerer<'_> {
    /// The closure that a `let` binds to a name.
    pub(super) fn closure_of(&self, e: &syn::Expr) -> Option<syn::ExprClosure> {
        match strip(e) {
            syn::Expr::Closure(closure) if self.lenient == 0 => Some(closure.clone()),
            syn::Expr::Reference(r) => self.closure_of(&r.expr),
            _ => None,
        }
    }

    /// `let name = |…| …;`
    pub(super) fn bind_closure(&mut self, p: &syn::PatIdent, closure: &syn::ExprClosure) {
        if closure.asyncness.is_some() {
            self.diags.over(&closure.asyncness, catalog::async_block());
        }
        let mut scopes = self.scopes.clone();
        scopes.push(Scope::default());
        let inside = std::mem::replace(&mut self.scopes, scopes);
        let mut seen = crate::ir::hash::HashSet::default();
        for name in names_in(&closure.to_token_stream()) {
            if seen.insert(name.unraw().to_string()) {
                self.capture(&name.unraw(), closure);
            }
        }
        let scopes = std::mem::replace(&mut self.scopes, inside);
        let local = Local {
            closure: Rc::new(closure.clone()),
            scopes: Rc::new(scopes),
        };
        self.bind(&p.ident, Binding::Closure(local));
    }

    /// What a name in the closure stands for from here on.
    fn capture(&mut self, name: &Ident, closure: &syn::ExprClosure) {
        let span = closure.or1_token.spans[0];
        match self.lookup(name) {
            // A reference that is re-assigned later: the closure has it as it is now.
            Some(Binding::View {
                view,
                var: Some(var),
            }) if self.references.contains(&var) => {
                let view = self.freeze_view(view);
                self.bind(name, Binding::View { view, var: None });
            }
            Some(Binding::Var(var) | Binding::Deferred { var, .. })
                if self.unstable.contains(&var) =>
            {
                let ty = self.func.var(var).ty.clone();
                if closure.capture.is_some() {
                    let own = self.read(Place::var(var, span), ty);
                    let own = self.temp_let("captured", own);
                    self.unstable.insert(own);
                    self.bind(name, Binding::Var(own));
                } else {
                    self.refuse_moves(name, (var, &ty), closure);
                }
            }
            _ => {}
        }
    }

    /// A call of a closure for its value.
    pub(super) fn call_of_closure(&mut self, local: &Local, call: &syn::ExprCall) -> Value {
        match self.closure_arguments(call) {
            Some(values) => self.call_local(local, values),
            None => Value::Never,
        }
    }

    pub(super) fn call_local(&mut self, local: &Local, values: Vec<Value>) -> Value {
        let yields = match shown(&local.closure) {
            Some(Shown::Result) => {
                return self.refuse(&local.closure.or1_token, catalog::result_value());
            }
            Some(Shown::Option) => Yields::Option,
            None => Yields::Value,
        };
        self.inline_local(local, values, yields)
    }

    /// What a closure is called with. `None`: evaluation does not come back.
    pub(super) fn closure_arguments(&mut self, call: &syn::ExprCall) -> Option<Vec<Value>> {
        let values = self.sequence(call.args.iter(), |l, e| match l.value(e, Want::Value) {
            value @ Value::Opaque(..) => Value::Expr(l.stored(value, span_of(e))),
            value => value,
        });
        let never = values.iter().any(|v| matches!(v, Value::Never));
        (!never).then_some(values)
    }

    /// The halves of what a closure yields that is called.
    pub(super) fn closure_halves(
        &mut self,
        local: &Local,
        call: &syn::ExprCall,
    ) -> Result<Halves, Value> {
        let Some(values) = self.closure_arguments(call) else {
            return Err(Value::Never);
        };
        self.halves_of_closure(local, values)
    }

    /// The closure yields a `Result`: its halves.
    pub(super) fn halves_of_closure(
        &mut self,
        local: &Local,
        values: Vec<Value>,
    ) -> Result<Halves, Value> {
        let span = local.closure.or1_token.spans[0];
        let error = self.new_error(span);
        if let syn::ReturnType::Type(_, written) = &local.closure.output {
            self.type_error_of(error, written, span);
        }
        let value = self.inline_local(local, values, Yields::Result(error));
        self.halves_with(value, error, span)
    }

    /// The halves whose value is an option.
    pub(super) fn halves_with(
        &mut self,
        value: Value,
        error: VarId,
        span: Span,
    ) -> Result<Halves, Value> {
        if matches!(value, Value::Never | Value::Error) {
            return Err(value);
        }
        let ty = self.type_of(&value);
        let payload = self.types.fresh(Kind::General);
        self.types
            .unify(&ty, &Ty::Option(Box::new(payload.clone())));
        match self.place_of(value, span) {
            Some((value, _)) => Ok(Halves {
                value,
                payload,
                error,
                behind: None,
                moves: false,
            }),
            None => Err(Value::Error),
        }
    }

    /// The closure's body with its parameters, under the names that it sees.
    pub(super) fn inline_local(
        &mut self,
        local: &Local,
        values: Vec<Value>,
        yields: Yields,
    ) -> Value {
        let outside = std::mem::replace(&mut self.scopes, (*local.scopes).clone());
        let value = self.outside_conditions(|l| l.inline_yielding(&local.closure, values, yields));
        self.scopes = outside;
        value
    }

    /// Whether an expression names a closure, or is a reference to one.
    pub(super) fn names_closure(&self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::Path(path) => plain_ident(path)
                .and_then(|name| self.lookup(name))
                .is_some_and(|binding| matches!(binding, Binding::Closure(_))),
            syn::Expr::Reference(r) => self.names_closure(&r.expr),
            _ => false,
        }
    }

    /// The closure that an expression names or is.
    pub(super) fn local_closure(&mut self, e: &syn::Expr) -> Option<Local> {
        match strip(e) {
            syn::Expr::Path(path) => match self.lookup(plain_ident(path)?)? {
                Binding::Closure(local) => Some(local),
                _ => None,
            },
            syn::Expr::Reference(r) if r.mutability.is_none() => self.local_closure(&r.expr),
            syn::Expr::Closure(closure) => Some(Local {
                closure: Rc::new(closure.clone()),
                scopes: Rc::new(self.scopes.clone()),
            }),
            _ => None,
        }
    }
}
