//! A `Result` in a variable, and methods that make another one of it: `and_then`, `or_else`, `context`.

use proc_macro2::{Ident, TokenStream, TokenTree};

use super::Lowerer;
use super::bodies::{Shown, shown};
use super::fallible::{Halves, is_of_results};
use super::fallible_ends::{end_shown, may_fail, type_shown};
use super::opaque::Builder;
use super::operator::strip;
use super::prescan::names_in;
use super::scope::Binding;
use super::value::{Value, span_of};
use crate::ir::{OpaqueArg, Place, Ty, VarId};

impl Lowerer<'_> {
    /// The halves of a variable that stands for a `Result`.
    pub(super) fn bound_outcome(&self, e: &syn::Expr) -> Option<Halves> {
        match self.lookup(super::scope::name_of(e)?)? {
            Binding::Outcome(halves) => Some(halves),
            _ => None,
        }
    }

    /// Whether a `let` binds a `Result` that may carry a derivative: its text, or what is done with the name, shows it.
    pub(super) fn is_outcome(
        &mut self,
        e: &syn::Expr,
        annotation: Option<&syn::Type>,
        name: &Ident,
    ) -> bool {
        if self.lenient > 0 || !self.mentions_active(e) {
            return false;
        }
        let written = annotation.and_then(type_shown);
        let e = strip(e);
        match e {
            _ if written == Some(Shown::Result) => true,
            _ if written.is_some() => false,
            syn::Expr::MethodCall(call) if may_fail(call) => end_shown(call) == Some(Shown::Result),
            syn::Expr::MethodCall(call) if is_of_results(&call.method.to_string()) => {
                self.is_asked(name)
            }
            syn::Expr::If(_) | syn::Expr::Match(_) | syn::Expr::Block(_) | syn::Expr::Loop(_) => {
                super::bodies::value_shown(e) == Some(Shown::Result)
            }
            syn::Expr::Call(call) => {
                if let Some(local) = self.called_closure(call) {
                    return shown(&local.closure) == Some(Shown::Result);
                }
                self.calls_sweeps(call) && (self.shows_a_result(e) || self.is_asked(name))
            }
            syn::Expr::MethodCall(call) => {
                self.is_own_call(call) && (self.shows_a_result(e) || self.is_asked(name))
            }
            _ => false,
        }
    }

    /// Whether what is done with the name shows that it is a `Result`.
    fn is_asked(&self, name: &Ident) -> bool {
        asked_as_result(self.source.clone(), name, self.func.failure.is_some())
    }

    /// `let name = e;` of a `Result`.
    pub(super) fn bind_outcome(&mut self, name: &Ident, e: &syn::Expr) {
        let binding = match self.halves(e) {
            Ok(halves) => Binding::Outcome(Halves {
                moves: false,
                ..halves
            }),
            Err(_) => Binding::Poisoned,
        };
        self.bind(name, binding);
    }

    /// `result.and_then(f)`, `result.or_else(f)`
    pub(super) fn with_other_result(
        &mut self,
        call: &syn::ExprMethodCall,
    ) -> Result<Halves, Value> {
        let span = span_of(call);
        let halves = self.halves(&call.receiver)?;
        let name = call.method.to_string();
        // Of `or_else`, the closure may look at the error before it gives another.
        let error = match name.as_str() {
            "and_then" => halves.error,
            _ => self.new_error(span),
        };
        let option = Ty::Option(Box::new(halves.payload.clone()));
        let value = Value::Place(halves.value, option);
        let of_option = matches!(call.args.first().map(strip),
            Some(syn::Expr::Closure(c)) if shown(c) == Some(Shown::Option));
        self.fails.push((!of_option).then_some(error));
        let value = self.asked_with_error(value, call, &halves.payload, halves.error);
        self.fails.pop();
        self.halves_with(value, error, span)
    }

    /// A method of an option whose closure may name the error.
    pub(super) fn asked_with_error(
        &mut self,
        value: Value,
        call: &syn::ExprMethodCall,
        payload: &Ty,
        error: VarId,
    ) -> Value {
        let held = Ident::new(super::results::HELD, span_of(call));
        self.scoped(|l| {
            l.bind(&held, Binding::Var(error));
            l.option_method(value, call, &call.method.to_string(), payload)
        })
    }

    /// `context(…)` of `anyhow`, on a `Result` or an `Option`.
    pub(super) fn with_context(&mut self, call: &syn::ExprMethodCall) -> Result<Halves, Value> {
        let span = span_of(call);
        let (halves, is_option) = self.halves_or_option(&call.receiver)?;
        let some = self.is_some(halves.value.clone(), span);
        let mut builder = Builder::default();
        let some = builder.value(self, some);
        let failed = Place::var(halves.error, span);
        let failed = builder.arg(self, OpaqueArg::RefMut(failed), span);
        let text = self.error_code(&mut builder, &call.args[0]);
        let method = &call.method;
        let none = quote::quote!(::core::option::Option::<()>::None.#method(#text).err());
        let code = match is_option {
            true => syn::parse_quote!(if #some { ::core::option::Option::None } else { #none }),
            // Whether a function yields a `Result` or an `Option` is not seen here.
            false => syn::parse_quote!(match ::core::option::Option::take(#failed) {
                ::core::option::Option::Some(__error) => {
                    ::core::result::Result::<(), _>::Err(__error).#method(#text).err()
                }
                ::core::option::Option::None if #some => ::core::option::Option::None,
                ::core::option::Option::None => #none,
            }),
        };
        let error = self.error_of(builder, code, span);
        Ok(Halves {
            error,
            moves: false,
            ..halves
        })
    }

    /// The halves of a `Result`; or an option, as the first half of one.
    fn halves_or_option(&mut self, e: &syn::Expr) -> Result<(Halves, bool), Value> {
        let e = strip(e);
        if let syn::Expr::MethodCall(call) = e
            && is_of_results(&call.method.to_string())
        {
            return Ok((self.halves(e)?, false));
        }
        let span = span_of(e);
        let value = match self.fallible_call(e) {
            Ok(halves) => return Ok((halves, false)),
            Err(value @ (Value::Never | Value::Error)) => return Err(value),
            Err(value) => value,
        };
        let ty = self.type_of(&value);
        if !matches!(self.types.shallow(&ty), Ty::Option(_)) {
            return Ok((self.halves_of_value(value, e)?, false));
        }
        let error = self.new_error(span);
        self.type_error(error, &syn::parse_quote!(::core::convert::Infallible), span);
        let view = match &value {
            Value::Ref(view) => Some(view.clone()),
            _ => None,
        };
        let halves = match view {
            Some(view) => Halves {
                behind: Some(view.mutable),
                ..self.halves_with(Value::Place(view.place, view.ty), error, span)?
            },
            None => self.halves_with(value, error, span)?,
        };
        Ok((halves, true))
    }
}

/// Whether the text treats a name as that of a `Result`: `name.is_ok()`, `match name { Ok(…) … }`. `question`: also by
/// `name?`, which in a function that returns an `Option` is asked of one.
fn asked_as_result(tokens: TokenStream, name: &Ident, question: bool) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |at: usize, text: &str| {
        tokens
            .get(at)
            .is_some_and(|token| token.to_string() == text)
    };
    tokens.iter().enumerate().any(|(at, token)| match token {
        TokenTree::Ident(i) if *i == *name => {
            let method = tokens.get(at + 2).map(ToString::to_string);
            let method = method.filter(|_| is(at + 1, "."));
            let by_method = method.is_some_and(|m| {
                matches!(
                    m.as_str(),
                    "is_ok" | "is_err" | "map_err" | "ok" | "err" | "is_ok_and"
                )
            });
            // `match name { Ok(…) => …`, `if let Ok(…) = name`
            let by_arms = at > 0
                && is(at - 1, "match")
                && matches!(tokens.get(at + 1), Some(TokenTree::Group(g))
                    if names_in(&g.stream()).iter().any(|n| *n == "Ok" || *n == "Err"));
            let by_let = at > 2 && is(at - 1, "=") && (is(at - 3, "Ok") || is(at - 3, "Err"));
            by_method || by_arms || by_let || question && is(at + 1, "?")
        }
        TokenTree::Group(g) => asked_as_result(g.stream(), name, question),
        _ => false,
    })
}
