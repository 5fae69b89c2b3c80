//! `first`, `last` and `get` where an `Option` of a copy is made of the part at once: `samples.last().copied()`,
//! `samples.last().map(|s| s.time)`, of elements that no copy stands for.

use proc_macro2::Ident;
use quote::{quote, quote_spanned};

use super::Lowerer;
use super::operator::strip;
use super::option_closures::{PAYLOAD, applied};
use super::value::{Value, Want, span_of};
use crate::ir::Ty;

impl Lowerer<'_> {
    /// The method as an `if let`, which takes the part as it stands, if it is one of these.
    pub(super) fn part_value(&mut self, call: &syn::ExprMethodCall, want: Want) -> Option<Value> {
        let asked = strip(&call.receiver);
        let syn::Expr::MethodCall(inner) = asked else {
            return None;
        };
        let (name, args) = (
            inner.method.to_string(),
            inner.args.iter().collect::<Vec<_>>(),
        );
        let takes_one = match (name.as_str(), args.as_slice()) {
            ("first" | "last" | "front" | "back", []) => true,
            ("get", [at]) => !matches!(strip(at), syn::Expr::Range(_)),
            _ => false,
        };
        let named = matches!(
            strip(&inner.receiver),
            syn::Expr::Path(_) | syn::Expr::Field(_)
        );
        if !takes_one || !named || self.lenient > 0 || call.turbofish.is_some() {
            return None;
        }
        let span = span_of(call);
        let held = Ident::new(PAYLOAD, span);
        let (name, args) = (
            call.method.to_string(),
            call.args.iter().collect::<Vec<_>>(),
        );
        let (pat, body) = match (name.as_str(), args.as_slice()) {
            ("copied", []) => (syn::parse_quote!(#held), quote!(*#held)),
            ("cloned", []) => (syn::parse_quote!(#held), quote!(#held.clone())),
            ("map", [f]) => applied(f, span)?,
            _ => return None,
        };
        // Names and fields leave nothing behind.
        let base = self.pointee(&inner.receiver);
        let ty = self.type_of(&base);
        let element = self.types.element(&ty)?;
        let refers = matches!(self.types.shallow(&element), Ty::Ref(..));
        if refers || self.is_copied_whole(&element) || self.types.is_passive(&element) {
            return None;
        }
        let e = quote_spanned!(span=> if let Some(#pat) = #asked { Some(#body) } else { None });
        let e = syn::parse2(e).ok()?;
        Some(self.value(&e, want))
    }
}
