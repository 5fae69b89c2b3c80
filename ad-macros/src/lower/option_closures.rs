//! Methods of an `Option` that stand for a `match`: `map`, `and_then`, `unwrap_or_else` and their relatives.
//!
//! The closure runs where the method is called, at most once, so its body is the arm.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use super::Lowerer;
use super::bodies::{BODY, BODY_OPTION, BODY_RESULT, Shown, leaves_early, shown};
use super::operator::strip;
use super::prescan::names_in;
use super::scope::Binding;
use super::value::{Value, View, Want, span_of};
use crate::diag::catalog;
use crate::ir::Ty;

/// The payload where the method hands it on. No identifier of a user's is called so.
pub(super) const PAYLOAD: &str = "__retrograde_payload";

impl Lowerer<'_> {
    /// The method as a `match`, if it is one of these.
    #[expect(clippy::too_many_lines, reason = "an arm for each method")]
    pub(super) fn option_closure(
        &mut self,
        receiver: &Value,
        call: &syn::ExprMethodCall,
        name: &str,
        payload: &Ty,
    ) -> Option<Value> {
        let fails = self.fails.last().is_some_and(|fails| fails.is_some());
        // What stands for a `Result` has not all of its methods, and takes no error.
        let of_result = self
            .lookup(&Ident::new(super::results::HELD, call.method.span()))
            .is_some();
        let passive =
            !fails && !of_result && self.types.is_passive(payload) && !self.captures_active(call);
        if self.lenient > 0 || passive || call.turbofish.is_some() {
            return None;
        }
        let span = span_of(call);
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let held = Ident::new(PAYLOAD, span);
        let held = held.to_token_stream();
        // Of a reference to a number, the number is kept, and the result lies behind a reference again.
        let by_reference = matches!(name, "filter" | "zip")
            && matches!(receiver, Value::Ref(_))
            && self.is_copied_whole(payload);
        let lent = |e: TokenStream| if by_reference { quote!(*#e) } else { e };
        let (value, m) = match (name, args.as_slice()) {
            ("map", [f]) => (None, one_arm(f, &quote!(None), true, span)?),
            ("and_then" | "or_else", [f]) if fails => {
                let m = if name == "and_then" {
                    let (pat, body) = fallible(f, true, span)?;
                    quote!(match () { Some(#pat) => #body, None => None })
                } else {
                    let (_, body) = fallible(f, false, span)?;
                    quote!(match () { Some(#held) => Some(#held), None => #body })
                };
                (None, m)
            }
            ("and_then", [f]) => (None, one_arm(f, &quote!(None), false, span)?),
            ("is_some_and" | "is_ok_and", [f]) => (None, one_arm(f, &quote!(false), false, span)?),
            ("is_none_or", [f]) => (None, one_arm(f, &quote!(true), false, span)?),
            ("filter", [f]) => {
                let (pat, body) = applied(f, span)?;
                let kept = lent(quote!(#held));
                let some = quote!({ let #pat = &#held; if #body { Some(#kept) } else { None } });
                (
                    None,
                    quote!(match () { Some(#held) => #some, None => None }),
                )
            }
            ("map_or_else", [g, f]) => {
                let none = body_of(g)?;
                (None, one_arm(f, &none, false, span)?)
            }
            ("unwrap_or_else", [g]) => {
                let none = body_of(g)?;
                (
                    None,
                    quote!(match () { Some(#held) => #held, None => #none }),
                )
            }
            ("flatten", []) => {
                let m = quote!(match () { Some(#held) => #held, None => None });
                (None, m)
            }
            ("or_else", [g]) => {
                let none = body_of(g)?;
                (
                    None,
                    quote!(match () { Some(#held) => Some(#held), None => #none }),
                )
            }
            ("map_or", [default, f]) => {
                let (pat, body) = applied(f, span)?;
                let m = quote!(match () { (Some(#pat), _) => #body, (None, #held) => #held });
                (Some(*default), m)
            }
            ("and", [other]) => {
                let m = quote!(match () { (Some(_), #held) => #held, (None, _) => None });
                (Some(*other), m)
            }
            ("xor", [other]) => {
                let m = quote!(match () {
                    (Some(#held), None) => Some(#held),
                    (None, Some(#held)) => Some(#held),
                    _ => None,
                });
                (Some(*other), m)
            }
            ("or", [other]) => {
                let m =
                    quote!(match () { (Some(#held), _) => Some(#held), (None, #held) => #held });
                (Some(*other), m)
            }
            ("zip", [other]) => {
                let second = Ident::new("__retrograde_other", span);
                let (first_of, second_of) = (lent(quote!(#held)), lent(quote!(#second)));
                let m = quote!(match () {
                    (Some(#held), Some(#second)) => Some((#first_of, #second_of)),
                    _ => None,
                });
                (Some(*other), m)
            }
            _ => return None,
        };
        let begin = self.mark();
        let value = self.matched_by(receiver, value, m, &args, span)?;
        let value = match by_reference {
            true => match self.place_of(value, span) {
                Some((place, ty)) => Value::Ref(View::new(place, ty, false)),
                None => return Some(Value::Error),
            },
            false => value,
        };
        if self.changes_option(receiver, call, begin) {
            return Some(self.refuse(&call.method, catalog::option_changed(name)));
        }
        Some(value)
    }

    /// `match receiver { … }` with these arms, or that of the receiver and a value, which is evaluated behind it.
    pub(super) fn matched_by(
        &mut self,
        receiver: &Value,
        value: Option<&syn::Expr>,
        m: TokenStream,
        args: &[&syn::Expr],
        span: Span,
    ) -> Option<Value> {
        let m: syn::ExprMatch = syn::parse2(m).ok()?;
        let first = self.fixed(receiver.clone(), span);
        let scrutinee = match value {
            None => first,
            Some(other) => {
                let mark = self.mark();
                let value = self.value(other, Want::Value);
                let value = self.fixed(value, span_of(other));
                let mut both = vec![first, value];
                self.protect(&mut both[..1], mark);
                Value::Tuple(both, span)
            }
        };
        let mark = self.mark();
        self.closures += 1;
        let value = self.match_on(scrutinee, &m, Want::Value);
        self.closures -= 1;
        for closure in args {
            self.no_lost_writes(closure, mark);
        }
        Some(value)
    }

    /// Whether what runs from `mark` on writes to the option behind a reference, of which the method has a copy: it is
    /// matched in place here, as that of `as_mut` is.
    fn changes_option(
        &mut self,
        receiver: &Value,
        call: &syn::ExprMethodCall,
        mark: usize,
    ) -> bool {
        let lends =
            matches!(strip(&call.receiver), syn::Expr::MethodCall(m) if m.method == "as_mut");
        match receiver {
            Value::Ref(view) if !lends => self.written(mark, true).contains(&view.place.root),
            _ => false,
        }
    }

    /// Whether the arguments name a variable that may carry a derivative.
    fn captures_active(&mut self, call: &syn::ExprMethodCall) -> bool {
        self.mentions_active(&call.args)
    }

    /// Whether code names a variable that may carry a derivative.
    pub(super) fn mentions_active(&mut self, code: &impl ToTokens) -> bool {
        let names = names_in(&code.to_token_stream());
        names.into_iter().any(|name| {
            if let Some(Binding::Closure(local)) = self.lookup(&name.unraw())
                && super::walks::is_of_chain(&name)
            {
                return self.mentions_active(&*local.closure);
            }
            let ty = match self.lookup(&name.unraw()) {
                Some(Binding::Var(var) | Binding::Deferred { var, .. }) => {
                    self.func.var(var).ty.clone()
                }
                Some(Binding::View { view, .. }) => view.ty,
                Some(Binding::Captured(_, ty)) => ty,
                Some(
                    Binding::Tuple(_)
                    | Binding::Closure(_)
                    | Binding::Walk(_)
                    | Binding::Outcome(_)
                    | Binding::Function(_),
                ) => return true,
                Some(Binding::Poisoned) | None => return false,
            };
            !self.types.is_passive(&ty)
        })
    }
}

/// `match () { Some(p) => body, None => none }` for a closure `|p| body`. `wraps`: in `Some`.
fn one_arm(f: &syn::Expr, none: &TokenStream, wraps: bool, span: Span) -> Option<TokenStream> {
    let (pat, body) = applied(f, span)?;
    let body = if wraps {
        quote!(Some(#body))
    } else {
        quote!(#body)
    };
    Some(quote!(match () { Some(#pat) => #body, None => #none }))
}

/// The pattern and the body of a closure; a function's path is applied to a name.
pub(super) fn applied(f: &syn::Expr, span: Span) -> Option<(syn::Pat, TokenStream)> {
    match strip(f) {
        syn::Expr::Closure(c) if c.inputs.len() == 1 && is_plain(c) => {
            Some((parameter(c), body_tokens(c)))
        }
        syn::Expr::Path(path) => {
            let held = Ident::new(PAYLOAD, span);
            Some((syn::parse_quote!(#held), quote!(#path(#held))))
        }
        _ => None,
    }
}

/// What a closure without parameters, or a function's path, yields.
pub(super) fn body_of(g: &syn::Expr) -> Option<TokenStream> {
    match strip(g) {
        syn::Expr::Closure(c) if c.inputs.is_empty() && is_plain(c) => Some(body_tokens(c)),
        // Of the error of a `Result`.
        syn::Expr::Closure(c) if c.inputs.len() == 1 && is_plain(c) => {
            Some(with_error(&parameter(c), &body_tokens(c)))
        }
        syn::Expr::Path(path) => Some(quote!(#path())),
        _ => None,
    }
}

/// The parameter without its written type.
fn parameter(c: &syn::ExprClosure) -> syn::Pat {
    match &c.inputs[0] {
        syn::Pat::Type(p) => (*p.pat).clone(),
        other => other.clone(),
    }
}

/// The body, which `return` and `?` in it leave.
fn body_tokens(c: &syn::ExprClosure) -> TokenStream {
    let body = &c.body;
    if !leaves_early(body) {
        // An arm would end behind the block.
        return match begins_with_block(body) {
            true => quote!((#body)),
            false => body.to_token_stream(),
        };
    }
    let yields = match shown(c) {
        Some(Shown::Option) => BODY_OPTION,
        _ => BODY,
    };
    let mark = Ident::new(yields, span_of(body));
    quote!(#mark(#body))
}

/// Whether the expression goes on behind a block, as `{ a } * b` and `if c { a } else { b }.sin()` do.
fn begins_with_block(e: &syn::Expr) -> bool {
    let mut first = e;
    while let Some(next) = leftmost(first) {
        first = next;
    }
    let is_block = matches!(
        first,
        syn::Expr::Block(_)
            | syn::Expr::ForLoop(_)
            | syn::Expr::If(_)
            | syn::Expr::Loop(_)
            | syn::Expr::Match(_)
            | syn::Expr::Unsafe(_)
            | syn::Expr::While(_)
    );
    is_block && !std::ptr::eq(first, e)
}

/// What the expression begins with, if that is an expression.
fn leftmost(e: &syn::Expr) -> Option<&syn::Expr> {
    Some(match e {
        syn::Expr::Assign(e) => &*e.left,
        syn::Expr::Binary(e) => &*e.left,
        syn::Expr::Call(e) => &*e.func,
        syn::Expr::Cast(e) => &*e.expr,
        syn::Expr::Field(e) => &*e.base,
        syn::Expr::Index(e) => &*e.expr,
        syn::Expr::MethodCall(e) => &*e.receiver,
        syn::Expr::Try(e) => &*e.expr,
        _ => return None,
    })
}

/// A closure or function that yields a `Result`, of a value or of an error.
fn fallible(f: &syn::Expr, of_value: bool, span: Span) -> Option<(syn::Pat, TokenStream)> {
    let mark = Ident::new(BODY_RESULT, span);
    match strip(f) {
        syn::Expr::Closure(c) if c.inputs.len() == 1 && is_plain(c) => {
            let (pat, body) = (parameter(c), &c.body);
            let body = quote!(#mark(#body));
            let body = match of_value {
                true => body,
                false => with_error(&pat, &body),
            };
            Some((pat, body))
        }
        syn::Expr::Closure(c) if c.inputs.is_empty() && !of_value && is_plain(c) => {
            let body = &c.body;
            Some((syn::parse_quote!(_), quote!(#mark(#body))))
        }
        syn::Expr::Path(path) if of_value => {
            let held = Ident::new(PAYLOAD, span);
            Some((syn::parse_quote!(#held), quote!(#mark(#path(#held)))))
        }
        _ => None,
    }
}

/// The body behind the name that it has for the error.
fn with_error(pat: &syn::Pat, body: &TokenStream) -> TokenStream {
    let named = super::opaque::pattern_names(pat);
    if !named
        .iter()
        .any(|name| super::prescan::mentions(body, &name.unraw().to_string()))
    {
        return body.clone();
    }
    let taken = Ident::new(super::results::TAKEN, span_of(pat));
    quote!({ let #pat = #taken(); #body })
}

fn is_plain(c: &syn::ExprClosure) -> bool {
    c.asyncness.is_none() && c.constness.is_none() && c.lifetimes.is_none()
}
