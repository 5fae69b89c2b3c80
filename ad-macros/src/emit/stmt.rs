//! Statements.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use crate::ir::{
    BinOp, Block, CLONED, ELEMENTS, Expr, ExprKind, IS_BOX, IS_COPY, IS_OPTION, IS_POINTER,
    IS_QUEUE, IS_VEC, Offset, Opaque, OpaqueArg, OpaqueKind, PARTS, Place, Proj, RangeIter,
    SEQUENCE, STD_NAME, Site, Stmt, StmtKind, Ty, VarId, in_different_fields, place_ty,
};

use super::expr::Use;
use super::{Code, Emitter};

impl Emitter<'_> {
    pub(crate) fn stmts(&self, stmts: &[Stmt]) -> TokenStream {
        self.stmts_for_seeds(stmts)
            .unwrap_or_else(|| stmts.iter().map(|stmt| self.stmt(stmt)).collect())
    }

    pub(super) fn block(&self, block: &Block) -> TokenStream {
        self.stmts(&block.stmts)
    }

    /// `name` or `mut name`, for a binding.
    pub(crate) fn binding(&self, var: VarId) -> Code {
        let name = self.name(var);
        if self.func.var(var).mutable {
            quote!(mut #name).into()
        } else {
            Code::token(name.clone())
        }
    }

    /// Where the first variable of a record that the macro cannot type is declared: rustc's word on it stands there.
    pub(super) fn span_of(&self, vars: &[VarId]) -> Span {
        let unknown = vars.iter().find(|v| self.func.var(**v).ty.is_unseen());
        unknown.map_or_else(Span::mixed_site, |v| self.name(*v).span())
    }

    pub(crate) fn site(&self, site: Site) -> TokenStream {
        super::own(&format!("__site_{}", site.0)).to_token_stream()
    }

    #[expect(clippy::too_many_lines, reason = "one arm per statement of the IR")]
    pub(super) fn stmt(&self, stmt: &Stmt) -> TokenStream {
        let (span, rt) = (stmt.span, self.rt());
        let tape = super::own("__tape");
        match &stmt.kind {
            StmtKind::Let { var, init } => {
                let declaration = self.declaration(*var, init.as_ref());
                // What has no value yet cannot be borrowed.
                let same_type = init.as_ref().and_then(|_| self.same_type(*var));
                quote!(#declaration #same_type)
            }
            StmtKind::Assign { place, value, .. } => self.assign(place, value, span),
            StmtKind::Update { place, op, value } => {
                let (value, place) = (self.expected(value), self.place(place, Use::Write));
                if *op == BinOp::Sub {
                    quote_spanned!(span=> #place -= #value;)
                } else {
                    quote_spanned!(span=> #place += #value;)
                }
            }
            StmtKind::Swap(a, b) => self.swap(a, b, span),
            StmtKind::Switch { selector, arms } => self.switch(selector, arms),
            StmtKind::Loop(this) => self.plain_loop(this),
            StmtKind::Call { dest, callee, args } => {
                self.bound(*dest, self.call(callee, args, span))
            }
            StmtKind::RequireCompanion { callee, args } => {
                self.require_companion(callee, args, span)
            }
            StmtKind::CallForward { dest, callee, args } => {
                let before = self.before_forward(callee, callee.split(args).0, span);
                let call = self.bound(*dest, self.call_forward(callee, args, span));
                quote!(#before #call)
            }
            StmtKind::CallReverse {
                callee,
                args,
                bars,
                seed,
            } => self.call_reverse(callee, args, bars, seed.as_ref(), span),
            StmtKind::Push { vec, value } => self.push(vec, value, span),
            StmtKind::Pop { dest, vec } => {
                let popped = self.popped(vec, span);
                self.bound(Some(*dest), quote_spanned!(span=> #popped.unwrap()))
            }
            StmtKind::DropLast(vec) => {
                let popped = self.popped(vec, span);
                quote_spanned!(span=> #popped;)
            }
            // One for each seed stays an array.
            StmtKind::Recycle(var) if self.is_wide(*var) => TokenStream::new(),
            StmtKind::Recycle(var) => {
                let vec = self.place(&Place::var(*var, span), Use::Read);
                quote_spanned!(span=> #rt::recycle(#vec);)
            }
            StmtKind::Truncate { vec, len } => {
                let (len, vec) = (self.expected(len), self.place(vec, Use::Write));
                quote_spanned!(span=> #vec.truncate(#len);)
            }
            StmtKind::Regrow { vec, like } => {
                let of_any = self.is_queue(like) || self.is_unseen(like);
                let (like, vec) = (self.place(like, Use::Read), self.place(vec, Use::Write));
                match of_any {
                    true => quote_spanned!(span=> #rt::regrow_of(&mut #vec, &#like);),
                    false => quote_spanned!(span=> #rt::regrow(&mut #vec, &#like);),
                }
            }
            StmtKind::Fill { slice, value } => {
                let own = value.ty.may_be_own();
                let (value, slice) = (self.expected(value), self.place(slice, Use::Write));
                if own {
                    quote_spanned!(span=> #rt::clones!(fill #slice, #value);)
                } else {
                    quote_spanned!(span=> #slice.fill(#value);)
                }
            }
            StmtKind::CopyFrom { dst, src } => self.copy_from(dst, src, span),
            StmtKind::Accumulate { dst, src } => {
                let (dst, src) = (self.place(dst, Use::Write), self.place(src, Use::Read));
                quote_spanned!(span=> #rt::accumulate(&mut #dst, &#src);)
            }
            StmtKind::Begin { place, value } => {
                let (value, place) = (self.bare(value), self.place(place, Use::Write));
                let mode = super::mode();
                quote_spanned!(span=> #rt::begin::<#mode, _>(#value, &mut #place);)
            }
            StmtKind::BeginAll { dst, src } => {
                let (dst, src) = (self.place(dst, Use::Write), self.place(src, Use::Read));
                let mode = super::mode();
                quote_spanned!(span=> #rt::begin_all::<#mode, _>(&mut #dst, &#src);)
            }
            StmtKind::ClearAround {
                slice,
                start,
                trips,
            } => {
                let (slice, start) = (self.place(slice, Use::Write), self.expected(start));
                let (mode, trips) = (super::mode(), trips.iter().map(|e| self.expected(e)));
                quote_spanned!(span=> #rt::clear_around::<#mode, _>(&mut #slice, #start, &[#(#trips),*]);)
            }
            StmtKind::SetZero(place) => {
                let place = self.place(place, Use::Write);
                quote_spanned!(span=> #rt::Tangent::set_zero(&mut #place);)
            }
            StmtKind::Opaque(o) => {
                let code = self.opaque(o);
                if let Some(check) = self.check_of_type(o, span) {
                    return check;
                }
                if let OpaqueKind::Other(CLONED) = &o.kind {
                    return self.check_clones(o, span);
                }
                // A macro of the user's own may have the name of one of std's: in a closure it cannot hide a jump.
                if o.kind.goes_on() {
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
            StmtKind::Run(run) => self.run(run),
            StmtKind::Parallel(p) => self.parallel(p),
            StmtKind::Versioned(both) => self.versioned(both),
            StmtKind::Check(check) => self.check(check),
            StmtKind::Windows(windows) => self.windows(windows),
            StmtKind::Disjoint(disjoint) => self.disjoint(disjoint),
            StmtKind::Strips(strips) => self.strips(strips),
            StmtKind::RecordAt(record) => self.record_at(record),
            StmtKind::Buffer(buffer) => self.buffer(buffer),
            StmtKind::InRegisters(inside) => self.in_registers(inside),
            StmtKind::Procedure(procedure) => self.procedure(procedure),
            StmtKind::Simd(simd) => self.simd(simd),
            StmtKind::Kernel(call) => self.kernel(call),
            StmtKind::Jump(_) | StmtKind::Labelled(..) => quote!(::core::unreachable!()), // gone after lowering
        }
    }

    /// The range of indices that a loop writes.
    fn written(&self, slice: &Code, range: &RangeIter, offset: &Offset) -> TokenStream {
        let (rt, lo, hi, inclusive) = (
            self.rt(),
            self.bare(&range.lo),
            self.bare(&range.hi),
            range.inclusive,
        );
        let sum = |terms: &[Expr]| {
            let terms = terms.iter().map(|e| self.expr(e));
            quote!(0usize #(.wrapping_add(#terms))*)
        };
        let (plus, minus) = (sum(&offset.plus), sum(&offset.minus));
        quote!(#rt::written(#slice.len(), #lo, #hi, #inclusive, || (#plus, #minus)))
    }

    fn declaration(&self, var: VarId, init: Option<&Expr>) -> TokenStream {
        let binding = self.binding(var);
        let ty = self
            .type_of_failure(var)
            .map(Code::from)
            .or_else(|| self.annotation(&self.func.var(var).ty))
            .or_else(|| self.marked(var, init).map(Code::from));
        let colon = ty.as_ref().map(|_| <syn::Token![:]>::default());
        match init {
            None => quote!(let #binding #colon #ty;),
            Some(e) => {
                // What rustc is to check is an argument of a generic function.
                let typed = ty.is_some() && !self.owned.contains(&var);
                let value = if let Some(kept) = self.part_of_constant(e) {
                    kept.into()
                } else if typed {
                    self.expected(e)
                } else {
                    self.bare(e)
                };
                let value = self.checked(var, value);
                quote!(let #binding #colon #ty = #value;)
            }
        }
    }

    /// The type of a result that says what it is of by a `PhantomData` alone, as the signature says it.
    fn marked(&self, var: VarId, init: Option<&Expr>) -> Option<TokenStream> {
        let marker = |e: &&Expr| matches!(&e.kind, ExprKind::Opaque(o) if is_marker(&o.code));
        let init = init.filter(|e| matches!(e.kind, ExprKind::Struct(..)))?;
        let marked = self.func.result == Some(var) && init.children().iter().any(marker);
        marked.then(|| self.func.ret_written.to_token_stream())
    }

    /// The type of the variable for the function's error, as the signature says it: what goes into it is coerced, such
    /// as a `Box<E>` to a `Box<dyn Error>`.
    fn type_of_failure(&self, var: VarId) -> Option<TokenStream> {
        let (rt, written) = (self.rt(), &self.func.ret_written);
        (self.func.failure == Some(var))
            .then(|| quote!(::core::option::Option<<#written as #rt::fallible::Fallible>::Error>))
    }

    /// Lets rustc check that a value is not a reference, where that matters.
    fn checked(&self, var: VarId, value: Code) -> Code {
        let rt = self.rt();
        if self.owned.contains(&var) {
            quote_spanned!(self.name(var).span()=> #rt::owned(#value)).into()
        } else {
            value
        }
    }

    fn bound(&self, dest: Option<VarId>, value: TokenStream) -> TokenStream {
        match dest {
            None => quote!(#value;),
            Some(var) => {
                let value = self.checked(var, value.into());
                let binding = self.binding(var);
                let ty = self
                    .annotation(&self.func.var(var).ty)
                    .map(|t| quote!(: #t));
                quote!(let #binding #ty = #value;)
            }
        }
    }

    /// The check of what `clone` returns, where the user calls it.
    fn check_clones(&self, o: &Opaque, span: Span) -> TokenStream {
        let rt = self.rt_at(span);
        let places = o.args.iter().filter_map(|(_, arg)| match arg {
            OpaqueArg::Ref(place) | OpaqueArg::Place(place) => Some(self.place(place, Use::Read)),
            OpaqueArg::RefMut(_) | OpaqueArg::Value(_) => None,
        });
        match places.collect::<Vec<_>>().as_slice() {
            [old, value] => quote_spanned!(span=> #rt::check_clone_from(&#old, &#value);),
            places => {
                let clone = self.opaque(o);
                quote_spanned!(span=> #rt::check_clone(#(&#places),*, || #clone);)
            }
        }
    }

    /// Of a type that the text does not show, rustc finds out what has the method.
    fn push(&self, vec: &Place, value: &Expr, span: Span) -> TokenStream {
        let (is_queue, is_unseen) = (self.is_queue(vec), self.is_unseen(vec));
        let (value, vec) = (self.expected(value), self.place(vec, Use::Write));
        if is_unseen {
            let (rt, pushed) = (self.rt_at(span), super::own("__pushed"));
            return quote_spanned! {span=>
                let #pushed = #value;
                #rt::List::push_last(&mut #vec, #pushed);
            };
        }
        match is_queue {
            true => quote_spanned!(span=> #vec.push_back(#value);),
            false => quote_spanned!(span=> #vec.push(#value);),
        }
    }

    /// The last element as an option.
    fn popped(&self, vec: &Place, span: Span) -> TokenStream {
        let (is_queue, is_unseen) = (self.is_queue(vec), self.is_unseen(vec));
        let vec = self.place(vec, Use::Write);
        match (is_unseen, is_queue) {
            (true, _) => {
                let rt = self.rt_at(span);
                quote_spanned!(span=> #rt::List::pop_last(&mut #vec))
            }
            (false, true) => quote_spanned!(span=> #vec.pop_back()),
            (false, false) => quote_spanned!(span=> #vec.pop()),
        }
    }

    fn is_unseen(&self, place: &Place) -> bool {
        place_ty(self.func, place).peel().is_unseen()
    }

    fn is_queue(&self, place: &Place) -> bool {
        matches!(place_ty(self.func, place).peel(), Ty::Queue(_))
    }

    /// Two elements of one array, or two places that can be borrowed side by side.
    fn swap(&self, a: &Place, b: &Place, span: Span) -> TokenStream {
        if a.root == b.root
            && a.proj.len() == b.proj.len()
            && !in_different_fields(a, b)
            && let (Some((Proj::Index(i), of)), Some((Proj::Index(j), of_other))) =
                (a.proj.split_last(), b.proj.split_last())
        {
            let base = |prefix: &[Proj]| {
                // A method sees through a reference by itself.
                let prefix = match prefix {
                    [shown @ .., Proj::Deref] => shown,
                    _ => prefix,
                };
                let place = Place {
                    root: a.root,
                    proj: prefix.into(),
                    span: a.span,
                };
                self.place(&place, Use::Write).to_token_stream()
            };
            let (base, other) = (base(of), base(of_other));
            // Of two arrays, or views, rustc says that they cannot be borrowed at once.
            if base.to_string() == other.to_string() {
                let (i, j) = (self.bare(i), self.bare(j));
                return quote_spanned!(span=> #base.swap(#i, #j););
            }
        }
        let (a, b) = (self.place(a, Use::Write), self.place(b, Use::Write));
        quote_spanned!(span=> ::core::mem::swap(&mut #a, &mut #b);)
    }

    /// A statement that lets rustc check what kind of value there is, and does nothing.
    fn check_of_type(&self, o: &Opaque, span: Span) -> Option<TokenStream> {
        let (OpaqueKind::Other(kind), [(_, OpaqueArg::Ref(place))]) = (&o.kind, o.args.as_slice())
        else {
            return None;
        };
        let (rt, place) = (self.rt(), self.place(place, Use::Read));
        let name = match *kind {
            // In closures that nothing calls.
            ELEMENTS => {
                let rt = self.rt_at(span);
                return Some(quote_spanned!(span=> let _ = || #rt::elements_of!(#place);));
            }
            PARTS => {
                let rt = self.rt_at(span);
                return Some(quote_spanned!(span=> let _ = || #rt::parts_of!(#place);));
            }
            STD_NAME => return Some(self.method_of_unseen(o, &place)),
            SEQUENCE => "require_sequence",
            IS_BOX => "require_box",
            IS_POINTER => "require_pointer",
            IS_VEC => "require_vec",
            IS_QUEUE => "require_queue",
            IS_OPTION => "require_option",
            IS_COPY => "require_copy",
            _ => return None,
        };
        let name = super::own(name);
        Some(quote_spanned!(span=> #rt::#name(&#place);))
    }

    fn copy_from(&self, dst: &Place, src: &Place, span: Span) -> TokenStream {
        let (same, element) = (dst.root == src.root, place_ty(self.func, src).element());
        let (dst, src) = (self.place(dst, Use::Write), self.place(src, Use::Read));
        if same && element.may_be_own() {
            let elements = quote!(#src.iter().copied().collect::<::std::vec::Vec<_>>());
            quote_spanned!(span=> #dst.copy_from_slice(&#elements);)
        } else if same {
            quote_spanned!(span=> #dst.copy_from_slice(&#src.to_vec());)
        } else {
            quote_spanned!(span=> #dst.copy_from_slice(&#src[..]);)
        }
    }
}

/// A tuple of any number of parts, nested so that no tuple has more than ten.
pub(super) fn grouped(parts: Vec<Code>) -> TokenStream {
    if parts.len() <= 10 {
        return quote!((#(#parts,)*));
    }
    let groups = parts.chunks(10).map(|c| quote!((#(#c,)*)).into());
    grouped(groups.collect())
}

/// `PhantomData`, by whatever path.
fn is_marker(code: &syn::Expr) -> bool {
    let syn::Expr::Path(path) = code else {
        return false;
    };
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident == "PhantomData")
}
