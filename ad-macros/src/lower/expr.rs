//! The dispatcher over expressions.

use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt;

use super::Lowerer;
use super::infer::Kind;
use super::scope::{Binding, plain_ident};
use super::types::primitive;
use super::value::{Value, View, Want, span_of};
use crate::diag::{Message, catalog};
use crate::ir::literal::length;
use crate::ir::{BinOp, Expr, ExprKind, Lit, Opaque, OpaqueKind, Place, Ty};
use crate::surroundings::{Lasting, lasting};

impl Lowerer<'_> {
    /// Lowers an expression to something that is not read or evaluated yet.
    pub(super) fn value(&mut self, e: &syn::Expr, want: Want) -> Value {
        if !self.expr_attributes(e) {
            return self.checkpoint_expr(e, want);
        }
        let value = self.value_as_found(e, want);
        self.referent(value)
    }

    fn value_as_found(&mut self, e: &syn::Expr, want: Want) -> Value {
        match e {
            syn::Expr::Paren(p) => self.value(&p.expr, want),
            syn::Expr::Group(g) => self.value(&g.expr, want),
            syn::Expr::Lit(lit) => self.literal(&lit.lit),
            syn::Expr::Path(path) => self.path(path),
            syn::Expr::Unary(unary) => self.unary(unary),
            syn::Expr::Binary(binary) => self.binary(binary),
            syn::Expr::Assign(assign) => self.assign(assign),
            syn::Expr::Reference(reference) => self.reference(reference),
            syn::Expr::Index(index) => self.index(index),
            syn::Expr::Field(field) => self.field(field),
            syn::Expr::Cast(cast) => self.cast(cast),
            syn::Expr::Call(_) if let Some(name) = super::walks::rest_of(e) => {
                self.path(&syn::parse_quote!(#name))
            }
            syn::Expr::Call(call) => self.call(call, want),
            syn::Expr::MethodCall(call) => self.method_call(call, want),
            syn::Expr::Macro(mac) => self.macro_call(&mac.mac, span_of(mac)),
            syn::Expr::Tuple(tuple) => self.tuple(tuple),
            syn::Expr::Array(array) => {
                let parts = self.elements(array.elems.iter());
                Value::Expr(self.array(parts, span_of(array), ExprKind::Array, |t, n| {
                    Ty::Array(t, Some(length(n, Span::call_site())))
                }))
            }
            syn::Expr::Repeat(repeat) => self.repeat(repeat),
            syn::Expr::Struct(literal) => self.struct_literal(literal),
            syn::Expr::Block(block) => self.block_expr(block, want),
            syn::Expr::Unsafe(u) if super::unchecked::is_of_elements(u) => {
                self.block(&u.block, want)
            }
            syn::Expr::If(branch) => self.if_expr(branch, want),
            syn::Expr::Match(branch) => self.match_expr(branch, want),
            syn::Expr::While(w) => self.while_loop(w),
            syn::Expr::ForLoop(f) => self.for_loop(f),
            syn::Expr::Loop(l) => self.endless_loop(l, want),
            syn::Expr::Return(r) => self.return_expr(r),
            syn::Expr::Try(t) => self.question(t),
            syn::Expr::Break(b) => self.break_expr(b),
            syn::Expr::Continue(c) => self.continue_expr(c),
            other => self.unsupported(other),
        }
    }

    /// The value as operators, methods and conditions see it.
    pub(super) fn expr(&mut self, e: &syn::Expr) -> Expr {
        let value = self.value(e, Want::Value);
        self.operand(value, span_of(e))
    }

    /// A value that carries no derivative (a condition, an index): nothing in it is hoisted.
    pub(super) fn passive_expr(&mut self, e: &syn::Expr) -> Expr {
        self.passive += 1;
        let result = self.expr(e);
        self.passive -= 1;
        result
    }

    pub(super) fn refuse(&mut self, tokens: &impl ToTokens, message: Message) -> Value {
        self.diags.over(tokens, message);
        Value::Error
    }

    fn unsupported(&mut self, e: &syn::Expr) -> Value {
        let kept = |l: &mut Self, what: &'static str| l.keep_or(e, what);
        match e {
            syn::Expr::Closure(c) => {
                if self.lenient > 0 {
                    return self.keep(e, OpaqueKind::Other("a closure"));
                }
                self.refuse(&c.or1_token, catalog::closure())
            }
            syn::Expr::Range(r) => {
                if self.lenient > 0 {
                    return self.keep(e, OpaqueKind::Other("a range"));
                }
                self.refuse(r, catalog::range_value())
            }
            syn::Expr::TryBlock(t) => self.refuse(&t.try_token, catalog::try_block()),
            syn::Expr::Yield(y) => self.refuse(&y.yield_token, catalog::try_block()),
            syn::Expr::Unsafe(u) => self.refuse(&u.unsafe_token, catalog::unsafe_block()),
            syn::Expr::Async(a) => self.refuse(&a.async_token, catalog::async_block()),
            syn::Expr::Await(a) => self.refuse(&a.await_token, catalog::async_block()),
            syn::Expr::RawAddr(r) => self.refuse(&r.raw, catalog::raw_borrow()),
            syn::Expr::Let(l) => self.refuse(
                &l.let_token,
                catalog::unsupported_expression("`let` in this position"),
            ),
            syn::Expr::Infer(i) => {
                self.refuse(i, catalog::unsupported_expression("`_` in this position"))
            }
            syn::Expr::Const(_) => kept(self, "a `const` block"),
            other => self.refuse(other, catalog::unsupported_expression("this expression")),
        }
    }

    /// Code that cannot read local variables in a way that matters: kept as it stands.
    fn keep_or(&mut self, e: &syn::Expr, what: &'static str) -> Value {
        self.keep(e, OpaqueKind::Other(what))
    }

    // Leaves.

    pub(super) fn literal(&mut self, lit: &syn::Lit) -> Value {
        if let syn::Lit::ByteStr(bytes) = lit {
            return self.byte_string(bytes);
        }
        let ty = match lit {
            syn::Lit::Float(f) => self.suffixed(f.suffix(), Kind::Float),
            syn::Lit::Int(i) => self.suffixed(i.suffix(), Kind::Int),
            syn::Lit::Bool(_) => Ty::Bool,
            syn::Lit::Char(_) => Ty::Char,
            syn::Lit::Byte(_) => Ty::U8,
            syn::Lit::Str(_) => Ty::Str,
            _ => Ty::Passive,
        };
        Value::Expr(Expr::new(ExprKind::Lit(lit.into()), ty, lit.span()))
    }

    /// `b"…"` is a reference to an array.
    fn byte_string(&mut self, bytes: &syn::LitByteStr) -> Value {
        let span = bytes.span();
        let len = length(bytes.value().len(), Span::call_site());
        let ty = Ty::Array(Box::new(Ty::U8), Some(len));
        let opaque = Opaque {
            code: syn::parse_quote!(*#bytes),
            args: Vec::new(),
            kind: OpaqueKind::Const,
        };
        let var = self.temp_let(
            "bytes",
            Expr::new(ExprKind::Opaque(Box::new(opaque)), ty.clone(), span),
        );
        Value::Ref(View::new(Place::var(var, span), ty, false))
    }

    fn suffixed(&mut self, suffix: &str, otherwise: Kind) -> Ty {
        match primitive(suffix) {
            Some(ty) => ty,
            None => self.types.fresh(otherwise),
        }
    }

    fn path(&mut self, path: &syn::ExprPath) -> Value {
        let span = span_of(path);
        if let Some(ident) = plain_ident(path)
            && let Some(binding) = self.lookup(ident)
        {
            return self.bound(binding, span);
        }
        if super::variants::is_none(&path.path) {
            let payload = self.types.fresh(Kind::General);
            return Value::Expr(Expr::new(
                ExprKind::None,
                Ty::Option(Box::new(payload)),
                span,
            ));
        }
        if plain_ident(path).is_some_and(|i| i == "self") {
            return Value::Error;
        }
        self.note_nonlocal(&path.path);
        let ty = self.constant_type(path);
        let is_static = |name| lasting(span, name) == Some(Lasting::Static { of_others: true });
        let code = match path.path.segments.last() {
            // Nothing can be moved out of one.
            Some(last) if is_constant_name(&last.ident) && is_static(&last.ident) => {
                syn::parse_quote_spanned!(span=> *&#path)
            }
            _ => syn::Expr::Path(path.clone()),
        };
        let opaque = Opaque {
            code,
            args: Vec::new(),
            kind: OpaqueKind::Const,
        };
        Value::Expr(Expr::new(ExprKind::Opaque(Box::new(opaque)), ty, span))
    }

    pub(super) fn bound(&mut self, binding: Binding, span: Span) -> Value {
        match binding {
            Binding::Var(var) | Binding::Deferred { var, .. } => {
                Value::Place(Place::var(var, span), self.func.var(var).ty.clone())
            }
            Binding::View { mut view, .. } => {
                view.place.span = span;
                Value::Ref(view)
            }
            Binding::Tuple(values) => Value::Tuple(values, span),
            Binding::Outcome(_) => {
                self.diags.at(span, catalog::result_value());
                Value::Error
            }
            Binding::Closure(local) => self.refuse(&local.closure.or1_token, catalog::closure()),
            Binding::Walk(_) => {
                let what = "an iterator in a variable that is used in this way";
                self.diags.at(span, catalog::unsupported_iterator(what));
                Value::Error
            }
            Binding::Captured(mut place, ty) => {
                place.span = span;
                Value::Place(place, ty)
            }
            Binding::Function(function) => {
                let name = function.name.to_string();
                self.diags.at(span, catalog::function_value(&name));
                Value::Error
            }
            Binding::Poisoned => Value::Error,
        }
    }

    /// Names that stand for something outside the function must not be taken by variables of the sweeps.
    pub(super) fn note_nonlocal(&mut self, path: &syn::Path) {
        if let Some(first) = path.segments.first() {
            self.nonlocal.insert(first.ident.unraw().to_string());
        }
    }

    /// The type of a constant, where its path shows it (`f64::MAX`, `std::f64::consts::PI`, `usize::MAX`).
    fn constant_type(&mut self, path: &syn::ExprPath) -> Ty {
        let names: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        if let [name] = names.as_slice()
            && let Some(ty) = self.const_tys.get(name)
        {
            return ty.clone();
        }
        if let [.., ty, consts, _] = names.as_slice()
            && consts == "consts"
            && let Some(ty @ (Ty::F32 | Ty::F64)) = primitive(ty)
        {
            return ty;
        }
        if let [.., ty, name] = names.as_slice() {
            match primitive(ty) {
                Some(Ty::F32 | Ty::F64)
                    if matches!(name.as_str(), "RADIX" | "DIGITS" | "MANTISSA_DIGITS") =>
                {
                    return Ty::U32;
                }
                Some(Ty::F32 | Ty::F64) if name.ends_with("_EXP") => return Ty::I32,
                Some(Ty::Int(_)) if name == "BITS" => return Ty::U32,
                Some(ty) => return ty,
                None => {}
            }
        }
        self.types.fresh(Kind::General)
    }

    // Aggregates.

    fn tuple(&mut self, tuple: &syn::ExprTuple) -> Value {
        if tuple.elems.is_empty() {
            return Value::Unit;
        }
        let values = self.sequence(tuple.elems.iter(), |l, e| {
            let value = l.value(e, Want::Value);
            match value {
                Value::Expr(e) => Value::Expr(l.hoist(e)),
                Value::Opaque(..) => Value::Expr(l.stored(value, span_of(e))),
                Value::Place(place, ty) => Value::Expr(l.read(place, ty)),
                other => other,
            }
        });
        Value::Tuple(values, span_of(tuple))
    }

    pub(super) fn elements<'e>(
        &mut self,
        exprs: impl IntoIterator<Item = &'e syn::Expr>,
    ) -> Vec<Expr> {
        let values = self.sequence(exprs, |l, e| {
            let value = l.value(e, Want::Value);
            Value::Expr(l.stored(value, span_of(e)))
        });
        values
            .into_iter()
            .map(|v| self.stored_raw(v, Span::call_site()))
            .collect()
    }

    pub(super) fn array(
        &mut self,
        parts: Vec<Expr>,
        span: Span,
        kind: fn(Vec<Expr>) -> ExprKind,
        ty: impl FnOnce(Box<Ty>, usize) -> Ty,
    ) -> Expr {
        let element = self.types.fresh(Kind::General);
        for part in &parts {
            self.types.unify(&element, &part.ty);
        }
        let ty = ty(Box::new(element), parts.len());
        Expr::new(kind(parts), ty, span)
    }

    fn repeat(&mut self, repeat: &syn::ExprRepeat) -> Value {
        let value = self.value(&repeat.expr, Want::Value);
        let value = self.stored(value, span_of(&repeat.expr));
        let len = Box::new(self.func.written.len(&repeat.len));
        let ty = Ty::Array(Box::new(value.ty.clone()), Some(len.clone()));
        if let syn::Expr::Path(path) = &*repeat.len {
            self.note_nonlocal(&path.path);
        }
        Value::Expr(Expr::new(
            ExprKind::Repeat(Box::new(value), len),
            ty,
            span_of(repeat),
        ))
    }

    fn block_expr(&mut self, block: &syn::ExprBlock, want: Want) -> Value {
        match &block.label {
            Some(label) => self.labelled_block(block, label, want),
            None => self.block(&block.block, want),
        }
    }

    // Small constructors.

    pub(super) fn bool_literal(&self, b: bool, span: Span) -> Expr {
        Expr::new(ExprKind::Lit(Lit::bool(b)), Ty::Bool, span)
    }

    pub(super) fn binop(&self, op: BinOp, a: Expr, b: Expr) -> Expr {
        let span = a.span;
        let ty = if op.is_logical() {
            Ty::Bool
        } else {
            a.ty.clone()
        };
        Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span)
    }

    pub(super) fn not(&self, a: Expr) -> Expr {
        let span = a.span;
        Expr::new(
            ExprKind::Unary(crate::ir::UnOp::Not, Box::new(a)),
            Ty::Bool,
            span,
        )
    }
}

/// Whether a name is one of constants and statics.
pub(super) fn is_constant_name(name: &proc_macro2::Ident) -> bool {
    let name = name.to_string();
    name.starts_with(char::is_uppercase) && !name.contains(char::is_lowercase)
}
