//! Checks that methods that lend parts, and that are written out, are those of their types.
//!
//! A method of a trait comes first where it takes the receiver in a way that Rust tries earlier. In code that never
//! runs, the name is called beside a trait that has it for each of these ways: with one of the user's, that is
//! ambiguous.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

use super::Emitter;
use crate::ir::hash::HashSet;

impl Emitter<'_> {
    pub(super) fn lent_parts(&self) -> TokenStream {
        let mut seen = HashSet::default();
        let parts = self.func.lent_parts.iter();
        let checks = parts.map(|part| {
            let (ty, method) = (&part.ty, &part.method);
            let key = format!("{} {method}", ty.to_token_stream());
            if !seen.insert(key) {
                return TokenStream::new();
            }
            let value = super::own("__value");
            let span = method.span();
            // Of a variable, and behind `&mut`.
            let ways = if part.exclusive {
                vec![(quote!(#ty), quote!(self)), (quote!(#ty), quote!(&self))]
            } else {
                vec![
                    (quote!(#ty), quote!(self)),
                    (quote!(&mut #ty), quote!(&mut self)),
                    (quote!(&mut #ty), quote!(&self)),
                ]
            };
            let asked = ways.into_iter().map(|(ty, takes)| {
                quote_spanned! {span=>
                    let _ = |#value: #ty| {
                        trait Otherwise {
                            fn #method(#takes) where Self: ::core::marker::Sized {}
                        }
                        impl<T> Otherwise for T {}
                        #value.#method();
                    };
                }
            });
            quote!(#(#asked)*)
        });
        checks.collect()
    }
}
