//! Method calls, by the type of the receiver as far as it is known.

use proc_macro2::Span;

use super::Lowerer;
use super::container::{only_of_containers, only_of_sequences};
use super::infer::{Class, Kind};
use super::method_names::{compares, is_float_function, same_type_arguments};
use super::opaque::Builder;
use super::operator::strip;
use super::std_names::imports_number_traits;
use super::value::{Value, View, Want, span_of};
use crate::diag::catalog;
use crate::generic::further_arguments;
use crate::ir::{
    BehindReference, Expr, ExprKind, MathFn, OpaqueKind, Proj, Rule, Ty, UNWRAPPED,
    converts_to_integer,
};

impl Lowerer<'_> {
    pub(super) fn method_call(&mut self, call: &syn::ExprMethodCall, want: Want) -> Value {
        if self.lenient == 0 && self.shown.call(&call.method).is_some() {
            let receiver = self.pointee(&call.receiver);
            return self.method_on(receiver, call, want);
        }
        if let Some(value) = self.reduction(call, want) {
            return value;
        }
        if let Some(value) = self.chained(call, want) {
            return value;
        }
        if let Some(value) = self.method_of_walk(call) {
            return value;
        }
        if let Some(value) = self.unwrapped(call) {
            return value;
        }
        if let Some(value) = self.asked_of_call(call) {
            return value;
        }
        if let Some(value) = self.part_value(call, want) {
            return value;
        }
        self.beside_active = self.lenient == 0
            && matches!(
                call.method.to_string().as_str(),
                "unwrap_or" | "unwrap_or_else" | "map_or" | "map_or_else" | "or" | "or_else"
            )
            && matches!(strip(&call.receiver), syn::Expr::MethodCall(_))
            && self.mentions_active(&call.args);
        if let Some(value) = self.unchecked_element(call) {
            return value;
        }
        let receiver = match strip(&call.receiver) {
            // A chain that is kept as written: no derivative passes through it.
            range @ syn::Expr::Range(_) => self.keep(range, OpaqueKind::Other("a range")),
            other => self.pointee(other),
        };
        self.method_on(receiver, call, want)
    }

    /// A method of a receiver that has been lowered.
    pub(super) fn method_on(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
        want: Want,
    ) -> Value {
        let name = call.method.to_string();
        if matches!(receiver, Value::Error | Value::Never) {
            for arg in call
                .args
                .iter()
                .filter(|arg| !matches!(arg, syn::Expr::Closure(_)))
            {
                self.value(arg, Want::Value);
            }
            return receiver;
        }
        let receiver = match self.method_of_self(receiver, call, &name, want) {
            Ok(value) => return value,
            Err(receiver) => receiver,
        };
        let receiver = match self.method_of_shown(receiver, call, want) {
            Ok(value) => return value,
            Err(receiver) => receiver,
        };
        self.note_std_method(&receiver, &call.method);
        let ty = self.type_of(&receiver);
        if self.gets_by_numbers(&ty, call) {
            return self.unknown_method(receiver, call, &name, want);
        }
        self.learn_container(&ty, &name, call.args.len());
        self.learn_part(&receiver, &ty, call);
        let ty = self.types.shallow(&ty);
        let receiver = match self.method_of_fields(receiver, &ty, call, want) {
            Ok(value) => return value,
            Err(receiver) => receiver,
        };
        match (self.types.class(&ty), &ty) {
            (Class::Float | Class::Number, _) => self.float_method(receiver, call, &name, want),
            (Class::Int, _) => self.int_method(receiver, call, &name, &ty),
            (_, Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_) | Ty::Queue(_)) => {
                self.container_method(receiver, call, &name, &ty, want)
            }
            (Class::Open, _)
                if self.types.is_result(&ty) && only_of_containers(&name, call.args.len())
                    || self.open_part(&receiver, &ty).is_some()
                        && only_of_sequences(&name, call.args.len()) =>
            {
                self.container_method(receiver, call, &name, &ty, want)
            }
            (_, Ty::Option(payload)) => self.option_method(receiver, call, &name, payload),
            (_, Ty::Bool)
                if matches!(name.as_str(), "then" | "then_some")
                    && let Some(value) = self.bool_method(&receiver, call, &name) =>
            {
                value
            }
            // An alias of a float's type, or a field's: rustc checks that it is one.
            (Class::Open, _) | (Class::Hidden, Ty::Unknown)
                if is_float_function(&name, call.args.len())
                    && !matches!(receiver, Value::Opaque(..)) =>
            {
                self.float_method(receiver, call, &name, want)
            }
            _ => self.unknown_method(receiver, call, &name, want),
        }
    }

    /// The receiver, then the arguments, in execution order.
    fn with_args(
        &mut self,
        receiver: Value,
        span: Span,
        args: impl IntoIterator<Item = syn::Expr>,
    ) -> Vec<Expr> {
        let first = self.operand(receiver, span);
        let mut operands = vec![Value::Expr(first)];
        for arg in args {
            let mark = self.mark();
            let e = self.expr(&arg);
            self.protect(&mut operands, mark);
            operands.push(Value::Expr(e));
        }
        operands
            .into_iter()
            .map(|v| self.stored_raw(v, span))
            .collect()
    }

    fn float_method(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
        name: &str,
        want: Want,
    ) -> Value {
        let receiver = match self.operator_method(receiver, call) {
            Ok(value) => return value,
            Err(receiver) => receiver,
        };
        let receiver = match self.method_of_trait(receiver, call, name, want) {
            Ok(value) => return value,
            Err(receiver) => receiver,
        };
        let span = span_of(&call.receiver)
            .join(span_of(call))
            .unwrap_or_else(|| call.method.span());
        match (name, MathFn::from_name(name)) {
            ("clone" | "to_owned", _) => Value::Expr(self.operand_raw(receiver, span)),
            ("sin_cos", _) => {
                self.asks_behind(&receiver, call, name);
                let operand = self.operand(receiver, span);
                self.sin_cos(operand, span)
            }
            (_, Some(f)) if f.arity() == call.args.len() + 1 => {
                self.asks_behind(&receiver, call, name);
                let args = self.with_args(receiver, span, call.args.iter().cloned());
                Value::Expr(self.math(f, args, call.method.span()))
            }
            ("to_bits" | "to_ne_bytes" | "to_le_bytes" | "to_be_bytes", _) if self.lenient == 0 => {
                self.refuse(&call.method, catalog::active_method(name))
            }
            _ => {
                let receiver = if is_float_function(name, call.args.len()) {
                    self.asked(receiver)
                } else {
                    receiver
                };
                let ty = self.float_result(name);
                self.method_as_written(receiver, call, ty, OpaqueKind::Method(call.method.clone()))
            }
        }
    }

    /// Of a reference, a method of a trait comes in front of the float's own, if it takes the reference. What is not
    /// computed here is called as it is written.
    fn asks_behind(&mut self, receiver: &Value, call: &syn::ExprMethodCall, name: &str) {
        let Value::Ref(view) = receiver else {
            return;
        };
        let others = further_arguments(name);
        let is_asked = if name == "powi" {
            call.args.len() == 1
        } else {
            others == Some(call.args.len())
        };
        if is_asked {
            let (mutable, ty) = (view.mutable, self.type_of(receiver));
            self.func.behind_references.push(BehindReference {
                method: call.method.clone(),
                mutable,
                ty,
                others,
            });
        }
    }

    /// A float that is asked something: of a constant, whose type does not show, rustc checks that it is a number.
    fn asked(&mut self, receiver: Value) -> Value {
        let ty = self.type_of(&receiver);
        self.float_of(&ty);
        match receiver {
            Value::Expr(e) if matches!(e.kind, ExprKind::Opaque(_)) => {
                let (ty, span) = (e.ty.clone(), e.span);
                Value::Expr(Expr::new(ExprKind::Rule(Rule::Number, vec![e]), ty, span))
            }
            // A region runs the method twice.
            Value::Place(place, _) if !self.regions.is_empty() && !place.is_var() => {
                let e = self.read(place, ty);
                Value::Expr(self.as_number(e))
            }
            other => other,
        }
    }

    /// The value, of which rustc checks that it is a number.
    pub(super) fn as_number(&mut self, e: Expr) -> Expr {
        let (ty, span) = (self.types.fresh(Kind::Float), e.span);
        Expr::new(ExprKind::Rule(Rule::Number, vec![e]), ty, span)
    }

    /// The result type of a float method without derivative rule.
    fn float_result(&mut self, name: &str) -> Ty {
        match name {
            _ if name.starts_with("is_") => Ty::Bool,
            "total_cmp" | "partial_cmp" | "classify" => Ty::Passive,
            "eq" | "ne" | "lt" | "le" | "gt" | "ge" => Ty::Bool,
            // Not a variable: an annotation must not make the text of an active number look passive.
            _ => converts_to_integer(name).map_or(Ty::Unknown, |integer| {
                Ty::Option(Box::new(Ty::Int(Some(integer))))
            }),
        }
    }

    fn int_method(
        &mut self,
        receiver: Value,
        call: &syn::ExprMethodCall,
        name: &str,
        ty: &Ty,
    ) -> Value {
        if name == "clone" || name == "to_owned" {
            return Value::Expr(self.operand_raw(receiver, span_of(call)));
        }
        let span = span_of(call);
        let result = self.int_result(name, ty);
        // Where the name may be a trait's, Rust finds it as in the text.
        let references = match &receiver {
            Value::Ref(view) if !view.mutable && imports_number_traits(&call.method) => {
                view.depth + 1
            }
            _ => 0,
        };
        let operands = self.with_args(receiver, span, call.args.iter().cloned());
        if matches!(result, Ty::Int(_) | Ty::Infer(_)) && same_type_arguments(name) {
            for operand in &operands {
                self.types.unify(ty, &operand.ty);
            }
        }
        let mut builder = Builder::default();
        let mut operands = operands
            .into_iter()
            .map(|e| builder.scalar(self, e))
            .collect::<Vec<_>>();
        let mut receiver = super::opaque::atom(operands.remove(0));
        for _ in 0..references {
            receiver = syn::parse_quote!((&#receiver));
        }
        if compares(name) {
            for operand in &mut operands {
                *operand = syn::parse_quote!(&#operand);
            }
        }
        let (method, turbofish) = (&call.method, &call.turbofish);
        let code = syn::parse_quote!(#receiver.#method #turbofish(#(#operands),*));
        let code = match result {
            Ty::Passive | Ty::Bool => self.answer(code, ty, &result),
            _ => code,
        };
        Value::Expr(builder.finish(self, code, OpaqueKind::Method(method.clone()), result, span))
    }

    pub(super) fn int_result(&mut self, name: &str, ty: &Ty) -> Ty {
        match name {
            "count_ones" | "count_zeros" | "leading_zeros" | "trailing_zeros" | "leading_ones"
            | "trailing_ones" | "ilog2" | "ilog10" | "ilog" => Ty::U32,
            "cmp" | "partial_cmp" => Ty::Passive,
            "to_string" => Ty::Str,
            "eq" | "ne" | "lt" | "le" | "gt" | "ge" => Ty::Bool,
            _ if name.starts_with("is_") => Ty::Bool,
            _ if name.starts_with("checked_") => Ty::Option(Box::new(ty.clone())),
            _ if name.starts_with("overflowing_") => Ty::Tuple(vec![ty.clone(), Ty::Bool]),
            "abs_diff" | "unsigned_abs" | "into" | "try_into" | "cast_signed" | "cast_unsigned" => {
                self.types.fresh(Kind::General)
            }
            _ if super::method_names::yields_itself(name) => ty.clone(),
            // A trait's, which may yield a float: `n.to_f64()`.
            _ => self.types.fresh(Kind::General),
        }
    }

    /// `v.pop().unwrap()`, `x.first().unwrap()`, `x.last().unwrap()`: the element itself.
    fn unwrapped(&mut self, call: &syn::ExprMethodCall) -> Option<Value> {
        let inner = match (call.method.to_string().as_str(), strip(&call.receiver)) {
            ("unwrap" | "expect", syn::Expr::MethodCall(inner)) => inner,
            _ => return None,
        };
        let name = inner.method.to_string();
        if let Some(value) = self.unwrapped_field(inner, call) {
            return Some(value);
        }
        let of_chain = super::sequence::is_sequence(&inner.receiver);
        let has_copy =
            !of_chain && matches!(name.as_str(), "first" | "last" | "first_mut" | "last_mut");
        if !has_copy && let Some(asked) = self.part_asked(&call.receiver) {
            let none = self.not(asked.there);
            self.panic_if(none, call, span_of(call));
            return Some(asked.part);
        }
        if of_chain
            || !matches!(
                name.as_str(),
                "pop" | "pop_back" | "pop_front" | "first" | "last" | "first_mut" | "last_mut"
            )
            || !inner.args.is_empty()
        {
            return None;
        }
        let span = span_of(call);
        let base = self.pointee(&inner.receiver);
        let ty = self.type_of(&base);
        self.learn_container(&ty, &name, 0);
        self.learn_part(&base, &ty, inner);
        let ty = self.types.shallow(&ty);
        let part = self.open_part(&base, &ty).cloned();
        if let Some(place) = &part {
            self.require_sequence(place);
        }
        let element = if part.is_some() || self.types.is_result(&ty) {
            let zero = Expr::usize_literal(0, span);
            Some(self.part_type(&ty, &Proj::index(zero)))
        } else {
            self.types.element(&ty)
        };
        let Some(element) = element.filter(|_| matches!(base, Value::Place(..) | Value::Ref(_)))
        else {
            let option = self.method_on(base, inner, Want::Value);
            return Some(self.method_on(option, call, Want::Value));
        };
        self.note_std_method(&base, &inner.method);
        let (place, _) = self.place_of(base, span)?;
        let place = self.writable(place);
        let empty = self.is_empty(place.clone());
        self.panic_if(empty, call, span);
        Some(match name.as_str() {
            "pop_front" => {
                let queue = super::rearrange::Elements {
                    place,
                    element,
                    span,
                };
                let ends = (Expr::usize_literal(0, span), self.count_of(&queue));
                Value::Expr(self.removed(queue, ends, false))
            }
            "pop" | "pop_back" => {
                let dest = self.temp("popped", element.clone(), span);
                self.emit(crate::ir::StmtKind::Pop { dest, vec: place }, span);
                Value::Expr(Expr::read_var(dest, element, span))
            }
            _ => {
                let zero = Expr::usize_literal(0, span);
                let index = if name.starts_with("first") {
                    zero
                } else {
                    self.last_index(place.clone(), span)
                };
                let (place, ty) = (place.then(Proj::index(index)), element);
                Value::Ref(View::new(place, ty, name.ends_with("_mut")))
            }
        })
    }

    /// `self.mean.as_mut().unwrap()` of a field of which nothing else is known: it is an option.
    fn unwrapped_field(
        &mut self,
        inner: &syn::ExprMethodCall,
        call: &syn::ExprMethodCall,
    ) -> Option<Value> {
        let leads_in = matches!(inner.method.to_string().as_str(), "as_mut" | "as_ref");
        let of_field = matches!(strip(&inner.receiver), syn::Expr::Field(_));
        if !leads_in
            || !of_field
            || !inner.args.is_empty()
            || self.lenient > 0
            || self.shown.call(&inner.method).is_some()
        {
            return None;
        }
        let base = self.pointee(&inner.receiver);
        let ty = self.type_of(&base);
        if !self.learn_option(&base, &ty) {
            return None;
        }
        let option = self.method_on(base, inner, Want::Value);
        Some(self.method_on(option, call, Want::Value))
    }

    fn last_index(&mut self, place: crate::ir::Place, span: Span) -> Expr {
        let len = self.len_of(place);
        let one = Expr::usize_literal(1, span);
        let last = self.binop(crate::ir::BinOp::Sub, len, one);
        self.in_temp("last", last)
    }

    /// Panics as `None.unwrap()` does where `condition` holds.
    pub(super) fn panic_if(&mut self, condition: Expr, call: &syn::ExprMethodCall, span: Span) {
        let mut builder = Builder::default();
        let condition = builder.value(self, condition);
        let args = call
            .args
            .iter()
            .map(|arg| builder.verbatim(self, arg))
            .collect::<Vec<_>>();
        let method = &call.method;
        let code = syn::parse_quote!(if #condition { ::core::option::Option::<()>::None.#method(#(#args),*) });
        let opaque = builder.build(self, code, OpaqueKind::Other(UNWRAPPED));
        self.emit(crate::ir::StmtKind::Opaque(Box::new(opaque)), span);
    }
}
