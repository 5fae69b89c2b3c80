//! Time loops between two arrays, with few rows on the tape.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ir::{Back, Sliced, Tiled, VarId, literal};

use super::slices::{Around, label};
use super::{Emitter, own};

impl Emitter<'_> {
    pub(super) fn tiled(&self, tiled: &Tiled) -> TokenStream {
        let (done, label, run) = (own("__tiled"), label(), self.in_tiles(tiled));
        let plain = self.block(&tiled.plain);
        quote! {
            {
                let #done = #label: { #run true };
                if !#done { #plain }
            }
        }
    }

    /// The loop, or the end of the block where it is not worth it or does not fit: both sweeps come to the same end.
    fn in_tiles(&self, tiled: &Tiled) -> TokenStream {
        let (rt, label, tape) = (self.rt(), label(), own("__tape"));
        let (steps, cells) = (own("__steps"), own("__cells"));
        let (start, n) = (own("__start"), own("__n"));
        let (from, to) = (self.bare(&tiled.steps.lo), self.expr(&tiled.steps.hi));
        let all = if tiled.steps.inclusive {
            quote!(#from..=#to)
        } else {
            quote!(#from..#to)
        };
        let trips = quote!(::core::iter::Iterator::count(#all));
        let lets = self.stmts(&tiled.lets);
        let step = &tiled.step;
        let (lo, inner) = (self.bare(&step.range.lo), self.trips(&step.range));
        let (first, last) = self.bounds(&step.edits[0][0].1, step);
        let (a, b) = (self.name(tiled.arrays[0]), self.name(tiled.arrays[1]));
        let (ty, site) = (self.element_of(tiled), self.site(tiled.site));
        let [left, right] = tiled.around.map(literal::count);
        // In front of the declarations, which may be of lengths that the reverse sweep finds exchanged.
        let alike = tiled
            .alike
            .then(|| quote!(if #a.len() != #b.len() { break #label false; }));
        let others = self.checked_prelude(&unchanged(tiled, step));
        let value = self.step(tiled);
        let (exchange, run) = match &tiled.back {
            None => (
                quote!(),
                quote! {
                    #rt::forward_tiles(#tape, #site, [&mut #a[..], &mut #b[..]], &#cells, #steps, #value);
                    if #steps % 2 == 1 { ::core::mem::swap(&mut #a, &mut #b); }
                },
            ),
            Some(back) => {
                let [x, y] = back.adjoints.map(|var| self.name(var));
                let others = self.checked_prelude(&unchanged(tiled, &back.step));
                let adjoint = self.step_back(tiled, back);
                (
                    quote! {
                        #others
                        if #steps % 2 == 1 {
                            ::core::mem::swap(&mut #a, &mut #b);
                            ::core::mem::swap(&mut #x, &mut #y);
                        }
                    },
                    quote! {
                        #rt::reverse_tiles(
                            #tape,
                            #site,
                            [[&mut #a[..], &mut #b[..]], [&mut #x[..], &mut #y[..]]],
                            &#cells,
                            #steps,
                            #value,
                            #adjoint,
                        );
                    },
                )
            }
        };
        quote! {
            let #steps: usize = #trips;
            if #steps < 1 { break #label false; }
            #alike
            #lets
            let (#start, #n): (usize, usize) = (#lo, #inner);
            if #n < 1 { break #label false; }
            #others
            let ::core::option::Option::Some(#cells) = #rt::Stencil::of::<#ty>([#a.len(), #b.len()], (#first, #last,
                #n), (#left, #right), #steps) else { break #label false };
            #exchange
            #run
        }
    }

    fn element_of(&self, tiled: &Tiled) -> TokenStream {
        self.known(&self.func.var(tiled.arrays[0]).ty.element())
            .unwrap_or_else(|| quote!(_))
    }

    /// A step, of the cells from a number on.
    fn step(&self, tiled: &Tiled) -> TokenStream {
        let [row, from, to] = names();
        let (start, n, k) = (own("__start"), own("__n"), own("__number"));
        let step = &tiled.step;
        let slices = self.cut(tiled, step, None);
        let (cell, lane, counter) = (
            self.name(step.edits[0][0].0),
            self.name(step.lane),
            self.name(step.counter),
        );
        let body = self.block(&step.body);
        let run = quote! {
            for #lane in 0..#n {
                let #k: usize = #lane;
                let #counter: usize = #start + #k;
                #body
            }
        };
        let run = self.apart(step, &n, run);
        let ty = self.element_of(tiled);
        quote! {
            |#row: &[#ty], #from: usize, #to: &mut [#ty]| {
                let (#start, #n): (usize, usize) = (#start + #from, #to.len());
                #slices
                let #cell = #to;
                #run
            }
        }
    }

    /// The reverse of a step, of the cells from a number on: what they contribute to the adjoints of all that they
    /// read.
    fn step_back(&self, tiled: &Tiled, back: &Back) -> TokenStream {
        let rt = self.rt();
        let [row, from, to] = names();
        let (start, n, seeds) = (own("__start"), own("__n"), own("__seeds"));
        let (done, m, lanes) = (own("__done"), own("__m"), own("__lanes"));
        let slices = self.cut(tiled, &back.step, Some(back.seeds));
        let (rows, sums) = (
            self.rows(&back.step, &Around::default()),
            self.gathered(&back.step, &back.step.gathers[0]),
        );
        let (all, behind, carried) = (&sums.all, &sums.behind, &sums.carried);
        let (into, front) = (
            literal::count(back.into),
            literal::count(back.step.gathers[0].spread()),
        );
        let ty = self.element_of(tiled);
        let zero = quote!(::core::default::Default::default());
        let seeded = self.name(back.seeds);
        let split = back.step.split.as_ref();
        let elements = quote!(#to[#into..][..#n + #front]);
        let at_once = split.and_then(|split| self.assign_at_once(&back.step, split, &elements));
        let at_once = at_once.map(|run| {
            quote! {
                if #n > #rt::MAX_BLOCK {
                    #to[..#into + #front].fill(#zero);
                    #to[#into + #n..].fill(#zero);
                    #run
                    return;
                }
            }
        });
        quote! {
            |#row: &[#ty], #from: usize, #seeds: &[#ty], #to: &mut [#ty]| {
                let (#start, #n): (usize, usize) = (#start + #from, #seeds.len());
                #slices
                let #seeded = #seeds;
                #at_once
                let mut #lanes = #rt::Contributions::new();
                #lanes.begin::<#front>();
                let mut #done = 0;
                while #done < #n {
                    let #m = ::core::cmp::Ord::min(#n - #done, #rt::MAX_BLOCK);
                    #rows
                    #rt::gather_anew(&mut #to[#into + #done..][..#m], &#lanes, #all);
                    #lanes.carry::<#front, _>(#carried);
                    #done += #m;
                }
                #to[..#into].fill(#zero);
                #to[#into + #n..].fill(#zero);
                #rt::gather_rest(&mut #to[#into + #n..][..#front], &#lanes, #behind);
            }
        }
    }

    /// The slices of the cells from a number on, `seeds` apart.
    fn cut(&self, tiled: &Tiled, sliced: &Sliced, seeds: Option<VarId>) -> TokenStream {
        let [row, from, _] = names();
        let n = own("__n");
        let views = sliced.views.iter().filter(|(var, _)| Some(*var) != seeds);
        let cut = views.map(|(var, _)| {
            let name = self.name(*var);
            match tiled.begins.iter().find(|(of, _)| of == var) {
                Some((_, begin)) => {
                    let begin = literal::count(*begin);
                    quote!(let #name = &#row[#begin..][..#n];)
                }
                None => quote!(let #name = &#name[#from..][..#n];),
            }
        });
        quote!(#(#cut)*)
    }
}

/// What a step reads beside the arrays that change places.
fn unchanged(tiled: &Tiled, sliced: &Sliced) -> Sliced {
    let mut rest = sliced.clone();
    let (arrays, back) = (&tiled.arrays, tiled.back.as_ref());
    let seeds = back.map(|back| back.seeds);
    rest.views
        .retain(|(var, view)| !arrays.contains(&view.of.root) && Some(*var) != seeds);
    rest.edits.clear();
    rest.sums.clear();
    rest
}

/// A row with what is around its cells, the number of the first cell, and where the result goes.
fn names() -> [Ident; 3] {
    ["__row", "__from", "__to"].map(own)
}
