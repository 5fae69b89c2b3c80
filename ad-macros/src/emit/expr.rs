//! Expressions and places.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

use crate::ir::{
    AGAIN, ANSWER, BinOp, Constructor, DEFAULT_VALUE, Expr, ExprKind, KEPT, Makes, MathFn, Opaque,
    OpaqueArg, OpaqueKind, Place, Proj, Ty, UnOp, VariantPart, expr_reads, literal, regroup,
    same_place,
};

use super::code::Operator;
use super::{Code, Emitter};

/// Whether a place is named for reading or for writing (`Option` payloads differ).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    Write,
}

impl Emitter<'_> {
    /// A place expression.
    pub(crate) fn place(&self, place: &Place, usage: Use) -> Code {
        let tokens = self.root(place.root);
        if self.lent.borrow().contains(&place.root) {
            let behind: Vec<Proj> = [Proj::Deref]
                .into_iter()
                .chain(place.proj.iter().cloned())
                .collect();
            return self.projected(tokens, &behind, place.span, usage);
        }
        self.projected(tokens, &place.proj, place.span, usage)
    }

    /// What the projections lead to from there.
    pub(super) fn projected(
        &self,
        mut tokens: Code,
        path: &[Proj],
        span: Span,
        usage: Use,
    ) -> Code {
        for (k, proj) in path.iter().enumerate() {
            tokens = match proj {
                // Auto-dereferenced by what follows, but by a pattern.
                Proj::Deref
                    if path.len() > k + 1
                        && !matches!(path[k + 1], Proj::Variant(_) | Proj::Unbox) =>
                {
                    tokens
                }
                Proj::Deref | Proj::Unbox => quote!((*#tokens)).into(),
                Proj::Index(e) => {
                    let mut index = self.expected(e);
                    // A `Vec` may have an `Index` of the user's for a type of the user's.
                    if matches!(e.kind, ExprKind::Opaque(_)) && e.ty == Ty::USIZE {
                        let rt = self.rt();
                        index = quote!(#rt::rules::position(#index)).into();
                    }
                    quote_spanned!(span=> #tokens[#index]).into()
                }
                Proj::Field(field) => {
                    let field = field.tokens();
                    quote!(#tokens.#field).into()
                }
                Proj::Range { lo, hi, inclusive } => {
                    let lo = lo.as_ref().map(|e| self.operand(e, true));
                    let hi = hi.as_ref().map(|e| self.operand(e, true));
                    if *inclusive {
                        quote_spanned!(span=> #tokens[#lo..=#hi]).into()
                    } else {
                        quote_spanned!(span=> #tokens[#lo..#hi]).into()
                    }
                }
                Proj::Payload if usage == Use::Write => quote!((*#tokens.as_mut().unwrap())).into(),
                Proj::Payload => quote!((*#tokens.as_ref().unwrap())).into(),
                Proj::Variant(part) => variant_part(&tokens, part, span, usage).into(),
            };
        }
        tokens
    }

    /// An expression that can stand as an operand.
    pub(crate) fn expr(&self, e: &Expr) -> Code {
        self.operand(e, false)
    }

    /// An expression where any expression can stand. Whatever is a number in it has its type.
    pub(crate) fn bare(&self, e: &Expr) -> Code {
        self.tokens(e, false)
    }

    /// An expression where any expression of its type can stand, and no other.
    pub(crate) fn expected(&self, e: &Expr) -> Code {
        self.tokens(e, true)
    }

    /// `typed`: what stands around it says its type.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other expressions bind tightly, or show no type"
    )]
    pub(super) fn operand(&self, e: &Expr, typed: bool) -> Code {
        let bare = self.tokens(e, typed);
        match &e.kind {
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast(..) => {
                quote!((#bare)).into()
            }
            ExprKind::Read(_) if e.referenced().is_some() => quote!((#bare)).into(),
            ExprKind::Read(p) if p.proj.is_empty() || e.ty.is_copy() => bare,
            ExprKind::Opaque(_) | ExprKind::Struct(..) => quote!((#bare)).into(),
            _ => bare,
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other expressions have several tokens"
    )]
    fn tokens(&self, e: &Expr, typed: bool) -> Code {
        match &e.kind {
            ExprKind::Lit(lit) if typed => Code::token(lit.token(e.span)),
            ExprKind::Lit(lit) => Code::token(literal::suffixed(lit, &e.ty).token(e.span)),
            ExprKind::Read(p) => {
                let place = self.place(p, Use::Read);
                if e.referenced().is_some() {
                    quote_spanned!(e.span=> &#place).into()
                } else if e.ty.is_copy() {
                    place
                } else {
                    self.copy(&place, &e.ty, e.span).into()
                }
            }
            _ => self.composed(e, typed).into(),
        }
    }

    fn composed(&self, e: &Expr, typed: bool) -> TokenStream {
        match &e.kind {
            ExprKind::Lit(_) | ExprKind::Read(_) => self.tokens(e, typed).into(),
            ExprKind::Unary(op, a) => {
                let a = self.operand(a, typed);
                match op {
                    UnOp::Neg => quote_spanned!(e.span=> -#a),
                    UnOp::Not => quote_spanned!(e.span=> !#a),
                }
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, [a, b], e.span, typed),
            ExprKind::Cast(a, ty) => {
                let a = self.expr(a);
                let ty = self.func.written.target_tokens(ty, e.span);
                quote_spanned!(e.span=> #a as #ty)
            }
            ExprKind::Math(f, args) => self.math(*f, args, e),
            ExprKind::Tuple(parts) => {
                let parts = parts.iter().map(|p| self.tokens(p, typed));
                quote!((#(#parts,)*))
            }
            ExprKind::Struct(constructor, values) => self.struct_value(constructor, values),
            ExprKind::Array(parts) => {
                let parts = parts.iter().map(|p| self.tokens(p, typed));
                quote!([#(#parts),*])
            }
            ExprKind::Repeat(a, len) => {
                let a = self.tokens(a, typed);
                let len = self.func.written.len_tokens(len);
                quote!([#a; #len])
            }
            ExprKind::VecLit(parts) => {
                let parts = parts.iter().map(|p| self.tokens(p, typed));
                quote!(::std::vec![#(#parts),*])
            }
            ExprKind::VecRepeat(a, len) => self.repeated(a, len, typed, e.span),
            ExprKind::VecNew(None) if matches!(e.ty, Ty::Queue(_)) => {
                quote!(::std::collections::VecDeque::new())
            }
            ExprKind::VecNew(None) => quote!(::std::vec::Vec::new()),
            ExprKind::VecNew(Some(capacity)) => {
                let capacity = self.expected(capacity);
                if matches!(e.ty, Ty::Queue(_)) {
                    return quote!(::std::collections::VecDeque::with_capacity(#capacity));
                }
                quote!(::std::vec::Vec::with_capacity(#capacity))
            }
            ExprKind::Some(a) => {
                let a = self.tokens(a, typed);
                quote!(::core::option::Option::Some(#a))
            }
            ExprKind::None => quote!(::core::option::Option::None),
            ExprKind::Len(p) => {
                let place = self.place(p, Use::Read);
                quote_spanned!(e.span=> #place.len())
            }
            ExprKind::ToVec(p) => {
                let place = self.place(p, Use::Read);
                if e.ty.may_be_own() {
                    let rt = self.rt_at(e.span);
                    quote_spanned!(e.span=> #rt::clones!(to_vec #place))
                } else {
                    quote_spanned!(e.span=> #place.to_vec())
                }
            }
            ExprKind::Opaque(o) if matches!(o.kind, OpaqueKind::Other(DEFAULT_VALUE)) => {
                // rustc's error has no argument to stand at.
                let rt = self.rt_at(e.span);
                quote_spanned!(e.span=> #rt::placeholder())
            }
            ExprKind::Opaque(o) if matches!(o.kind, OpaqueKind::Other(KEPT | AGAIN)) => {
                self.of_call(o, e.span)
            }
            ExprKind::Opaque(o) => self.opaque(o),
            ExprKind::NoGradient(a) => {
                let (rt, a) = (self.rt(), self.bare(a));
                quote!(#rt::no_gradient(#a))
            }
            ExprKind::Rule(rule, args) => {
                let (rt, name) = (self.rt(), super::own(rule.name()));
                let args = args.iter().map(|a| self.bare(a));
                quote_spanned!(e.span=> #rt::rules::#name(#(#args),*))
            }
            ExprKind::ZeroLike(p) => self.zero_like(p, e),
            ExprKind::Zero => self.zero(&e.ty),
            ExprKind::Function(f, args) => self.function(*f, args, &e.ty),
            ExprKind::SumOf(p) => {
                let (rt, place) = (self.rt(), self.place(p, Use::Read));
                quote!(#rt::sum(&#place))
            }
        }
    }

    /// The zero adjoint for what a place holds.
    fn zero_like(&self, p: &Place, e: &Expr) -> TokenStream {
        let (rt, place) = (self.rt(), self.place(p, Use::Read));
        let of_field = matches!(p.proj.last(), Some(Proj::Field(_)));
        if of_field && e.ty.is_unseen() {
            // It may have no tangent: a field under `#[constant]`, given to such a parameter.
            return quote_spanned!(e.span=> {
                use #rt::unwanted::{OfConstant as _, OfValue as _};
                (&&#rt::unwanted::Unwanted(&#place)).adjoint()
            });
        }
        quote_spanned!(e.span=> #rt::zero(&#place))
    }

    /// `vec![a; len]`, whose clones are compared where they may be those of a type of the user's.
    fn repeated(&self, a: &Expr, len: &Expr, typed: bool, span: Span) -> TokenStream {
        let own = a.ty.may_be_own();
        let (rt, a, len) = (self.rt_at(span), self.tokens(a, typed), self.expected(len));
        if own {
            quote_spanned!(span=> #rt::clones!(times #a, #len))
        } else {
            quote!(::std::vec![#a; #len])
        }
    }

    /// A copy of what lies in a place. `Clone` is taken for one only of types of the language and of std: that of a
    /// type of the user's may do anything.
    pub(super) fn copy(&self, place: &impl ToTokens, ty: &Ty, span: Span) -> TokenStream {
        let rt = self.rt_at(span);
        if ty.may_be_own() {
            quote_spanned!(span=> #rt::copy!(#place))
        } else {
            quote_spanned!(span=> ::core::clone::Clone::clone(&#place))
        }
    }

    fn struct_value(&self, constructor: &Constructor, values: &[Expr]) -> TokenStream {
        let path = &constructor.path;
        let (fields, base) = constructor.parts(values);
        let rt = self.rt();
        match constructor.makes {
            Makes::Box => {
                let held = fields.map(|(_, held)| self.tokens(held, false));
                return quote!(#rt::std_box(#path(#(#held),*)));
            }
            Makes::BoxedSlice => {
                let held = fields.map(|(_, held)| self.tokens(held, false));
                return quote!(#rt::boxed_slice(#(#held),*));
            }
            Makes::Struct | Makes::Variant => {}
        }
        let fields = fields.map(|(field, value)| {
            let (field, value) = (field.tokens(), self.tokens(value, true));
            quote!(#field: #value)
        });
        let base = base.map(|base| {
            let base = self.bare(base);
            quote!(..#base)
        });
        quote!(#path { #(#fields,)* #base })
    }

    fn binary(&self, op: BinOp, [a, b]: [&Expr; 2], span: Span, typed: bool) -> TokenStream {
        let known = says_type(a) || says_type(b);
        let [left, right] = if matches!(op, BinOp::Shl | BinOp::Shr) {
            [typed, false]
        } else if op.is_logical() {
            [known, known]
        } else {
            [typed || known; 2]
        };
        let (a, b) = (self.operand(a, left), self.operand(b, right));
        if op.assigned().is_some() {
            let (value, op) = (super::own("__value"), Operator(op, span));
            return quote_spanned!(span=> { let mut #value = #a; #value #op #b; #value });
        }
        let op = Operator(op, span);
        quote_spanned!(span=> #a #op #b)
    }

    /// `place = value`, or what the user wrote as `place += by` on a type that the macro does not see.
    pub(super) fn assign(&self, place: &Place, value: &Expr, span: Span) -> TokenStream {
        let target = self.place(place, Use::Write);
        if let ExprKind::Binary(op, old, by) = &value.kind
            && op.assigned().is_some()
            && matches!(&old.kind, ExprKind::Read(read) if same_place(read, place))
        {
            let (mut pattern, mut element, mut same_root) = (false, false, false);
            for proj in &place.proj {
                pattern |= matches!(proj, Proj::Payload | Proj::Variant(_));
                element |= matches!(proj, Proj::Index(_));
            }
            expr_reads(by, &mut |read| same_root |= read.root == place.root);
            let (op, by) = (Operator(*op, span), self.bare(by));
            // The pattern that leads there borrows all of the value, and so does the `IndexMut` of a `Vec`; the
            // operator takes the place first.
            if pattern || element && same_root {
                let value = super::own("__by");
                return quote_spanned!(span=> let #value = #by; #target #op #value;);
            }
            return quote_spanned!(span=> #target #op #by;);
        }
        let value = self.expected(value);
        quote_spanned!(span=> #target = #value;)
    }

    /// By path where the type is known (a literal has no methods). By method else, on a value that rustc sees to be
    /// a number of std's: a type of the user's may have a method of that name.
    fn math(&self, f: MathFn, args: &[Expr], e: &Expr) -> TokenStream {
        let name = Ident::new(f.name(), e.span);
        let rest = args[1..].iter().map(|a| self.expected(a));
        if let Ty::F32 | Ty::F64 = args[0].ty {
            let (ty, first) = (self.annotation(&args[0].ty), self.expected(&args[0]));
            quote_spanned!(e.span=> <#ty>::#name(#first #(, #rest)*))
        } else if let Ty::Four(_) = args[0].ty {
            // The only one of four numbers is the square root.
            let (rt, first) = (self.rt(), self.bare(&args[0]));
            quote!(#rt::Vector4::sqrt(#first))
        } else {
            let (rt, first) = (self.rt(), self.bare(&args[0]));
            let check = if f.is_shared_with_integers() {
                quote!(number)
            } else {
                quote!(float)
            };
            quote_spanned!(e.span=> #rt::rules::#check(#first).#name(#(#rest),*))
        }
    }

    /// User code with its placeholders filled in.
    pub(crate) fn opaque(&self, o: &Opaque) -> TokenStream {
        self.fill(o.code.to_token_stream(), o)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other tokens stay as they are"
    )]
    pub(super) fn fill(&self, tokens: TokenStream, o: &Opaque) -> TokenStream {
        let mut out = TokenStream::new();
        for tree in tokens {
            match tree {
                TokenTree::Ident(ident) => match o.args.iter().find(|(name, _)| *name == ident) {
                    Some((_, arg)) => out.extend(self.opaque_arg(arg)),
                    None if ident == ANSWER => {
                        let rt = self.rt_at(ident.span());
                        out.extend(quote_spanned!(ident.span()=> #rt::rules::answer));
                    }
                    None => out.extend([TokenTree::Ident(ident)]),
                },
                TokenTree::Group(group) => {
                    let filled = self.fill(group.stream(), o);
                    out.extend([TokenTree::Group(regroup(&group, filled))]);
                }
                other => out.extend([other]),
            }
        }
        out
    }

    pub(super) fn opaque_arg(&self, arg: &OpaqueArg) -> TokenStream {
        match arg {
            OpaqueArg::Place(p) if p.is_var() => self.place(p, Use::Read).into(),
            OpaqueArg::Place(p) => {
                let place = self.place(p, Use::Read);
                quote!((#place))
            }
            OpaqueArg::Ref(p) => {
                let place = self.place(p, Use::Read);
                quote!((&#place))
            }
            OpaqueArg::RefMut(p) => {
                let place = self.place(p, Use::Write);
                quote!((&mut #place))
            }
            OpaqueArg::Value(e) => {
                let value = self.bare(e);
                if matches!(e.kind, ExprKind::Lit(_)) {
                    return value.into();
                }
                quote!((#value))
            }
        }
    }
}

/// A part of the payload of a variant. The paths of the tangent's variants are not known: its derive brings methods.
fn variant_part(of: &Code, part: &VariantPart, span: Span, usage: Use) -> TokenStream {
    let writes = usage == Use::Write;
    if let Some(method) = part.accessor(writes, span) {
        return quote_spanned!(span=> (*#of.#method()));
    }
    let (path, field) = (&part.path, part.field.tokens());
    let borrow = if writes { quote!(&mut) } else { quote!(&) };
    let name = Ident::new("__part", Span::mixed_site());
    quote_spanned! {span=>
        (*match #borrow #of {
            #path { #field: #name, .. } => #name,
            #[allow(unreachable_patterns)]
            _ => ::core::unreachable!(),
        })
    }
}

/// Whether rustc knows the type of the expression from its text alone, so that a number beside it needs none.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other expressions bind tightly, or show no type"
)]
pub(super) fn says_type(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Read(_)
        | ExprKind::Cast(..)
        | ExprKind::Len(_)
        | ExprKind::Math(..)
        | ExprKind::Rule(..)
        | ExprKind::Function(..)
        | ExprKind::SumOf(_) => true,
        ExprKind::Unary(_, a) | ExprKind::Binary(BinOp::Shl | BinOp::Shr, a, _) => says_type(a),
        ExprKind::Binary(_, a, b) => says_type(a) || says_type(b),
        _ => false,
    }
}
