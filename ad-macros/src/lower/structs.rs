//! Values of struct types: literals, and the constructors of tuple structs.
//!
//! What the fields are is seen where a value is made, and nowhere else: the type of a literal is a type variable whose
//! parts have types.

use proc_macro2::Span;

use super::Lowerer;
use super::infer::Kind;
use super::typed_fields::boxed_slices;
use super::value::{Value, Want, span_of};
use super::variants::is_of_std;
use crate::ir::{Constructor, Expr, ExprKind, Field, Makes, OpaqueKind, Proj, Ty};

impl Lowerer<'_> {
    /// `P { a, b: e, ..base }`
    pub(super) fn struct_literal(&mut self, literal: &syn::ExprStruct) -> Value {
        let whole = syn::Expr::Struct(literal.clone());
        if self.lenient > 0 {
            return self.keep(&whole, OpaqueKind::Other("a struct literal"));
        }
        if is_of_std(&literal.path) {
            return self.keep(&whole, OpaqueKind::Other("a value of an enum of std"));
        }
        for field in &literal.fields {
            self.plain_attributes(&field.attrs);
        }
        let fields = literal.fields.iter().map(|f| (&f.member).into());
        let values = literal.fields.iter().map(|f| &f.expr);
        let base = literal.rest.as_deref();
        self.constructed(
            &literal.path,
            fields.collect(),
            values,
            base,
            span_of(literal),
        )
    }

    /// `V(a, b)`, `E::V(a, b)`
    pub(super) fn tuple_struct(&mut self, path: &syn::ExprPath, call: &syn::ExprCall) -> Value {
        let fields = (0..)
            .zip(&call.args)
            .map(|(k, arg)| Field::at(k, span_of(arg)));
        self.constructed(
            &path.path,
            fields.collect(),
            &call.args,
            None,
            span_of(call),
        )
    }

    /// `Box::new(e)`
    pub(super) fn boxed(&mut self, path: &syn::ExprPath, held: &syn::Expr, span: Span) -> Value {
        self.note_function_of_type(&path.path, &quote::quote!(::std::boxed::Box));
        let value = self.value(held, Want::Value);
        let value = self.stored(value, span_of(held));
        let ty = self.types.fresh(Kind::Struct);
        let part = self.part_type(&ty, &Proj::Unbox);
        self.types.unify(&part, &value.ty);
        let constructor = Constructor {
            path: path.path.clone(),
            fields: vec![Field::at(0, span)],
            makes: Makes::Box,
        };
        let kind = ExprKind::Struct(Box::new(constructor), vec![value]);
        Value::Expr(Expr::new(kind, ty, span))
    }

    fn is_vector(&self, value: &Expr) -> bool {
        matches!(self.types.shallow(&value.ty), Ty::Vec(_))
    }

    /// A vector where a field is a slice in a box.
    fn boxed_slice(&mut self, value: Expr, span: Span) -> Expr {
        let constructor = Constructor {
            path: syn::parse_quote!(Box),
            fields: vec![Field::at(0, span)],
            makes: Makes::BoxedSlice,
        };
        let ty = self.types.fresh(Kind::Struct);
        let kind = ExprKind::Struct(Box::new(constructor), vec![value]);
        Expr::new(kind, ty, span)
    }

    fn constructed<'e>(
        &mut self,
        path: &syn::Path,
        fields: Vec<Field>,
        values: impl IntoIterator<Item = &'e syn::Expr>,
        base: Option<&'e syn::Expr>,
        span: Span,
    ) -> Value {
        self.note_nonlocal(path);
        let makes = if self.is_variant(path) {
            Makes::Variant
        } else {
            Makes::Struct
        };
        let values = self.sequence(values.into_iter().chain(base), |l, e| {
            let value = l.value(e, Want::Value);
            let value = l.stored(value, span_of(e));
            // The adjoint of a base has the shape of its value.
            let in_place = matches!(value.kind, ExprKind::Read(_) | ExprKind::Opaque(_));
            let is_base = base.is_some_and(|base| std::ptr::eq(base, e));
            Value::Expr(if is_base && !in_place {
                l.in_temp("base", value)
            } else {
                value
            })
        });
        let mut values = values
            .into_iter()
            .map(|v| self.stored_raw(v, span))
            .collect::<Vec<_>>();
        if values.iter().any(|value| self.is_vector(value)) {
            let boxed = boxed_slices(path, &fields, span);
            for (value, _) in values.iter_mut().zip(boxed).filter(|(_, boxed)| *boxed) {
                if self.is_vector(value) {
                    *value = self.boxed_slice(value.clone(), span);
                }
            }
        }
        let ty = self.types.fresh(Kind::Struct);
        for (field, value) in fields.iter().zip(&values) {
            let proj = self.field_of(path, *field);
            let part = self.part_type(&ty, &proj);
            self.types.unify(&part, &value.ty);
        }
        if let Some(base) = values.get(fields.len()) {
            self.types.unify(&ty, &base.ty);
        }
        let constructor = Constructor {
            path: path.clone(),
            fields,
            makes,
        };
        Value::Expr(Expr::new(
            ExprKind::Struct(Box::new(constructor), values),
            ty,
            span,
        ))
    }
}
