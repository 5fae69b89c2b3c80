//! Ends of chains that yield an `Option` or a `Result`: `try_fold`, `try_for_each`, and `collect`, `sum` and `product`
//! of items that are one. The first that is missing leaves the loop.

use proc_macro2::Span;

use super::Lowerer;
use super::bodies::{Shown, Yields, shown};
use super::callee::callee;
use super::fallible::Halves;
use super::infer::{Class, Kind};
use super::operator::strip;
use super::reduce::turbofish;
use super::sequence::is_sequence;
use super::value::{Value, Want, span_of};
use crate::diag::catalog;
use crate::ir::{
    BinOp, Callee, Expr, ExprKind, Jump, OpaqueArg, OpaqueKind, Place, StmtKind, Ty, VarId,
};

/// Whether a call may end a chain so, by its name.
pub(super) fn may_fail(call: &syn::ExprMethodCall) -> bool {
    matches!(
        (call.method.to_string().as_str(), call.args.len()),
        ("try_fold", 2) | ("try_for_each", 1) | ("collect" | "sum" | "product", 0)
    ) && is_sequence(&call.receiver)
}

/// What such a call yields, as far as its text shows it.
pub(super) fn end_shown(call: &syn::ExprMethodCall) -> Option<Shown> {
    if let Some(t) = turbofish(call) {
        return type_shown(t);
    }
    match strip(call.args.last()?) {
        syn::Expr::Closure(c) => shown(c),
        _ => None,
    }
}

/// Whether a type is called `Option` or `Result`.
pub(super) fn type_shown(t: &syn::Type) -> Option<Shown> {
    let syn::Type::Path(p) = super::signature::ungroup(t) else {
        return None;
    };
    let name = p.path.segments.last()?.ident.to_string();
    match name.as_str() {
        "Option" => Some(Shown::Option),
        "Result" => Some(Shown::Result),
        _ => None,
    }
}

/// The type of the error in `Result<T, E>`, if it is written.
pub(super) fn error_written(t: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(p) = super::signature::ungroup(t) else {
        return None;
    };
    let last = p.path.segments.last().filter(|s| s.ident == "Result")?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else {
        return None;
    };
    match args.args.iter().nth(1)? {
        syn::GenericArgument::Type(t) if !matches!(t, syn::Type::Infer(_)) => Some(t),
        _ => None,
    }
}

/// The end of a chain with the type that is written for its value: `Option<…>` or `Result<…>`.
pub(super) fn ended(e: &syn::Expr, t: &syn::Type) -> Option<syn::Expr> {
    let syn::Expr::MethodCall(call) = strip(e) else {
        return None;
    };
    let collects = call.args.is_empty() && call.turbofish.is_none() && may_fail(call);
    type_shown(t).filter(|_| collects)?;
    let mut call = call.clone();
    call.turbofish = Some(syn::parse_quote!(::<#t>));
    Some(syn::Expr::MethodCall(call))
}

/// What becomes of the values of the items.
enum Into {
    Folded(VarId, Ty),
    Nothing,
    Collected((VarId, Ty)),
    Reduced { acc: VarId, ty: Ty, is_sum: bool },
}

impl Lowerer<'_> {
    /// The end of a chain as loops that are left at the first item without a value.
    pub(super) fn fallible_end(
        &mut self,
        call: &syn::ExprMethodCall,
        of_result: bool,
    ) -> Result<Halves, Value> {
        let span = span_of(call);
        let name = call.method.to_string();
        let (chain, f) = match (name.as_str(), strip(&call.receiver)) {
            ("try_fold" | "try_for_each", chain) => (chain, call.args.last()),
            (_, syn::Expr::MethodCall(m)) if m.method == "map" && is_sequence(&m.receiver) => {
                (&*m.receiver, m.args.first())
            }
            (_, chain) => (chain, None),
        };
        if f.is_none() && of_result {
            return Err(self.refuse(&call.method, catalog::result_value()));
        }
        let Some(sequence) = self.sequence_of(chain, None) else {
            return Err(Value::Error);
        };
        let init = (name == "try_fold").then(|| {
            let init = self.value(&call.args[0], Want::Value);
            self.stored(init, span)
        });
        let Some(sequence) = self.counted(sequence, span) else {
            return Err(Value::Error);
        };
        let error = self.new_error(span);
        let yields = match of_result {
            true => Yields::Result(error),
            false => Yields::Option,
        };
        let never = syn::parse_quote!(::core::convert::Infallible);
        let written = match of_result {
            true => turbofish(call).and_then(error_written),
            false => Some(&never),
        };
        if let Some(written) = written {
            self.type_error(error, written, span);
        }
        let payload = self.types.fresh(Kind::General);
        let (outcome, outcome_ty) = self.no_item("outcome", &payload, span);
        let into = self.beginning_of(&name, init, call, span);
        let (outer, id) = (self.fresh_loop(), self.fresh_loop());
        self.open();
        self.run(&sequence, id, span, &mut |l, item, next| {
            let args = match &into {
                Into::Folded(acc, ty) => {
                    vec![Value::Place(Place::var(*acc, span), ty.clone()), item]
                }
                _ => vec![item],
            };
            let option = match f {
                Some(f) => l.fallible_item(f, args, yields),
                None => args.into_iter().next().unwrap_or(Value::Error),
            };
            if l.diverged() {
                return;
            }
            let leave = Jump::Break(outer);
            l.payload_or(option, leave, span, next, &mut |l, value, _| {
                l.add_to(&into, value, span)
            });
        });
        let all = self.all_of(&into, span);
        let (loops, _) = self.close();
        if let Into::Reduced { acc, ty, is_sum } = &into {
            if matches!(self.types.class(ty), Class::Open | Class::Number) {
                let float = self.types.fresh(Kind::Float);
                self.types.unify(ty, &float);
            }
            let init = self.neutral(*is_sum, ty, span);
            self.emit_let(*acc, Some(init), span);
        }
        self.open();
        self.emit_all(loops);
        self.keep_item(outcome, &payload, all, span);
        let (block, _) = self.close();
        self.emit(StmtKind::Labelled(outer, block), span);
        self.halves_with(
            Value::Place(Place::var(outcome, span), outcome_ty),
            error,
            span,
        )
    }

    fn beginning_of(
        &mut self,
        name: &str,
        init: Option<Expr>,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> Into {
        let inner = turbofish(call)
            .and_then(super::types::first_argument)
            .cloned();
        match (name, init) {
            ("try_fold", Some(init)) => {
                let ty = init.ty.clone();
                let acc = self.accumulator("acc", ty.clone(), span);
                self.emit_let(acc, Some(init), span);
                Into::Folded(acc, ty)
            }
            ("collect", _) => {
                let collected = self.collecting(span);
                if let Some(inner) = inner {
                    let written = self.annotation(&inner);
                    let ty = Ty::Vec(Box::new(collected.1.clone()));
                    self.types.unify(&ty, &written);
                }
                Into::Collected(collected)
            }
            ("sum" | "product", _) => {
                let is_sum = name == "sum";
                let ty = match inner {
                    Some(inner) => self.annotation(&inner),
                    None => self.fresh_number(),
                };
                let base = if is_sum { "sum" } else { "product" };
                let acc = self.accumulator(base, ty.clone(), span);
                Into::Reduced { acc, ty, is_sum }
            }
            _ => Into::Nothing,
        }
    }

    fn add_to(&mut self, into: &Into, value: Value, span: Span) {
        match into {
            Into::Folded(acc, ty) => {
                let next = self.stored(value, span);
                self.types.unify(ty, &next.ty);
                self.assign_to(*acc, next, span);
            }
            Into::Nothing => {}
            Into::Collected(collected) => self.push_item(collected, value, span),
            Into::Reduced { acc, ty, is_sum } => {
                let value = self.operand(value, span);
                self.types.unify(ty, &value.ty);
                let place = Place::var(*acc, span);
                if *is_sum {
                    let op = BinOp::Add;
                    self.emit(StmtKind::Update { place, op, value }, span);
                    return;
                }
                let old = Expr::read_var(*acc, ty.clone(), span);
                let product = ExprKind::Binary(BinOp::Mul, Box::new(old), Box::new(value));
                self.assign_to(*acc, Expr::new(product, ty.clone(), span), span);
            }
        }
    }

    /// What there is if no item was missing.
    fn all_of(&mut self, into: &Into, span: Span) -> Value {
        match into {
            Into::Folded(acc, ty) | Into::Reduced { acc, ty, .. } => {
                Value::Expr(Expr::read_var(*acc, ty.clone(), span))
            }
            Into::Nothing => Value::Unit,
            Into::Collected((vec, element)) => {
                let ty = Ty::Vec(Box::new(element.clone()));
                Value::Expr(Expr::read_var(*vec, ty, span))
            }
        }
    }

    /// The option that a closure or a function makes of an item. It runs in the order of the loop, so it may write.
    fn fallible_item(&mut self, f: &syn::Expr, args: Vec<Value>, yields: Yields) -> Value {
        let (span, mark) = (span_of(f), self.mark());
        if let Some(local) = self.local_closure(f) {
            if let (Yields::Result(error), syn::ReturnType::Type(_, t)) =
                (yields, &local.closure.output)
                && let Some(written) = error_written(t)
            {
                self.type_error(error, written, span);
            }
            let value = self.inline_local(&local, args, yields);
            self.no_lost_writes(f, mark);
            return value;
        }
        let value = if let Some(function) = self.function_named(f) {
            self.apply_function(f, &function, args, true)
        } else {
            let syn::Expr::Path(path) = strip(f) else {
                return self.refuse(f, catalog::closure());
            };
            self.note_nonlocal(&path.path);
            let callee = Callee {
                fallible: true,
                ..callee(path)
            };
            let values = args.into_iter().map(|v| (v, span)).collect();
            self.emit_call(callee, values, Want::Value, span)
        };
        let error = self.error_of_call.take();
        if let (Yields::Result(to), Some(error)) = (yields, error) {
            self.set_failure(error, false, Some(to), span);
        }
        value
    }

    /// The type of an error, where it is written.
    pub(super) fn type_error(&mut self, error: VarId, written: &syn::Type, span: Span) {
        self.show_error(error, span, |error| {
            syn::parse_quote!({
                let _: &::core::option::Option<#written> = #error;
            })
        });
    }

    /// The type of the error of a `Result`, which may be an alias with an error of its own.
    pub(super) fn type_error_of(&mut self, error: VarId, result: &syn::Type, span: Span) {
        self.show_error(error, span, |error| {
            syn::parse_quote!({
                fn __retrograde_error<T, E>(
                    _: ::core::option::Option<fn() -> ::core::result::Result<T, E>>,
                    _: &::core::option::Option<E>,
                ) {}
                __retrograde_error(::core::option::Option::None::<fn() -> #result>, #error);
            })
        });
    }

    /// Code from which rustc infers the type of an error, a reference to which it is given.
    fn show_error(&mut self, error: VarId, span: Span, code: impl FnOnce(syn::Expr) -> syn::Expr) {
        let mut builder = super::opaque::Builder::default();
        let error = builder.arg(self, OpaqueArg::Ref(Place::var(error, span)), span);
        let kind = OpaqueKind::Macro(crate::ir::ERROR.to_owned());
        let opaque = builder.build(self, code(error), kind);
        self.emit(StmtKind::Opaque(Box::new(opaque)), span);
    }
}
