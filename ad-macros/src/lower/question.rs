//! `e?`: a value, or the way out of the function.

use proc_macro2::Span;

use super::Lowerer;
use super::bodies::Yields;
use super::fallible::{Halves, RESULT};
use super::opaque::Builder;
use super::outcome::constructed;
use super::value::{Value, View, span_of};
use crate::diag::catalog;
use crate::ir::{Block, OpaqueArg, OpaqueKind, Place, Proj, StmtKind, Ty, VarId};

impl Lowerer<'_> {
    /// `e?`
    pub(super) fn question(&mut self, t: &syn::ExprTry) -> Value {
        let span = span_of(t);
        let of_option = match self.inlined_body() {
            Some(body) if body.yields == Yields::Value => {
                return self.refuse(&t.question_token, catalog::closure_question());
            }
            Some(_) => true,
            None if self.closures > 0 => {
                return self.refuse(&t.question_token, catalog::closure_return());
            }
            None => matches!(self.func.ret_ty, Ty::Option(_)),
        };
        if self.lenient > 0 {
            return self.refuse(&t.question_token, catalog::jump_in_code("?"));
        }
        if !of_option {
            return self.refuse(&t.question_token, catalog::question_mark());
        }
        self.outside_conditions(|l| {
            let failure = l.failure();
            if failure.is_none() {
                return l.question_of_option(t, span);
            }
            if let Some(error) = constructed(&t.expr, "Err") {
                l.fail(error, true, failure, span);
                return l.leave_without(span);
            }
            match l.halves(&t.expr) {
                Ok(halves) => l.value_or_leave(halves, span),
                Err(value) => value,
            }
        })
    }

    fn question_of_option(&mut self, t: &syn::ExprTry, span: Span) -> Value {
        let (place, payload, behind) = match self.option_place(&t.expr) {
            Ok(option) => option,
            Err(value) => return value,
        };
        self.leave_unless_some(place.clone(), None, span);
        let part = place.then(Proj::Payload);
        match behind {
            Some(mutable) => Value::Ref(View::new(part, payload, mutable)),
            None => Value::Place(part, payload),
        }
    }

    fn value_or_leave(&mut self, halves: Halves, span: Span) -> Value {
        let failure = self.failure().map(|_| halves.error);
        self.leave_unless_some(halves.value.clone(), failure, span);
        if let Some(mutable) = halves.behind {
            let part = halves.value.then(Proj::Payload);
            return Value::Ref(View::new(part, halves.payload, mutable));
        }
        if !halves.moves {
            return Value::Place(halves.value.then(Proj::Payload), halves.payload);
        }
        let mut builder = Builder::default();
        let value = builder.arg(self, OpaqueArg::RefMut(halves.value), span);
        let code = syn::parse_quote!(::core::option::Option::take(#value).unwrap());
        let opaque = builder.build(self, code, OpaqueKind::Macro(RESULT.to_owned()));
        Value::Opaque(Box::new(opaque), halves.payload, span)
    }

    /// Returns where there is no value; with the error, converted.
    fn leave_unless_some(&mut self, place: Place, error: Option<VarId>, span: Span) {
        let some = self.is_some(place, span);
        self.open();
        if let Some(error) = error {
            let to = self.failure();
            self.set_failure(error, true, to, span);
        }
        self.leave_without(span);
        let (leave, _) = self.close();
        let arms = vec![Block::default(), leave];
        self.emit(
            StmtKind::Switch {
                selector: some,
                arms,
            },
            span,
        );
    }

    fn leave_without(&mut self, span: Span) -> Value {
        let none = self.none(span);
        self.leave_with(none, span)
    }
}
