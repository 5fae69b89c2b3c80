//! Branches, records of branches, and loops.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Block, Domain, Expr, Loop, Order, RangeIter, Ty, VarId, literal};

use super::expr::says_type;
use super::stmt::grouped;
use super::{Code, Emitter};

impl Emitter<'_> {
    pub(super) fn switch(&self, selector: &Expr, arms: &[Block]) -> TokenStream {
        let bodies: Vec<TokenStream> = arms.iter().map(|b| self.block(b)).collect();
        self.select(selector, &bodies)
    }

    /// An `if` or `match` over arm bodies, as statement or as value.
    fn select(&self, selector: &Expr, bodies: &[TokenStream]) -> TokenStream {
        let choice = self.expr(selector);
        if selector.ty == Ty::Bool
            && let [then, other] = bodies
        {
            return if other.is_empty() {
                quote!(if #choice { #then })
            } else {
                quote!(if #choice { #then } else { #other })
            };
        }
        let Some((last, first)) = bodies.split_last() else {
            return TokenStream::new();
        };
        let arms = first.iter().enumerate().map(|(k, body)| {
            let k = literal::arm(k);
            quote!(#k => { #body })
        });
        quote!(match #choice { #(#arms)* _ => { #last } })
    }

    pub(super) fn branch(
        &self,
        rec: VarId,
        selector: &Expr,
        arms: &[(Block, Vec<VarId>)],
    ) -> TokenStream {
        let bodies: Vec<TokenStream> = arms
            .iter()
            .enumerate()
            .map(|(k, (block, vars))| {
                let (body, record) = (self.block(block), self.record(vars));
                let value = self.variant(k, arms.len(), record);
                quote!(#body #value)
            })
            .collect();
        let (name, value) = (self.name(rec), self.select(selector, &bodies));
        quote!(let #name = #value;)
    }

    pub(super) fn match_record(&self, rec: VarId, arms: &[(Vec<VarId>, Block)]) -> TokenStream {
        let name = self.name(rec);
        let arms = arms.iter().enumerate().map(|(k, (vars, block))| {
            let pattern = self.variant(k, arms.len(), self.record_pattern(vars));
            let body = self.block(block);
            quote!(#pattern => { #body })
        });
        quote!(match #name { #(#arms)* })
    }

    /// Alternative `k` of `n` in nested `Either`s.
    fn variant(&self, k: usize, n: usize, inner: TokenStream) -> TokenStream {
        let rt = self.rt();
        let mut value = if k + 1 == n {
            inner
        } else {
            quote!(#rt::Either::A(#inner))
        };
        for _ in 0..k.min(n - 1) {
            value = quote!(#rt::Either::B(#value));
        }
        value
    }

    /// The value of a record: a tuple, in groups of ten.
    pub(crate) fn record(&self, vars: &[VarId]) -> TokenStream {
        let names = vars.iter().map(|v| Code::token(self.name(*v).clone()));
        grouped(names.collect())
    }

    pub(crate) fn record_pattern(&self, vars: &[VarId]) -> TokenStream {
        grouped(vars.iter().map(|v| self.binding(*v)).collect())
    }

    fn range(&self, range: &RangeIter) -> TokenStream {
        let typed = says_type(&range.lo) || says_type(&range.hi);
        let [lo, hi] = [&range.lo, &range.hi].map(|e| self.operand(e, typed));
        let mut tokens = if range.inclusive {
            quote!((#lo..=#hi))
        } else {
            quote!((#lo..#hi))
        };
        if range.rev_first {
            tokens = quote!(::core::iter::Iterator::rev(#tokens));
        }
        if let Some(step) = &range.step {
            let step = self.expected(step);
            tokens = quote!(::core::iter::Iterator::step_by(#tokens, #step));
        }
        if range.rev {
            quote!(::core::iter::Iterator::rev(#tokens))
        } else {
            tokens
        }
    }

    pub(super) fn plain_loop(&self, this: &Loop) -> TokenStream {
        let mut body = self.block(&this.body);
        if let Some(same_type) = this.domain.counter().and_then(|var| self.same_type(var)) {
            body = quote!(#same_type #body);
        }
        let leave = this.exit.map(|v| {
            let v = self.name(v);
            quote!(if #v { break; })
        });
        let in_order = |values: TokenStream| match this.order {
            Order::Forward | Order::Chained => values,
            Order::Backward => quote!(::core::iter::Iterator::rev(#values)),
        };
        match &this.domain {
            Domain::Range { var, range } => {
                let (var, values) = (self.name(*var), in_order(self.range(range)));
                quote!(for #var in #values { #body #leave })
            }
            Domain::Prefix { var, range, trips } => {
                let (var, trips, range) = (self.name(*var), self.name(*trips), self.range(range));
                let values = in_order(quote!(::core::iter::Iterator::take(#range, #trips)));
                quote!(for #var in #values { #body #leave })
            }
            Domain::Strip { var, of } => self.loop_over_strip(this, (*var, of), &body),
            Domain::Times(n) => {
                let n = self.name(*n);
                quote!(for _ in 0..#n { #body #leave })
            }
            Domain::While(cond) => {
                let cond = self.expr(cond);
                quote!(while #cond { #body #leave })
            }
            Domain::Forever => quote!(loop { #body #leave }),
        }
    }
}
