//! `sum`, `product`, `fold`, `for_each`: loops with an accumulator. Closures are inlined.

use proc_macro2::Span;

use super::Lowerer;
use super::bodies::{Shown, Yields, shown};
use super::ends::is_end;
use super::fallible_ends::{end_shown, may_fail};
use super::infer::{Class, Kind};
use super::iterate::{is_chain, is_parallel};
use super::operator::strip;
use super::scope::Binding;
use super::sequence::{Sequence, is_sequence};
use super::types::{PathType, path_type};
use super::value::{Value, Want, span_of};
use crate::diag::catalog;
use crate::ir::{BinOp, Expr, ExprKind, MathFn, Place, StmtKind, Ty, UnOp, VarId};

impl Lowerer<'_> {
    /// The call as a loop, if it reduces a supported chain.
    pub(super) fn reduction(&mut self, call: &syn::ExprMethodCall, _want: Want) -> Option<Value> {
        let name = call.method.to_string();
        let reduces = matches!(
            (name.as_str(), call.args.len()),
            ("sum" | "product", 0) | ("fold", 2) | ("for_each", 1)
        ) || self.collects(call)
            || may_fail(call) && self.lenient == 0 && self.mentions_active(call);
        // What stands for no item may have a derivative where the items have none.
        let beside = std::mem::take(&mut self.beside_active);
        let ends = is_end(&name, call.args.len())
            && self.lenient == 0
            && (beside || self.mentions_active(call));
        let apart = self.is_taken_apart(&call.receiver, call)
            || beside && ends && is_sequence(&call.receiver);
        if !reduces && !ends || !apart {
            return None;
        }
        if let Some(value) = self.fallible_reduction(call) {
            return Some(value);
        }
        let span = span_of(call);
        if is_parallel(&call.receiver) && !self.may_divide(call) {
            return Some(Value::Error);
        }
        let Some(sequence) = self.sequence_of(&call.receiver, None) else {
            return Some(Value::Error);
        };
        if let (Sequence::Items(iter), "nth" | "next") = (&sequence, name.as_str())
            && let Some(value) = self.item_at(iter, call, span)
        {
            return Some(value);
        }
        // The initial value is evaluated behind the chain.
        let init = (name == "fold").then(|| {
            let init = self.value(&call.args[0], Want::Value);
            self.stored(init, span)
        });
        let Some(sequence) = self.counted(sequence, span) else {
            return Some(Value::Error);
        };
        Some(match (name.as_str(), init) {
            ("fold", Some(init)) => self.fold(&sequence, init, &call.args[1], span),
            ("collect", _) => self.collected(&sequence, turbofish(call), span),
            _ if ends => self.end(&sequence, call, span),
            ("for_each", _) => self.for_each(&sequence, &call.args[0], span),
            _ => {
                if let Some(ty) = turbofish(call)
                    && super::own_sums::is_summed(ty, &call.method)
                {
                    return Some(self.refuse(&call.method, catalog::own_sum(&name)));
                }
                if let Some(syn::Type::Path(written)) = turbofish(call)
                    && written
                        .path
                        .get_ident()
                        .is_some_and(|own| self.declares_struct(own))
                {
                    let what = format!("`{name}` of what are not numbers");
                    return Some(self.refuse(&call.method, catalog::unsupported_iterator(&what)));
                }
                let ty = turbofish(call).map(|t| self.annotation(t));
                let parallel = is_parallel(&call.receiver);
                self.sum(&sequence, name == "sum", ty, parallel, span)
            }
        })
    }

    /// An end that yields an `Option`. That of a `Result` is asked for its halves.
    fn fallible_reduction(&mut self, call: &syn::ExprMethodCall) -> Option<Value> {
        if self.lenient > 0 || !may_fail(call) || !self.mentions_active(call) {
            return None;
        }
        let always = matches!(
            call.method.to_string().as_str(),
            "try_fold" | "try_for_each"
        );
        match end_shown(call) {
            Some(Shown::Result) => Some(self.refuse(&call.method, catalog::result_value())),
            None if !always => None,
            Some(Shown::Option) | None => Some(match self.fallible_end(call, false) {
                Ok(halves) => Value::Place(halves.value, Ty::Option(Box::new(halves.payload))),
                Err(value) => value,
            }),
        }
    }

    /// Whether the chain becomes loops. One without random access that carries no derivative is kept as written.
    fn is_taken_apart(&mut self, chain: &syn::Expr, call: &syn::ExprMethodCall) -> bool {
        is_chain(chain) || self.lenient == 0 && is_sequence(chain) && self.mentions_active(call)
    }

    /// Whether the call collects values with a derivative, as far as the text shows it, into a `Vec`: that it is one is
    /// left to rustc where nothing is written. What has none is kept as written, whatever it becomes.
    fn collects(&mut self, call: &syn::ExprMethodCall) -> bool {
        let known = match turbofish(call) {
            Some(syn::Type::Path(t)) => {
                matches!(path_type(t), PathType::Vec(_) | PathType::Queue(_))
            }
            Some(syn::Type::Infer(_)) | None => true,
            Some(_) => false,
        };
        call.method == "collect"
            && call.args.is_empty()
            && known
            && self.lenient == 0
            && self.mentions_active(&call.receiver)
    }

    /// `let mut collected = Vec::new();`, to which each item is pushed, or a queue.
    fn collected(&mut self, sequence: &Sequence, written: Option<&syn::Type>, span: Span) -> Value {
        let element = self.types.fresh(Kind::General);
        let mut ty = Ty::Vec(Box::new(element.clone()));
        if let Some(written) = written {
            let written = self.annotation(written);
            self.types.unify(&ty, &written);
            if matches!(written, Ty::Queue(_)) {
                ty = Ty::Queue(Box::new(element.clone()));
            }
        }
        let collected = self.collecting_into(ty.clone(), element, span);
        let id = self.fresh_loop();
        self.run(sequence, id, span, &mut |l, item, _| {
            l.push_item(&collected, item, span);
        });
        Value::Expr(Expr::read_var(collected.0, ty, span))
    }

    /// Whether the chain of rayon's is one that workers can share.
    fn may_divide(&mut self, call: &syn::ExprMethodCall) -> bool {
        if !cfg!(feature = "rayon") {
            self.diags
                .at(call.method.span(), catalog::parallel_feature());
            return false;
        }
        if call.method != "sum" {
            let what = format!("`{}` of a parallel iterator", call.method);
            self.diags
                .at(call.method.span(), catalog::unsupported_iterator(&what));
            return false;
        }
        true
    }

    pub(super) fn accumulator(&mut self, base: &str, ty: Ty, span: Span) -> VarId {
        let var = self.temp(base, ty, span);
        self.unstable.insert(var);
        var
    }

    /// `std` starts the sum of floats at -0.0 and the product at 1.0.
    fn sum(
        &mut self,
        sequence: &Sequence,
        is_sum: bool,
        ty: Option<Ty>,
        parallel: bool,
        span: Span,
    ) -> Value {
        let ty = ty.unwrap_or_else(|| self.fresh_number());
        let acc = self.accumulator(if is_sum { "sum" } else { "product" }, ty.clone(), span);
        let id = self.fresh_loop();
        self.open();
        self.run(sequence, id, span, &mut |l, item, _| {
            let value = l.operand(item, span);
            l.types.unify(&ty, &value.ty);
            if matches!(l.types.shallow(&value.ty), Ty::Struct(_)) {
                let end = if is_sum { "sum" } else { "product" };
                let what = format!("`{end}` of what are not numbers");
                l.diags.at(span, catalog::unsupported_iterator(&what));
                return;
            }
            let place = Place::var(acc, span);
            if is_sum {
                let op = BinOp::Add;
                l.emit(StmtKind::Update { place, op, value }, span);
                return;
            }
            let old = Expr::read_var(acc, ty.clone(), span);
            let product = ExprKind::Binary(BinOp::Mul, Box::new(old), Box::new(value));
            l.assign_to(acc, Expr::new(product, ty.clone(), span), span);
        });
        let (loops, _) = self.close();
        if matches!(self.types.class(&ty), Class::Open | Class::Number) {
            let float = self.types.fresh(Kind::Float);
            self.types.unify(&ty, &float);
        }
        let init = self.neutral(is_sum, &ty, span);
        self.emit_let(acc, Some(init), span);
        self.emit_all(loops);
        if parallel {
            self.func.parallel.insert(id);
        }
        Value::Expr(Expr::read_var(acc, ty, span))
    }

    pub(super) fn neutral(&mut self, is_sum: bool, ty: &Ty, span: Span) -> Expr {
        let integer = self.types.class(ty) == Class::Int;
        match (is_sum, integer) {
            (true, true) => Expr::integer(0, ty, span),
            (false, true) => Expr::integer(1, ty, span),
            (true, false) => {
                let zero = Expr::float(0.0, ty, span);
                Expr::new(ExprKind::Unary(UnOp::Neg, Box::new(zero)), ty.clone(), span)
            }
            (false, false) => Expr::float(1.0, ty, span),
        }
    }

    fn fold(&mut self, sequence: &Sequence, init: Expr, f: &syn::Expr, span: Span) -> Value {
        let ty = init.ty.clone();
        let acc = self.accumulator("acc", ty.clone(), span);
        self.emit_let(acc, Some(init), span);
        let id = self.fresh_loop();
        self.run(sequence, id, span, &mut |l, item, _| {
            let old = Value::Place(Place::var(acc, span), ty.clone());
            let next = l.apply(f, vec![old, item], span);
            if !l.diverged() {
                let next = l.stored(next, span);
                l.types.unify(&ty, &next.ty);
                l.assign_to(acc, next, span);
            }
        });
        Value::Expr(Expr::read_var(acc, ty, span))
    }

    fn for_each(&mut self, sequence: &Sequence, f: &syn::Expr, span: Span) -> Value {
        let id = self.fresh_loop();
        self.run(sequence, id, span, &mut |l, item, _| {
            let value = l.apply(f, vec![item], span);
            l.discard(value, span);
        });
        Value::Unit
    }

    /// Calls a closure literal, or a function by its path, on lowered arguments.
    pub(super) fn apply(&mut self, f: &syn::Expr, args: Vec<Value>, span: Span) -> Value {
        let mark = self.mark();
        match strip(f) {
            syn::Expr::Closure(closure) => {
                let value = self.inline(closure, args);
                self.no_lost_writes(f, mark);
                value
            }
            other if let Some(local) = self.local_closure(other) => self.call_local(&local, args),
            other if let Some(local) = self.inner_function(other) => self.call_local(&local, args),
            other if let Some(function) = self.function_named(other) => {
                self.apply_function(other, &function, args, false)
            }
            syn::Expr::Path(path) => self.apply_path(path, args, span),
            other => self.refuse(other, catalog::closure()),
        }
    }

    fn inline(&mut self, closure: &syn::ExprClosure, args: Vec<Value>) -> Value {
        let yields = match shown(closure) {
            Some(Shown::Option) => Yields::Option,
            Some(Shown::Result) | None => Yields::Value,
        };
        self.inline_yielding(closure, args, yields)
    }

    pub(super) fn inline_yielding(
        &mut self,
        closure: &syn::ExprClosure,
        args: Vec<Value>,
        yields: Yields,
    ) -> Value {
        if closure.asyncness.is_some() {
            return self.refuse(&closure.asyncness, catalog::async_block());
        }
        if closure.inputs.len() != args.len() {
            return self.refuse(&closure.or1_token, catalog::closure());
        }
        let result = match (&closure.output, yields) {
            (syn::ReturnType::Type(_, t), Yields::Value | Yields::Option) => {
                Some(self.annotation(t))
            }
            _ => None,
        };
        self.closures += 1;
        let targets = std::mem::take(&mut self.targets);
        let yielded = self.yielded.take();
        let value = self.scoped(|l| {
            for (pat, arg) in closure.inputs.iter().zip(args) {
                l.bind_closure_input(pat, arg);
            }
            let value = l.closure_body(&closure.body, yields);
            match value {
                Value::Place(place, ty) => Value::Expr(l.read(place, ty)),
                other => other,
            }
        });
        self.yielded = yielded;
        self.targets = targets;
        self.closures -= 1;
        match result {
            Some(ty) => self.annotated(value, &ty),
            None => value,
        }
    }

    /// An accumulator keeps its variable: it does not change before the closure's value is known.
    pub(super) fn bind_closure_input(&mut self, pat: &syn::Pat, arg: Value) {
        match (pat, arg) {
            (syn::Pat::Ident(p), Value::Place(place, _))
                if place.is_var()
                    && p.by_ref.is_none()
                    && p.mutability.is_none()
                    && p.subpat.is_none() =>
            {
                self.bind(&p.ident, Binding::Var(place.root));
            }
            (pat, arg) => self.bind_pattern(pat, arg),
        }
    }

    fn apply_path(&mut self, path: &syn::ExprPath, args: Vec<Value>, span: Span) -> Value {
        let names: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|s| s.ident.to_string())
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let [.., ty, name] = names.as_slice() {
            let float = super::types::primitive(ty).filter(Ty::is_float);
            if let (Some(ty), Some(f)) = (
                float,
                MathFn::from_name(name).filter(|f| f.arity() == args.len()),
            ) {
                self.note_float_function(path, &ty, name);
                let args: Vec<Expr> = args.into_iter().map(|v| self.operand(v, span)).collect();
                if let Some(first) = args.first() {
                    self.types.unify(&ty, &first.ty);
                }
                return Value::Expr(self.math(f, args, span));
            }
        }
        if let Some((function, float)) = self.function_of_trait(path, args.len()) {
            let args = args.into_iter().map(|v| self.operand(v, span)).collect();
            return self.math_of_trait(function, float.as_ref(), args, span);
        }
        let local =
            super::scope::plain_ident(path).is_some_and(|ident| self.lookup(ident).is_some());
        if local || !super::variants::names_a_function(&path.path) || path.qself.is_some() {
            return self.refuse(path, catalog::unsupported_call());
        }
        self.note_nonlocal(&path.path);
        self.note_module(path);
        let values = args.into_iter().map(|v| (v, span)).collect();
        let of_libm = self.path_of_libm(path);
        let callee = super::callee::callee(of_libm.as_ref().unwrap_or(path));
        self.emit_call(callee, values, Want::Value, span)
    }
}

pub(super) fn turbofish(call: &syn::ExprMethodCall) -> Option<&syn::Type> {
    call.turbofish
        .as_ref()?
        .args
        .iter()
        .find_map(|arg| match arg {
            syn::GenericArgument::Type(t) => Some(t),
            _ => None,
        })
}
