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

use super::expr::Use;
use super::slices::{Around, target};
use super::stmt::grouped;
use super::sums::sources;
use super::{Emitter, own};

impl Emitter<'_> {
    /// The loop that gathers contributions, a block of elements ahead of what else the iterations do.
    pub(super) fn run_split(&self, sliced: &Sliced, split: &Split, around: &Around) -> TokenStream {
        let (rt, n, m) = (self.rt(), own("__n"), own("__m"));
        let (done, element, last) = (own("__done"), own("__element"), own("__last"));
        let front = sliced.gathers.iter().map(Gather::spread).max();
        let front = literal::count(front.unwrap_or(0));
        let args = Args::of(sliced, split);
        let contributions = self.contributions(sliced, split, &args, around);
        let gathers = || sliced.gathers.iter();
        let begin = gathers().map(|g| {
            let to = self.elements(sliced, g);
            self.ends(sliced, g, &args, &to, &quote!(0..#front))
        });
        let end = gathers().map(|g| {
            let spread = literal::count(g.spread());
            let to = self.elements(sliced, g);
            self.ends(sliced, g, &args, &to, &quote!(#n..#n + #spread))
        });
        let between = gathers().enumerate().map(|(k, g)| {
            let to = self.elements(sliced, g);
            match split.combined.get(k) {
                Some(combined) => self.at_once(sliced, combined, &to, &quote!(+=)),
                None => self.between(sliced, g, &args),
            }
        });
        let rest = self.rest(sliced, split, around);
        quote! {
            #contributions
            #(#begin)*
            let (mut #done, mut #element) = (0, #front);
            loop {
                let #m = ::core::cmp::Ord::min(#n - #element, #rt::AHEAD);
                #(#between)*
                #element += #m;
                let #last = #element == #n;
                if #last { #(#end)* }
                let #m = (if #last { #n } else { #element - #front }) - #done;
                #rest
                #done += #m;
                if #last { break; }
            }
        }
    }

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

    /// What the elements of a block get, which all of the iterations around reach.
    fn between(&self, sliced: &Sliced, gather: &Gather, args: &Args<'_>) -> TokenStream {
        let (m, element, lane) = (own("__m"), own("__element"), own("__lane"));
        let (contributions, records) = (own("__contributions"), own("__records"));
        let (to, total) = (own("__to"), own("__total"));
        let (mut shifts, mut adds) = (TokenStream::new(), TokenStream::new());
        let (mut names, mut types) = (Vec::new(), Vec::new());
        for (t, (k, shift)) in gather.terms.iter().enumerate() {
            let first = own(&format!("__first_{t}"));
            let shift = literal::count(*shift);
            shifts.extend(quote!(let #first: usize = #element - #shift;));
            let mut shifted = Vec::new();
            for (at, var) in args.slices.iter().enumerate() {
                let (name, whole) = (own(&format!("__slice_{t}_{at}")), self.name(*var));
                shifts.extend(quote!(let #name = &#whole[#first..][..#m];));
                types.push(self.known(&self.func.var(*var).ty.element()));
                shifted.push(name);
            }
            let record = args.records.map(|_| {
                let name = own(&format!("__records_{t}"));
                shifts.extend(quote!(let ::core::option::Option::Some(#name) = #records.part(#first, #m) else {
                    ::core::unreachable!() };));
                quote!(#name,)
            });
            let sum = &sliced.sums[*k];
            let row = row(sliced, sum);
            let operator = if sum.op == BinOp::Sub {
                quote!(-=)
            } else {
                quote!(+=)
            };
            adds.extend(quote!(#total #operator #contributions(#(#shifted,)* #record #lane, #first + #lane)[#row];));
            names.extend(shifted);
        }
        let source = gather.terms.first().map(|(k, _)| sliced.sums[*k].source);
        let ty = source.and_then(|var| self.known(&self.func.var(var).ty));
        let all = self.elements(sliced, gather);
        // As in `apart`.
        quote! {{
            #shifts
            let #to = &mut #all[#element..][..#m];
            (|#(#names: &[#types],)* #to: &mut [#ty]| {
                #(let #names = &#names[..#m];)*
                let #to = &mut #to[..#m];
                for #lane in 0..#m {
                    let mut #total = #to[#lane];
                    #adds
                    #to[#lane] = #total;
                }
            })(#(#names,)* #to);
        }}
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

    /// What else a block of iterations does.
    fn rest(&self, sliced: &Sliced, split: &Split, around: &Around) -> TokenStream {
        let (m, done, k) = (own("__m"), own("__done"), own("__number"));
        let (start, part, each) = (own("__start"), &around.part, &around.each);
        let (lane, counter) = (self.name(sliced.lane), self.name(sliced.counter));
        let (rest, zeros) = (self.block(&split.rest), self.block(&split.zeros));
        let rest = (!split.rest.stmts.is_empty()).then(|| {
            quote! {
                for #lane in 0..#m {
                    let #k: usize = #done + #lane;
                    let #counter: usize = #start + #k;
                    #each
                    #rest
                }
            }
        });
        let zeros = (!split.zeros.stmts.is_empty()).then(|| quote!(for #lane in 0..#m { #zeros }));
        let parts = self.parts(sliced);
        let run = self.apart(sliced, &m, quote!(#rest #zeros));
        quote!({ #parts #part #run })
    }

    /// All elements that are added to.
    fn elements(&self, sliced: &Sliced, gather: &Gather) -> TokenStream {
        let n = own("__n");
        let first = gather.terms.first().map(|(k, _)| *k);
        let view = first.and_then(|k| Some((k, sliced.sums[k].along.as_ref()?)));
        let Some((k, view)) = view else {
            unreachable!("what is gathered are elements of an array");
        };
        let (at, of) = (target(k), self.place(&view.of, Use::Write));
        let spread = literal::count(gather.spread());
        quote!(#of[#at.start()..][..#n + #spread])
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
