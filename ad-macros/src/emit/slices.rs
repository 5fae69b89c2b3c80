//! Loops on slices.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

use crate::ir::is_constant;
use crate::ir::{BinOp, Expr, ExprKind, Part, Proj, RangeIter, Sliced, Stmt, VarId, View, literal};

use super::expr::Use;
use super::{Emitter, own};

impl Emitter<'_> {
    pub(super) fn trips(&self, range: &RangeIter) -> TokenStream {
        let (rt, lo, hi) = (self.rt(), self.bare(&range.lo), self.expr(&range.hi));
        if range.inclusive {
            quote!(#rt::trips(#lo, #hi))
        } else {
            quote!(<usize>::saturating_sub(#hi, #lo))
        }
    }

    /// The slices, or the end of the block: with a look at each sum.
    pub(super) fn checked_prelude(&self, sliced: &Sliced) -> TokenStream {
        let (ints, slices) = (self.ints(sliced), self.slices(sliced));
        quote!(#ints #slices)
    }

    /// The integers that indices use, in the first and in the last iteration.
    pub(super) fn ints(&self, sliced: &Sliced) -> TokenStream {
        let (rt, n, start) = (self.rt(), own("__n"), own("__start"));
        let [first, last] = End::BOTH.map(|end| self.end_of(self.name(sliced.counter), end));
        let mut out = quote! {
            let #first = #rt::Ix::of(#start);
            let #last = #first + #rt::Ix::of(#n - 1);
        };
        for (var, held) in &sliced.ints {
            for end in End::BOTH {
                let (name, held) = (
                    self.end_of(self.name(*var), end),
                    self.ix(held, sliced, end),
                );
                out.extend(quote!(let #name = #held;));
            }
        }
        out
    }

    fn slices(&self, sliced: &Sliced) -> TokenStream {
        let (rt, label, n) = (self.rt(), label(), own("__n"));
        let mut out = TokenStream::new();
        for part in &sliced.parts {
            for end in End::BOTH {
                let there = self.part(part, &|e| self.ix(e, sliced, end));
                out.extend(quote!(if !#there { break #label false; }));
            }
        }
        for group in &sliced.groups {
            let (name, size) = (self.name(group.var), literal::count(group.size));
            out.extend(if group.mutable {
                let of = self.place(&group.of, Use::Write);
                quote!(let #name = #rt::groups_mut::<_, #size>(&mut #of);)
            } else {
                let of = self.place(&group.of, Use::Read);
                quote!(let #name = #rt::groups::<_, #size>(&#of);)
            });
        }
        for part in &sliced.fixed {
            let there = self.part(part, &|e| self.checked_index(e, &|_| None));
            out.extend(quote!(if !#there { break #label false; }));
        }
        for (var, view) in &sliced.loads {
            let (name, of) = (self.name(*var), self.place(&view.of, Use::Read));
            let at = self.ix(&view.index, sliced, End::First);
            out.extend(
                quote!(let ::core::option::Option::Some(#name) = #rt::element(&#of, #at) else {
                break #label false };),
            );
        }
        for (var, view) in &sliced.views {
            let (name, of) = (self.name(*var), self.place(&view.of, Use::Read));
            let (first, last) = self.bounds(view, sliced);
            out.extend(quote!(let ::core::option::Option::Some(#name) = #rt::view(&#of, #first, #last, #n) else {
                break #label false };));
        }
        for group in &sliced.edits {
            let of = self.place(&group[0].1.of, Use::Write);
            let names = group.iter().map(|(var, _)| self.name(*var));
            let bounds = group.iter().map(|(_, view)| self.bounds(view, sliced));
            out.extend(match group.as_slice() {
                [(var, view)] => {
                    let (name, (first, last)) = (self.name(*var), self.bounds(view, sliced));
                    quote!(let ::core::option::Option::Some(#name) = #rt::view_mut(&mut #of, #first, #last, #n) else {
                        break #label false };)
                }
                _ => {
                    let bounds = bounds.map(|(first, last)| quote!((#first, #last)));
                    quote!(let ::core::option::Option::Some([#(#names),*]) = #rt::views_mut(&mut #of, [#(#bounds),*],
                        #n) else { break #label false };)
                }
            });
        }
        for (k, sum) in sliced.sums.iter().enumerate() {
            if let ::core::option::Option::Some(view) = &sum.along {
                let (at, of) = (target(k), self.place(&view.of, Use::Read));
                let (first, last) = self.bounds(view, sliced);
                out.extend(quote!(let ::core::option::Option::Some(#at) = #rt::within(#of.len(), #first, #last,
                    #n) else { break #label false };));
            }
        }
        out
    }

    /// Whether a part of an array exists, for an iteration whose indices `ix` tells.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "passes put nothing else here, and what they do stops the compiler"
    )]
    pub(super) fn part(&self, part: &Part, ix: &dyn Fn(&Expr) -> TokenStream) -> TokenStream {
        let (rt, of) = (self.rt(), self.place(&part.of, Use::Read));
        match &part.which {
            Proj::Range { lo, hi, .. } => {
                let lo = lo.as_deref().map_or_else(|| quote!(#rt::Ix::of(0)), ix);
                let hi = hi
                    .as_deref()
                    .map_or_else(|| quote!(#rt::Ix::of(#of.len())), ix);
                quote!(#rt::exists(#of.len(), #lo, #hi))
            }
            Proj::Index(e) => {
                let at = ix(e);
                quote!(#rt::element(&#of, #at).is_some())
            }
            _ => quote!(true),
        }
    }

    pub(super) fn bounds(&self, view: &View, sliced: &Sliced) -> (TokenStream, TokenStream) {
        let [first, last] = End::BOTH.map(|end| self.ix(&view.index, sliced, end));
        (first, last)
    }

    /// An index in the first or the last iteration.
    pub(super) fn ix(&self, e: &Expr, sliced: &Sliced, end: End) -> TokenStream {
        self.index(e, &|var| {
            let known = var == sliced.counter || sliced.ints.iter().any(|(v, _)| *v == var);
            known.then(|| self.end_of(self.name(var), end).to_token_stream())
        })
    }

    /// An index without overflow; `named` tells for what variables there is an `Ix` already.
    pub(super) fn checked_index(
        &self,
        e: &Expr,
        named: &dyn Fn(VarId) -> Option<TokenStream>,
    ) -> TokenStream {
        self.index(e, named)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "passes put nothing else here, and what they do stops the compiler"
    )]
    fn index(&self, e: &Expr, named: &dyn Fn(VarId) -> Option<TokenStream>) -> TokenStream {
        let rt = self.rt();
        match &e.kind {
            ExprKind::Read(p) if let Some(name) = named(p.root) => name,
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.index(a, named), self.index(b, named));
                match op {
                    BinOp::Add => quote!((#a + #b)),
                    BinOp::Sub => quote!((#a - #b)),
                    BinOp::Mul => quote!((#a * #b)),
                    _ => unreachable!("indices are sums and products"),
                }
            }
            _ => {
                let value = self.leaf(e);
                quote!(#rt::Ix::of(#value))
            }
        }
    }

    /// What an index is computed from.
    pub(super) fn leaf(&self, e: &Expr) -> TokenStream {
        if let ExprKind::Opaque(o) = &e.kind
            && is_constant(o)
        {
            self.opaque(o)
        } else {
            self.bare(e)
        }
    }

    /// The name under which an integer of the body stands for its value in the first or the last iteration.
    pub(super) fn end_of(&self, name: &Ident, end: End) -> Ident {
        let name = name.to_string();
        let what = match end {
            End::First => "first",
            End::Last => "last",
        };
        own(&format!("__{}_{what}", name.trim_start_matches("r#")))
    }

    /// Whether the loop computes values.
    fn is_forward(&self, sliced: &Sliced) -> bool {
        let plain = sliced.plain.stmts.first().and_then(Stmt::as_loop);
        plain.is_some_and(|this| !this.is_reverse())
    }

    /// Runs code in a closure that has the slices as its arguments: only of arguments does the optimiser know that a
    /// slice which is written meets no other. It also has to see again that there are `len` elements. The types of
    /// arguments must be known from the text.
    pub(super) fn apart(&self, sliced: &Sliced, len: &Ident, run: TokenStream) -> TokenStream {
        let typed = |vars: Vec<VarId>| -> Option<(Vec<&Ident>, Vec<TokenStream>)> {
            let types = vars
                .iter()
                .map(|v| self.known(&self.func.var(*v).ty.element()));
            let types: Option<Vec<TokenStream>> = types.collect();
            Some((vars.into_iter().map(|v| self.name(v)).collect(), types?))
        };
        let edits = sliced.edits.iter().flatten().map(|(var, _)| *var);
        let direct = sliced.sums.iter().filter_map(|sum| sum.direct);
        let edits: Vec<VarId> = edits.chain(direct).collect();
        let plain = sliced.plain.stmts.first().and_then(Stmt::as_loop);
        let recording = self.is_forward(sliced) && plain.is_some_and(|this| this.strip.is_some());
        if edits.is_empty() && !recording {
            return run;
        }
        let views = typed(sliced.views.iter().map(|(var, _)| *var).collect());
        let (Some((views, read)), Some((edits, written))) = (views, typed(edits)) else {
            return run;
        };
        quote! {
            (|#(#views: &[#read],)* #(#edits: &mut [#written]),*| {
                #(let #views = &#views[..#len];)*
                #(let #edits = &mut #edits[..#len];)*
                #run
            })(#(#views,)* #(#edits),*);
        }
    }

    /// The parts of the slices that a block of iterations uses.
    pub(super) fn parts(&self, sliced: &Sliced) -> TokenStream {
        let (done, m) = (own("__done"), own("__m"));
        let views = sliced.views.iter().map(|(var, _)| {
            let name = self.name(*var);
            quote!(let #name = &#name[#done..][..#m];)
        });
        let edits = sliced.edits.iter().flatten().map(|(var, _)| {
            let name = self.name(*var);
            quote!(let #name = &mut #name[#done..][..#m];)
        });
        let direct = sliced.sums.iter().enumerate().filter_map(|(k, sum)| {
            let (name, view) = (self.name(sum.direct?), sum.along.as_ref()?);
            let (at, of) = (target(k), self.place(&view.of, Use::Write));
            Some(quote!(let #name = #at.part(&mut #of, #done, #m);))
        });
        quote!(#(#views)* #(#edits)* #(#direct)*)
    }
}

/// What a loop with records adds to the loop on slices.
#[derive(Default)]
pub(super) struct Around {
    /// At the start of each iteration.
    pub(super) each: TokenStream,
    /// At its end.
    pub(super) after: TokenStream,
}

/// An iteration of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

impl End {
    pub(super) const BOTH: [End; 2] = [End::First, End::Last];
}

/// The block that ends where the slices do not fit.
pub(super) fn label() -> syn::Lifetime {
    syn::Lifetime::new("'__sliced", Span::mixed_site())
}

/// Where the elements begin that row `k` is added to.
pub(super) fn target(k: usize) -> Ident {
    own(&format!("__to_{k}"))
}
