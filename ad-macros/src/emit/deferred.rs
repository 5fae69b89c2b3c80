//! Jammed loops that leave the factors of products in stores.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::ir::{Deferring, Jam, Product, Segment, literal};

use super::expr::Use;
use super::jam::label;
use super::slices::Around;
use super::{Emitter, own};

impl Emitter<'_> {
    /// A loop with stores, which are emptied behind it.
    pub(super) fn deferring(&self, deferring: &Deferring) -> TokenStream {
        let (rt, body) = (self.rt(), self.block(&deferring.body));
        let fused = deferring.fused;
        let stores = deferring.stores.iter().map(|(number, _)| store(*number));
        let ends = deferring.stores.iter().map(|(number, to)| {
            let (store, to) = (store(*number), self.place(to, Use::Write));
            quote!(#store.add(&mut #to);)
        });
        quote!({
            #(let mut #stores = #rt::Products::<_, #fused>::new();)*
            #body
            #(#ends)*
        })
    }

    /// Where all stores want them, all iterations with products that go into stores.
    pub(super) fn jam_deferred(&self, jam: &Jam, around: &Around) -> TokenStream {
        let Some(deferred) = &jam.deferred else {
            return TokenStream::new();
        };
        let (rt, label, n, columns) = (self.rt(), label(), own("__n"), own("__columns"));
        let products = &deferred.products;
        let alone = deferred.jam.inside.body.stmts.is_empty();
        let wanted: Vec<Ident> = (0..products.len())
            .map(|k| own(&format!("__wanted_{k}")))
            .collect();
        let wants = products.iter().map(|product| {
            let (store, to) = (
                store(product.store),
                self.place(&product.view.of, Use::Write),
            );
            let corners = self.jam_corners(jam, &product.view);
            quote!(#store.wants(#rt::MatrixMut::of(&mut #to, #corners, #n, #columns), #alone))
        });
        let begin: TokenStream = products
            .iter()
            .map(|p| self.begin_product(jam, p))
            .collect();
        let between: TokenStream = products.iter().map(|p| self.of_rows(jam, p)).collect();
        let prelude = self.jam_prelude(&deferred.jam);
        let all = self.jam_blocks(&deferred.jam, around, &begin, &between);
        quote! {
            #(let #wanted: bool = #wants;)*
            if #(#wanted)&&* {
                #prelude
                #all
                break #label;
            }
        }
    }

    /// Puts the factors of the columns into the store.
    fn begin_product(&self, jam: &Jam, product: &Product) -> TokenStream {
        let (store, to) = (
            store(product.store),
            self.place(&product.view.of, Use::Write),
        );
        let (column, inner) = (self.name(jam.column), self.name(jam.inner_counter));
        let (start, value) = (own("__column_start"), self.expr(&product.term.of_column));
        quote! {
            #store.begin(&mut #to, |#column: usize| {
                let #inner: usize = #start + #column;
                #value
            });
        }
    }

    /// Puts the factors of the rows of a block into the store.
    fn of_rows(&self, jam: &Jam, product: &Product) -> TokenStream {
        let (store, factors, rows) = (store(product.store), own("__factors"), own("__rows"));
        let (lane, counter, number) =
            (self.name(jam.lane), self.name(jam.counter), own("__number"));
        let (start, done) = (own("__start"), own("__together"));
        let segment = Segment {
            takes: product.term.takes.clone(),
            ..Segment::default()
        };
        let (takes, _) = self.jam_lanes(jam, &segment);
        let value = self.expr(&product.term.of_row);
        let together = literal::count(jam.together);
        quote! {
            let mut #factors = [::core::default::Default::default(); #together];
            for #lane in 0..#rows {
                let #number: usize = #done + #lane;
                let #counter: usize = #start + #number;
                #takes
                #factors[#lane] = #value;
            }
            #store.rows(&#factors[..#rows]);
        }
    }
}

fn store(number: usize) -> Ident {
    own(&format!("__products_{number}"))
}
