//! Jammed loops whose iterations lie side by side in a matrix that the inner loop goes down.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Jam, View, literal};

use super::expr::Use;
use super::jam::{bands, ends, label};
use super::{Emitter, own};

impl Emitter<'_> {
    /// Where the elements are that lie side by side for the iterations of the outer loop, or the end of the block: a
    /// row for each iteration of the inner one.
    pub(super) fn jam_across_rows(&self, jam: &Jam) -> TokenStream {
        if jam.across.is_empty() && jam.across_edits.is_empty() {
            return TokenStream::new();
        }
        let (rt, label, second) = (self.rt(), label(), own("__second_column"));
        let (start, n, columns) = (own("__column_start"), own("__n"), own("__columns"));
        let [first, last, column_first, column_last] = ends();
        let some = quote!(::core::option::Option::Some);
        let corners = |view: &View| {
            let at = |row, column| self.jam_index(&view.index, jam, row, column);
            let starts = [&column_first, &second, &column_last].map(|column| at(&first, column));
            let ends = [&column_first, &column_last].map(|column| at(&last, column));
            quote!(#rt::Corners { starts: [#(#starts),*], ends: [#(#ends),*] })
        };
        let reads = jam.across.iter().map(|(var, view)| {
            let (name, of, corners) = (self.name(*var), self.place(&view.of, Use::Read), corners(view));
            quote!(let #some(#name) = #rt::Matrix::of(&#of, #corners, #columns, #n) else { break #label };)
        });
        let edits = jam.across_edits.iter().map(|(var, view)| {
            let (name, of, corners) = (self.name(*var), self.place(&view.of, Use::Write), corners(view));
            quote!(let #some(mut #name) = #rt::MatrixMut::of(&mut #of, #corners, #columns, #n) else { break #label };)
        });
        quote! {
            let #second = #rt::Ix::of(#start + <usize>::from(#columns > 1));
            #(#reads)*
            #(#edits)*
        }
    }

    /// What stands in front of the inner loop for elements that lie side by side, and what an iteration of it does
    /// first and last with them.
    pub(super) fn jam_across(&self, jam: &Jam) -> [TokenStream; 3] {
        let (column, columns, done) = (self.name(jam.column), own("__columns"), own("__together"));
        let together = literal::count(jam.together);
        let (reads, edits) = (self.names(&jam.across), self.names(&jam.across_edits));
        let (read_bands, edit_bands) = (bands(&reads), bands(&edits));
        [
            quote! {
                #(let #read_bands = #reads.panel::<#together>(0, #columns, #done);)*
                #(let mut #edit_bands = #edits.panel::<#together>(0, #columns, #done);)*
            },
            quote! {
                #(let #reads = #read_bands.row(#column);)*
                #(let mut #edits = #edit_bands.row(#column);)*
            },
            quote!(#(#edit_bands.set_row(#column, &#edits);)*),
        ]
    }
}
