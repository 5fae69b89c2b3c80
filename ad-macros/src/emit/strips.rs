//! Records in strips: loops over strips, and the records of one.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use crate::ir::versions::{OfStrip, RecordAt, Strips};
use crate::ir::{Direction, Expr, Loop, Order, VarId, literal};

use super::{Emitter, own};

impl Emitter<'_> {
    /// Runs over one strip after the other.
    pub(super) fn strips(&self, strips: &Strips) -> TokenStream {
        let (tape, at, end) = (own("__tape"), own("__at"), own("__end"));
        let (lo, hi) = (self.expected(&strips.lo), self.expected(&strips.hi));
        let (site, strip) = (self.site(strips.site), self.name(strips.strip));
        let body = self.block(&strips.body);
        let extent = strips.extent.map(|(first, len)| {
            let (first, len) = (self.name(first), self.name(len));
            let extent = match strips.direction {
                Direction::Forward => quote!((#strip.range().start, #strip.range().len())),
                Direction::Reverse => quote!((#strip.start(), #end - #strip.start())),
            };
            quote!(let (#first, #len): (usize, usize) = #extent;)
        });
        match (strips.direction, strips.whole) {
            (Direction::Forward, true) => {
                quote!(let mut #strip = #tape.push_whole_strip(#site, #lo..#hi); #body)
            }
            (Direction::Forward, false) => quote! {
                let mut #at: usize = #lo;
                while #at < #hi {
                    let mut #strip = #tape.lend_strip(#site, #at..#hi);
                    #extent
                    #body
                    #at = #strip.range().end;
                }
                #tape.end_strips(#site);
            },
            (Direction::Reverse, true) => {
                quote!(let #strip = #tape.pop_whole_strip(#site, #lo..#hi); #body)
            }
            (Direction::Reverse, false) => quote! {
                let mut #at: usize = #hi;
                while #at > #lo {
                    let #end = #at;
                    let #strip = #tape.pop_strip(#site, #lo..#at);
                    #at = #strip.start();
                    #extent
                    #body
                }
            },
        }
    }

    /// The iterations of one strip.
    pub(super) fn loop_over_strip(
        &self,
        this: &Loop,
        (counter, of): (VarId, &OfStrip),
        body: &TokenStream,
    ) -> TokenStream {
        let Some(records) = &this.strip else {
            unreachable!("a loop over a strip has records");
        };
        let (counter, strip) = (self.name(counter), self.name(of.strip));
        let (index, define) = match &of.index {
            Some(by) => {
                let (number, first) = (self.name(by.number), self.expected(&by.first));
                let away = match by.step {
                    1 => quote!(#number),
                    step => {
                        let step = literal::count(step.into());
                        quote!(#step * #number)
                    }
                };
                let value = if by.down {
                    quote!(#first - #away)
                } else {
                    quote!(#first + #away)
                };
                (number, quote!(let #counter: usize = #value;))
            }
            None => (counter, TokenStream::new()),
        };
        match this.sweep {
            Direction::Forward => {
                let record = self.record(&records.vars);
                let set =
                    quote_spanned!(self.span_of(&records.vars)=> #strip.set(#index, #record););
                quote!(for #index in #strip.range() { #define #body #set })
            }
            Direction::Reverse => {
                let record = self.record_pattern(&records.vars);
                let ordered = match this.order {
                    Order::Backward => quote!(#strip),
                    Order::Forward => quote!(#strip.in_any_order()),
                    Order::Chained => unreachable!("such loops have no records"),
                };
                quote!(for (#index, #record) in #ordered { #define #body })
            }
        }
    }

    pub(super) fn record_at(&self, record: &RecordAt) -> TokenStream {
        let (of, at) = (self.name(record.of), self.bare(&record.at));
        match record.direction {
            Direction::Forward => {
                let values = self.record(&record.vars);
                quote_spanned!(self.span_of(&record.vars)=> #of.set(#at, #values);)
            }
            Direction::Reverse => {
                let pattern = self.record_pattern(&record.vars);
                quote!(let #pattern = #of.get(#at);)
            }
        }
    }

    /// The records of a strip, or what records are put into.
    pub(super) fn records_of(
        &self,
        (var, strip): (VarId, VarId),
        len: &Expr,
        direction: Direction,
    ) -> TokenStream {
        let (name, strip, len) = (self.name(var), self.name(strip), self.bare(len));
        let leave = self.leave();
        let some = quote!(::core::option::Option::Some);
        match direction {
            Direction::Forward => {
                quote!(let #some(mut #name) = #strip.slots(0, #len) else { #leave };)
            }
            Direction::Reverse => quote! {
                let #some(#name) = #strip.records() else { #leave };
                let #some(#name) = #name.part(0, #len) else { #leave };
            },
        }
    }
}
