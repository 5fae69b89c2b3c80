//! Which form of the sweeps of a function is called: by what the compiler knows, or by what companions say.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Callee, Returning, Says, literal};

use super::Emitter;

impl Emitter<'_> {
    /// What says whether the sweeps of a function put back its outputs. Those for several seeds always do.
    pub(super) fn returning(&self, callee: &Callee) -> TokenStream {
        if self.seed_count().is_some() {
            return TokenStream::new();
        }
        let rt = self.rt();
        let returned = match &callee.returning {
            Returning::Always => quote!(true),
            Returning::Never => quote!(false),
            Returning::If(said) => {
                let said = said.iter().map(|said| {
                    let target = self.companion_path(&said.of);
                    let constant = match said.what {
                        Says::Reads => quote!(READS),
                        Says::Leaves => quote!(LEAVES),
                    };
                    let at = literal::count(said.at);
                    quote!(<#target>::#constant >> #at & 1 == 1)
                });
                quote!({ use #rt::outputs::Says as _; #(#said)||* })
            }
        };
        quote!(#rt::outputs::Returned::<#returned>,)
    }
}
