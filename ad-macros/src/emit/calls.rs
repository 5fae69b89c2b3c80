//! Calls of other differentiated functions.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::ir::has_static_zero;
use crate::ir::{Arg, ArgMode, BarArg, Expr, ExprKind, Place, Ty};

use super::Emitter;
use super::expr::Use;

impl Emitter<'_> {
    pub(super) fn arg(&self, arg: &Arg) -> TokenStream {
        match &arg.mode {
            ArgMode::Value(e) => self.bare(e),
            ArgMode::Shared(p) => {
                let p = self.place(p, Use::Read);
                quote_spanned!(arg.span=> &#p)
            }
            ArgMode::InOut(p) => {
                let p = self.place(p, Use::Write);
                quote_spanned!(arg.span=> &mut #p)
            }
        }
    }

    pub(super) fn call_reverse(
        &self,
        callee: &syn::ExprPath,
        args: &[Arg],
        bars: &[BarArg],
        seed: Option<&Place>,
        span: proc_macro2::Span,
    ) -> TokenStream {
        let tape = super::own("__tape");
        let (target, turbofish) = companion(callee);
        let values = args.iter().map(|a| self.arg(a));
        // Adjoints that nobody wants are made before the arguments are borrowed.
        let mut before = TokenStream::new();
        let mut adjoints = Vec::new();
        for (k, (bar, arg)) in bars.iter().zip(args).enumerate() {
            adjoints.push(match bar {
                BarArg::Place(p) => {
                    let p = self.place(p, Use::Write);
                    quote!(&mut #p)
                }
                BarArg::Discard => {
                    let (name, zero) = (super::own(&format!("__unused_{k}")), self.unused_bar(arg));
                    before.extend(quote!(let mut #name = #zero;));
                    quote!(&mut #name)
                }
            });
        }
        let seed = match seed {
            Some(p) => {
                let p = self.place(p, Use::Read);
                quote!(::core::option::Option::Some(&#p))
            }
            None => quote!(::core::option::Option::None),
        };
        let call = quote_spanned!(span=>
            #target::reverse #turbofish(#callee, &mut *#tape #(, #values)* #(, #adjoints)*, #seed););
        if before.is_empty() {
            call
        } else {
            quote!({ #before #call })
        }
    }

    /// The adjoint of an argument that carries no derivative.
    fn unused_bar(&self, arg: &Arg) -> TokenStream {
        let rt = self.rt();
        if matches!(
            &arg.mode,
            ArgMode::Value(Expr {
                kind: ExprKind::None,
                ..
            })
        ) {
            return quote!(::core::option::Option::None);
        }
        let ty = match &arg.mode {
            ArgMode::Value(e) => e.ty.clone(),
            ArgMode::Shared(p) | ArgMode::InOut(p) => crate::ir::place_ty(self.func, p),
        };
        match ty {
            ty if has_static_zero(&ty) && ty != Ty::Passive => self.zero(&ty),
            ty => {
                let value = match &arg.mode {
                    ArgMode::Value(e) => {
                        let value = self.bare(e);
                        quote!(&(#value))
                    }
                    ArgMode::Shared(p) | ArgMode::InOut(p) => {
                        let p = self.place(p, Use::Read);
                        quote!(&#p)
                    }
                };
                if !matches!(ty, Ty::Unknown | Ty::Passive) {
                    return quote!(#rt::zero(#value));
                }
                // It may be a reference, or of a type without a tangent that a `#[constant]` parameter takes.
                quote!({
                    use #rt::unwanted::{OfConstant as _, OfReference as _, OfValue as _};
                    (&&&#rt::unwanted::Unwanted(#value)).adjoint()
                })
            }
        }
    }
}

/// The companion type of a callee.
pub(super) fn companion_path(callee: &syn::ExprPath) -> syn::Path {
    let mut path = callee.path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    path
}

/// The companion type of a callee and the turbofish for its sweeps.
pub(super) fn companion(callee: &syn::ExprPath) -> (TokenStream, TokenStream) {
    let turbofish = match callee.path.segments.last().map(|last| &last.arguments) {
        Some(syn::PathArguments::AngleBracketed(args)) => {
            let list = &args.args;
            quote!(::<#list>)
        }
        _ => TokenStream::new(),
    };
    let path = companion_path(callee);
    (quote!(<#path>), turbofish)
}
