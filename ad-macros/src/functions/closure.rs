//! Closures: what one that others call may do, and those that stand for functions of floats.

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::spanned::Spanned;

use crate::ir::{Func, MathFn, Passing, each_write};
use crate::lower::Owner;

/// `|a0: f64| -> f64 { f64::sin(a0) }`
pub(crate) fn primitive(path: &syn::ExprPath, ty: &Ident, function: MathFn) -> syn::ExprClosure {
    let name = |n| format_ident!("a{n}", span = path.span());
    let names: Vec<Ident> = (0..function.arity()).map(name).collect();
    syn::parse_quote!(|#(#names: #ty),*| -> #ty { #path(#(#names),*) })
}

/// Where a closure writes to what it has captured.
pub(crate) fn written_captures(func: &Func, owner: &Owner) -> Vec<Span> {
    let mut found = Vec::new();
    let params = func.signature().iter().take(owner.captures);
    let params = params.filter(|p| p.passing != Passing::InOut);
    let captured: Vec<_> = params.map(|p| p.var).collect();
    if !captured.is_empty() {
        each_write(&func.body, &mut |var, span| {
            if captured.contains(&var) {
                found.push(span);
            }
        });
    }
    found
}
