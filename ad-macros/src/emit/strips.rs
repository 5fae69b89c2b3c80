//! Loops whose records lie in strips.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use crate::ir::{Block, Expr, ExprKind, Order, RangeIter, Site, VarId};

use super::Emitter;

/// Loops of so few iterations have one strip, and no loop around it: the optimiser unrolls them.
const FEW: u64 = 16;

impl Emitter<'_> {
    pub(super) fn strip_loop(
        &self,
        counter: VarId,
        range: &RangeIter,
        (site, vars): (Site, &[VarId]),
        body: &Block,
    ) -> TokenStream {
        let Names { tape, strip, at } = Names::new();
        let span = self.span_of(vars);
        let Counting {
            lo,
            hi,
            begin,
            index,
            define,
        } = self.counting(counter, range);
        let (site, record) = (self.site(site), self.record(vars));
        let body = self.block(body);
        let set = quote_spanned!(span=> #strip.set(#index, #record););
        let run = quote!(for #index in #strip.range() { #define #body #set });
        if is_short(range) {
            return quote!({ #begin let mut #strip = #tape.push_whole_strip(#site, #lo..#hi); #run });
        }
        quote!({
            #begin
            let mut #at: usize = #lo;
            while #at < #hi {
                let mut #strip = #tape.push_strip(#site, #at..#hi);
                #run
                #at = #strip.range().end;
            }
        })
    }

    pub(super) fn rev_strip_loop(
        &self,
        counter: VarId,
        range: &RangeIter,
        (site, vars): (Site, &[VarId]),
        body: &Block,
        order: Order,
    ) -> TokenStream {
        let Names { tape, strip, at } = Names::new();
        let Counting {
            lo,
            hi,
            begin,
            index,
            define,
        } = self.counting(counter, range);
        let (site, record) = (self.site(site), self.record_pattern(vars));
        let body = self.block(body);
        let ordered = match order {
            Order::Backward => quote!(#strip),
            Order::Forward => quote!(#strip.in_any_order()),
        };
        let run = quote!(for (#index, #record) in #ordered { #define #body });
        if is_short(range) {
            return quote!({ #begin let #strip = #tape.pop_whole_strip(#site, #lo..#hi); #run });
        }
        quote!({
            #begin
            let mut #at: usize = #hi;
            while #at > #lo {
                let #strip = #tape.pop_strip(#site, #lo..#at);
                #at = #strip.start();
                #run
            }
        })
    }

    /// What the strips of a loop are addressed by: the counter itself; or, as an inclusive range may end at the largest number,
    /// how far it is from the first.
    fn counting(&self, counter: VarId, range: &RangeIter) -> Counting {
        let (lo, hi) = (self.bare(&range.lo), self.bare(&range.hi));
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
        let (rt, trips, index) = (self.rt(), super::own("__trips"), super::own("__k"));
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
            tape: super::own("__tape"),
            strip: super::own("__strip"),
            at: super::own("__at"),
        }
    }
}

fn is_short(range: &RangeIter) -> bool {
    let value = |e: &Expr| match &e.kind {
        ExprKind::Lit(syn::Lit::Int(lit)) => lit.base10_parse::<u64>().ok(),
        _ => None,
    };
    match (value(&range.lo), value(&range.hi)) {
        (Some(lo), Some(hi)) => !range.inclusive && hi.saturating_sub(lo) <= FEW,
        _ => false,
    }
}
