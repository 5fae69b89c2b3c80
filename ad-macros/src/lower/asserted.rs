//! Assertions whose conditions call methods that may be the user's own, as branches that panic:
//! `assert!(x < b.limit())` is `if !(x < b.limit()) { panic!(…) }`, so that what is called is differentiated like
//! everything else.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Token;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::Visit;

use super::macros::name_of;
use crate::ir::{MathFn, is_reader};

/// The branch, where the assertion is one of those.
pub(super) fn as_branch(mac: &syn::Macro) -> Option<syn::Expr> {
    let name = name_of(&mac.path);
    let debug = name.starts_with("debug_");
    let operands = match name.trim_start_matches("debug_") {
        "assert" => 1,
        "assert_eq" | "assert_ne" => 2,
        _ => return None,
    };
    let arguments = Punctuated::<syn::Expr, Token![,]>::parse_terminated;
    let arguments: Vec<syn::Expr> = arguments
        .parse2(mac.tokens.clone())
        .ok()?
        .into_iter()
        .collect();
    let (asserted, message) = arguments.split_at_checked(operands)?;
    let mut calls = Calls(false);
    arguments.iter().for_each(|e| calls.visit_expr(e));
    if !calls.0 {
        return None;
    }
    let holds = match asserted {
        [condition] => quote!(#condition),
        [a, b] if name.ends_with("_eq") => quote!((#a) == (#b)),
        [a, b] => quote!((#a) != (#b)),
        _ => return None,
    };
    let message = if message.is_empty() {
        let text = format!("assertion failed: {}", mac.tokens);
        quote!("{}", #text)
    } else {
        let message = message.iter().map(ToTokens::to_token_stream);
        let message: Vec<TokenStream> = message.collect();
        quote!(#(#message),*)
    };
    let only = debug.then(|| quote!(::core::cfg!(debug_assertions) &&));
    syn::parse2(quote!(if #only !(#holds) { ::core::panic!(#message) })).ok()
}

/// Whether a method is called that the language does not have.
struct Calls(bool);

impl Visit<'_> for Calls {
    fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
        let name = call.method.to_string();
        let known = is_reader(&name) || MathFn::from_name(&name).is_some();
        let closes = |arg: &syn::Expr| matches!(arg, syn::Expr::Closure(_));
        self.0 |= !known && !call.args.iter().any(closes);
        syn::visit::visit_expr_method_call(self, call);
    }
}
