//! Sums in loops on slices: in rows for blocks of iterations, in one pass, or in partial sums.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::ir::{BinOp, Gather, Sliced, SumInto, VarId, literal};

use super::expr::Use;
use super::slices::{Around, target};
use super::{Emitter, own};

impl Emitter<'_> {
    /// The loop that collects rows of contributions.
    pub(super) fn run_in_rows(&self, sliced: &Sliced, around: &Around) -> TokenStream {
        let (rt, n, lanes) = (self.rt(), own("__n"), own("__lanes"));
        let (done, m) = (own("__done"), own("__m"));
        let gathered = |k| {
            sliced
                .gathers
                .iter()
                .any(|g| g.terms.iter().any(|t| t.0 == k))
        };
        let later = sliced.sums.iter().enumerate();
        let adds = later
            .filter(|(k, sum)| sum.direct.is_none() && !gathered(*k))
            .map(|(k, sum)| self.add_row(sum, k, row_of(sliced, sum)));
        let gathers = self.gathers(sliced);
        let (begin, gather, rest) = (&gathers.before, &gathers.each, &gathers.rest);
        let rows = self.rows(sliced, around);
        if let Some(length) = sliced.whole_blocks {
            let length = literal::count(length);
            return quote! {
                let mut #lanes = #rt::ContributionRows::<_, _, { #rt::MAX_SHIFT + #length }>::new();
                let #m: usize = #length;
                while #n - #done >= #m {
                    #rows
                    #(#adds)*
                    #gather
                    #done += #m;
                }
                #rest
            };
        }
        quote! {
            let mut #lanes = #rt::Contributions::new();
            #begin
            let mut #done = 0;
            while #done < #n {
                let #m = ::core::cmp::Ord::min(#n - #done, #rt::MAX_BLOCK);
                #rows
                #(#adds)*
                #gather
                #done += #m;
            }
            #rest
        }
    }

    /// Fills the rows with what a block of iterations contributes.
    pub(super) fn rows(&self, sliced: &Sliced, around: &Around) -> TokenStream {
        let (start, k, counter) = (own("__start"), own("__number"), self.name(sliced.counter));
        let (lane, body, each, after) = (
            self.name(sliced.lane),
            self.block(&sliced.body),
            &around.each,
            &around.after,
        );
        let (done, m, lanes) = (own("__done"), own("__m"), own("__lanes"));
        let sources = sources(sliced);
        let values = sources.iter().map(|v| self.name(*v));
        let direct = sliced.sums.iter().filter_map(|sum| {
            let (slice, source) = (self.name(sum.direct?), self.name(sum.source));
            Some(if sum.op == BinOp::Sub {
                quote!(#slice[#lane] -= #source;)
            } else {
                quote!(#slice[#lane] += #source;)
            })
        });
        let parts = self.parts(sliced);
        let part = &around.part;
        let number = sliced.whole_blocks.is_none().then(|| quote!(#m,));
        let compute = self.apart(
            sliced,
            &m,
            quote! {
                #lanes.compute(#number |#lane| {
                    let #k: usize = #done + #lane;
                    let #counter: usize = #start + #k;
                    #each
                    #body
                    #after
                    #(#direct)*
                    [#(#values),*]
                });
            },
        );
        quote!({ #parts #part #compute })
    }

    /// The rows that one pass adds.
    pub(super) fn gathered(&self, sliced: &Sliced, gather: &Gather) -> Gathered {
        let number = literal::count;
        let terms = |least: usize| {
            let terms = gather.terms.iter();
            let terms = terms.filter(move |(_, shift)| *shift >= least);
            let terms = terms.map(|(k, shift)| {
                let sum = &sliced.sums[*k];
                let (row, minus) = (number(row_of(sliced, sum)), sum.op == BinOp::Sub);
                let shift = number(*shift);
                quote!((#row, #shift, #minus))
            });
            quote!([#(#terms),*])
        };
        let carried = carried([gather], sliced).into_iter().map(number);
        Gathered {
            all: terms(0),
            behind: terms(1),
            carried: quote!([#(#carried),*]),
        }
    }

    /// The sums that one pass adds.
    fn gathers(&self, sliced: &Sliced) -> Gathers {
        let (rt, done, m, n) = (self.rt(), own("__done"), own("__m"), own("__n"));
        let lanes = own("__lanes");
        let number = literal::count;
        let Some(front) = sliced.gathers.iter().map(|g| g.spread()).max() else {
            return Gathers::default();
        };
        // Of whole blocks, some iterations may be left.
        let end = if sliced.whole_blocks.is_some() {
            &done
        } else {
            &n
        };
        let (mut each, mut rest) = (TokenStream::new(), TokenStream::new());
        for gather in &sliced.gathers {
            let Some((first, view)) = gather
                .terms
                .first()
                .and_then(|(k, _)| Some((*k, sliced.sums[*k].along.as_ref()?)))
            else {
                continue;
            };
            let (at, of) = (target(first), self.place(&view.of, Use::Write));
            let (sums, spread) = (self.gathered(sliced, gather), number(gather.spread()));
            let (all, behind) = (sums.all, sums.behind);
            each.extend(quote!(#rt::gather(#at.part(&mut #of, #done, #m), &#lanes, #all);));
            rest.extend(
                quote!(#rt::gather_rest(&mut #of[#at.start() + #end..][..#spread], &#lanes, #behind);),
            );
        }
        let carried = carried(&sliced.gathers, sliced).into_iter().map(number);
        let front = number(front);
        each.extend(quote!(#lanes.carry::<#front, _>([#(#carried),*]);));
        Gathers {
            before: quote!(#lanes.begin::<#front>();),
            each,
            rest,
        }
    }

    fn add_row(&self, sum: &SumInto, k: usize, row: usize) -> TokenStream {
        let (rt, done, m, lanes) = (self.rt(), own("__done"), own("__m"), own("__lanes"));
        let subtract = sum.op == BinOp::Sub;
        let operator = if subtract { quote!(-=) } else { quote!(+=) };
        let row = quote!(#lanes.row(#row));
        let ::core::option::Option::Some(view) = &sum.along else {
            let place = self.place(&sum.place, Use::Write);
            return if sum.ordered {
                let value = own("__value");
                quote!(for #value in #row { #place #operator *#value; })
            } else {
                quote!(#place #operator #rt::sum_row(#row);)
            };
        };
        let (at, of) = (target(k), self.place(&view.of, Use::Write));
        let slice = quote!(#at.part(&mut #of, #done, #m));
        if !sum.part.is_empty() {
            let (element, value) = (own("__element"), own("__value"));
            let part = self.projected(
                element.to_token_stream(),
                &sum.part,
                sum.place.span,
                Use::Write,
            );
            return quote!(for (#element, #value) in ::core::iter::Iterator::zip(#slice.iter_mut(), #row) {
                #part #operator *#value; });
        }
        if subtract {
            quote!(#rt::sub_row(#slice, #row);)
        } else {
            quote!(#rt::add_row(#slice, #row);)
        }
    }
}

/// The row in which a sum is.
fn row_of(sliced: &Sliced, sum: &SumInto) -> usize {
    let mut sources = sources(sliced).into_iter();
    sources.position(|v| v == sum.source).unwrap_or(0)
}

/// The rows whose last entries the next block needs.
fn carried<'a>(gathers: impl IntoIterator<Item = &'a Gather>, sliced: &Sliced) -> BTreeSet<usize> {
    let terms = gathers.into_iter().flat_map(|gather| &gather.terms);
    let behind = terms.filter(|(_, shift)| *shift > 0);
    behind
        .map(|(k, _)| row_of(sliced, &sliced.sums[*k]))
        .collect()
}

/// The rows that one pass adds: all of them, those with elements behind the block's own, and whose last entries the
/// next block needs.
pub(super) struct Gathered {
    pub(super) all: TokenStream,
    pub(super) behind: TokenStream,
    pub(super) carried: TokenStream,
}

/// Sums in neighbouring elements.
#[derive(Default)]
struct Gathers {
    /// In front of the first block of iterations.
    before: TokenStream,
    /// Behind each block.
    each: TokenStream,
    /// Behind the last one.
    rest: TokenStream,
}

/// The variables of the body that are added when a block of iterations is done, each once.
pub(super) fn sources(sliced: &Sliced) -> Vec<VarId> {
    let mut sources = Vec::new();
    for sum in sliced.sums.iter().filter(|sum| sum.direct.is_none()) {
        if !sources.contains(&sum.source) {
            sources.push(sum.source);
        }
    }
    sources
}
