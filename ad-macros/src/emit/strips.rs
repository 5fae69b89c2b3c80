//! Loops whose records lie in strips.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use crate::ir::{Direction, Domain, Loop, Order, RangeIter, Strip, VarId};

use super::{Emitter, own};

impl Emitter<'_> {
    /// A loop, with or without records in strips.
    pub(super) fn any_loop(&self, this: &Loop) -> TokenStream {
        match (&this.domain, &this.strip) {
            (Domain::Range { var, range }, Some(strip)) => match this.sweep {
                Direction::Forward => self.strip_loop((*var, range), strip, this),
                Direction::Reverse => self.rev_strip_loop((*var, range), strip, this),
            },
            _ => self.plain_loop(this),
        }
    }

    fn strip_loop(
        &self,
        (counter, range): (VarId, &RangeIter),
        records: &Strip,
        this: &Loop,
    ) -> TokenStream {
        let Names { tape, strip, at } = Names::new();
        let Counting {
            lo,
            hi,
            begin,
            index,
            define,
        } = self.counting(counter, range);
        let (site, record) = (self.site(records.site), self.record(&records.vars));
        let body = self.block(&this.body);
        let span = self.span_of(&records.vars);
        let set = quote_spanned!(span=> #strip.set(#index, #record););
        let run = quote!(for #index in #strip.range() { #define #body #set });
        if this.has_one_strip() {
            return quote!({ #begin let mut #strip = #tape.push_whole_strip(#site, #lo..#hi); #run });
        }
        quote!({
            #begin
            let mut #at: usize = #lo;
            while #at < #hi {
                let mut #strip = #tape.lend_strip(#site, #at..#hi);
                #run
                #at = #strip.range().end;
            }
            #tape.end_strips(#site);
        })
    }

    fn rev_strip_loop(
        &self,
        (counter, range): (VarId, &RangeIter),
        records: &Strip,
        this: &Loop,
    ) -> TokenStream {
        let Names { tape, strip, at } = Names::new();
        let Counting {
            lo,
            hi,
            begin,
            index,
            define,
        } = self.counting(counter, range);
        let (site, record) = (self.site(records.site), self.record_pattern(&records.vars));
        let body = self.block(&this.body);
        let ordered = match this.order {
            Order::Backward => quote!(#strip),
            Order::Forward => quote!(#strip.in_any_order()),
        };
        let run = quote!(for (#index, #record) in #ordered { #define #body });
        if this.has_one_strip() {
            return quote!({ #begin let #strip = #tape.pop_whole_strip(#site, #lo..#hi); #run });
        }
        let end = own("__end");
        quote!({
            #begin
            let mut #at: usize = #hi;
            while #at > #lo {
                let #end = #at;
                let #strip = #tape.pop_strip(#site, #lo..#at);
                #at = #strip.start();
                #run
            }
        })
    }

    /// What the strips of a loop are addressed by: the counter itself; or, as an inclusive range may end at the largest
    /// number, how far it is from the first.
    fn counting(&self, counter: VarId, range: &RangeIter) -> Counting {
        let (lo, hi) = (self.expected(&range.lo), self.expected(&range.hi));
        let counter = self.name(counter).clone();
        if !range.inclusive {
            return Counting {
                lo,
                hi,
                begin: TokenStream::new(),
                index: counter,
                define: TokenStream::new(),
            };
        }
        let (rt, trips, index) = (self.rt(), own("__trips"), own("__k"));
        Counting {
            begin: quote!(let #trips: usize = #rt::trips(#lo, #hi);),
            define: quote!(let #counter: usize = #lo + #index;),
            lo: quote!(0),
            hi: quote!(#trips),
            index,
        }
    }
}

struct Counting {
    lo: TokenStream,
    hi: TokenStream,
    /// In front of the loop.
    begin: TokenStream,
    index: Ident,
    /// At the start of each iteration.
    define: TokenStream,
}

struct Names {
    tape: Ident,
    strip: Ident,
    at: Ident,
}

impl Names {
    fn new() -> Self {
        Self {
            tape: own("__tape"),
            strip: own("__strip"),
            at: own("__at"),
        }
    }
}
