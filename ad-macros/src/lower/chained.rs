//! `b.add(v).scale(k)`: methods that return their receiver, one behind the other.
//!
//! Such a call is a statement, and what follows is called on the same place. That what is returned is the receiver, and
//! no other value of its type, the text of the file has to show for all methods of the name.

use super::Lowerer;
use super::operator::strip;
use super::value::{Value, View, Want, span_of};
use crate::returned_self;
use crate::surroundings::methods_named;

impl Lowerer<'_> {
    /// A call whose receiver is what such methods return.
    pub(super) fn chained(&mut self, call: &syn::ExprMethodCall, want: Want) -> Option<Value> {
        if self.lenient > 0 {
            return None;
        }
        let mut before = Vec::new();
        let mut first = strip(&call.receiver);
        while let syn::Expr::MethodCall(inner) = first
            && self.returns_receiver(inner)
        {
            before.push(inner);
            first = strip(&inner.receiver);
        }
        if before.is_empty() {
            return None;
        }
        let span = span_of(first);
        // A value that the chain begins with is a variable from here on.
        let made = if is_place(first) {
            None
        } else {
            let value = self.value(first, Want::Value);
            let Some((place, ty)) = self.place_of(value, span) else {
                return Some(Value::Error);
            };
            self.unstable.insert(place.root);
            Some((place, ty))
        };
        let receiver = |l: &mut Self| match &made {
            Some((place, ty)) => Value::Place(place.clone(), ty.clone()),
            None => l.pointee(first),
        };
        for inner in before.into_iter().rev() {
            let receiver = receiver(self);
            self.method_on(receiver, inner, Want::Discard);
        }
        let receiver = match receiver(self) {
            Value::Place(place, ty) => Value::Ref(View::new(place, ty, true)),
            other => other,
        };
        Some(self.method_on(receiver, call, want))
    }

    /// Whether all methods of this name, of which the file shows some, return their receiver.
    fn returns_receiver(&self, call: &syn::ExprMethodCall) -> bool {
        let found = methods_named(self.func.name.span(), &call.method);
        !found.is_empty()
            && found.iter().all(|method| {
                method.sig.inputs.len() == call.args.len() + 1
                    && returned_self::without(&method.sig, &method.block).is_some()
            })
    }
}

/// `b`, `self.b.c`
fn is_place(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Path(_) => true,
        syn::Expr::Field(field) => is_place(&field.base),
        _ => false,
    }
}
