//! Parts of places and values, and their types.

use proc_macro2::Span;

use super::Lowerer;
use super::infer::Kind;
use super::value::{Value, View};
use crate::ir::{BinOp, Expr, ExprKind, Field, Place, Proj, Ty};

impl Lowerer<'_> {
    /// The type of a part of a value of type `ty`.
    pub(super) fn part_type(&mut self, ty: &Ty, proj: &Proj) -> Ty {
        let ty = self.types.shallow(ty);
        let known = match (proj, &ty) {
            (Proj::Deref, Ty::Ref(_, t)) => Some((**t).clone()),
            (Proj::Index(_), Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) | Ty::Queue(t)) => {
                Some((**t).clone())
            }
            (Proj::Range { .. }, Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t)) => {
                Some(Ty::Slice(t.clone()))
            }
            (Proj::Field(field), Ty::Tuple(ts)) => {
                field.position().and_then(|n| ts.get(n)).cloned()
            }
            (Proj::Field(field), Ty::Struct(of)) => of.field(field).map(|known| known.ty.clone()),
            (Proj::Payload, Ty::Option(t)) => Some((**t).clone()),
            _ => None,
        };
        if let Some(ty) = known {
            return ty;
        }
        let Ty::Infer(n) = ty else {
            return self.types.fresh(Kind::General);
        };
        let tag = match proj {
            Proj::Deref | Proj::Unbox => "*".to_owned(),
            Proj::Index(_) => "[]".to_owned(),
            Proj::Range { .. } => "[..]".to_owned(),
            Proj::Field(field) => format!(".{field}"),
            Proj::Payload => "?".to_owned(),
            Proj::Variant(part) => format!("?{}.{}", part.name(), part.field),
        };
        if let Some(ty) = self.types.part(n, &tag) {
            return ty;
        }
        let part = self.types.fresh(Kind::General);
        if self.types.is_result(&ty) {
            self.types.set_result(&part);
        }
        self.types.set_part(n, tag, part.clone());
        part
    }

    pub(super) fn project(
        &mut self,
        place: &Place,
        ty: &Ty,
        proj: Proj,
        span: Span,
    ) -> (Place, Ty) {
        let part = self.part_type(ty, &proj);
        let mut place = place.then(proj);
        place.span = span;
        (place, part)
    }

    /// Part `n` of a tuple.
    pub(super) fn part(&mut self, value: &Value, n: usize, span: Span) -> Value {
        let field = Field::at(u32::try_from(n).unwrap_or(u32::MAX), span);
        match value {
            Value::Tuple(values, _) => values.get(n).cloned().unwrap_or(Value::Error),
            other => self.projected(other, Proj::Field(field), span),
        }
    }

    pub(super) fn element_at(&mut self, value: &Value, n: usize, span: Span) -> Value {
        let index = Expr::usize_literal(n, span);
        self.projected(value, Proj::index(index), span)
    }

    /// A part of a place is a place, a part of what a reference points to is a reference (default binding modes).
    pub(super) fn projected(&mut self, value: &Value, proj: Proj, span: Span) -> Value {
        match value {
            Value::Place(place, ty) => {
                let (place, ty) = self.project(place, ty, proj, span);
                Value::Place(place, ty)
            }
            Value::Expr(Expr {
                kind: ExprKind::Read(place),
                ty,
                ..
            }) => {
                let (place, ty) = self.project(place, ty, proj, span);
                Value::Place(place, ty)
            }
            Value::Ref(view) => {
                let (place, ty) = self.project(&view.place, &view.ty, proj, span);
                Value::Ref(View {
                    place,
                    ty,
                    mutable: view.mutable,
                    depth: 0,
                })
            }
            _ => Value::Error,
        }
    }

    /// `place.len()` as a `usize`.
    pub(super) fn len_of(&mut self, place: Place) -> Expr {
        let span = place.span;
        self.settle(Expr::new(ExprKind::Len(place), Ty::USIZE, span))
    }

    /// `place.len() == 0`
    pub(super) fn is_empty(&mut self, place: Place) -> Expr {
        let span = place.span;
        let len = self.len_of(place);
        let zero = Expr::usize_literal(0, span);
        self.binop(BinOp::Eq, len, zero)
    }
}
