//! Closures that are bound to a name, and what `return` and `?` leave in the body of a closure.
//!
//! A closure is no value: its name stands for its text and for the names that were in scope where it was written. The
//! body is inlined where it is called. What it captures by reference cannot change outside it before its last call;
//! what it captures by value is copied where it stands.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};

use super::Lowerer;
use super::bodies::{Shown, Yields, shown};
use super::fallible::Halves;
use super::infer::Kind;
use super::operator::strip;
use super::prescan::names_in;
use super::scope::{Binding, Scope, plain_ident};
use super::value::{Value, Want, span_of};
use crate::diag::catalog;
use crate::ir::{IS_COPY, Place, Ty, VarId};

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
                } else if self.is_assigned_again(name) && MayMove::of(&closure.body, name) {
                    match self.is_copy(&ty) {
                        Some(true) => {}
                        Some(false) => self
                            .diags
                            .over(closure, catalog::closure_capture(&name.to_string())),
                        None => self.check_that(&Place::var(var, span), IS_COPY),
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether values of the type are `Copy`; `None` if only rustc knows.
    fn is_copy(&mut self, ty: &Ty) -> Option<bool> {
        self.types.solve();
        match self.types.shallow(ty) {
            Ty::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.is_copy(part)).collect();
                let some = |is: Option<bool>| parts.contains(&is);
                if some(Some(false)) {
                    Some(false)
                } else {
                    (!some(None)).then_some(true)
                }
            }
            Ty::Array(of, _) | Ty::Option(of) => self.is_copy(&of),
            Ty::Vec(_) | Ty::Ref(true, _) => Some(false),
            ty => self.types.is_plain(&ty).then_some(true),
        }
    }

    /// Whether the function's text assigns the whole variable somewhere.
    fn is_assigned_again(&self, name: &Ident) -> bool {
        assigns(self.source.clone(), name)
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

/// Whether `name = …` stands in the tokens, as a whole or as a part of a tuple.
fn assigns(tokens: proc_macro2::TokenStream, name: &Ident) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_assignment = |at: usize| match (tokens.get(at), tokens.get(at + 1)) {
        (Some(TokenTree::Punct(p)), next) if p.as_char() == '=' => {
            let joint = p.spacing() == proc_macro2::Spacing::Joint;
            !(joint
                && matches!(next, Some(TokenTree::Punct(n)) if matches!(n.as_char(), '=' | '>')))
        }
        _ => false,
    };
    let declares = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        match before {
            Some(TokenTree::Ident(i)) => *i == "let" || *i == "mut" || *i == "ref",
            Some(TokenTree::Punct(p)) => p.as_char() == '.',
            _ => false,
        }
    };
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(i) => i.unraw() == *name && is_assignment(at + 1) && !declares(at),
        TokenTree::Group(g) => {
            let names = || names_in(&g.stream());
            assigns(g.stream(), name)
                || is_assignment(at + 1)
                    && !declares(at)
                    && names().iter().any(|n| n.unraw() == *name)
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Whether a body may move a variable out of its name: it stands somewhere else than where it is only looked at or
/// written to.
struct MayMove<'n> {
    name: &'n Ident,
    found: bool,
}

impl MayMove<'_> {
    fn of(body: &syn::Expr, name: &Ident) -> bool {
        let mut finder = MayMove { name, found: false };
        finder.visit_expr(body);
        finder.found
    }

    fn is_name(&self, e: &syn::Expr) -> bool {
        super::scope::name_of(e).is_some_and(|ident| ident.unraw() == *self.name)
    }
}

impl<'ast> Visit<'ast> for MayMove<'_> {
    fn visit_expr(&mut self, e: &'ast syn::Expr) {
        match e {
            syn::Expr::Index(i) if self.is_name(&i.expr) => self.visit_expr(&i.index),
            syn::Expr::Reference(r) if self.is_name(&r.expr) => {}
            syn::Expr::Assign(a) if self.is_name(&a.left) => self.visit_expr(&a.right),
            syn::Expr::MethodCall(m) if self.is_name(&m.receiver) && borrows(&m.method) => {
                m.args.iter().for_each(|arg| self.visit_expr(arg));
            }
            e if self.is_name(e) => self.found = true,
            _ => visit::visit_expr(self, e),
        }
    }
}

/// Methods of containers that take `self` by reference.
fn borrows(method: &Ident) -> bool {
    let name = method.to_string();
    crate::ir::only_reads(&name)
        || name.ends_with("_mut")
        || name.starts_with("sort")
        || matches!(
            name.as_str(),
            "push"
                | "pop"
                | "insert"
                | "remove"
                | "swap"
                | "fill"
                | "clear"
                | "truncate"
                | "extend"
                | "resize"
                | "iter"
                | "copy_from_slice"
                | "extend_from_slice"
                | "reverse"
                | "push_back"
                | "pop_front"
        )
}
