//! Calls whose `Result`, or `Option`, is taken apart.

use super::Lowerer;
use super::callee::{callee, is_constructor, is_foreign, segment_names};
use super::fallible::Halves;
use super::infer::{Class, Kind};
use super::operator::strip;
use super::primitive::primitive_receiver;
use super::scope::plain_ident;
use super::value::{Value, Want, span_of};
use crate::ir::{Callee, Ty};

impl Lowerer<'_> {
    /// The halves of what a function yields whose derivative matters; else the value of the expression.
    pub(super) fn fallible_call(&mut self, e: &syn::Expr) -> Result<Halves, Value> {
        let span = span_of(e);
        let moves = matches!(e, syn::Expr::Call(call) if !self.mentions_active(&call.args));
        let value = match e {
            syn::Expr::Call(call) if self.calls_sweeps(call) => self.companion_call_apart(call),
            syn::Expr::Call(call)
                if self.lenient == 0
                    && let Some(function) = self.function_named(&call.func) =>
            {
                self.call_function_apart(&function, call)
            }
            syn::Expr::MethodCall(call) if self.lenient == 0 => self.method_call_apart(call),
            _ => self.value(e, Want::Value),
        };
        let Some(error) = self.error_of_call.take() else {
            return Err(value);
        };
        let Value::Expr(value) = value else {
            return Err(Value::Error);
        };
        let payload = match self.types.shallow(&value.ty) {
            Ty::Option(payload) => *payload,
            _ => self.types.fresh(Kind::General),
        };
        match self.place_of(Value::Expr(value), span) {
            Some((value, _)) => Ok(Halves {
                value,
                payload,
                error,
                behind: None,
                moves,
            }),
            None => Err(Value::Error),
        }
    }

    fn method_call_apart(&mut self, call: &syn::ExprMethodCall) -> Value {
        if let Some(value) = self.reduction(call, Want::Value) {
            return value;
        }
        if let Some(value) = self.asked_of_call(call) {
            return value;
        }
        let receiver = self.pointee(&call.receiver);
        if matches!(receiver, Value::Error | Value::Never) {
            return self.method_on(receiver, call, Want::Value);
        }
        let name = call.method.to_string();
        let ty = self.type_of(&receiver);
        let open = matches!(self.types.class(&ty), Class::Open | Class::Hidden)
            && !matches!(receiver, Value::Opaque(..));
        let receiver = if open || self.is_member_of_self(&receiver, call) {
            self.apart = true;
            let called = self.own_method(receiver, call, &name, Want::Value);
            self.apart = false;
            match called {
                Ok(value) => return value,
                Err(receiver) => receiver,
            }
        } else {
            receiver
        };
        self.method_on(receiver, call, Want::Value)
    }

    /// Whether the path calls a function that may have sweeps.
    pub(super) fn calls_sweeps(&mut self, call: &syn::ExprCall) -> bool {
        let syn::Expr::Path(path) = strip(&call.func) else {
            return false;
        };
        let names = segment_names(&path.path);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let local = plain_ident(path).is_some_and(|ident| self.lookup(ident).is_some());
        let of_std = matches!(
            names.as_slice(),
            [.., "no_gradient"] | ["mem", _] | ["drop"]
        );
        self.lenient == 0
            && !local
            && self.called_closure(call).is_none()
            && !of_std
            && primitive_receiver(path, &names).is_none()
            && !is_constructor(path)
            && !is_foreign(path, &names)
    }

    /// A call of such a function, whose `Result` or `Option` is taken apart.
    pub(super) fn companion_call_apart(&mut self, call: &syn::ExprCall) -> Value {
        let syn::Expr::Path(path) = strip(&call.func) else {
            return Value::Error;
        };
        self.note_nonlocal(&path.path);
        let span = span_of(call);
        self.outside_conditions(|l| {
            let (values, functions) = l.arguments(call.args.iter());
            let callee = Callee {
                fallible: true,
                functions,
                ..callee(path)
            };
            l.emit_call(callee, values, Want::Value, span)
        })
    }
}
