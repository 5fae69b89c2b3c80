//! Loops several iterations of which run at once.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Block, Expr, Jam, Loop, Segment, Ty, VarId, View, literal};

use super::expr::Use;
use super::slices::Around;
use super::strips::Fast;
use super::{Emitter, own};

impl Emitter<'_> {
    pub(super) fn jam(&self, jam: &Jam) -> TokenStream {
        let [plain] = jam.plain.stmts.as_slice() else {
            unreachable!("a loop is one statement");
        };
        match plain.as_loop() {
            Some(this) if this.strip.is_some() => self.any_loop(this, Fast::Jam(jam)),
            Some(Loop { body, .. }) => {
                let (first, n) = (own("__start"), own("__n"));
                let (lo, trips) = (self.bare(&jam.range.lo), self.trips(&jam.range));
                let run = self.jammed(jam, body, &Around::default());
                quote!({ let (#first, #n): (usize, usize) = (#lo, #trips); #run })
            }
            None => unreachable!("what is jammed is a loop"),
        }
    }

    /// The loop over `__n` iterations from `__start` on.
    pub(super) fn jammed(&self, jam: &Jam, plain: &Block, around: &Around) -> TokenStream {
        let (start, n, done, number) = (
            own("__start"),
            own("__n"),
            own("__together"),
            own("__number"),
        );
        let (columns, label, rt) = (own("__columns"), label(), self.rt());
        let (head, prelude) = (self.jam_columns(jam), self.jam_prelude(jam));
        let (ends, deferred) = (self.jam_ends(jam), self.jam_deferred(jam, around));
        let (each, after) = (&around.each, &around.after);
        let (counter, plain) = (self.name(jam.counter), self.block(plain));
        let [together, least] = [jam.together, jam.least].map(literal::count);
        let (few, all) = if jam.blocks {
            let all = self.jam_blocks(jam, around, &TokenStream::new(), &TokenStream::new());
            (quote!(#n == 0 || #columns < #rt::PANEL), all)
        } else {
            let block = self.jam_block(jam, around, &TokenStream::new());
            let few = quote!(#n < #together || #columns < #least);
            let all = quote! {
                while #n - #done >= #together {
                    #block
                    #done += #together;
                }
            };
            (few, all)
        };
        let at_once = (!jam.only_deferred).then(|| quote!(#prelude #all));
        quote! {
            let mut #done: usize = 0;
            #label: {
                #head
                if #few { break #label; }
                #ends
                #deferred
                #at_once
            }
            for #number in #done..#n {
                let #counter: usize = #start + #number;
                #each
                #plain
                #after
            }
        }
    }

    /// Where the columns start and how many they are, or the end of the block.
    fn jam_columns(&self, jam: &Jam) -> TokenStream {
        let (columns, start, label) = (own("__columns"), own("__column_start"), label());
        let (rt, end) = (self.rt(), own("__column_end"));
        let [lo, hi] = [&jam.inner_range.lo, &jam.inner_range.hi]
            .map(|bound| self.checked_index(bound, &|_| None));
        let trips = if jam.inner_range.inclusive {
            quote!(#rt::trips(#start, #end))
        } else {
            quote!(<usize>::saturating_sub(#end, #start))
        };
        let some = quote!(::core::option::Option::Some);
        quote! {
            let (#some(#start), #some(#end)) = (#lo.get(), #hi.get()) else { break #label };
            let #columns: usize = #trips;
        }
    }

    /// How many iterations run at once.
    fn jam_height(&self, jam: &Jam) -> TokenStream {
        if jam.blocks {
            let rows = own("__rows");
            return quote!(#rows);
        }
        let together = literal::count(jam.together);
        quote!(#together)
    }

    /// The first and the last value of both counters, and with blocks the second one of the outer counter.
    fn jam_ends(&self, jam: &Jam) -> TokenStream {
        let (rt, n, start) = (self.rt(), own("__n"), own("__start"));
        let (columns, column_start) = (own("__columns"), own("__column_start"));
        let [first, last, column_first, column_last] = ends();
        let second = jam.blocks.then(|| {
            let second = own("__second_row");
            quote!(let #second = #rt::Ix::of(#start + <usize>::from(#n > 1));)
        });
        quote! {
            let #first = #rt::Ix::of(#start);
            let #last = #first + #rt::Ix::of(#n - 1);
            let #column_first = #rt::Ix::of(#column_start);
            let #column_last = #column_first + #rt::Ix::of(#columns - 1);
            #second
        }
    }

    /// What does not change from block to block.
    pub(super) fn jam_prelude(&self, jam: &Jam) -> TokenStream {
        let (rt, label, n) = (self.rt(), label(), own("__n"));
        let (columns, [first, last, column_first, _]) = (own("__columns"), ends());
        let mut out = TokenStream::new();
        let some = quote!(::core::option::Option::Some);
        for part in &jam.parts {
            for row in [&first, &last] {
                let there = self.part(part, &|e| self.jam_index(e, jam, row, &column_first));
                out.extend(quote!(if !#there { break #label; }));
            }
        }
        for (var, view) in &jam.loads {
            let (name, of) = (self.name(*var), self.place(&view.of, Use::Read));
            let at = self.jam_index(&view.index, jam, &first, &column_first);
            out.extend(quote!(let #some(#name) = #rt::element(&#of, #at) else { break #label };));
        }
        for (list, len) in [(&jam.views, &n), (&jam.shared, &columns)] {
            for (var, view) in list {
                let (name, of) = (self.name(*var), self.place(&view.of, Use::Read));
                let (first, last) = self.jam_bounds(view, jam);
                out.extend(
                    quote!(let #some(#name) = #rt::view(&#of, #first, #last, #len) else { break #label };),
                );
            }
        }
        for (var, view) in &jam.shared_edits {
            let (name, of) = (self.name(*var), self.place(&view.of, Use::Write));
            let (first, last) = self.jam_bounds(view, jam);
            out.extend(
                quote!(let #some(#name) = #rt::view_mut(&mut #of, #first, #last, #columns) else { break #label };),
            );
        }
        for group in &jam.edits {
            let of = self.place(&group[0].1.of, Use::Write);
            let names = group.iter().map(|(var, _)| self.name(*var));
            let bounds = group.iter().map(|(_, view)| {
                let (first, last) = self.jam_bounds(view, jam);
                quote!((#first, #last))
            });
            out.extend(
                quote!(let #some([#(#names),*]) = #rt::views_mut(&mut #of, [#(#bounds),*], #n) else { break #label };),
            );
        }
        out.extend(self.jam_across_rows(jam));
        out
    }

    /// The names of slices.
    pub(super) fn names(&self, slices: &[(VarId, View)]) -> Vec<&proc_macro2::Ident> {
        slices.iter().map(|(var, _)| self.name(*var)).collect()
    }

    fn jam_bounds(&self, view: &View, jam: &Jam) -> (TokenStream, TokenStream) {
        let [first, last, column_first, column_last] = ends();
        (
            self.jam_index(&view.index, jam, &first, &column_first),
            self.jam_index(&view.index, jam, &last, &column_last),
        )
    }

    /// An index for given values of both counters.
    pub(super) fn jam_index(
        &self,
        e: &Expr,
        jam: &Jam,
        counter: &proc_macro2::Ident,
        column: &proc_macro2::Ident,
    ) -> TokenStream {
        self.checked_index(e, &|var: VarId| {
            if var == jam.counter {
                return Some(quote!(#counter));
            }
            if var == jam.inner_counter {
                return Some(quote!(#column));
            }
            let (_, held) = jam.ints.iter().find(|(v, _)| *v == var)?;
            Some(self.jam_index(held, jam, counter, column))
        })
    }

    /// One block of iterations.
    #[expect(clippy::wildcard_enum_match_arm, reason = "kept variables are numbers")]
    pub(super) fn jam_block(
        &self,
        jam: &Jam,
        around: &Around,
        between: &TokenStream,
    ) -> TokenStream {
        let (done, height) = (own("__together"), self.jam_height(jam));
        let together = literal::count(jam.together);
        let views = jam.views.iter().map(|(var, _)| {
            let name = self.name(*var);
            quote!(let #name = &#name[#done..][..#height];)
        });
        let edits = jam.edits.iter().flatten().map(|(var, _)| {
            let name = self.name(*var);
            quote!(let #name = &mut #name[#done..][..#height];)
        });
        let (rows, inside) = if jam.blocks {
            (TokenStream::new(), self.jam_columns_in_blocks(jam))
        } else {
            (
                self.jam_rows(jam),
                self.jam_in_registers(jam, &self.jam_inside(jam)),
            )
        };
        let kept = jam.kept.iter().map(|(var, lanes)| {
            let (lanes, zero) = (
                self.name(*lanes),
                match self.func.var(*var).ty {
                    Ty::Bool => quote!(false),
                    Ty::F32 => quote!(0f32),
                    _ => quote!(0f64),
                },
            );
            quote!(let mut #lanes = [#zero; #together];)
        });
        let before = self.segment(jam, &jam.before, (&around.each, &TokenStream::new()));
        let after = self.segment(jam, &jam.after, (&TokenStream::new(), &around.after));
        quote! {
            #(#views)*
            #(#edits)*
            #rows
            #(#kept)*
            #before
            #between
            #inside
            #after
        }
    }

    /// The slices of each lane along the inner loop.
    fn jam_rows(&self, jam: &Jam) -> TokenStream {
        let (rt, label, lane) = (self.rt(), label(), self.name(jam.lane));
        let (start, done, columns) = (own("__start"), own("__together"), own("__columns"));
        let together = literal::count(jam.together);
        let (at, [_, _, column_first, column_last]) = (own("__at_lane"), ends());
        let bounds = |view: &View| {
            let first = self.jam_index(&view.index, jam, &at, &column_first);
            let last = self.jam_index(&view.index, jam, &at, &column_last);
            (first, last)
        };
        let some = quote!(::core::option::Option::Some);
        let at_lane = quote!(let #at = #rt::Ix::of(#start + #done + #lane););
        let rows = jam.rows.iter().map(|(var, view)| {
            let (name, of) = (self.name(*var), self.place(&view.of, Use::Read));
            let (first, last) = bounds(view);
            quote! {
                let #some(#name) = #rt::rows::<_, #together>(|#lane| {
                    #at_lane
                    #rt::view(&#of, #first, #last, #columns)
                }) else { break #label };
            }
        });
        let edits = jam.row_edits.iter().map(|(var, view)| {
            let (name, of) = (self.name(*var), self.place(&view.of, Use::Write));
            let (first, last) = bounds(view);
            quote! {
                let #some(#name) = #rt::rows_mut::<_, #together>(&mut #of, #columns, |#lane| {
                    #at_lane
                    (#first, #last)
                }) else { break #label };
            }
        });
        quote!(#(#rows)* #(#edits)*)
    }

    /// The inner loop on copies of what it keeps for each lane: the arrays are indexed by variables around it, which
    /// would keep them in memory.
    fn jam_in_registers(&self, jam: &Jam, inside: &TokenStream) -> TokenStream {
        let used = |var: &VarId| {
            let segment = &jam.inside;
            segment.takes.contains(var) || segment.leaves.contains(var)
        };
        let kept = jam.kept.iter().filter(|(var, _)| used(var));
        let lanes: Vec<_> = kept.map(|(_, lanes)| self.name(*lanes)).collect();
        quote! {
            let (#(mut #lanes,)*) = {
                #(let mut #lanes = #lanes;)*
                #inside
                (#(#lanes,)*)
            };
        }
    }

    /// The inner loop. If it writes slices, it has a closure of its own, as loops on slices have.
    fn jam_inside(&self, jam: &Jam) -> TokenStream {
        let (column, inner, column_start, columns) = (
            self.name(jam.column),
            self.name(jam.inner_counter),
            own("__column_start"),
            own("__columns"),
        );
        let inside = self.segment(jam, &jam.inside, (&TokenStream::new(), &TokenStream::new()));
        let [bands, load, store] = self.jam_across(jam);
        let (terms, from) = match &jam.terms {
            Some(terms) => {
                let at = own("__column_at");
                (self.jam_terms(jam, terms), quote!(#at))
            }
            None => (TokenStream::new(), quote!(0)),
        };
        let run = quote! {
            #bands
            #terms
            for #column in #from..#columns {
                let #inner: usize = #column_start + #column;
                #load
                #inside
                #store
            }
        };
        let mut slices = Vec::new();
        for (list, written, wide) in [
            (&jam.shared, false, false),
            (&jam.shared_edits, true, false),
            (&jam.rows, false, true),
            (&jam.row_edits, true, true),
        ] {
            slices.extend(list.iter().map(|(var, _)| (*var, written, wide)));
        }
        let again = slices.iter().map(|(var, written, wide)| {
            let name = self.name(*var);
            match (written, wide) {
                (false, false) => quote!(let #name = &#name[..#columns];),
                (true, false) => quote!(let #name = &mut #name[..#columns];),
                (false, true) => quote!(let #name = #name.map(|row| &row[..#columns]);),
                (true, true) => quote!(let #name = #name.map(|row| &mut row[..#columns]);),
            }
        });
        let again: TokenStream = again.collect();
        let types: Option<Vec<TokenStream>> = slices
            .iter()
            .map(|(var, ..)| self.known(&self.func.var(*var).ty.element()))
            .collect();
        let writes = slices.iter().any(|(_, written, _)| *written);
        let Some(types) = types.filter(|_| writes) else {
            return quote!(#again #run);
        };
        let (mut params, mut args, mut unpack, mut pack) = (
            TokenStream::new(),
            TokenStream::new(),
            TokenStream::new(),
            TokenStream::new(),
        );
        for ((var, written, wide), ty) in slices.iter().zip(types) {
            let name = self.name(*var);
            let ty = if *written {
                quote!(&mut [#ty])
            } else {
                quote!(&[#ty])
            };
            if !*wide {
                params.extend(quote!(#name: #ty,));
                args.extend(if *written {
                    quote!(&mut *#name,)
                } else {
                    quote!(#name,)
                });
                continue;
            }
            let rows: Vec<_> = (0..jam.together)
                .map(|k| own(&format!("__{name}_{k}")))
                .collect();
            unpack.extend(quote!(let [#(#rows),*] = #name;));
            params.extend(quote!(#(#rows: #ty,)*));
            args.extend(quote!(#(#rows,)*));
            pack.extend(quote!(let #name = [#(#rows),*];));
        }
        quote! {
            #unpack
            (|#params| {
                #pack
                #again
                #run
            })(#args);
        }
    }

    fn segment(
        &self,
        jam: &Jam,
        segment: &Segment,
        (first, last): (&TokenStream, &TokenStream),
    ) -> TokenStream {
        let idle = segment.body.stmts.is_empty() && segment.leaves.is_empty();
        if idle && last.is_empty() {
            return TokenStream::new();
        }
        let height = self.jam_height(jam);
        let (lane, counter, number) =
            (self.name(jam.lane), self.name(jam.counter), own("__number"));
        let (start, done) = (own("__start"), own("__together"));
        let (takes, leaves) = self.jam_lanes(jam, segment);
        let body = self.block(&segment.body);
        quote! {
            for #lane in 0..#height {
                let #number: usize = #done + #lane;
                let #counter: usize = #start + #number;
                #first
                #takes
                #body
                #leaves
                #last
            }
        }
    }

    /// Variables that live on from segment to segment: taken from their arrays, and put back.
    pub(super) fn jam_lanes(&self, jam: &Jam, segment: &Segment) -> (TokenStream, TokenStream) {
        let lane = self.name(jam.lane);
        let lanes = |var: &VarId| {
            let kept = jam.kept.iter().find(|(v, _)| v == var);
            kept.map(|(_, lanes)| self.name(*lanes))
        };
        let takes = segment.takes.iter().map(|var| {
            let (binding, lanes) = (self.binding(*var), lanes(var));
            quote!(let #binding = #lanes[#lane];)
        });
        let leaves = segment.leaves.iter().map(|var| {
            let (name, lanes) = (self.name(*var), lanes(var));
            quote!(#lanes[#lane] = #name;)
        });
        (takes.collect(), leaves.collect())
    }
}

/// The names of the bands of matrices of these names.
pub(super) fn bands(names: &[&proc_macro2::Ident]) -> Vec<proc_macro2::Ident> {
    let band = |name: &&proc_macro2::Ident| own(&format!("__{name}_band"));
    names.iter().map(band).collect()
}

/// The block that ends where a slice does not fit.
pub(super) fn label() -> syn::Lifetime {
    syn::Lifetime::new("'__together", proc_macro2::Span::mixed_site())
}

/// The first and the last value of the counter of the outer and of the inner loop.
pub(super) fn ends() -> [proc_macro2::Ident; 4] {
    [
        own("__first_row"),
        own("__last_row"),
        own("__first_column"),
        own("__last_column"),
    ]
}
