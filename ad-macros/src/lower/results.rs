//! `match`, `if let` and `let … else` on a `Result`, and methods that ask it.

use proc_macro2::{Ident, Span};
use quote::quote;

use super::Lowerer;
use super::bodies::{Shown, shown};
use super::fallible::Halves;
use super::opaque::Builder;
use super::operator::strip;
use super::scope::{Binding, plain_ident};
use super::value::{Value, Want, span_of};
use crate::diag::catalog;
use crate::ir::{Opaque, OpaqueArg, OpaqueKind, Place, Ty, VarId};

/// The error that an arm takes, in code of an arm. No identifier of a user's is called so.
pub(super) const TAKEN: &str = "__retrograde_taken";

/// The name of the variable with the error.
pub(super) const HELD: &str = "__retrograde_error";

/// Whether the path is that of the error that an arm takes.
pub(super) fn is_taken(names: &[&str]) -> bool {
    names == [TAKEN]
}

/// Whether a pattern is one of a `Result`.
pub(super) fn of_result(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Or(or) => or.cases.iter().any(of_result),
        syn::Pat::Paren(p) => of_result(&p.pat),
        _ => part(pat, "Ok").is_some() || part(pat, "Err").is_some(),
    }
}

/// What `name(…)` matches inside.
fn part<'p>(pat: &'p syn::Pat, name: &str) -> Option<&'p syn::Pat> {
    let syn::Pat::TupleStruct(p) = pat else {
        return None;
    };
    let mut segments = p.path.segments.iter().rev();
    let named = segments.next().is_some_and(|last| last.ident == name);
    let of_std = segments
        .next()
        .is_none_or(|before| before.ident == "Result");
    match p.elems.first() {
        Some(inner) if p.elems.len() == 1 && named && of_std => Some(inner),
        _ => None,
    }
}

/// A pattern for the two halves.
fn apart(pat: &syn::Pat, takes: bool) -> Option<syn::Pat> {
    let tokens = match pat {
        syn::Pat::Wild(_) => quote!(_),
        syn::Pat::Paren(p) => return apart(&p.pat, takes),
        syn::Pat::Or(or) => {
            let cases: Option<Vec<_>> = or.cases.iter().map(|case| apart(case, takes)).collect();
            let cases = cases?;
            quote!(#(#cases)|*)
        }
        _ => match (part(pat, "Ok"), part(pat, "Err")) {
            (Some(inner), _) => quote!((Some(#inner), _)),
            (_, Some(syn::Pat::Wild(_))) => quote!((None, _)),
            (_, Some(_)) if takes => quote!((None, _)),
            (_, Some(inner)) => quote!((None, Some(#inner))),
            _ => return None,
        },
    };
    syn::parse::Parser::parse2(syn::Pat::parse_multi_with_leading_vert, tokens).ok()
}

/// The name to which an arm moves the error.
fn moved(arm: &syn::Arm) -> Option<&syn::PatIdent> {
    match part(&arm.pat, "Err") {
        Some(syn::Pat::Ident(p))
            if arm.guard.is_none() && p.by_ref.is_none() && p.subpat.is_none() =>
        {
            Some(p)
        }
        _ => None,
    }
}

impl Lowerer<'_> {
    /// A `match` on a `Result`, if it is one.
    pub(super) fn match_result(&mut self, m: &syn::ExprMatch, want: Want) -> Option<Value> {
        if !self.comes_apart(&m.expr) || !m.arms.iter().any(|arm| of_result(&arm.pat)) {
            return None;
        }
        let halves = match self.outside_conditions(|l| l.halves(&m.expr)) {
            Ok(halves) => halves,
            Err(value) => return Some(value),
        };
        let span = span_of(&m.expr);
        let mut arms = Vec::new();
        let mut open = true;
        for arm in &m.arms {
            let moved = moved(arm);
            let Some(pat) = apart(&arm.pat, moved.is_some()) else {
                return Some(self.refuse(&arm.pat, catalog::result_value()));
            };
            let body = &arm.body;
            let body = match moved {
                Some(name) => {
                    let taken = Ident::new(TAKEN, span);
                    syn::parse_quote!({ let #name = #taken(); #body })
                }
                None => (**body).clone(),
            };
            open &= !(matches!(pat, syn::Pat::Wild(_)) || is_all_errors(&pat));
            arms.push(syn::Arm {
                pat,
                body: Box::new(body),
                ..arm.clone()
            });
        }
        // Patterns for all errors there are do not show that there is one.
        if open {
            arms.push(syn::parse_quote!(_ => ::core::unreachable!(),));
        }
        let m = syn::ExprMatch { arms, ..m.clone() };
        Some(self.scoped(|l| {
            l.bind(&Ident::new(HELD, span), Binding::Var(halves.error));
            let value = l.of_halves(halves.value, halves.payload, halves.error, span);
            l.match_on(value, &m, want)
        }))
    }

    /// Whether an expression is asked for its halves: of a variable without derivative, patterns are kept as written.
    fn comes_apart(&self, e: &syn::Expr) -> bool {
        let called = matches!(strip(e), syn::Expr::Call(_) | syn::Expr::MethodCall(_));
        self.lenient == 0 && (called || self.bound_outcome(strip(e)).is_some())
    }

    fn of_halves(&self, value: Place, payload: Ty, error: VarId, span: Span) -> Value {
        let halves = vec![
            Value::Place(value, Ty::Option(Box::new(payload))),
            Value::Place(Place::var(error, span), self.func.var(error).ty.clone()),
        ];
        Value::Tuple(halves, span)
    }

    /// `if let Ok(x) = e { … } else { … }`, with an arm for each.
    pub(super) fn result_as_match(
        &self,
        branch: &syn::ExprIf,
        l: &syn::ExprLet,
    ) -> Option<syn::ExprMatch> {
        if !self.comes_apart(&l.expr) || !of_result(&l.pat) {
            return None;
        }
        let (pat, e, then) = (&l.pat, &l.expr, &branch.then_branch);
        let otherwise: syn::Expr = match &branch.else_branch {
            Some((_, otherwise)) => (**otherwise).clone(),
            None => syn::parse_quote!({}),
        };
        Some(syn::parse_quote!(match #e { #pat => #then, _ => #otherwise }))
    }

    /// `let Ok(x) = e else { … };` as one on the two halves.
    pub(super) fn result_else(
        &mut self,
        pat: &syn::Pat,
        e: &syn::Expr,
    ) -> Option<Result<(syn::Pat, Value), Value>> {
        if !self.comes_apart(e) || !of_result(pat) {
            return None;
        }
        let Some(apart) = apart(pat, false) else {
            return Some(Err(self.refuse(pat, catalog::result_value())));
        };
        let span = span_of(e);
        Some(match self.halves(e) {
            Ok(halves) => {
                let value = self.of_halves(halves.value, halves.payload, halves.error, span);
                Ok((apart, value))
            }
            Err(value) => Err(value),
        })
    }

    /// The error, moved out of its variable.
    pub(super) fn taken_error(&mut self, span: Span) -> Value {
        let Some(Binding::Var(error)) = self.lookup(&Ident::new(HELD, span)) else {
            return Value::Error;
        };
        let ty = match &self.func.var(error).ty {
            Ty::Option(ty) => (**ty).clone(),
            _ => Ty::Passive,
        };
        let mut builder = Builder::default();
        let error = builder.arg(self, OpaqueArg::RefMut(Place::var(error, span)), span);
        let opaque: Opaque = builder.build(
            self,
            syn::parse_quote!(::core::option::Option::take(#error).unwrap()),
            OpaqueKind::Macro(crate::ir::ERROR.to_owned()),
        );
        Value::Opaque(Box::new(opaque), ty, span)
    }

    /// `f(x).unwrap()` and the like, of a function that may have sweeps: a `Result` or an `Option`.
    pub(super) fn asked_of_call(&mut self, call: &syn::ExprMethodCall) -> Option<Value> {
        let name = call.method.to_string();
        if !(asks(&name, call.args.len()) || asks_an_option(call))
            || !self.yields_halves(&call.receiver)
        {
            return None;
        }
        let receiver = strip(&call.receiver);
        let halves = match self.outside_conditions(|l| l.halves_asked(receiver)) {
            Ok(halves) => halves,
            Err(value) => return Some(self.method_on(value, call, Want::Value)),
        };
        let (place, payload, span) = (halves.value, halves.payload, span_of(call));
        let option = Ty::Option(Box::new(payload.clone()));
        Some(match name.as_str() {
            "ok" => Value::Place(place, option),
            "is_ok" => Value::Expr(self.is_some(place, span)),
            "is_err" => {
                let some = self.is_some(place, span);
                Value::Expr(self.not(some))
            }
            "err" => {
                let ty = self.func.var(halves.error).ty.clone();
                Value::Place(Place::var(halves.error, span), ty)
            }
            _ => {
                let option = Value::Place(place, option);
                self.asked_with_error(option, call, &payload, halves.error)
            }
        })
    }

    /// Whether an expression is a call that may yield a `Result` or an `Option` with a derivative, or a method of what
    /// such a call yields.
    fn yields_halves(&mut self, e: &syn::Expr) -> bool {
        match strip(e) {
            // What nothing with a derivative goes into is asked as it stands, unless the text shows a `Result`.
            syn::Expr::Call(inner) => {
                self.calls_sweeps(inner)
                    && (self.mentions_active(&inner.args) || self.shows_a_result(e))
                    || self.is_fallible_closure(inner)
            }
            syn::Expr::Path(_) => self.bound_outcome(strip(e)).is_some(),
            syn::Expr::MethodCall(inner) => {
                let on_self = matches!(strip(&inner.receiver), syn::Expr::Path(path)
                    if plain_ident(path).is_some_and(|name| name == "self"));
                let name = inner.method.to_string();
                let of_result = matches!(name.as_str(), "map_err" | "ok_or" | "ok_or_else")
                    || matches!(name.as_str(), "map" | "and_then" | "or_else")
                        && self.yields_halves(&inner.receiver);
                on_self && self.owner.member(&inner.method).is_some() && self.lenient == 0
                    || of_result && self.lenient == 0
                    || self.is_own_call(inner)
            }
            _ => false,
        }
    }

    fn is_fallible_closure(&mut self, call: &syn::ExprCall) -> bool {
        let local = if self.lenient == 0 {
            self.called_closure(call)
        } else {
            None
        };
        local.is_some_and(|local| shown(&local.closure) == Some(Shown::Result))
    }

    fn halves_asked(&mut self, e: &syn::Expr) -> Result<Halves, Value> {
        let of_closure = matches!(e, syn::Expr::Call(call) if self.is_fallible_closure(call));
        match e {
            syn::Expr::MethodCall(call)
                if matches!(
                    call.method.to_string().as_str(),
                    "map_err" | "ok_or" | "ok_or_else" | "map" | "and_then" | "or_else"
                ) =>
            {
                self.halves(e)
            }
            _ if of_closure => self.halves(e),
            syn::Expr::Path(_) => self.halves(e),
            _ => self.fallible_call(e),
        }
    }
}

/// Methods that ask for the halves of a `Result`, or for an `Option`.
fn asks(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        (
            "unwrap"
                | "is_ok"
                | "is_err"
                | "is_some"
                | "is_none"
                | "ok"
                | "err"
                | "unwrap_or_default",
            0
        ) | (
            "expect"
                | "unwrap_or"
                | "unwrap_or_else"
                | "map_or_else"
                | "filter"
                | "is_some_and"
                | "is_ok_and"
                | "is_none_or"
                | "zip"
                | "xor",
            1
        ) | ("map_or" | "map_or_else", 2)
    )
}

/// `or_else(|| …)`: that of a `Result` is given the error.
fn asks_an_option(call: &syn::ExprMethodCall) -> bool {
    call.method == "or_else"
        && matches!(call.args.first().map(strip), Some(syn::Expr::Closure(c)) if c.inputs.is_empty())
}

/// Whether the pattern matches whatever the error is.
fn is_all_errors(pat: &syn::Pat) -> bool {
    matches!(pat, syn::Pat::Tuple(t) if matches!(t.elems.last(), Some(syn::Pat::Wild(_)))
        && matches!(t.elems.first(), Some(syn::Pat::Ident(p)) if p.ident == "None"))
}
