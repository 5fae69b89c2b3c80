//! Statements.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

use crate::ir::{
    Arg, ArgMode, BarArg, BinOp, Block, Expr, ExprKind, LoopKind, Offset, OpaqueKind, Order, Place,
    Proj, RangeIter, RevKind, Site, Stmt, StmtKind, Ty, VarId,
};

use super::Emitter;
use super::expr::{Use, zero};
use crate::reverse::has_static_zero;

impl Emitter<'_> {
    pub(crate) fn stmts(&self, stmts: &[Stmt]) -> TokenStream {
        stmts.iter().map(|s| self.stmt(s)).collect()
    }

    fn block(&self, block: &Block) -> TokenStream {
        self.stmts(&block.stmts)
    }

    /// `name` or `mut name`, for a binding.
    pub(crate) fn binding(&self, var: VarId) -> TokenStream {
        let name = self.name(var);
        if self.func.var(var).mutable {
            quote!(mut #name)
        } else {
            quote!(#name)
        }
    }

    /// Where the first variable of a record that the macro cannot type is declared: rustc's word on it stands there.
    fn span_of(&self, vars: &[VarId]) -> proc_macro2::Span {
        let unknown = vars.iter().find(|v| self.func.var(**v).ty == Ty::Unknown);
        unknown.map_or_else(proc_macro2::Span::mixed_site, |v| self.name(*v).span())
    }

    pub(crate) fn site(&self, site: Site) -> TokenStream {
        super::own(&format!("__site_{}", site.0)).to_token_stream()
    }

    #[expect(clippy::too_many_lines, reason = "one arm per statement of the IR")]
    fn stmt(&self, stmt: &Stmt) -> TokenStream {
        let (span, rt) = (stmt.span, self.rt());
        let tape = super::own("__tape");
        match &stmt.kind {
            StmtKind::Let { var, init } => self.declaration(*var, init.as_ref()),
            StmtKind::Assign { place, value, .. } => {
                let (value, place) = (self.bare(value), self.place(place, Use::Write));
                quote_spanned!(span=> #place = #value;)
            }
            StmtKind::Update { place, op, value } => {
                let (value, place) = (self.bare(value), self.place(place, Use::Write));
                if *op == BinOp::Sub {
                    quote_spanned!(span=> #place -= #value;)
                } else {
                    quote_spanned!(span=> #place += #value;)
                }
            }
            StmtKind::Swap(a, b) => self.swap(a, b, span),
            StmtKind::Switch { selector, arms } => self.switch(selector, arms),
            StmtKind::Loop {
                kind, body, exit, ..
            } => self.structured_loop(kind, body, *exit),
            StmtKind::Call { dest, callee, args } => {
                let args = args.iter().map(|a| self.arg(a));
                self.bound(*dest, quote_spanned!(span=> #callee(#(#args),*)))
            }
            StmtKind::RequireCompanion(callee) => {
                let target = companion_path(callee);
                quote_spanned!(span=> let _: ::core::option::Option<#target> = ::core::option::Option::None;)
            }
            StmtKind::CallForward { dest, callee, args } => {
                let (target, turbofish) = companion(callee);
                let args = args.iter().map(|a| self.arg(a));
                self.bound(*dest, quote_spanned!(span=> #target::forward #turbofish(#callee, &mut *#tape #(, #args)*)))
            }
            StmtKind::CallReverse {
                callee,
                args,
                bars,
                seed,
            } => self.call_reverse(callee, args, bars, seed.as_ref(), span),
            StmtKind::Push { vec, value } => {
                let (value, vec) = (self.bare(value), self.place(vec, Use::Write));
                quote_spanned!(span=> #vec.push(#value);)
            }
            StmtKind::Pop { dest, vec } => {
                let vec = self.place(vec, Use::Write);
                self.bound(Some(*dest), quote_spanned!(span=> #vec.pop().unwrap()))
            }
            StmtKind::DropLast(vec) => {
                let vec = self.place(vec, Use::Write);
                quote_spanned!(span=> #vec.pop();)
            }
            StmtKind::Truncate { vec, len } => {
                let (len, vec) = (self.bare(len), self.place(vec, Use::Write));
                quote_spanned!(span=> #vec.truncate(#len);)
            }
            StmtKind::Regrow { vec, like } => {
                let (like, vec) = (self.place(like, Use::Read), self.place(vec, Use::Write));
                quote_spanned!(span=> #rt::regrow(&mut #vec, &#like);)
            }
            StmtKind::Fill { slice, value } => {
                let (value, slice) = (self.bare(value), self.place(slice, Use::Write));
                quote_spanned!(span=> #slice.fill(#value);)
            }
            StmtKind::CopyFrom { dst, src } => self.copy_from(dst, src, span),
            StmtKind::Accumulate { dst, src } => {
                let (dst, src) = (self.place(dst, Use::Write), self.place(src, Use::Read));
                quote_spanned!(span=> #rt::accumulate(&mut #dst, &#src);)
            }
            StmtKind::SetZero(place) => {
                let place = self.place(place, Use::Write);
                quote_spanned!(span=> #rt::Tangent::set_zero(&mut #place);)
            }
            StmtKind::Opaque(o) => {
                let code = self.opaque(o);
                // A macro of the user's own may have the name of one of std's: in a closure it cannot hide a jump.
                if goes_on(&o.kind) {
                    quote!((|| { #code; })();)
                } else {
                    quote!(#code;)
                }
            }
            StmtKind::Checkpoint(body) => self.block(body),
            StmtKind::Scope(body) => {
                let body = self.block(body);
                quote!({ #body })
            }
            StmtKind::PushRecord { site, vars } => {
                let (site, record) = (self.site(*site), self.record(vars));
                quote_spanned!(self.span_of(vars)=> #tape.push(#site, #record);)
            }
            StmtKind::PopRecord { site, vars } => {
                let (site, pattern) = (self.site(*site), self.record_pattern(vars));
                quote_spanned!(self.span_of(vars)=> let #pattern = #tape.pop(#site);)
            }
            StmtKind::PushSlice { site, place } => {
                let (site, place) = (self.site(*site), self.place(place, Use::Read));
                quote!(#tape.push_slice(#site, &#place);)
            }
            StmtKind::PopSlice { site, place } => {
                let (site, place) = (self.site(*site), self.place(place, Use::Write));
                quote!(#tape.pop_slice(#site, &mut #place);)
            }
            StmtKind::PushRange {
                site,
                slice,
                range,
                offset,
            } => {
                let (site, slice) = (self.site(*site), self.place(slice, Use::Read));
                let written = self.written(&slice, range, offset);
                quote!(#tape.push_slice(#site, &#slice[#written]);)
            }
            StmtKind::PopRange {
                site,
                slice,
                range,
                offset,
            } => {
                let (site, slice) = (self.site(*site), self.place(slice, Use::Write));
                let written = self.written(&slice, range, offset);
                quote!({ let written = #written; #tape.pop_slice(#site, &mut #slice[written]); })
            }
            StmtKind::Branch {
                rec,
                selector,
                arms,
            } => self.branch(*rec, selector, arms),
            StmtKind::MatchRecord { rec, arms } => self.match_record(*rec, arms),
            StmtKind::RevLoop { kind, body, order } => self.rev_loop(kind, body, *order),
            StmtKind::Jump(_) | StmtKind::Labelled(..) => quote!(::core::unreachable!()), // gone after lowering
        }
    }

    /// The range of indices that a loop writes.
    fn written(&self, slice: &TokenStream, range: &RangeIter, offset: &Offset) -> TokenStream {
        let (rt, lo, hi, inclusive) = (
            self.rt(),
            self.bare(&range.lo),
            self.bare(&range.hi),
            range.inclusive,
        );
        let sum = |terms: &[Expr]| {
            let terms = terms.iter().map(|e| self.expr(e));
            quote!(0usize #(+ #terms)*)
        };
        let (plus, minus) = (sum(&offset.plus), sum(&offset.minus));
        quote!(#rt::written(#slice.len(), #lo, #hi, #inclusive, || (#plus, #minus)))
    }

    fn declaration(&self, var: VarId, init: Option<&Expr>) -> TokenStream {
        let binding = self.binding(var);
        let ty = super::ty::annotation(&self.func.var(var).ty).map(|t| quote!(: #t));
        match init {
            None => quote!(let #binding #ty;),
            Some(e) => {
                let value = self.checked(var, self.bare(e));
                quote!(let #binding #ty = #value;)
            }
        }
    }

    /// Lets rustc check that a value is not a reference, where that matters.
    fn checked(&self, var: VarId, value: TokenStream) -> TokenStream {
        let rt = self.rt();
        if self.func.owned.contains(&var) {
            quote_spanned!(self.name(var).span()=> #rt::owned(#value))
        } else {
            value
        }
    }

    fn bound(&self, dest: Option<VarId>, value: TokenStream) -> TokenStream {
        match dest {
            None => quote!(#value;),
            Some(var) => {
                let value = self.checked(var, value);
                let binding = self.binding(var);
                let ty = super::ty::annotation(&self.func.var(var).ty).map(|t| quote!(: #t));
                quote!(let #binding #ty = #value;)
            }
        }
    }

    fn arg(&self, arg: &Arg) -> TokenStream {
        match &arg.mode {
            ArgMode::Value(e) => self.bare(e),
            ArgMode::Shared(p) => {
                let p = self.place(p, Use::Read);
                quote_spanned!(arg.span=> &#p)
            }
            ArgMode::InOut(p) => {
                let p = self.place(p, Use::Write);
                quote_spanned!(arg.span=> &mut #p)
            }
        }
    }

    fn call_reverse(
        &self,
        callee: &syn::ExprPath,
        args: &[Arg],
        bars: &[BarArg],
        seed: Option<&Place>,
        span: proc_macro2::Span,
    ) -> TokenStream {
        let tape = super::own("__tape");
        let (target, turbofish) = companion(callee);
        let values = args.iter().map(|a| self.arg(a));
        // Adjoints that nobody wants are made before the arguments are borrowed.
        let mut before = TokenStream::new();
        let mut adjoints = Vec::new();
        for (k, (bar, arg)) in bars.iter().zip(args).enumerate() {
            adjoints.push(match bar {
                BarArg::Place(p) => {
                    let p = self.place(p, Use::Write);
                    quote!(&mut #p)
                }
                BarArg::Discard => {
                    let (name, zero) = (super::own(&format!("__unused_{k}")), self.unused_bar(arg));
                    before.extend(quote!(let mut #name = #zero;));
                    quote!(&mut #name)
                }
            });
        }
        let seed = match seed {
            Some(p) => {
                let p = self.place(p, Use::Read);
                quote!(::core::option::Option::Some(&#p))
            }
            None => quote!(::core::option::Option::None),
        };
        let call = quote_spanned!(span=> #target::reverse #turbofish(#callee, &mut *#tape #(, #values)* #(, #adjoints)*, #seed););
        if before.is_empty() {
            call
        } else {
            quote!({ #before #call })
        }
    }

    /// The adjoint of an argument that carries no derivative.
    fn unused_bar(&self, arg: &Arg) -> TokenStream {
        let rt = self.rt();
        if matches!(
            &arg.mode,
            ArgMode::Value(Expr {
                kind: ExprKind::None,
                ..
            })
        ) {
            return quote!(::core::option::Option::None);
        }
        let ty = match &arg.mode {
            ArgMode::Value(e) => e.ty.clone(),
            ArgMode::Shared(p) | ArgMode::InOut(p) => crate::reverse::place_ty(self.func, p),
        };
        match ty {
            ty if has_static_zero(&ty) && ty != Ty::Passive => zero(&ty),
            _ => match &arg.mode {
                ArgMode::Value(e) => {
                    let value = self.bare(e);
                    quote!(#rt::zero(&(#value)))
                }
                ArgMode::Shared(p) | ArgMode::InOut(p) => {
                    let p = self.place(p, Use::Read);
                    quote!(#rt::zero(&#p))
                }
            },
        }
    }

    fn swap(&self, a: &Place, b: &Place, span: proc_macro2::Span) -> TokenStream {
        if a.root == b.root
            && a.proj.len() == b.proj.len()
            && let (Some((Proj::Index(i), prefix)), Some((Proj::Index(j), _))) =
                (a.proj.split_last(), b.proj.split_last())
        {
            let base = Place {
                root: a.root,
                proj: prefix.to_vec(),
                span: a.span,
            };
            let (base, i, j) = (self.place(&base, Use::Write), self.bare(i), self.bare(j));
            return quote_spanned!(span=> #base.swap(#i, #j););
        }
        let (a, b) = (self.place(a, Use::Write), self.place(b, Use::Write));
        quote_spanned!(span=> ::core::mem::swap(&mut #a, &mut #b);)
    }

    fn copy_from(&self, dst: &Place, src: &Place, span: proc_macro2::Span) -> TokenStream {
        let same = dst.root == src.root;
        let (dst, src) = (self.place(dst, Use::Write), self.place(src, Use::Read));
        if same {
            quote_spanned!(span=> #dst.copy_from_slice(&#src.to_vec());)
        } else {
            quote_spanned!(span=> #dst.copy_from_slice(&#src[..]);)
        }
    }

    fn switch(&self, selector: &Expr, arms: &[Block]) -> TokenStream {
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
            let k = proc_macro2::Literal::usize_unsuffixed(k);
            quote!(#k => { #body })
        });
        quote!(match #choice { #(#arms)* _ => { #last } })
    }

    fn branch(&self, rec: VarId, selector: &Expr, arms: &[(Block, Vec<VarId>)]) -> TokenStream {
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

    fn match_record(&self, rec: VarId, arms: &[(Vec<VarId>, Block)]) -> TokenStream {
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
        let vars: Vec<TokenStream> = vars
            .iter()
            .map(|v| self.name(*v).to_token_stream())
            .collect();
        grouped(vars)
    }

    pub(crate) fn record_pattern(&self, vars: &[VarId]) -> TokenStream {
        grouped(vars.iter().map(|v| self.binding(*v)).collect())
    }

    fn range(&self, range: &RangeIter) -> TokenStream {
        let (lo, hi) = (self.expr(&range.lo), self.expr(&range.hi));
        let mut tokens = if range.inclusive {
            quote!((#lo..=#hi))
        } else {
            quote!((#lo..#hi))
        };
        if range.rev_first {
            tokens = quote!(::core::iter::Iterator::rev(#tokens));
        }
        if let Some(step) = &range.step {
            let step = self.bare(step);
            tokens = quote!(::core::iter::Iterator::step_by(#tokens, #step));
        }
        if range.rev {
            quote!(::core::iter::Iterator::rev(#tokens))
        } else {
            tokens
        }
    }

    fn structured_loop(&self, kind: &LoopKind, body: &Block, exit: Option<VarId>) -> TokenStream {
        let body = self.block(body);
        let leave = exit.map(|v| {
            let v = self.name(v);
            quote!(if #v { break; })
        });
        match kind {
            LoopKind::For { var, range } => {
                let (var, range) = (self.name(*var), self.range(range));
                quote!(for #var in #range { #body #leave })
            }
            LoopKind::While(cond) => {
                let cond = self.expr(cond);
                quote!(while #cond { #body #leave })
            }
            LoopKind::Forever => quote!(loop { #body #leave }),
        }
    }

    fn rev_loop(&self, kind: &RevKind, body: &Block, order: Order) -> TokenStream {
        let body = self.block(body);
        match kind {
            RevKind::Count(n) => {
                let n = self.name(*n);
                quote!(for _ in 0..#n { #body })
            }
            RevKind::For { var, range, trips } => {
                let (var, mut tokens) = (self.name(*var), self.range(range));
                if let Some(trips) = trips {
                    let trips = self.name(*trips);
                    tokens = quote!(::core::iter::Iterator::take(#tokens, #trips));
                }
                if order == Order::Backward {
                    tokens = quote!(::core::iter::Iterator::rev(#tokens));
                }
                quote!(for #var in #tokens { #body })
            }
        }
    }
}

/// Whether the code is a call of a macro that (as std's) only checks or prints.
fn goes_on(kind: &OpaqueKind) -> bool {
    match kind {
        OpaqueKind::Macro(name) => {
            let name = name.trim_end_matches('!');
            name.contains("assert") || matches!(name, "print" | "println" | "eprint" | "eprintln")
        }
        OpaqueKind::Method(_) | OpaqueKind::Call(_) | OpaqueKind::Const | OpaqueKind::Other(_) => {
            false
        }
    }
}

/// A tuple of any number of parts, nested so that no tuple has more than ten.
fn grouped(parts: Vec<TokenStream>) -> TokenStream {
    if parts.len() <= 10 {
        return quote!((#(#parts,)*));
    }
    let groups: Vec<TokenStream> = parts.chunks(10).map(|c| quote!((#(#c,)*))).collect();
    grouped(groups)
}

/// The companion type of a callee.
fn companion_path(callee: &syn::ExprPath) -> syn::Path {
    let mut path = callee.path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    path
}

/// The companion type of a callee and the turbofish for its sweeps.
fn companion(callee: &syn::ExprPath) -> (TokenStream, TokenStream) {
    let turbofish = match callee.path.segments.last().map(|last| &last.arguments) {
        Some(syn::PathArguments::AngleBracketed(args)) => {
            let list = &args.args;
            quote!(::<#list>)
        }
        _ => TokenStream::new(),
    };
    let path = companion_path(callee);
    (quote!(<#path>), turbofish)
}
