//! Loops whose iterations are divided among workers.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Parallel, Ty};

use super::Emitter;

impl Emitter<'_> {
    pub(super) fn parallel(&self, p: &Parallel) -> TokenStream {
        let rt = self.rt();
        let [tape, fork, work, range, done] =
            ["__tape", "__fork", "__work", "__range", "__done"].map(super::own);
        let (lo, hi) = (self.bare(&p.range.lo), self.bare(&p.range.hi));
        let [workers, first, last] = [p.workers, p.first, p.last].map(|v| self.name(v));
        let lend = if p.reverse {
            quote!(refork)
        } else {
            quote!(fork)
        };
        let mut zipped = TokenStream::new();
        let mut pattern = quote!(#range);
        for (root, size) in &p.shares.parts {
            let (root, size) = (self.name(*root), self.bare(size));
            zipped.extend(quote! {
                let #work = ::core::iter::Iterator::zip(#work, #rt::parallel::split(&mut #root[..], #size, #lo..#hi, #workers));
            });
            pattern = quote!((#pattern, mut #root));
        }
        let (begin, results, join) = if p.reverse {
            self.own_adjoints(p)
        } else {
            self.sums(p)
        };
        let body = self.block(&p.body);
        quote! {
            let #done = {
                let mut #fork = #tape.#lend(#workers);
                let #work = #rt::parallel::ranges(#lo..#hi, #workers);
                #zipped
                let #done = #rt::parallel::run(#fork.tapes(), #work, |#tape: &mut #rt::Tape, #pattern| {
                    let (#first, #last): (usize, usize) = (#range.start, #range.end);
                    #begin
                    #body
                    #results
                });
                #fork.join();
                #done
            };
            #join
        }
    }

    /// The first worker goes on with each sum, the others begin anew; the parts are added in order.
    fn sums(&self, p: &Parallel) -> (TokenStream, TokenStream, TokenStream) {
        let done = super::own("__done");
        let (first, lo) = (self.name(p.first), self.bare(&p.range.lo));
        let (mut begin, mut add, mut take) =
            (TokenStream::new(), TokenStream::new(), TokenStream::new());
        let (mut names, mut parts) = (Vec::new(), Vec::new());
        for (k, sum) in p.shares.sums.iter().enumerate() {
            let ty: &Ty = &self.func.var(*sum).ty;
            let (name, part, zero) = (
                self.name(*sum),
                super::own(&format!("__part_{k}")),
                super::expr::zero(ty),
            );
            begin.extend(quote!(let mut #name = if #first == #lo { #name } else { #zero };));
            take.extend(quote!(#name = #part;));
            add.extend(quote!(#name += #part;));
            names.push(name.clone());
            parts.push(part);
        }
        if names.is_empty() {
            return (begin, TokenStream::new(), quote!(let _ = #done;));
        }
        let join = quote! {
            let mut #done = ::core::iter::IntoIterator::into_iter(#done);
            if let ::core::option::Option::Some((#(#parts,)*)) = ::core::iter::Iterator::next(&mut #done) { #take }
            for (#(#parts,)*) in #done { #add }
        };
        (begin, quote!((#(#names,)*)), join)
    }

    /// Each worker begins with zero; what it has in the end is added to the adjoint, in order.
    fn own_adjoints(&self, p: &Parallel) -> (TokenStream, TokenStream, TokenStream) {
        let done = super::own("__done");
        let (mut begin, mut add) = (TokenStream::new(), TokenStream::new());
        let (mut results, mut parts) = (Vec::new(), Vec::new());
        for own in &p.own {
            let (bar, part, zero) = (
                self.name(own.bar),
                self.name(own.done),
                self.bare(&own.zero),
            );
            match &self.func.var(own.bar).ty {
                Ty::Ref(_, behind) => {
                    let view = if matches!(**behind, Ty::Slice(_) | Ty::Vec(_)) {
                        quote!(&mut #part[..])
                    } else {
                        quote!(&mut #part)
                    };
                    begin.extend(quote!(let mut #part = #zero; let #bar = #view;));
                    results.push(part.clone());
                }
                _ => {
                    begin.extend(quote!(let mut #bar = #zero;));
                    results.push(bar.clone());
                }
            }
            add.extend(self.stmts(std::slice::from_ref(&own.add)));
            parts.push(part);
        }
        if parts.is_empty() {
            return (begin, TokenStream::new(), quote!(let _ = #done;));
        }
        let join = quote!(for (#(#parts,)*) in #done { #add });
        (begin, quote!((#(#results,)*)), join)
    }
}
