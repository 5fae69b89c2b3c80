//! The types that carry the sweeps of functions, as callers name them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;

use crate::ir::{HiddenPlace, literal, path_of_libm};

use super::Emitter;

impl Emitter<'_> {
    /// The companion type of a function.
    pub(super) fn companion_path(&self, callee: &syn::ExprPath) -> TokenStream {
        if let Some(name) = path_of_libm(callee) {
            let rt = self.rt();
            return quote!(#rt::libm::#name);
        }
        let names = callee.path.segments.iter();
        let names: Vec<String> = names.map(|s| s.ident.unraw().to_string()).collect();
        if let Some(HiddenPlace { up, path }) = self.func.hidden.get(&names.join("::")) {
            let rt = self.rt();
            let up = match up {
                Some(up) => {
                    let up = literal::count(*up);
                    quote!(::core::option::Option::Some(#up))
                }
                None => quote!(::core::option::Option::None),
            };
            let place = quote!({ #rt::place_behind(::core::module_path!(), #up, #path) });
            return quote!(<#rt::Place<#place> as #rt::Reveals<_>>::Sweeps);
        }
        if let Some(sweeps) = self.func.beside_modules.get(&names.join("::")) {
            return quote!(#sweeps);
        }
        let mut path = callee.path.clone();
        if let Some(last) = path.segments.last_mut() {
            last.arguments = syn::PathArguments::None;
        }
        quote!(#path)
    }

    /// Code that calls a function of the companion type of a function, with so many arguments. Where the text does not
    /// show that there is such a type, the path is imported beside another one of the name, which is found where the
    /// path leads to none: rustc says of that what is missing.
    pub(super) fn with_companion(
        &self,
        callee: &syn::ExprPath,
        called: (&Ident, usize),
        span: Span,
        code: impl FnOnce(&TokenStream) -> TokenStream,
    ) -> TokenStream {
        let target = self.companion_path(callee);
        if !self.is_unshown(callee) {
            return code(&target);
        }
        let (rt, (name, arguments)) = (self.rt(), called);
        let [module, sweeps] =
            ["__without_sweeps", "__sweeps"].map(|n| Ident::new(n, Span::call_site()));
        let code = code(&quote_spanned!(span=> #sweeps));
        let arguments = (0..arguments).map(|_| quote!(_: impl ::core::marker::Sized));
        quote!({
            #[allow(non_camel_case_types, dead_code)]
            mod #module {
                pub struct Missing<F>(F);
                pub type #sweeps = Missing<()>;
            }
            #[allow(dead_code)]
            impl<F> #module::Missing<F> {
                fn #name(#(#arguments),*) -> ! where F: #rt::HasSweeps { ::core::unreachable!() }
            }
            #[allow(unused_imports)]
            use #module::*;
            use #target as #sweeps;
            #code
        })
    }

    /// Whether the text does not show that a function has sweeps.
    pub(super) fn is_unshown(&self, callee: &syn::ExprPath) -> bool {
        let names = callee.path.segments.iter();
        let names: Vec<String> = names.map(|s| s.ident.unraw().to_string()).collect();
        !self.func.unseen.is_empty() && self.func.unseen.contains(&names.join("::"))
    }
}
