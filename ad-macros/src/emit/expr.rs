//! Expressions and places.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

use crate::ir::{
    BinOp, Constructor, DEFAULT_VALUE, Expr, ExprKind, MathFn, Opaque, OpaqueArg, OpaqueKind,
    Place, Proj, Ty, UnOp, literal, regroup,
};

use super::Emitter;

/// Whether a place is named for reading or for writing (`Option` payloads differ).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    Write,
}

impl Emitter<'_> {
    /// A place expression.
    pub(crate) fn place(&self, place: &Place, usage: Use) -> TokenStream {
        let tokens = self.name(place.root).to_token_stream();
        self.projected(tokens, &place.proj, place.span, usage)
    }

    /// What the projections lead to from there.
    pub(super) fn projected(
        &self,
        mut tokens: TokenStream,
        path: &[Proj],
        span: Span,
        usage: Use,
    ) -> TokenStream {
        for (k, proj) in path.iter().enumerate() {
            tokens = match proj {
                Proj::Deref if path.len() > k + 1 => tokens, // auto-dereferenced by what follows
                Proj::Deref => quote!((*#tokens)),
                Proj::Index(e) => {
                    let index = self.expected(e);
                    quote_spanned!(span=> #tokens[#index])
                }
                Proj::Field(field) => {
                    let field = field.tokens();
                    quote!(#tokens.#field)
                }
                Proj::Range { lo, hi, inclusive } => {
                    let lo = lo.as_ref().map(|e| self.operand(e, true));
                    let hi = hi.as_ref().map(|e| self.operand(e, true));
                    if *inclusive {
                        quote_spanned!(span=> #tokens[#lo..=#hi])
                    } else {
                        quote_spanned!(span=> #tokens[#lo..#hi])
                    }
                }
                Proj::Payload if usage == Use::Write => quote!((*#tokens.as_mut().unwrap())),
                Proj::Payload => quote!((*#tokens.as_ref().unwrap())),
            };
        }
        tokens
    }

    /// An expression that can stand as an operand.
    pub(crate) fn expr(&self, e: &Expr) -> TokenStream {
        self.operand(e, false)
    }

    /// An expression where any expression can stand. Whatever is a number in it has its type.
    pub(crate) fn bare(&self, e: &Expr) -> TokenStream {
        self.tokens(e, false)
    }

    /// An expression where any expression of its type can stand, and no other.
    pub(crate) fn expected(&self, e: &Expr) -> TokenStream {
        self.tokens(e, true)
    }

    /// `typed`: what stands around it says its type.
    pub(super) fn operand(&self, e: &Expr, typed: bool) -> TokenStream {
        let bare = self.tokens(e, typed);
        match &e.kind {
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast(..) => quote!((#bare)),
            ExprKind::Read(p) if p.proj.is_empty() || e.ty.is_copy() => bare,
            ExprKind::Opaque(_) | ExprKind::Struct(..) => quote!((#bare)),
            _ => bare,
        }
    }

    fn tokens(&self, e: &Expr, typed: bool) -> TokenStream {
        match &e.kind {
            ExprKind::Lit(lit) if typed => lit.tokens(e.span),
            ExprKind::Lit(lit) => literal::suffixed(lit, &e.ty).tokens(e.span),
            ExprKind::Read(p) => {
                let place = self.place(p, Use::Read);
                if e.ty.is_copy() {
                    place
                } else {
                    quote_spanned!(e.span=> ::core::clone::Clone::clone(&#place))
                }
            }
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
            ExprKind::VecRepeat(a, len) => {
                let (a, len) = (self.tokens(a, typed), self.expected(len));
                quote!(::std::vec![#a; #len])
            }
            ExprKind::VecNew(None) => quote!(::std::vec::Vec::new()),
            ExprKind::VecNew(Some(capacity)) => {
                let capacity = self.expected(capacity);
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
                quote_spanned!(e.span=> #place.to_vec())
            }
            ExprKind::Opaque(o) if matches!(o.kind, OpaqueKind::Other(DEFAULT_VALUE)) => {
                // rustc's error has no argument to stand at.
                let located = |mut token: TokenTree| {
                    token.set_span(token.span().located_at(e.span));
                    token
                };
                let rt = self.rt().into_iter().map(located).collect::<TokenStream>();
                quote_spanned!(e.span=> #rt::placeholder())
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
            ExprKind::ZeroLike(p) => {
                let (rt, place) = (self.rt(), self.place(p, Use::Read));
                quote_spanned!(e.span=> #rt::zero(&#place))
            }
            ExprKind::Zero => self.zero(&e.ty),
            ExprKind::Function(f, args) => self.function(*f, args, &e.ty),
            ExprKind::SumOf(p) => {
                let (rt, place) = (self.rt(), self.place(p, Use::Read));
                quote!(#rt::sum(&#place))
            }
        }
    }

    fn struct_value(&self, constructor: &Constructor, values: &[Expr]) -> TokenStream {
        let path = &constructor.path;
        let (fields, base) = constructor.parts(values);
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
        let [left, right] = match op {
            BinOp::Shl | BinOp::Shr => [typed, false],
            op if op.is_logical() => [known, known],
            _ => [typed || known; 2],
        };
        let (a, b) = (self.operand(a, left), self.operand(b, right));
        match op {
            BinOp::Add => quote_spanned!(span=> #a + #b),
            BinOp::Sub => quote_spanned!(span=> #a - #b),
            BinOp::Mul => quote_spanned!(span=> #a * #b),
            BinOp::Div => quote_spanned!(span=> #a / #b),
            BinOp::Rem => quote_spanned!(span=> #a % #b),
            BinOp::And => quote_spanned!(span=> #a && #b),
            BinOp::Or => quote_spanned!(span=> #a || #b),
            BinOp::BitAnd => quote_spanned!(span=> #a & #b),
            BinOp::BitOr => quote_spanned!(span=> #a | #b),
            BinOp::BitXor => quote_spanned!(span=> #a ^ #b),
            BinOp::Shl => quote_spanned!(span=> #a << #b),
            BinOp::Shr => quote_spanned!(span=> #a >> #b),
            BinOp::Eq => quote_spanned!(span=> #a == #b),
            BinOp::Ne => quote_spanned!(span=> #a != #b),
            BinOp::Lt => quote_spanned!(span=> #a < #b),
            BinOp::Le => quote_spanned!(span=> #a <= #b),
            BinOp::Gt => quote_spanned!(span=> #a > #b),
            BinOp::Ge => quote_spanned!(span=> #a >= #b),
        }
    }

    /// By path where the type is known (a literal has no methods). By method else, on a value that rustc sees to be
    /// a number of std's: a type of the user's may have a method of that name.
    fn math(&self, f: MathFn, args: &[Expr], e: &Expr) -> TokenStream {
        let name = syn::Ident::new(f.name(), e.span);
        let rest = args[1..].iter().map(|a| self.expected(a));
        match args[0].ty {
            Ty::F32 | Ty::F64 => {
                let (ty, first) = (self.annotation(&args[0].ty), self.expected(&args[0]));
                quote_spanned!(e.span=> <#ty>::#name(#first #(, #rest)*))
            }
            // The only one of four numbers is the square root.
            Ty::Four(_) => {
                let (rt, first) = (self.rt(), self.bare(&args[0]));
                quote!(#rt::Vector4::sqrt(#first))
            }
            _ => {
                let (rt, first) = (self.rt(), self.bare(&args[0]));
                let check = if f.is_shared_with_integers() {
                    quote!(number)
                } else {
                    quote!(float)
                };
                quote_spanned!(e.span=> #rt::rules::#check(#first).#name(#(#rest),*))
            }
        }
    }

    /// User code with its placeholders filled in.
    pub(crate) fn opaque(&self, o: &Opaque) -> TokenStream {
        self.fill(o.code.to_token_stream(), o)
    }

    fn fill(&self, tokens: TokenStream, o: &Opaque) -> TokenStream {
        let mut out = TokenStream::new();
        for tree in tokens {
            match tree {
                TokenTree::Ident(ident) => match o.args.iter().find(|(name, _)| *name == ident) {
                    Some((_, arg)) => out.extend(self.opaque_arg(arg)),
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

    fn opaque_arg(&self, arg: &OpaqueArg) -> TokenStream {
        match arg {
            OpaqueArg::Place(p) if p.is_var() => self.name(p.root).to_token_stream(),
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
                    return value;
                }
                quote!((#value))
            }
        }
    }
}

/// Whether rustc knows the type of the expression from its text alone, so that a number beside it needs none.
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
