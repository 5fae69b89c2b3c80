//! Parts of containers of which a method of `Option` makes something at once: `samples.last().copied()`,
//! `keys.get_mut(i).map(|k| k.value)`, `points.iter().find(|p| p.x > x).map_or(0.0, |p| p.y)`. Of elements that no copy
//! stands for.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::Lowerer;
use super::iterate::is_chain;
use super::operator::strip;
use super::option_closures::{PAYLOAD, applied, body_of};
use super::selected::{begin, selects};
use super::value::{Value, Want, span_of};
use crate::ir::{MathFn, Ty};

/// What `map_or` yields where there is no part.
const DEFAULT: &str = "__retrograde_default";

impl Lowerer<'_> {
    /// The method as an `if let`, which takes the part as it stands, if it is one of these.
    pub(super) fn part_value(&mut self, call: &syn::ExprMethodCall, want: Want) -> Option<Value> {
        let asked = strip(&call.receiver);
        let syn::Expr::MethodCall(inner) = asked else {
            return None;
        };
        let (base, slices) = base_of(inner)?;
        if self.lenient > 0 || call.turbofish.is_some() {
            return None;
        }
        let span = span_of(call);
        let fails = self.fails.last().is_some_and(|fails| fails.is_some());
        let arms = arms(call, fails, span)?;
        // Names and fields leave nothing behind.
        let base = self.pointee(base);
        let ty = self.type_of(&base);
        let element = self.types.element(&ty)?;
        let refers = matches!(self.types.shallow(&element), Ty::Ref(..));
        let copied = self.is_copied_whole(&element) && !slices;
        if refers || copied || self.is_kept_whole(&element) && !slices {
            return None;
        }
        let Arms {
            first,
            pat,
            some,
            none,
        } = arms;
        let e = quote_spanned!(span=> if let Some(#pat) = #asked { #some } else { #none });
        let e = match first {
            Some(first) => quote_spanned!(span=> { #first #e }),
            None => e,
        };
        let e = syn::parse2(e).ok()?;
        let mark = self.mark();
        let value = self.value(&e, want);
        for closure in &call.args {
            self.no_lost_writes(closure, mark);
        }
        Some(value)
    }
}

/// What is asked for a part, and whether the parts are slices of it, or hold one.
fn base_of(asked: &syn::ExprMethodCall) -> Option<(&syn::Expr, bool)> {
    let (name, args) = (asked.method.to_string(), &asked.args);
    let takes_one = match (name.as_str(), args.len()) {
        (
            "first" | "last" | "front" | "back" | "first_mut" | "last_mut" | "front_mut"
            | "back_mut",
            0,
        ) => true,
        ("get" | "get_mut", 1) => !matches!(strip(&args[0]), syn::Expr::Range(_)),
        _ => false,
    };
    let splits = matches!(
        name.as_str(),
        "split_first" | "split_last" | "split_first_mut" | "split_last_mut"
    ) && args.is_empty();
    let (base, slices) = if (takes_one || splits) && !is_chain(&asked.receiver) {
        (&*asked.receiver, splits)
    } else if selects(&name, args.len()) && is_chain(&asked.receiver) {
        let begin = begin(&asked.receiver)?;
        (begin.base, begin.slices)
    } else {
        return None;
    };
    let named = matches!(strip(base), syn::Expr::Path(_) | syn::Expr::Field(_));
    named.then_some((base, slices))
}

/// What stands for the method: where there is a part, and where there is none.
struct Arms {
    /// What is evaluated in any case, in front of both.
    first: Option<TokenStream>,
    pat: syn::Pat,
    some: TokenStream,
    none: TokenStream,
}

/// `fails`: what the closure yields may be a `Result` that is left early.
fn arms(call: &syn::ExprMethodCall, fails: bool, span: Span) -> Option<Arms> {
    let held = Ident::new(PAYLOAD, span);
    let args = call.args.iter().collect::<Vec<_>>();
    let of = |f: &syn::Expr, none: TokenStream| {
        let (pat, some) = applied(f, span)?;
        let first = None;
        Some(Arms {
            first,
            pat,
            some,
            none,
        })
    };
    match (call.method.to_string().as_str(), args.as_slice()) {
        ("copied", []) => Some(Arms {
            first: None,
            pat: syn::parse_quote!(#held),
            some: quote!(Some(*#held)),
            none: quote!(None),
        }),
        ("cloned", []) => Some(Arms {
            first: None,
            pat: syn::parse_quote!(#held),
            some: quote!(Some(#held.clone())),
            none: quote!(None),
        }),
        ("map", [f]) => {
            let mut arms = of(f, quote!(None))?;
            let some = arms.some;
            arms.some = quote!(Some(#some));
            Some(arms)
        }
        ("and_then", [f]) if !fails => of(f, quote!(None)),
        ("is_some_and", [f]) => of(f, quote!(false)),
        ("is_none_or", [f]) => of(f, quote!(true)),
        ("map_or", [default, f]) if is_plain(default) && is_stored(default) => {
            of(f, quote!(#default))
        }
        // An operator or an index may panic, and is evaluated in any case.
        ("map_or", [default, f]) if is_plain(default) => {
            let name = Ident::new(DEFAULT, span);
            let mut arms = of(f, quote!(#name))?;
            arms.first = Some(quote!(let #name = #default;));
            Some(arms)
        }
        ("map_or_else", [g, f]) => of(f, body_of(g)?),
        _ => None,
    }
}

/// Whether the expression is there without anything being computed.
fn is_stored(e: &syn::Expr) -> bool {
    matches!(
        strip(e),
        syn::Expr::Lit(_) | syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Reference(_)
    )
}

/// Whether the order in which the expression and others are evaluated does not matter.
fn is_plain(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Lit(_) | syn::Expr::Path(_) => true,
        syn::Expr::Field(e) => is_plain(&e.base),
        syn::Expr::Index(e) => is_plain(&e.expr) && is_plain(&e.index),
        syn::Expr::Unary(e) => is_plain(&e.expr),
        syn::Expr::Reference(e) => e.mutability.is_none() && is_plain(&e.expr),
        syn::Expr::Cast(e) => is_plain(&e.expr),
        syn::Expr::Tuple(e) => e.elems.iter().all(is_plain),
        syn::Expr::Binary(e) => {
            super::operator::compound_operator(&e.op).is_none()
                && is_plain(&e.left)
                && is_plain(&e.right)
        }
        syn::Expr::MethodCall(e) => {
            MathFn::from_name(&e.method.to_string()).is_some()
                && is_plain(&e.receiver)
                && e.args.iter().all(is_plain)
        }
        _ => false,
    }
}
