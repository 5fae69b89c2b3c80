//! Sums in loops on slices: in rows for blocks of iterations, in one pass, or in partial sums.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{BinOp, Gather, Sliced, SumInto, VarId, literal};

use super::slices::Around;
use super::{Emitter, own};

impl Emitter<'_> {
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
        quote!({ #parts #compute })
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
