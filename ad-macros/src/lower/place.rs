//! Places: indices, fields, dereferences, references.

use proc_macro2::Span;

use super::Lowerer;
use super::infer::{Class, Kind};
use super::opaque::Builder;
use super::operator::strip;
use super::scope::Binding;
use super::value::{Value, View, Want, span_of};
use crate::diag::catalog;
use crate::ir::{
    BOUNDS, Expr, ExprKind, IS_BOX, Opaque, OpaqueArg, OpaqueKind, Place, Proj, Rule, SEQUENCE,
    StmtKind, Ty, VarKind,
};

impl Lowerer<'_> {
    /// The place that a value is or points to; a value that is neither is put in a variable.
    pub(super) fn place_of(&mut self, value: Value, span: Span) -> Option<(Place, Ty)> {
        match self.referent(value) {
            Value::Place(place, ty) => Some((place, ty)),
            Value::Ref(view) => Some((view.place, view.ty)),
            Value::Error | Value::Never => None,
            // A temporary is already a variable of its own.
            Value::Expr(Expr {
                kind: ExprKind::Read(place),
                ty,
                ..
            }) if self.is_stable_temporary(&place) => Some((place, ty)),
            other => {
                let e = self.stored_raw(other, span);
                let ty = e.ty.clone();
                let var = self.temp_let("value", e);
                Some((Place::var(var, span), ty))
            }
        }
    }

    fn is_stable_temporary(&self, place: &Place) -> bool {
        place.is_var()
            && self.func.var(place.root).kind == VarKind::Temp
            && !self.unstable.contains(&place.root)
    }

    // `base[index]`

    pub(super) fn index(&mut self, index: &syn::ExprIndex) -> Value {
        let span = span_of(index);
        let base = self.pointee(&index.expr);
        let mut base = match base {
            Value::Expr(Expr {
                kind: ExprKind::Opaque(opaque),
                ..
            }) => return self.opaque_index(*opaque, &index.index, true, span),
            Value::Opaque(opaque, ..) => {
                return self.opaque_index(*opaque, &index.index, false, span);
            }
            other => match self.place_of(other, span) {
                Some(base) => base,
                None => return Value::Error,
            },
        };
        let mark = self.mark();
        let mut proj = match strip(&index.index) {
            syn::Expr::Range(range) => self.range_projection(range),
            other if self.is_key(other, &base.1) => return self.foreign_index(base, other, span),
            other => Proj::index(self.passive_expr(other)),
        };
        self.protect_place(&mut base.0, mark);
        if matches!(proj, Proj::Index(_))
            && self.types.element(&base.1).is_some()
            && let Proj::Index(e) = &proj
        {
            self.types.unify(&e.ty, &Ty::USIZE);
            if self.types.shallow(&e.ty) != Ty::USIZE {
                // It may be a key of the user's, whose `Index` leads elsewhere than its `IndexMut`.
                let rule = ExprKind::Rule(Rule::Position, vec![(**e).clone()]);
                proj = Proj::index(Expr::new(rule, Ty::USIZE, e.span));
            }
        }
        let (place, ty) = self.project(&base.0, &base.1, proj, span);
        Value::Place(place, ty)
    }

    /// Whether an index is a reference or a string, as keys of maps are: no array, slice or `Vec` is indexed by one.
    fn is_key(&self, index: &syn::Expr, base: &Ty) -> bool {
        match index {
            syn::Expr::Reference(_) => true,
            syn::Expr::Lit(lit) => matches!(lit.lit, syn::Lit::Str(_)),
            // A name may stand for a copy of an element behind a reference, which an index of those is.
            syn::Expr::Path(path) => {
                self.types.element(base).is_none()
                    && path
                        .path
                        .get_ident()
                        .is_some_and(|i| matches!(self.lookup(i), Some(Binding::View { .. })))
            }
            _ => false,
        }
    }

    fn range_projection(&mut self, range: &syn::ExprRange) -> Proj {
        self.passive += 1;
        let bounds = self.operands(range.start.iter().chain(range.end.iter()).map(|e| &**e));
        self.passive -= 1;
        for bound in &bounds {
            self.types.unify(&bound.ty, &Ty::USIZE);
        }
        let mut bounds = bounds.into_iter();
        let lo = range
            .start
            .as_ref()
            .and_then(|_| bounds.next().map(Box::new));
        let hi = range.end.as_ref().and_then(|_| bounds.next().map(Box::new));
        Proj::Range {
            lo,
            hi,
            inclusive: matches!(range.limits, syn::RangeLimits::Closed(_)),
        }
    }

    /// An element of a constant or of the result of code kept as written: more of that code.
    fn opaque_index(&mut self, opaque: Opaque, index: &syn::Expr, pure: bool, span: Span) -> Value {
        let ty = self.types.fresh(Kind::General);
        let element = match &opaque.code {
            syn::Expr::Path(path) => path
                .path
                .get_ident()
                .and_then(|i| self.const_tys.get(&i.to_string()))
                .cloned(),
            _ => None,
        };
        let kind = opaque.kind.clone();
        let mut builder = Builder::default();
        let base = builder.inline(opaque);
        let (code, ty) = match strip(index) {
            syn::Expr::Range(range) => {
                let Proj::Range { lo, hi, .. } = self.range_projection(range) else {
                    return Value::Error;
                };
                let (lo, hi) = (
                    lo.map(|e| builder.value(self, *e)),
                    hi.map(|e| builder.value(self, *e)),
                );
                let limits = &range.limits;
                (syn::parse_quote!(#base[#lo #limits #hi]), ty)
            }
            other => {
                let index = if element.is_none() && self.is_key(other, &ty) {
                    builder.verbatim(self, other)
                } else {
                    let e = self.passive_expr(other);
                    builder.value(self, e)
                };
                let ty = element.and_then(|t| self.types.element(&t)).unwrap_or(ty);
                (syn::parse_quote!(#base[#index]), ty)
            }
        };
        let kind = if pure {
            kind
        } else {
            OpaqueKind::Other("an indexed value")
        };
        builder.value_of(self, code, kind, ty, span, pure)
    }

    /// `map[&key]`, `map["key"]`
    fn foreign_index(&mut self, (place, _): (Place, Ty), index: &syn::Expr, span: Span) -> Value {
        let mut builder = Builder::default();
        let base = builder.arg(self, OpaqueArg::Place(place), span);
        let index = builder.verbatim(self, index);
        let ty = self.types.fresh(Kind::General);
        let code = syn::parse_quote!(#base[#index]);
        Value::Expr(builder.finish(
            self,
            code,
            OpaqueKind::Other("an element looked up by key"),
            ty,
            span,
        ))
    }

    // `base.field`

    pub(super) fn field(&mut self, field: &syn::ExprField) -> Value {
        let span = span_of(field);
        let base = self.pointee(&field.base);
        match base {
            Value::Tuple(values, _) => match &field.member {
                syn::Member::Unnamed(n) if (n.index as usize) < values.len() => {
                    let mut part = Value::Error;
                    for (at, value) in values.into_iter().enumerate() {
                        if at == n.index as usize {
                            part = value;
                        } else {
                            self.discard(value, span);
                        }
                    }
                    part
                }
                _ => Value::Error,
            },
            Value::Expr(Expr {
                kind: ExprKind::Opaque(opaque),
                ..
            }) => self.opaque_field(*opaque, &field.member, true, span),
            Value::Opaque(opaque, ..) => self.opaque_field(*opaque, &field.member, false, span),
            other => match self.place_of(other, span) {
                Some((place, ty)) => {
                    let (place, ty) =
                        self.project(&place, &ty, Proj::Field((&field.member).into()), span);
                    Value::Place(place, ty)
                }
                None => Value::Error,
            },
        }
    }

    fn opaque_field(
        &mut self,
        opaque: Opaque,
        member: &syn::Member,
        pure: bool,
        span: Span,
    ) -> Value {
        let kind = opaque.kind.clone();
        let mut builder = Builder::default();
        let base = builder.inline(opaque);
        let ty = self.types.fresh(Kind::General);
        builder.value_of(self, syn::parse_quote!(#base.#member), kind, ty, span, pure)
    }

    // `*e`

    pub(super) fn deref(&mut self, unary: &syn::ExprUnary) -> Value {
        let value = self.value(&unary.expr, Want::Value);
        let reads_box = self.passive == 0;
        match self.deref_of(value, unary, reads_box) {
            // The content is what can be recorded, and what another `Deref` is asked for once.
            Value::Place(place, ty) if matches!(place.proj.last(), Some(Proj::Unbox)) => {
                let e = self.read(place, ty);
                Value::Expr(self.in_temp("target", e))
            }
            other => other,
        }
    }

    /// What is looked at as a place: behind a dereference, the content of a box is one.
    pub(super) fn pointee(&mut self, e: &syn::Expr) -> Value {
        match strip(e) {
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                let value = self.pointee(&unary.expr);
                self.deref_of(value, unary, true)
            }
            _ => self.value(e, Want::Value),
        }
    }

    pub(super) fn deref_of(
        &mut self,
        value: Value,
        unary: &syn::ExprUnary,
        reads_box: bool,
    ) -> Value {
        let span = span_of(unary);
        match value {
            Value::Ref(view) if view.depth > 0 => Value::Ref(View {
                depth: view.depth - 1,
                ..view
            }),
            Value::Ref(mut view) => {
                view.place.span = span;
                Value::Place(view.place, view.ty)
            }
            Value::Error => Value::Error,
            Value::Never => Value::Never,
            // What an `Rc` leads to stands for it, and a vector is a slice.
            Value::Place(_, ref ty) | Value::Expr(Expr { ref ty, .. })
                if matches!(
                    self.types.shallow(ty),
                    Ty::Vec(_) | Ty::Queue(_) | Ty::Array(..) | Ty::Tuple(_)
                ) =>
            {
                value
            }
            // A copy that stands for a reference.
            Value::Place(_, ref ty) | Value::Expr(Expr { ref ty, .. }) if self.is_number(ty) => {
                value
            }
            Value::Place(place, ty) if reads_box && self.may_be_box(&place, &ty) => {
                self.unboxed(place, &ty, span)
            }
            value @ (Value::Place(..) | Value::Expr(_) | Value::Opaque(..)) => {
                match self.opaque_deref(value, span) {
                    Some(target) => target,
                    None => self.refuse(unary, catalog::dereference()),
                }
            }
            Value::Tuple(..) | Value::Unit => self.refuse(unary, catalog::dereference()),
        }
    }

    /// Whether the type is known to be that of a number, to which no `*` applies.
    pub(super) fn is_number(&self, ty: &Ty) -> bool {
        matches!(
            self.types.class(ty),
            Class::Float | Class::Int | Class::Number
        )
    }

    fn may_be_box(&self, place: &Place, ty: &Ty) -> bool {
        let open = matches!(self.types.class(ty), Class::Open | Class::Hidden);
        open && self.lenient == 0 && !self.func.var(place.root).constant
    }

    /// The content of a box. That it is one, rustc checks where a derivative depends on it.
    fn unboxed(&mut self, place: Place, ty: &Ty, span: Span) -> Value {
        self.check_that(&place, IS_BOX);
        let (place, ty) = self.project(&place, ty, Proj::Unbox, span);
        Value::Place(place, ty)
    }

    /// `*k` where `k` is not known to be a reference (an item of an iterator that is kept as written, a box).
    pub(super) fn opaque_deref(&mut self, value: Value, span: Span) -> Option<Value> {
        let ty = self.type_of(&value);
        if !matches!(self.types.class(&ty), Class::Open | Class::Hidden) {
            return None;
        }
        let mut builder = Builder::default();
        let operand = builder.operand(self, value, span);
        let ty = self.types.fresh(Kind::General);
        let what = OpaqueKind::Other("a dereference of something that is not a known reference");
        let e = builder.finish(self, syn::parse_quote!(*#operand), what, ty, span);
        // In a variable of its own: the value can be recorded, the reference cannot.
        let is_variable = matches!(e.kind, ExprKind::Read(_));
        Some(Value::Expr(if is_variable {
            e
        } else {
            self.in_temp("target", e)
        }))
    }

    // `&e`, `&mut e`

    pub(super) fn reference(&mut self, reference: &syn::ExprReference) -> Value {
        let span = span_of(reference);
        let mutable = reference.mutability.is_some();
        match self.pointee(&reference.expr) {
            Value::Place(place, ty) => Value::Ref(View::new(place, ty, mutable)),
            Value::Ref(view) => Value::Ref(View {
                depth: view.depth + 1,
                ..view
            }),
            Value::Error => Value::Error,
            Value::Never => Value::Never,
            Value::Expr(e) if e.ty == Ty::Str => Value::Expr(e),
            Value::Expr(Expr {
                kind: ExprKind::Opaque(opaque),
                ..
            }) if !mutable && is_range_of(&opaque.code) => self.opaque_range(*opaque, span),
            Value::Tuple(values, span) if values.iter().any(super::value::holds_reference) => {
                Value::Tuple(values, span)
            }
            other => {
                let e = self.stored_raw(other, span);
                let ty = e.ty.clone();
                let var = self.temp_let("value", e);
                if mutable {
                    self.unstable.insert(var);
                }
                Value::Ref(View::new(Place::var(var, span), ty, mutable))
            }
        }
    }

    /// `&TABLE[1..]`: a part of a constant, whose type has no size, stays behind its reference.
    fn opaque_range(&mut self, opaque: Opaque, span: Span) -> Value {
        let kind = opaque.kind.clone();
        let mut builder = Builder::default();
        let part = builder.inline(opaque);
        let ty = self.types.fresh(Kind::General);
        builder.value_of(self, syn::parse_quote!(&#part), kind, ty, span, true)
    }

    // Bounds.

    /// Rust checks a place's bounds where the reference to it is made; so does the lowered code.
    pub(super) fn check_bounds(&mut self, place: &Place) {
        let checked = place.proj.iter().any(|proj| match proj {
            Proj::Index(_) => true,
            Proj::Range { lo, hi, .. } => lo.is_some() || hi.is_some(),
            Proj::Deref | Proj::Field(_) | Proj::Payload | Proj::Variant(_) | Proj::Unbox => false,
        });
        if !checked {
            return;
        }
        for proj in &place.proj {
            self.note_end(proj);
        }
        let span = place.span;
        let name = self.placeholder(span);
        let opaque = Opaque {
            code: syn::parse_quote!({ let _ = #name; }),
            args: vec![(name, OpaqueArg::Ref(place.clone()))],
            kind: OpaqueKind::Other(BOUNDS),
        };
        self.emit(StmtKind::Opaque(Box::new(opaque)), span);
    }

    /// The part of an array exists: by a check, or by how it came to be.
    pub(super) fn note_end(&mut self, part: &Proj) {
        if let Proj::Range { hi: Some(hi), .. } = part
            && let ExprKind::Read(end) = &hi.kind
            && end.is_var()
            && self.func.var(end.root).kind == VarKind::Temp
        {
            self.func.ends.insert(end.root);
        }
    }

    /// Lets rustc check that what is indexed in place of its iterator is a slice, an array or a `Vec`: a type of the
    /// user's may have another order.
    pub(super) fn require_sequence(&mut self, place: &Place) {
        self.check_that(place, SEQUENCE);
    }

    pub(super) fn check_that(&mut self, place: &Place, what: &'static str) {
        let check = Opaque::check(what, place);
        self.emit(StmtKind::Opaque(Box::new(check)), place.span);
    }

    // Parts, for patterns.
}

/// `e[a..b]`, in parentheses or not.
fn is_range_of(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Index(index) => matches!(strip(&index.index), syn::Expr::Range(_)),
        _ => false,
    }
}
