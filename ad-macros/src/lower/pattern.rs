//! Patterns: what names bind to.
//!
//! A pattern is applied to a [`Value`] whose parts are places: by value a part is copied out, behind a reference it
//! is a view (Rust's default binding modes). Whether a refutable pattern matches is decided elsewhere, by the
//! pattern itself kept verbatim in a selector.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;

use super::Lowerer;
use super::prescan::mentions;
use super::scope::Binding;
use super::value::{Value, View, holds_reference, span_of};
use crate::diag::catalog;
use crate::ir::{Expr, ExprKind, Field, Place, Proj, Ty, VarKind};

/// How a pattern is read.
#[derive(Clone, Copy)]
pub(super) struct Reading<'t> {
    /// In a `match` or `if let`: an enum's payload may be missing, and upper-case names are constants.
    refutable: bool,
    /// The code that may use the names; names it does not mention are not bound.
    pub(super) users: Option<&'t TokenStream>,
}

impl Lowerer<'_> {
    /// Binds the names of an irrefutable pattern.
    pub(super) fn bind_pattern(&mut self, pat: &syn::Pat, value: Value) {
        self.pattern(
            pat,
            value,
            Reading {
                refutable: false,
                users: None,
            },
        );
    }

    /// Binds those names of a matched pattern that `users` mentions.
    pub(super) fn bind_arm(&mut self, pat: &syn::Pat, value: Value, users: &TokenStream) {
        self.pattern(
            pat,
            value,
            Reading {
                refutable: true,
                users: Some(users),
            },
        );
    }

    pub(super) fn pattern(&mut self, pat: &syn::Pat, value: Value, reading: Reading<'_>) {
        let span = span_of(pat);
        let value = self.referent(value);
        if matches!(value, Value::Error) {
            self.poison(pat);
            return;
        }
        match pat {
            syn::Pat::Ident(p) => self.identifier_pattern(p, value, reading),
            syn::Pat::Wild(_) if reading.refutable => {}
            syn::Pat::Wild(_) => self.discard(value, span),
            syn::Pat::Paren(p) => self.pattern(&p.pat, value, reading),
            syn::Pat::Type(p) => {
                let ty = self.annotation(&p.ty);
                let value = self.annotated(value, &ty);
                self.pattern(&p.pat, value, reading);
            }
            syn::Pat::Tuple(p) => {
                self.tuple_pattern(p.elems.iter().collect(), value, span, reading)
            }
            syn::Pat::Slice(p) => {
                self.slice_pattern(p.elems.iter().collect(), value, span, reading)
            }
            syn::Pat::Reference(p) => self.reference_pattern(p, value, reading),
            syn::Pat::TupleStruct(p) => self.tuple_struct_pattern(p, value, reading),
            syn::Pat::Struct(p) => self.struct_pattern(p, value, reading),
            syn::Pat::Or(p) => self.or_pattern(p, value, reading),
            syn::Pat::Lit(_)
            | syn::Pat::Range(_)
            | syn::Pat::Path(_)
            | syn::Pat::Const(_)
            | syn::Pat::Rest(_) => {}
            other => self.diags.over(other, catalog::unsupported_pattern()),
        }
    }

    /// After an error: the names exist, and using them reports nothing more.
    pub(super) fn poison(&mut self, pat: &syn::Pat) {
        for ident in super::opaque::pattern_names(pat) {
            self.bind(&ident, Binding::Poisoned);
        }
    }

    fn identifier_pattern(&mut self, p: &syn::PatIdent, value: Value, reading: Reading<'_>) {
        let plain = p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none();
        if reading.refutable && plain && self.means_a_constant(&p.ident) {
            return;
        }
        let value = match &p.subpat {
            Some((_, sub)) => {
                let value = self.destructurable(value);
                self.pattern(sub, value.clone(), reading);
                value
            }
            None => value,
        };
        if reading
            .users
            .is_some_and(|users| !mentions(users, &p.ident.unraw().to_string()))
        {
            return;
        }
        if p.by_ref.is_some() {
            let mutable = p.mutability.is_some();
            let view = match value {
                Value::Place(place, ty) => View::new(place, ty, mutable),
                Value::Ref(view) => View {
                    depth: view.depth + 1,
                    ..view
                },
                other => {
                    let e = self.stored_raw(other, p.ident.span());
                    let ty = e.ty.clone();
                    let var = self.temp_let("value", e);
                    self.unstable.insert(var);
                    View::new(Place::var(var, p.ident.span()), ty, mutable)
                }
            };
            let view = self.freeze_view(view);
            self.bind(&p.ident, Binding::View { view, var: None });
            return;
        }
        self.bind_name(&p.ident, p.mutability.is_some(), value);
    }

    /// `let name = value`
    pub(super) fn bind_name(&mut self, ident: &Ident, mutable: bool, value: Value) {
        let span = ident.span();
        if self.shown.is_own_variable(ident) && matches!(value, Value::Expr(_) | Value::Place(..)) {
            let ty = self.type_of(&value);
            self.types.set_struct(&ty);
        }
        match value {
            Value::Error => self.bind(ident, Binding::Poisoned),
            Value::Ref(view) if mutable => {
                let var = self.declare(ident, Ty::Unknown, VarKind::Local, true);
                self.reference_variable(Some(var), &view.ty, view.mutable, span);
                self.emit_let(var, None, span);
                self.point(var, &view, true);
                let binding = Binding::View {
                    view: self.view_of_reference(var, &view),
                    var: Some(var),
                };
                self.bind(ident, binding);
            }
            Value::Ref(view) => {
                let view = self.freeze_view(view);
                self.bind(ident, Binding::View { view, var: None });
            }
            Value::Tuple(values, _) if values.iter().any(holds_reference) => {
                let values = values.into_iter().map(|v| self.frozen(v, span)).collect();
                self.bind(ident, Binding::Tuple(values));
            }
            Value::Expr(Expr {
                kind: ExprKind::Read(place),
                ..
            }) if !mutable && self.is_own_temporary(&place) => {
                self.bind(ident, Binding::Var(place.root));
            }
            Value::Opaque(opaque, ty, at) if super::fallible::moves(&opaque) => {
                let var = self.declare(ident, ty.clone(), VarKind::Local, mutable);
                let init = Expr::new(ExprKind::Opaque(opaque), ty, at);
                self.emit_let(var, Some(init), span);
                self.bind(ident, Binding::Var(var));
            }
            other => {
                let init = if mutable {
                    self.stored(other, span)
                } else {
                    self.stored_raw(other, span)
                };
                let var = self.declare(ident, init.ty.clone(), VarKind::Local, mutable);
                self.emit_let(var, Some(init), span);
                self.bind(ident, Binding::Var(var));
            }
        }
    }

    /// A loop counter of the compiler's: the user's immutable name can stand for it.
    fn is_own_temporary(&self, place: &Place) -> bool {
        place.is_var() && self.func.var(place.root).kind == VarKind::Counter
    }

    fn frozen(&mut self, value: Value, span: Span) -> Value {
        match value {
            Value::Ref(view) => Value::Ref(self.freeze_view(view)),
            Value::Tuple(values, span) => Value::Tuple(
                values.into_iter().map(|v| self.frozen(v, span)).collect(),
                span,
            ),
            other => {
                let e = self.stored_raw(other, span);
                Value::Expr(self.in_temp("part", e))
            }
        }
    }

    /// The value in a form whose parts can be named.
    pub(super) fn destructurable(&mut self, value: Value) -> Value {
        match value {
            Value::Expr(Expr {
                kind: ExprKind::Tuple(parts),
                span,
                ..
            }) => Value::Tuple(parts.into_iter().map(Value::Expr).collect(), span),
            Value::Expr(Expr {
                kind: ExprKind::Read(place),
                ty,
                ..
            }) if place.is_var() && !self.unstable.contains(&place.root) => Value::Place(place, ty),
            Value::Expr(e) => {
                let (ty, span) = (e.ty.clone(), e.span);
                let var = self.temp_let("whole", e);
                Value::Place(Place::var(var, span), ty)
            }
            Value::Opaque(opaque, ty, span) => {
                let var = self.temp_let(
                    "whole",
                    Expr::new(ExprKind::Opaque(opaque), ty.clone(), span),
                );
                Value::Place(Place::var(var, span), ty)
            }
            other => other,
        }
    }

    fn reference_pattern(&mut self, p: &syn::PatReference, value: Value, reading: Reading<'_>) {
        let inner = match value {
            Value::Ref(view) if view.depth > 0 => Value::Ref(View {
                depth: view.depth - 1,
                ..view
            }),
            Value::Ref(view) => Value::Place(view.place, view.ty),
            Value::Place(_, ref ty) | Value::Expr(Expr { ref ty, .. }) if self.is_number(ty) => {
                value
            }
            Value::Place(..) | Value::Expr(_) | Value::Opaque(..) => {
                match self.opaque_deref(value, p.and_token.span) {
                    Some(target) => target,
                    None => return self.unknown_pattern(p),
                }
            }
            Value::Tuple(..) | Value::Unit | Value::Never | Value::Error => {
                return self.unknown_pattern(p);
            }
        };
        self.pattern(&p.pat, inner, reading);
    }

    fn unknown_pattern(&mut self, p: &syn::PatReference) {
        self.diags.over(p, catalog::pattern_of_unknown());
        self.poison(&p.pat);
    }

    fn tuple_struct_pattern(
        &mut self,
        p: &syn::PatTupleStruct,
        value: Value,
        reading: Reading<'_>,
    ) {
        let some = p.path.segments.last().is_some_and(|s| s.ident == "Some") && p.elems.len() == 1;
        let span = span_of(p);
        if some {
            let value = self.destructurable(value);
            let ty = self.type_of(&value);
            if let open @ Ty::Infer(_) = self.types.shallow(&ty) {
                let payload = self.types.fresh(super::infer::Kind::General);
                self.types.unify(&open, &Ty::Option(Box::new(payload)));
            }
            let part = self.projected(&value, Proj::Payload, span);
            self.pattern(&p.elems[0], part, reading);
            return;
        }
        let value = self.destructurable(value);
        let rest = p.elems.iter().position(|p| matches!(p, syn::Pat::Rest(_)));
        for (n, pat) in p.elems.iter().enumerate() {
            match rest {
                Some(at) if n == at => {}
                // Only rustc knows how many fields there are.
                Some(at) if n > at => {
                    self.diags.over(pat, catalog::pattern_of_unknown());
                    self.poison(pat);
                }
                _ => {
                    let n = u32::try_from(n).unwrap_or(u32::MAX);
                    let proj = self.field_of(&p.path, Field::at(n, span));
                    let part = self.projected(&value, proj, span);
                    self.pattern(pat, part, reading);
                }
            }
        }
    }

    fn struct_pattern(&mut self, p: &syn::PatStruct, value: Value, reading: Reading<'_>) {
        let value = self.destructurable(value);
        for field in &p.fields {
            let proj = self.field_of(&p.path, (&field.member).into());
            let part = self.projected(&value, proj, span_of(field));
            self.pattern(&field.pat, part, reading);
        }
    }

    /// An identifier in a pattern that is a constant or unit variant: by Rust's naming convention, unless a local
    /// variable has the name (what shadows a constant of the name would not compile as a variable).
    pub(super) fn means_a_constant(&self, ident: &Ident) -> bool {
        names_a_constant(ident) && self.lookup(ident).is_none()
    }

    /// The value under an annotated type.
    pub(super) fn annotated(&mut self, value: Value, ty: &Ty) -> Value {
        match (value, ty) {
            (Value::Ref(mut view), Ty::Ref(mutable, inner)) => {
                self.types.unify(inner, &view.ty);
                view.mutable &= *mutable;
                if let (Ty::Slice(_), Some(element)) =
                    (self.types.shallow(inner), self.types.element(&view.ty))
                {
                    view.ty = Ty::Slice(Box::new(element));
                }
                Value::Ref(view)
            }
            (Value::Expr(mut e), ty) => {
                self.types.unify(ty, &e.ty);
                if self.types.shallow(&e.ty) == Ty::Unknown
                    && !matches!(e.kind, ExprKind::Opaque(_))
                {
                    e.ty = ty.clone();
                }
                Value::Expr(e)
            }
            (Value::Tuple(values, span), Ty::Tuple(tys)) if values.len() == tys.len() => {
                Value::Tuple(
                    values
                        .into_iter()
                        .zip(tys)
                        .map(|(v, ty)| self.annotated(v, ty))
                        .collect(),
                    span,
                )
            }
            (Value::Place(place, own), ty) => {
                self.types.unify(ty, &own);
                let known = if self.types.shallow(&own) == Ty::Unknown {
                    ty.clone()
                } else {
                    own
                };
                Value::Place(place, known)
            }
            (value, ty) => {
                let own = self.type_of(&value);
                self.types.unify(ty, &own);
                value
            }
        }
    }
}

/// An identifier pattern that is a constant or unit variant by Rust's naming convention.
pub(super) fn names_a_constant(ident: &Ident) -> bool {
    ident
        .unraw()
        .to_string()
        .starts_with(|c: char| c.is_uppercase())
}
