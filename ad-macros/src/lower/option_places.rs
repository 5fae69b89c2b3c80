//! Methods of an `Option` that change it: `take`, `replace`, `insert`, `get_or_insert`, `get_or_insert_with`.

use proc_macro2::Span;

use super::Lowerer;
use super::operator::strip;
use super::value::{Value, View, Want, span_of};
use crate::ir::{Expr, ExprKind, Place, Proj, StmtKind, Ty};

impl Lowerer<'_> {
    /// The method, if it is one of these. Its arguments are evaluated before it changes anything.
    pub(super) fn changed_option(
        &mut self,
        place: &Place,
        call: &syn::ExprMethodCall,
        name: &str,
        payload: &Ty,
    ) -> Option<Value> {
        let span = span_of(call);
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        let option = Ty::Option(Box::new(payload.clone()));
        let place = self.freeze_place(place.clone());
        let view = View::new(place.clone(), option.clone(), true);
        Some(match (name, args.as_slice()) {
            ("take", []) => {
                let none = Expr::new(ExprKind::None, option, span);
                Value::Expr(self.take_out(view, none, span))
            }
            ("replace", [value]) => {
                let some = self.some_of(value, payload, span);
                Value::Expr(self.take_out(view, some, span))
            }
            ("insert", [value]) => {
                let value = self.some_of(value, payload, span);
                self.set_option(&place, value, span);
                self.payload_of(place, payload)
            }
            ("get_or_insert", [value]) => {
                let value = self.some_of(value, payload, span);
                let value = self.in_temp("new", value);
                self.open();
                self.set_option(&place, value, span);
                self.unless_some(&place, span);
                self.payload_of(place, payload)
            }
            ("get_or_insert_with", [f]) if !matches!(strip(f), syn::Expr::Path(_)) => {
                self.open();
                let value = self.apply(f, Vec::new(), span);
                let value = self.stored(value, span);
                self.types.unify(payload, &value.ty);
                let some = Expr::new(ExprKind::Some(Box::new(value)), option, span);
                self.set_option(&place, some, span);
                self.unless_some(&place, span);
                self.payload_of(place, payload)
            }
            _ => return None,
        })
    }

    /// `Some(value)`
    fn some_of(&mut self, value: &syn::Expr, payload: &Ty, span: Span) -> Expr {
        let value = self.value(value, Want::Value);
        let value = self.stored(value, span);
        self.types.unify(payload, &value.ty);
        let option = Ty::Option(Box::new(payload.clone()));
        Expr::new(ExprKind::Some(Box::new(value)), option, span)
    }

    fn set_option(&mut self, place: &Place, value: Expr, span: Span) {
        let place = self.writable(place.clone());
        let init = false;
        self.emit(StmtKind::Assign { place, value, init }, span);
    }

    /// The block that is open runs if there is no value.
    fn unless_some(&mut self, place: &Place, span: Span) {
        let (body, _) = self.close();
        let some = self.is_some(place.clone(), span);
        let none = self.not(some);
        self.emit_if(none, body, span);
    }

    fn payload_of(&mut self, place: Place, payload: &Ty) -> Value {
        Value::Ref(View::new(place.then(Proj::Payload), payload.clone(), true))
    }
}
