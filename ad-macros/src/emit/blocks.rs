//! Jammed loops over blocks of columns, which stay in registers.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ir::{ExprKind, Jam, View, literal};

use super::expr::Use;
use super::jam::{bands, ends, label};
use super::slices::Around;
use super::{Emitter, own};

impl Emitter<'_> {
    /// All iterations over blocks. `begin` stands in front of them, `between` in each between what is in front of the
    /// inner loop and that.
    pub(super) fn jam_blocks(
        &self,
        jam: &Jam,
        around: &Around,
        begin: &TokenStream,
        between: &TokenStream,
    ) -> TokenStream {
        let (rt, n, done, columns) = (self.rt(), own("__n"), own("__together"), own("__columns"));
        let (rows, height) = (own("__rows"), own("__height"));
        let together = literal::count(jam.together);
        let (matrices, block) = (self.jam_matrices(jam), self.jam_block(jam, around, between));
        quote! {
            #matrices
            #begin
            let #height: usize = #rt::panel_height::<#together>(#columns);
            while #done < #n {
                let #rows: usize = <usize>::min(#n - #done, #height);
                #block
                #done += #rows;
            }
        }
    }

    /// The rows of all iterations, or the end of the block.
    pub(super) fn jam_matrices(&self, jam: &Jam) -> TokenStream {
        let (rt, label) = (self.rt(), label());
        let (n, columns) = (own("__n"), own("__columns"));
        let some = quote!(::core::option::Option::Some);
        let corners = |view: &View| self.jam_corners(jam, view);
        let mut out = TokenStream::new();
        for (var, view) in &jam.rows {
            let (name, of) = (self.name(*var), self.place(&view.of, Use::Read));
            let corners = corners(view);
            out.extend(quote! {
                let #some(#name) = #rt::Matrix::of(&#of, #corners, #n, #columns) else { break #label };
            });
        }
        for (var, view) in &jam.row_edits {
            let (name, of) = (self.name(*var), self.place(&view.of, Use::Write));
            let corners = corners(view);
            out.extend(quote! {
                let #some(mut #name) = #rt::MatrixMut::of(&mut #of, #corners, #n, #columns) else { break #label };
            });
        }
        out
    }

    /// The corners of rows.
    pub(super) fn jam_corners(&self, jam: &Jam, view: &View) -> TokenStream {
        let (rt, second) = (self.rt(), own("__second_row"));
        let [first, last, column, column_last] = ends();
        let at = |row, column| self.jam_index(&view.index, jam, row, column);
        let starts = [&first, &second, &last].map(|row| at(row, &column));
        let ends = [&first, &last].map(|row| at(row, &column_last));
        quote!(#rt::Corners { starts: [#(#starts),*], ends: [#(#ends),*] })
    }

    /// All rows over one block of columns after the other. Columns that are left are the end of a block that reaches
    /// back to columns which are done, and leaves those as they are.
    pub(super) fn jam_columns_in_blocks(&self, jam: &Jam) -> TokenStream {
        let (rt, columns, at) = (self.rt(), own("__columns"), own("__column_at"));
        if jam.inside.body.stmts.is_empty() && jam.finish.stmts.is_empty() {
            return TokenStream::new();
        }
        let along = jam.shared.iter().chain(&jam.shared_edits);
        let names: Vec<_> = along.map(|(var, _)| self.name(*var)).collect();
        let (reads, edits) = names.split_at(jam.shared.len());
        let whole: Vec<_> = edits.iter().map(|n| own(&format!("__{n}_whole"))).collect();
        let (full, last) = (self.jam_rows_over_block(jam, None), own("__skip"));
        let end = self.jam_rows_over_block(jam, Some(&last));
        let (begin, finish) = (self.jam_begin(jam), self.jam_finish(jam));
        let load = quote! {
            #(let #reads: [_; #rt::PANEL] = #rt::load_panel(#reads, #at);)*
            #(let mut #edits: [_; #rt::PANEL] = #rt::load_panel(#whole, #at);)*
            #begin
        };
        quote! {
            #(let #whole = &mut *#edits;)*
            let mut #at: usize = 0;
            while #columns - #at >= #rt::PANEL {
                #load
                #full
                #finish
                #(#rt::store_panel(#whole, #at, &#edits);)*
                #at += #rt::PANEL;
            }
            if #at < #columns {
                let #last: usize = #at - (#columns - #rt::PANEL);
                let #at: usize = #columns - #rt::PANEL;
                #load
                #end
                #finish
                #(#rt::store_panel_end(#whole, #at, #last, &#edits);)*
            }
        }
    }

    /// What is computed for each column in front of the rows.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other values are set")]
    fn jam_begin(&self, jam: &Jam) -> TokenStream {
        let (rt, column) = (self.rt(), self.name(jam.column));
        let inner = self.jam_inner(jam);
        let all = jam.begin.iter().map(|(var, value)| {
            let (name, zero) = (self.name(*var), self.zero(&value.ty));
            let set = match value.kind {
                ExprKind::Zero => TokenStream::new(),
                _ => {
                    let value = self.expr(value);
                    quote!(for #column in 0..#rt::PANEL { #inner #name[#column] = #value; })
                }
            };
            quote!(let mut #name = [#zero; #rt::PANEL]; #set)
        });
        all.collect()
    }

    /// What follows the rows for each column.
    fn jam_finish(&self, jam: &Jam) -> TokenStream {
        if jam.finish.stmts.is_empty() {
            return TokenStream::new();
        }
        let (rt, column) = (self.rt(), self.name(jam.column));
        let (inner, body) = (self.jam_inner(jam), self.block(&jam.finish));
        quote!(for #column in 0..#rt::PANEL { #inner #body })
    }

    /// The counter of the inner loop for a column of a block.
    pub(super) fn jam_inner(&self, jam: &Jam) -> TokenStream {
        let (column, inner) = (self.name(jam.column), self.name(jam.inner_counter));
        let (column_start, at) = (own("__column_start"), own("__column_at"));
        quote!(let #inner: usize = #column_start + #at + #column;)
    }

    /// All rows over one block, which leaves the first `skip` columns as they are.
    fn jam_rows_over_block(&self, jam: &Jam, skip: Option<&Ident>) -> TokenStream {
        let (rt, lane, number) = (self.rt(), self.name(jam.lane), own("__number"));
        let (at, done, rows) = (own("__column_at"), own("__together"), own("__rows"));
        let (column, inner, start) = (self.name(jam.column), self.jam_inner(jam), own("__start"));
        let counter = self.name(jam.counter);
        let (takes, leaves) = self.jam_lanes(jam, &jam.inside);
        let (reads, edits) = (self.names(&jam.rows), self.names(&jam.row_edits));
        let (read_bands, edit_bands) = (bands(&reads), bands(&edits));
        let body = self.block(&jam.inside.body);
        let store = match skip {
            None => quote!(#(#edit_bands.set_row(#lane, &#edits);)*),
            Some(skip) => quote!(#(#edit_bands.set_end(#lane, #skip, &#edits);)*),
        };
        quote! {
            #(let #read_bands = #reads.panel::<{ #rt::PANEL }>(#done, #rows, #at);)*
            #(let mut #edit_bands = #edits.panel::<{ #rt::PANEL }>(#done, #rows, #at);)*
            for #lane in 0..#rows {
                let #number: usize = #done + #lane;
                let #counter: usize = #start + #number;
                #(let #reads = #read_bands.row(#lane);)*
                #(let mut #edits = #edit_bands.row(#lane);)*
                #takes
                for #column in 0..#rt::PANEL {
                    #inner
                    #body
                }
                #leaves
                #store
            }
        }
    }
}
