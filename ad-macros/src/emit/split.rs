//! Loops whose elements compute what they get.
//!
//! What an iteration contributes is a closure, called for each element that it goes to, and takes its record off the
//! tape itself: the optimiser makes selections of its branches before it writes it out several times, and not always
//! afterwards. Slices are shifted instead of indices, so that no check is left in the loop.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::ir::{
    BinOp, Combined, Gather, Sliced, Split, Stmt, SumInto, VarId, expr_reads, literal, visit_stmts,
};

use super::slices::Around;
use super::stmt::grouped;
use super::sums::sources;
use super::{Emitter, own};

impl Emitter<'_> {
    /// The closure that computes what an iteration contributes.
    fn contributions(
        &self,
        sliced: &Sliced,
        split: &Split,
        args: &Args<'_>,
        around: &Around,
    ) -> TokenStream {
        let (start, k, contributions) = (own("__start"), own("__number"), own("__contributions"));
        let (lane, counter) = (self.name(sliced.lane), self.name(sliced.counter));
        let known = |var: &VarId, element: bool| {
            let ty = &self.func.var(*var).ty;
            self.known(&if element { ty.element() } else { ty.clone() })
        };
        let slices = args.slices.iter().map(|var| self.name(*var));
        let elements = args.slices.iter().map(|var| known(var, true));
        let record = args.records.map(|vars| {
            let types = vars.iter().filter_map(|var| known(var, false));
            let (rt, records, types) = (self.rt(), own("__records"), grouped(types.collect()));
            quote!(#records: #rt::StripRecords<'_, #types>,)
        });
        let each = &around.each;
        let body = self.block(&split.contributions);
        let sources = sources(sliced);
        let values = sources.iter().map(|var| self.name(*var));
        let ty = sources.first().and_then(|var| known(var, false));
        let rows = literal::count(sources.len());
        quote! {
            let #contributions = |#(#slices: &[#elements],)* #record #lane: usize, #k: usize| -> [#ty; #rows] {
                let #counter: usize = #start + #k;
                #each
                #body
                [#(#values),*]
            };
        }
    }

    /// What the first or the last elements get.
    fn ends(
        &self,
        sliced: &Sliced,
        gather: &Gather,
        args: &Args<'_>,
        to: &TokenStream,
        elements: &TokenStream,
    ) -> TokenStream {
        let (rt, n, lane) = (self.rt(), own("__n"), own("__lane"));
        let (contributions, records) = (own("__contributions"), own("__records"));
        let terms = gather.terms.iter().map(|(k, shift)| {
            let sum = &sliced.sums[*k];
            let (row, shift) = (row(sliced, sum), literal::count(*shift));
            let minus = sum.op == BinOp::Sub;
            quote!((#row, #shift, #minus))
        });
        let slices = args.slices.iter().map(|var| self.name(*var));
        let record = args.records.map(|_| quote!(#records,));
        quote! {
            #rt::gather_ends(&mut #to, #elements, #n, [#(#terms),*], |#lane| {
                #contributions(#(&#slices[..],)* #record #lane, #lane)
            });
        }
    }

    /// What the elements of a block get, each as one sum, which is added to `to` or assigned.
    fn at_once(
        &self,
        sliced: &Sliced,
        combined: &Combined,
        all: &TokenStream,
        operator: &TokenStream,
    ) -> TokenStream {
        let (m, element, to) = (own("__m"), own("__element"), own("__to"));
        let (lane, total) = (self.name(sliced.lane), self.name(combined.total));
        let shifts = combined.slices.iter().map(|(var, slice, shift)| {
            let (name, whole) = (self.name(*var), self.name(*slice));
            let shift = literal::count(*shift);
            quote!(let #name = &#whole[#element - #shift..][..#m];)
        });
        let names: Vec<_> = combined.slices.iter().map(|s| self.name(s.0)).collect();
        let types = combined.slices.iter();
        let types = types.map(|(_, slice, _)| self.known(&self.func.var(*slice).ty.element()));
        let ty = self.known(&self.func.var(combined.total).ty);
        let body = self.block(&combined.body);
        // As in `apart`.
        quote! {{
            #(#shifts)*
            let #to = &mut #all[#element..][..#m];
            (|#(#names: &[#types],)* #to: &mut [#ty]| {
                #(let #names = &#names[..#m];)*
                let #to = &mut #to[..#m];
                for #lane in 0..#m {
                    #body
                    #to[#lane] #operator #total;
                }
            })(#(#names,)* #to);
        }}
    }

    /// All elements that the only gather of a loop adds to, assigned; `to` has them.
    pub(super) fn assign_at_once(
        &self,
        sliced: &Sliced,
        split: &Split,
        to: &TokenStream,
    ) -> Option<TokenStream> {
        let ([gather], [combined]) = (sliced.gathers.as_slice(), split.combined.as_slice()) else {
            return None;
        };
        let (n, m, element) = (own("__n"), own("__m"), own("__element"));
        let args = Args::of(sliced, split);
        let contributions = self.contributions(sliced, split, &args, &Around::default());
        let spread = literal::count(gather.spread());
        let begin = self.ends(sliced, gather, &args, to, &quote!(0..#spread));
        let end = self.ends(sliced, gather, &args, to, &quote!(#n..#n + #spread));
        let between = self.at_once(sliced, combined, to, &quote!(=));
        Some(quote! {
            #contributions
            #begin
            let (#element, #m): (usize, usize) = (#spread, #n - #spread);
            #between
            #end
        })
    }
}

/// In which place of what the closure returns a sum is.
fn row(sliced: &Sliced, sum: &SumInto) -> Literal {
    let row = sources(sliced).iter().position(|var| *var == sum.source);
    literal::count(row.unwrap_or(0))
}

/// What the closure of the contributions takes, beside the number of the iteration.
struct Args<'a> {
    /// The slices that it reads.
    slices: Vec<VarId>,
    /// The record of the iteration.
    records: Option<&'a [VarId]>,
}

impl<'a> Args<'a> {
    fn of(sliced: &'a Sliced, split: &Split) -> Self {
        let mut read = std::collections::HashSet::new();
        visit_stmts(&split.contributions, &mut |stmt| {
            for e in crate::ir::stmt_exprs(stmt) {
                expr_reads(e, &mut |place| {
                    read.insert(place.root);
                });
            }
        });
        let slices = sliced.views.iter().chain(sliced.edits.iter().flatten());
        let records = sliced.plain.stmts.first().and_then(Stmt::counting);
        Self {
            slices: slices
                .map(|(var, _)| *var)
                .filter(|var| read.contains(var))
                .collect(),
            records: records.and_then(|plain| plain.strip),
        }
    }
}
