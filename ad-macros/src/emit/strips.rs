//! Loops whose records lie in strips.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use crate::ir::{Block, Direction, Domain, Jam, Loop, Order, RangeIter, Site, VarId};

use super::slices::Around;
use super::{Emitter, own};

/// Loops of so few iterations have one strip, and no loop around it: the optimiser unrolls them.
const FEW: u64 = 16;

impl Emitter<'_> {
    /// A loop, with or without records in strips.
    pub(super) fn any_loop(&self, this: &Loop, fast: Fast<'_>) -> TokenStream {
        match (&this.domain, &this.strip) {
            (Domain::Range { var, range }, Some(strip)) => {
                let record = (strip.site, strip.vars.as_slice());
                match this.sweep {
                    Direction::Forward => self.strip_loop(*var, range, record, &this.body, fast),
                    Direction::Reverse => {
                        self.rev_strip_loop(*var, range, record, &this.body, (this.order, fast))
                    }
                }
            }
            _ => self.plain_loop(this),
        }
    }

    fn strip_loop(
        &self,
        counter: VarId,
        range: &RangeIter,
        (site, vars): (Site, &[VarId]),
        body: &Block,
        fast: Fast<'_>,
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
        let (body_stmts, body) = (body, self.block(body));
        let set = quote_spanned!(span=> #strip.set(#index, #record););
        let run = quote!(for #index in #strip.range() { #define #body #set });
        if is_short(range) {
            return quote!({ #begin let mut #strip = #tape.push_whole_strip(#site, #lo..#hi); #run });
        }
        let begin_strip = || {
            let first = quote!(#strip.range().start);
            self.strip_start(range, first, quote!(#strip.range().len()))
        };
        let (record, first, k) = (self.record(vars), own("__first"), own("__number"));
        let set = quote_spanned!(span=> #strip.set(#first + #k, #record););
        let run = match fast {
            Fast::No => run,
            Fast::Jam(jam) => {
                let around = Around {
                    after: set,
                    ..Around::default()
                };
                let (begin, run) = (begin_strip(), self.jammed(jam, body_stmts, &around));
                quote!(#begin #run)
            }
        };
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
        counter: VarId,
        range: &RangeIter,
        (site, vars): (Site, &[VarId]),
        body: &Block,
        (order, fast): (Order, Fast<'_>),
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
        let (body_stmts, body) = (body, self.block(body));
        let ordered = match order {
            Order::Backward => quote!(#strip),
            Order::Forward => quote!(#strip.in_any_order()),
        };
        let run = quote!(for (#index, #record) in #ordered { #define #body });
        if is_short(range) {
            return quote!({ #begin let #strip = #tape.pop_whole_strip(#site, #lo..#hi); #run });
        }
        let begin_strip = || {
            let end = own("__end");
            self.strip_start(range, quote!(#strip.start()), quote!(#end - #strip.start()))
        };
        let run = match fast {
            Fast::No => run,
            Fast::Jam(jam) => {
                // Records of variable size are taken off one by one, and not side by side.
                let around = self.records(&own("__number"), vars);
                let begin = begin_strip();
                let (records, n) = (own("__records"), own("__n"));
                let jammed = self.jammed(jam, body_stmts, &around);
                quote! {
                    #begin
                    match #strip.records().and_then(|records| records.part(0, #n)) {
                        ::core::option::Option::Some(#records) => { #jammed }
                        ::core::option::Option::None => { #run }
                    }
                }
            }
        };
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

    /// Names the first iteration of a strip, by the number it has on the tape and by its counter, and how many there
    /// are.
    fn strip_start(&self, range: &RangeIter, first: TokenStream, n: TokenStream) -> TokenStream {
        let (number, start, count) = (own("__first"), own("__start"), own("__n"));
        let counter = if range.inclusive {
            let lo = self.bare(&range.lo);
            quote!(#lo + #number)
        } else {
            quote!(#number)
        };
        quote! {
            let (#number, #count): (usize, usize) = (#first, #n);
            let #start: usize = #counter;
        }
    }

    /// Reads the records of a strip, which has as many as there are iterations.
    fn records(&self, number: &Ident, vars: &[VarId]) -> Around {
        let (records, pattern) = (own("__records"), self.record_pattern(vars));
        Around {
            each: quote!(let #pattern = #records.get(#number);),
            after: TokenStream::new(),
        }
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

/// Another way to run a loop.
pub(super) enum Fast<'a> {
    No,
    Jam(&'a Jam),
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

fn is_short(range: &RangeIter) -> bool {
    !range.inclusive && range.literal_trips().is_some_and(|trips| trips <= FEW)
}
