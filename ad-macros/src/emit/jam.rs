//! Loops several iterations of which run at once.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Block, Expr, Jam, Segment, StmtKind, Ty, VarId, View};

use super::expr::Use;
use super::slices::label;
use super::strips::Fast;
use super::{Emitter, own};

/// How many iterations run at once: as many chains of additions as a core can have under way.
const TOGETHER: usize = 8;

impl Emitter<'_> {
    pub(super) fn jam(&self, jam: &Jam) -> TokenStream {
        let [plain] = jam.plain.stmts.as_slice() else {
            unreachable!("a loop is one statement");
        };
        match &plain.kind {
            StmtKind::StripLoop {
                counter,
                range,
                site,
                vars,
                body,
            } => self.strip_loop(*counter, range, (*site, vars), body, Fast::Jam(jam)),
            StmtKind::Loop { body, .. } => {
                let (first, n) = (own("__start"), own("__n"));
                let (lo, trips) = (self.bare(&jam.range.lo), self.trips(&jam.range));
                let run = self.jammed(jam, body, &TokenStream::new());
                quote!({ let (#first, #n): (usize, usize) = (#lo, #trips); #run })
            }
            _ => unreachable!("other loops are not jammed"),
        }
    }

    /// The loop over `__n` iterations from `__start` on; `each` follows every iteration.
    pub(super) fn jammed(&self, jam: &Jam, plain: &Block, each: &TokenStream) -> TokenStream {
        let (start, n, done, number) = (
            own("__start"),
            own("__n"),
            own("__together"),
            own("__number"),
        );
        let (columns, column_start, label) = (own("__columns"), own("__column_start"), label());
        let (column_lo, column_trips) =
            (self.bare(&jam.inner_range.lo), self.trips(&jam.inner_range));
        let together = proc_macro2::Literal::usize_unsuffixed(TOGETHER);
        let (prelude, block) = (self.jam_prelude(jam), self.jam_block(jam, each));
        let (counter, plain) = (self.name(jam.counter), self.block(plain));
        quote! {
            let mut #done: usize = 0;
            #label: {
                let (#column_start, #columns): (usize, usize) = (#column_lo, #column_trips);
                if #n < #together || #columns == 0 { break #label; }
                #prelude
                while #n - #done >= #together {
                    #block
                    #done += #together;
                }
            }
            for #number in #done..#n {
                let #counter: usize = #start + #number;
                #plain
                #each
            }
        }
    }

    /// What does not change from block to block.
    fn jam_prelude(&self, jam: &Jam) -> TokenStream {
        let (rt, label, n) = (self.rt(), label(), own("__n"));
        let (start, columns, column_start) =
            (own("__start"), own("__columns"), own("__column_start"));
        let [first, last, column_first, column_last] = ends();
        let mut out = quote! {
            let #first = #rt::Ix::of(#start);
            let #last = #first + #rt::Ix::of(#n - 1);
            let #column_first = #rt::Ix::of(#column_start);
            let #column_last = #column_first + #rt::Ix::of(#columns - 1);
        };
        let some = quote!(::core::option::Option::Some);
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
        out
    }

    fn jam_bounds(&self, view: &View, jam: &Jam) -> (TokenStream, TokenStream) {
        let [first, last, column_first, column_last] = ends();
        (
            self.jam_index(&view.index, jam, &first, &column_first),
            self.jam_index(&view.index, jam, &last, &column_last),
        )
    }

    /// An index for given values of both counters.
    fn jam_index(
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
    fn jam_block(&self, jam: &Jam, each: &TokenStream) -> TokenStream {
        let (rt, label) = (self.rt(), label());
        let (start, done, columns) = (own("__start"), own("__together"), own("__columns"));
        let together = proc_macro2::Literal::usize_unsuffixed(TOGETHER);
        let lane = self.name(jam.lane);
        let (at, [_, _, column_first, column_last]) = (own("__at_lane"), ends());
        let views = jam.views.iter().map(|(var, _)| {
            let name = self.name(*var);
            quote!(let #name = &#name[#done..][..#together];)
        });
        let edits = jam.edits.iter().flatten().map(|(var, _)| {
            let name = self.name(*var);
            quote!(let #name = &mut #name[#done..][..#together];)
        });
        let rows = jam.rows.iter().map(|(var, view)| {
            let (name, of) = (self.name(*var), self.place(&view.of, Use::Read));
            let first = self.jam_index(&view.index, jam, &at, &column_first);
            let last = self.jam_index(&view.index, jam, &at, &column_last);
            quote! {
                let ::core::option::Option::Some(#name) = #rt::rows::<_, #together>(|#lane| {
                    let #at = #rt::Ix::of(#start + #done + #lane);
                    #rt::view(&#of, #first, #last, #columns)
                }) else { break #label };
                let #name = #name.map(|row| &row[..#columns]);
            }
        });
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
        let before = self.segment(jam, &jam.before, &TokenStream::new());
        let inside = self.segment(jam, &jam.inside, &TokenStream::new());
        let after = self.segment(jam, &jam.after, each);
        let (column, inner, column_start) = (
            self.name(jam.column),
            self.name(jam.inner_counter),
            own("__column_start"),
        );
        quote! {
            #(#views)*
            #(#edits)*
            #(#rows)*
            #(#kept)*
            #before
            for #column in 0..#columns {
                let #inner: usize = #column_start + #column;
                #inside
            }
            #after
        }
    }

    fn segment(&self, jam: &Jam, segment: &Segment, each: &TokenStream) -> TokenStream {
        if segment.body.stmts.is_empty() && each.is_empty() {
            return TokenStream::new();
        }
        let together = proc_macro2::Literal::usize_unsuffixed(TOGETHER);
        let (lane, counter, number) =
            (self.name(jam.lane), self.name(jam.counter), own("__number"));
        let (start, done) = (own("__start"), own("__together"));
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
        let body = self.block(&segment.body);
        quote! {
            for #lane in 0..#together {
                let #number: usize = #done + #lane;
                let #counter: usize = #start + #number;
                #(#takes)*
                #body
                #(#leaves)*
                #each
            }
        }
    }
}

/// The first and the last value of the counter of the outer and of the inner loop.
fn ends() -> [proc_macro2::Ident; 4] {
    [
        own("__first_row"),
        own("__last_row"),
        own("__first_column"),
        own("__last_column"),
    ]
}
