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
        let (site, record, i) = (self.site(site), self.record(vars), self.name(counter));
        let (lo, hi) = (self.bare(&range.lo), self.bare(&range.hi));
        let body = self.block(body);
        let set = quote_spanned!(span=> #strip.set(#i, #record););
        let run = quote!(for #i in #strip.range() { #body #set });
        if is_short(range) {
            return quote!({ let mut #strip = #tape.push_whole_strip(#site, #lo..#hi); #run });
        }
        quote!({
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
        let (site, record, i) = (
            self.site(site),
            self.record_pattern(vars),
            self.name(counter),
        );
        let (lo, hi) = (self.bare(&range.lo), self.bare(&range.hi));
        let body = self.block(body);
        let ordered = match order {
            Order::Backward => quote!(#strip),
            Order::Forward => quote!(#strip.in_any_order()),
        };
        let run = quote!(for (#i, #record) in #ordered { #body });
        if is_short(range) {
            return quote!({ let #strip = #tape.pop_whole_strip(#site, #lo..#hi); #run });
        }
        quote!({
            let mut #at: usize = #hi;
            while #at > #lo {
                let #strip = #tape.pop_strip(#site, #lo..#at);
                #at = #strip.start();
                #run
            }
        })
    }
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
        (Some(lo), Some(hi)) => hi.saturating_sub(lo) <= FEW,
        _ => false,
    }
}
