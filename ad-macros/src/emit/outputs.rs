//! Which form of the sweeps of a function is called: by what the compiler knows, or by what companions say.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Argument, Callee, ReadBy, Returning, literal};

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
            Returning::If(outputs) => {
                let outputs = outputs.iter().map(|output| {
                    let left = self.said(&quote!(LEAVES), &output.of);
                    match &output.read_by {
                        ReadBy::Caller => left,
                        ReadBy::Sweeps(readers) => {
                            let readers = readers.iter().map(|at| self.said(&quote!(READS), at));
                            quote!(#left && (#(#readers)||*))
                        }
                    }
                });
                quote!({ use #rt::outputs::Says as _; #(#outputs)||* })
            }
        };
        quote!(#rt::outputs::Returned::<#returned>,)
    }
    /// Whether a constant of its companion has the bit of an argument.
    fn said(&self, constant: &TokenStream, argument: &Argument) -> TokenStream {
        let target = self.companion_path(&argument.of);
        let at = literal::count(argument.at);
        quote!(<#target>::#constant >> #at & 1 == 1)
    }
}
