//! `Option` values.

use proc_macro2::Span;

use super::Lowerer;
use super::opaque::Builder;
use super::value::{Value, View, Want, span_of};
use crate::diag::catalog;
use crate::ir::{Expr, ExprKind, OpaqueArg, OpaqueKind, Place, Proj, StmtKind, Ty};

impl Lowerer<'_> {
    pub(super) fn option_method(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
        name: &str,
        payload: &Ty,
    ) -> Value {
        let span = span_of(call);
        let behind_reference = match &receiver {
            Value::Ref(view) => Some(view.mutable),
            _ => None,
        };
        if matches!(name, "clone" | "copied" | "cloned") && call.args.is_empty() {
            if name == "copied" {
                return Value::Expr(self.operand_raw(receiver, span));
            }
            if name == "clone" {
                return self.cloned(receiver, span);
            }
            let Some((place, ty)) = self.place_of(receiver, span) else {
                return Value::Error;
            };
            if self.has_unknown_clone(&ty) {
                self.check_clone_of(&place, span);
            }
            return Value::Expr(self.read(place, ty));
        }
        if let Some(value) = self.option_closure(&receiver, call, name, payload) {
            return value;
        }
        let Some((place, _)) = self.place_of(receiver, span) else {
            return Value::Error;
        };
        if self.lenient == 0
            && !self.types.is_passive(payload)
            && let Some(value) = self.changed_option(&place, call, name, payload)
        {
            return value;
        }
        match (name, call.args.len()) {
            ("as_ref" | "as_mut", 0) => Value::Ref(View::new(
                place,
                Ty::Option(Box::new(payload.clone())),
                name == "as_mut",
            )),
            ("is_some", 0) => Value::Expr(self.is_some(place, span)),
            ("is_none", 0) => {
                let some = self.is_some(place, span);
                Value::Expr(self.not(some))
            }
            ("unwrap" | "expect", _) => {
                let place = self.freeze_place(place);
                let some = self.is_some(place.clone(), span);
                let none = self.not(some);
                self.panic_if(none, call, span);
                let part = place.then(Proj::Payload);
                match behind_reference {
                    Some(mutable) => Value::Ref(View::new(part, payload.clone(), mutable)),
                    None => Value::Place(part, payload.clone()),
                }
            }
            ("unwrap_or", 1) => self.unwrap_or(place, &call.args[0], payload, span),
            ("unwrap_or_default", 0) if self.lenient == 0 => {
                let default = syn::parse_quote!(::core::default::Default::default());
                self.unwrap_or(place, &default, payload, span)
            }
            _ if self.types.is_passive(payload) || self.lenient > 0 => {
                let ty = self.types.fresh(super::infer::Kind::General);
                let value = Value::Place(place, Ty::Option(Box::new(payload.clone())));
                self.method_as_written(value, call, ty, OpaqueKind::Method(call.method.clone()))
            }
            _ => self.refuse(&call.method, catalog::option_method(name)),
        }
    }

    pub(super) fn is_some(&mut self, place: Place, span: Span) -> Expr {
        let mut builder = Builder::default();
        let option = builder.arg(self, OpaqueArg::Place(place), span);
        builder.finish(
            self,
            syn::parse_quote!(#option.is_some()),
            OpaqueKind::Other("a test of an option"),
            Ty::Bool,
            span,
        )
    }

    fn unwrap_or(&mut self, place: Place, default: &syn::Expr, payload: &Ty, span: Span) -> Value {
        let mark = self.mark();
        let default = self.value(default, Want::Value);
        let default = self.stored(default, span);
        // The method has the option as it was before its argument.
        let option = Ty::Option(Box::new(payload.clone()));
        let mut held = [Value::Place(place, option)];
        self.protect(&mut held, mark);
        let [held] = held;
        let Some((place, _)) = self.place_of(held, span) else {
            return Value::Error;
        };
        self.types.unify(payload, &default.ty);
        let result = self.temp("value", payload.clone(), span);
        let some = self.is_some(place.clone(), span);
        let part = Expr::new(
            ExprKind::Read(place.then(Proj::Payload)),
            payload.clone(),
            span,
        );
        let arm = |value: Expr| {
            let kind = StmtKind::Assign {
                place: Place::var(result, span),
                value,
                init: true,
            };
            crate::ir::Block {
                stmts: vec![crate::ir::Stmt::new(kind, span)],
            }
        };
        let default = self.freeze("default", default);
        self.emit_let(result, None, span);
        self.emit(
            StmtKind::Switch {
                selector: some,
                arms: vec![arm(part), arm(default)],
            },
            span,
        );
        Value::Expr(Expr::read_var(result, payload.clone(), span))
    }
}
