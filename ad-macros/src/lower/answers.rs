//! What the name of a method says of its result: rustc is asked whether the result is that.
//!
//! A method called `cmp` or `is_empty` is taken to answer with what carries no derivative. One of the user's own may
//! yield a float, on a receiver whose type the text does not show.

use super::Lowerer;
use super::method_names::answers_by_value;
use crate::ir::{ANSWER, Ty};

impl Lowerer<'_> {
    /// A method call that yields `ty` by its name alone, as code that compiles only if what it yields carries no
    /// derivative.
    pub(super) fn answer(&self, call: syn::Expr, receiver: &Ty, ty: &Ty) -> syn::Expr {
        let syn::Expr::MethodCall(method) = &call else {
            return call;
        };
        let of_language = self.is_number(receiver) && answers_by_value(&method.method.to_string());
        if self.lenient > 0 || of_language || !is_answer(ty) {
            return call;
        }
        let check = syn::Ident::new(ANSWER, method.method.span());
        syn::parse_quote!(#check(#call))
    }
}

/// Whether no derivative is looked for in a value of this type, so that one would be lost there.
fn is_answer(ty: &Ty) -> bool {
    match ty {
        Ty::Passive | Ty::Bool | Ty::Int(_) | Ty::Str => true,
        Ty::Option(payload) => is_answer(payload),
        _ => false,
    }
}
