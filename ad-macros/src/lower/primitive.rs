//! Functions of primitive types by path: `f64::sin(x)`, `usize::max(a, b)`, `f64::from(n)`.

use proc_macro2::Span;

use super::Lowerer;
use super::callee::path_text_of;
use super::infer::{Class, Kind};
use super::method_names::is_known_of_language;
use super::opaque::Builder;
use super::operator::strip;
use super::types::primitive;
use super::value::{Value, Want, span_of};
use crate::diag::catalog;
use crate::ir::{CONVERSION, CastTarget, Expr, ExprKind, MathFn, OpaqueKind, Ty};

impl Lowerer<'_> {
    pub(super) fn primitive_call(
        &mut self,
        ty: &Ty,
        name: &str,
        call: &syn::ExprCall,
        want: Want,
        span: Span,
    ) -> Value {
        let float = ty.is_float();
        match (name, MathFn::from_name(name)) {
            ("sin_cos", _) if float && call.args.len() == 1 => {
                let operand = self.expr(&call.args[0]);
                self.types.unify(ty, &operand.ty);
                self.sin_cos(operand, span)
            }
            (_, Some(f)) if float && f.arity() == call.args.len() => {
                let args = self.operands(call.args.iter());
                if let Some(first) = args.first() {
                    self.types.unify(ty, &first.ty);
                }
                let mut e = self.math(f, args, span);
                e.ty = ty.clone();
                Value::Expr(e)
            }
            ("from", _) if float && call.args.len() == 1 => {
                self.float_from(ty, &call.args[0], span)
            }
            ("to_bits" | "to_ne_bytes" | "to_le_bytes" | "to_be_bytes", _)
                if float && self.lenient == 0 =>
            {
                self.refuse(&call.func, catalog::active_method(name))
            }
            _ if float
                && self.lenient == 0
                && !is_known_of_language(name)
                && !name.starts_with("from_")
                && MathFn::from_name(name).is_none()
                && let syn::Expr::Path(path) = strip(&call.func) =>
            {
                self.outside_conditions(|l| l.companion_call(path, call, want, span))
            }
            _ => {
                let result = match name {
                    _ if float && name.starts_with("is_") => Ty::Bool,
                    "total_cmp" | "partial_cmp" | "cmp" => Ty::Passive,
                    _ if float => ty.clone(),
                    "from" => ty.clone(),
                    _ if name.starts_with("try_") || name.starts_with("from_str") => Ty::Passive,
                    _ => self.int_result(name, ty),
                };
                self.call_with_type(call, path_text_of(&call.func), result)
            }
        }
    }

    pub(super) fn sin_cos(&mut self, operand: Expr, span: Span) -> Value {
        let ty = self.float_of(&operand.ty);
        let operand = if matches!(&operand.kind, ExprKind::Read(p) if p.is_var()) {
            operand
        } else {
            self.in_temp("angle", operand)
        };
        let sin = Expr::new(
            ExprKind::Math(MathFn::Sin, vec![operand.clone()]),
            ty.clone(),
            span,
        );
        let cos = Expr::new(ExprKind::Math(MathFn::Cos, vec![operand]), ty, span);
        let parts = [sin, cos].map(|e| Value::Expr(self.hoist(e)));
        Value::Tuple(parts.into(), span)
    }

    /// The type as that of a number that a float function is applied to.
    pub(super) fn float_of(&mut self, ty: &Ty) -> Ty {
        if self.types.class(ty) == Class::Open {
            let float = self.types.fresh(Kind::Float);
            self.types.unify(ty, &float);
        }
        ty.clone()
    }

    /// A float function with its arguments, the receiver first.
    pub(super) fn math(&mut self, f: MathFn, args: Vec<Expr>, span: Span) -> Expr {
        let Some(first) = args.first() else {
            return self.dummy(span);
        };
        let ty = first.ty.clone();
        let kind = if f.is_shared_with_integers() {
            Kind::Number
        } else {
            Kind::Float
        };
        let number = self.types.fresh(kind);
        if !matches!(self.types.class(&ty), Class::Hidden) {
            self.types.unify(&ty, &number);
        }
        let floats = if f == MathFn::Powi { 1 } else { args.len() };
        for arg in &args[..floats] {
            self.types.unify(&ty, &arg.ty);
        }
        if let (MathFn::Powi, Some(n)) = (f, args.get(1)) {
            self.types.unify(&n.ty, &Ty::I32);
        }
        Expr::new(ExprKind::Math(f, args), ty, span)
    }

    /// `f64::from(e)`
    fn float_from(&mut self, ty: &Ty, arg: &syn::Expr, span: Span) -> Value {
        let e = self.expr(arg);
        let written: syn::Type = if *ty == Ty::F32 {
            syn::parse_quote!(f32)
        } else {
            syn::parse_quote!(f64)
        };
        match (self.types.shallow(&e.ty), self.types.class(&e.ty)) {
            (known, _) if known == *ty => Value::Expr(e),
            (Ty::F32, _) => Value::Expr(Expr::new(
                ExprKind::Cast(Box::new(e), CastTarget::Primitive(ty.clone())),
                ty.clone(),
                span,
            )),
            (_, Class::Int) => Value::Expr(Expr::new(
                ExprKind::Cast(Box::new(e), CastTarget::Primitive(ty.clone())),
                ty.clone(),
                span,
            )),
            // A field, say: rustc sees the type, and finds the sweeps.
            (known, Class::Open | Class::Hidden)
                if let ExprKind::Read(place) = &e.kind
                    && known != Ty::Passive
                    && self.lenient == 0
                    && self.passive == 0 =>
            {
                let path = syn::parse_quote!(<#written as ::core::convert::From<_>>::from);
                let operand = Value::Place(place.clone(), e.ty.clone());
                self.converted(
                    &path,
                    (vec![(operand, span_of(arg))], Vec::new()),
                    Want::Value,
                    span,
                )
            }
            (known, _) => {
                let kind = if known == Ty::Bool {
                    OpaqueKind::Other("a conversion")
                } else {
                    OpaqueKind::Other(CONVERSION)
                };
                let mut builder = Builder::default();
                let operand = builder.value(self, e);
                let code =
                    syn::parse_quote!(<#written as ::core::convert::From<_>>::from(#operand));
                Value::Expr(builder.finish(self, code, kind, ty.clone(), span))
            }
        }
    }
}

/// The type before the last segment, if it is a primitive one: `f64::sin`, `<f64>::sin`, `core::primitive::f64::sin`.
pub(super) fn primitive_receiver(path: &syn::ExprPath, names: &[&str]) -> Option<Ty> {
    match (&path.qself, names) {
        (Some(q), [_]) => super::signature::cast_type(&q.ty),
        (None, [ty, _]) | (None, ["std" | "core", "primitive", ty, _]) => {
            primitive(ty).filter(|ty| *ty != Ty::Str)
        }
        _ => None,
    }
}
