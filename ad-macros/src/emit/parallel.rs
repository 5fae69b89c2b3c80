//! Loops whose iterations are divided among workers.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ir::{Held, Parallel};

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
                let #work = ::core::iter::Iterator::zip(#work, #rt::parallel::split(&mut #root[..], #size, #lo..#hi,
                    #workers));
            });
            pattern = quote!((#pattern, mut #root));
        }
        let ends = if p.reverse {
            self.own_adjoints(p)
        } else {
            self.sums(p)
        };
        let (begin, results, join) = (&ends.begin, ends.results(), ends.join(&done));
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
    fn sums(&self, p: &Parallel) -> Ends {
        let (first, lo) = (self.name(p.first), self.bare(&p.range.lo));
        let mut ends = Ends::default();
        for (k, sum) in p.shares.sums.iter().enumerate() {
            let (name, part) = (self.name(*sum), super::own(&format!("__part_{k}")));
            let zero = self.zero(&self.func.var(*sum).ty);
            ends.begin
                .extend(quote!(let mut #name = if #first == #lo { #name } else { #zero };));
            ends.take.extend(quote!(#name = #part;));
            ends.add.extend(quote!(#name += #part;));
            ends.results.push(name.clone());
            ends.parts.push(part);
        }
        ends
    }

    /// The first worker goes on with each adjoint, the others begin with zero; they are added up in order. An adjoint
    /// that cannot be copied begins with zero for all.
    fn own_adjoints(&self, p: &Parallel) -> Ends {
        let (first, lo) = (self.name(p.first), self.bare(&p.range.lo));
        let mut ends = Ends::default();
        for own in &p.own {
            let (bar, part, zero) = (
                self.name(own.bar),
                self.name(own.done),
                self.bare(&own.zero),
            );
            let add = self.stmts(std::slice::from_ref(&own.add));
            let (copy, take) = match own.held {
                Held::Elements => (
                    quote!(#bar.to_vec()),
                    quote!(#bar.clone_from_slice(&#part);),
                ),
                Held::Reference => (
                    quote!(::core::clone::Clone::clone(&*#bar)),
                    quote!(*#bar = #part;),
                ),
                Held::Value => (
                    quote!(::core::clone::Clone::clone(&#bar)),
                    quote!(#bar = #part;),
                ),
            };
            let (start, take) = if own.copied {
                (quote!(if #first == #lo { #copy } else { #zero }), take)
            } else {
                (zero.into(), add.clone())
            };
            let (begin, result) = match own.held {
                Held::Elements => (
                    quote!(let mut #part = #start; let #bar = &mut #part[..];),
                    part,
                ),
                Held::Reference => (quote!(let mut #part = #start; let #bar = &mut #part;), part),
                Held::Value => (quote!(let mut #bar = #start;), bar),
            };
            ends.begin.extend(begin);
            ends.results.push(result.clone());
            ends.take.extend(take);
            ends.add.extend(add);
            ends.parts.push(part.clone());
        }
        ends
    }
}

/// What a worker does before and after its iterations, and how the results of the workers come together.
#[derive(Default)]
struct Ends {
    begin: TokenStream,
    results: Vec<Ident>,
    /// The results of one worker, as the caller names them.
    parts: Vec<Ident>,
    /// What the caller does with those of the first worker, and with those of the others.
    take: TokenStream,
    add: TokenStream,
}

impl Ends {
    fn join(&self, done: &Ident) -> TokenStream {
        let Ends {
            parts, take, add, ..
        } = self;
        if parts.is_empty() {
            return quote!(let _ = #done;);
        }
        quote! {
            let mut #done = ::core::iter::IntoIterator::into_iter(#done);
            if let ::core::option::Option::Some((#(#parts,)*)) = ::core::iter::Iterator::next(&mut #done) { #take }
            for (#(#parts,)*) in #done { #add }
        }
    }

    fn results(&self) -> TokenStream {
        let results = &self.results;
        if results.is_empty() {
            return TokenStream::new();
        }
        quote!((#(#results,)*))
    }
}
