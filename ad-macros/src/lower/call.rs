//! Calls by path.

use proc_macro2::Span;

use super::Lowerer;
use super::callee::{callee, is_associated, is_constructor, is_foreign, path_text, segment_names};
use super::infer::Kind;
use super::opaque::Builder;
use super::operator::strip;
use super::owner::Member;
use super::primitive::primitive_receiver;
use super::scope::{Binding, plain_ident};
use super::types::is_of_both;
use super::value::{Value, View, Want, span_of};
use crate::diag::catalog;
use crate::ir::{
    Arg, ArgMode, Callee, CalleeKind, Expr, ExprKind, OpaqueKind, Place, Proj, StmtKind, Ty,
    Without, nested,
};

impl Lowerer<'_> {
    pub(super) fn call(&mut self, call: &syn::ExprCall, want: Want) -> Value {
        if let Some(function) = self.function_named(&call.func) {
            return self.call_function(&function, call, want);
        }
        match strip(&call.func) {
            syn::Expr::Path(path) => self.path_call(path, call, want),
            func @ (syn::Expr::Closure(_) | syn::Expr::Reference(_))
                if self.lenient == 0
                    && let Some(local) = self.local_closure(func) =>
            {
                self.call_of_closure(&local, call)
            }
            _ if self.lenient > 0 => self.call_as_written(call, "this callee".to_owned()),
            syn::Expr::Field(field) => self.refuse(field, catalog::call_of_field()),
            func => self.refuse(func, catalog::unsupported_call()),
        }
    }

    fn path_call(&mut self, path: &syn::ExprPath, call: &syn::ExprCall, want: Want) -> Value {
        let span = span_of(call);
        if let Some(binding) = plain_ident(path).and_then(|ident| self.lookup(ident)) {
            if let (Binding::Closure(local), 0) = (&binding, self.lenient) {
                return self.call_of_closure(local, call);
            }
            if self.lenient == 0 && !self.is_constant(&binding) {
                return self.refuse(path, catalog::call_of_local());
            }
            return self.call_as_written(call, path_text(path));
        }
        if let Some(local) = self.called_closure(call) {
            return self.call_of_closure(&local, call);
        }
        self.note_nonlocal(&path.path);
        let names = segment_names(&path.path);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Some(ty) = primitive_receiver(path, &names) {
            return self.call_of_primitive(path, &names, &ty, call, want);
        }
        if self.lenient == 0
            && let Some(value) = self.call_of_float_trait(path, call, span)
        {
            return value;
        }
        match names.as_slice() {
            mark if super::outcome::is_mark(mark) => self.outcome(&call.args[0]),
            mark if super::bodies::is_body(mark) => self.marked_body(mark[0], &call.args[0]),
            mark if super::results::is_taken(mark) => self.taken_error(span),
            [.., "no_gradient"] if call.args.len() == 1 => {
                self.func.cuts.push(path.path.clone());
                self.no_gradient(&call.args[0], span)
            }
            ["Some"] | [.., "Option", "Some"] if call.args.len() == 1 => {
                let value = self.value(&call.args[0], Want::Value);
                let value = self.stored(value, span);
                let ty = Ty::Option(Box::new(value.ty.clone()));
                Value::Expr(Expr::new(ExprKind::Some(Box::new(value)), ty, span))
            }
            [.., "array", "from_fn"]
                if call.args.len() == 1
                    && self.lenient == 0
                    && self.mentions_active(&call.args) =>
            {
                self.array_from_fn(path, call, span)
            }
            [.., "Box", "new"] if call.args.len() == 1 && self.lenient == 0 => {
                self.boxed(path, &call.args[0], span)
            }
            names if self.shares(names, call) => self.shared(path, names, call, span),
            [.., "Vec", "from"] if let Some(value) = self.vector_from(call) => value,
            [.., "Vec" | "VecDeque", "new"] if call.args.is_empty() => {
                Value::Expr(self.new_vec(path, None, span))
            }
            [.., "Vec" | "VecDeque", "with_capacity"] if call.args.len() == 1 => {
                let capacity = self.passive_expr(&call.args[0]);
                Value::Expr(self.new_vec(path, Some(capacity), span))
            }
            ["std" | "core", "mem", name @ ("swap" | "replace" | "take")]
            | ["mem", name @ ("swap" | "replace" | "take")] => {
                let name = (*name).to_owned();
                self.outside_conditions(|l| l.memory_call(&name, path, call, span))
            }
            [name @ ("swap" | "replace" | "take")]
                if super::known::imported_from_std(name, "mem", span_of(path)) =>
            {
                let name = (*name).to_owned();
                self.outside_conditions(|l| l.memory_call(&name, path, call, span))
            }
            ["drop"] | ["std" | "core", "mem", "drop"] | ["mem", "drop"]
                if call.args.len() == 1 =>
            {
                self.note_std_function(&path.path, &quote::quote!(::core::mem::drop));
                let value = self.value(&call.args[0], Want::Value);
                if !matches!(value, Value::Place(..) | Value::Ref(_)) {
                    self.discard(value, span);
                }
                Value::Unit
            }
            ["std" | "core", "cmp", "min" | "max"] if call.args.len() == 2 && self.lenient == 0 => {
                self.ordered(call, path, span)
            }
            _ if self.is_tuple_struct(path, call) => self.tuple_struct(path, call),
            _ if self.lenient == 0
                && call.args.len() == 1
                && super::own_conversions::is_conversion(path) =>
            {
                self.outside_conditions(|l| l.conversion(path, call, want, span))
            }
            _ if self.lenient > 0 || is_foreign(path, &names) && !self.is_of_own_type(path) => {
                self.call_as_written(call, path_text(path))
            }
            _ => match self.call_of_libm(path, call, want, span) {
                Some(value) => value,
                None => self.outside_conditions(|l| l.companion_call(path, call, want, span)),
            },
        }
    }

    /// `f64::powf(x, y)`
    fn call_of_primitive(
        &mut self,
        path: &syn::ExprPath,
        names: &[&str],
        ty: &Ty,
        call: &syn::ExprCall,
        want: Want,
    ) -> Value {
        let (float, method) = match names {
            [.., float, method] => (*float, *method),
            [method] => ("", *method),
            [] => ("", ""),
        };
        self.note_float_function(path, ty, method);
        let converted = super::conversions::of_arguments(call, float, method);
        let call = converted.as_ref().unwrap_or(call);
        self.primitive_call(ty, method, call, want, span_of(call))
    }

    /// Where no derivative counts, what is made of values without one stays as it is written.
    fn is_tuple_struct(&mut self, path: &syn::ExprPath, call: &syn::ExprCall) -> bool {
        self.lenient == 0
            && is_constructor(path)
            && (self.passive == 0 || self.mentions_active(&call.args))
    }

    /// Whether the path is `Path::new`, of a type that the file declares by a name that std has as well.
    fn is_of_own_type(&self, path: &syn::ExprPath) -> bool {
        let mut segments = path.path.segments.iter().rev().skip(1);
        let of = segments.next().filter(|_| path.qself.is_none());
        of.is_some_and(|of| is_of_both(&of.ident.to_string()) && self.declares_struct(&of.ident))
    }

    /// A parameter marked `#[constant]`: what it calls carries no derivative.
    fn is_constant(&self, binding: &Binding) -> bool {
        let root = match binding {
            Binding::Var(var) | Binding::Deferred { var, .. } => *var,
            Binding::View { view, .. } => view.place.root,
            Binding::Captured(place, _) => place.root,
            Binding::Function(_) => return false,
            Binding::Tuple(_)
            | Binding::Poisoned
            | Binding::Closure(_)
            | Binding::Walk(_)
            | Binding::Outcome(_) => return true,
        };
        self.func.var(root).constant
    }

    /// `std::cmp::max(a, b)`: of integers, since floats have no total order.
    fn ordered(&mut self, call: &syn::ExprCall, path: &syn::ExprPath, span: Span) -> Value {
        let operands = self.operands(call.args.iter());
        let ty = operands[0].ty.clone();
        self.types.unify(&ty, &operands[1].ty);
        let mut builder = Builder::default();
        let args = operands
            .into_iter()
            .map(|e| builder.scalar(self, e))
            .collect::<Vec<_>>();
        let name = path
            .path
            .segments
            .last()
            .map_or_else(|| syn::Ident::new("max", span), |s| s.ident.clone());
        Value::Expr(builder.finish(
            self,
            syn::parse_quote!(#path(#(#args),*)),
            OpaqueKind::Method(name),
            ty,
            span,
        ))
    }

    fn new_vec(&mut self, path: &syn::ExprPath, capacity: Option<Expr>, span: Span) -> Expr {
        let mut segments = path.path.segments.iter();
        let is_vec = segments.any(|s| s.ident == "Vec");
        let of_std = match is_vec {
            true => quote::quote!(::std::vec::Vec),
            false => quote::quote!(::std::collections::VecDeque),
        };
        self.note_function_of_type(&path.path, &of_std);
        let written = path
            .path
            .segments
            .iter()
            .rev()
            .find(|s| s.ident == "Vec" || s.ident == "VecDeque")
            .and_then(|s| match &s.arguments {
                syn::PathArguments::AngleBracketed(args) => {
                    args.args.iter().find_map(|a| match a {
                        syn::GenericArgument::Type(t) => Some(t.clone()),
                        _ => None,
                    })
                }
                _ => None,
            });
        let element = match &written {
            Some(t) => self.annotation(t),
            None => self.types.fresh(Kind::General),
        };
        Expr::new(
            ExprKind::VecNew(capacity.map(Box::new)),
            match is_vec {
                true => Ty::Vec(Box::new(element)),
                false => Ty::Queue(Box::new(element)),
            },
            span,
        )
    }

    // Calls kept as written.

    fn call_as_written(&mut self, call: &syn::ExprCall, name: String) -> Value {
        let ty = self.types.fresh(Kind::General);
        self.call_with_type(call, name, ty)
    }

    pub(super) fn call_with_type(&mut self, call: &syn::ExprCall, name: String, ty: Ty) -> Value {
        let span = span_of(call);
        let mut builder = Builder::default();
        let func = builder.verbatim(self, &call.func);
        let closures = call.args.iter().any(|arg| {
            matches!(strip(arg), syn::Expr::Closure(_) | syn::Expr::Range(_))
                || self.names_closure(arg)
        });
        let args: Vec<syn::Expr> = if closures {
            call.args
                .iter()
                .map(|arg| self.kept_argument(&mut builder, arg))
                .collect()
        } else {
            let values = self.sequence(call.args.iter(), |l, e| match l.value(e, Want::Value) {
                value @ Value::Opaque(..) => Value::Expr(l.stored_raw(value, span)),
                value => value,
            });
            values
                .into_iter()
                .map(|v| builder.operand(self, v, span))
                .collect()
        };
        let code = syn::parse_quote!(#func(#(#args),*));
        builder.value_of(self, code, OpaqueKind::Call(name), ty, span, false)
    }

    // Calls that may carry derivatives.

    /// Notes where the sweeps are of a function that has a module of its name beside or around it.
    pub(super) fn note_module(&mut self, path: &syn::ExprPath) {
        if path.qself.is_some() || is_associated(path) {
            return;
        }
        let beside = || {
            let sweeps = crate::surroundings::beside_module(plain_ident(path)?)?;
            Some(syn::Path::from(sweeps))
        };
        let sweeps = crate::surroundings::sweeps_of_same_name(&path.path).or_else(beside);
        if let Some(sweeps) = sweeps {
            let key = segment_names(&path.path).join("::");
            if let Some(place) = crate::surroundings::hidden_place(&path.path, &sweeps) {
                self.func.hidden.insert(key.clone(), place);
            }
            self.func.beside_modules.insert(key, sweeps);
        }
    }

    pub(super) fn companion_call(
        &mut self,
        path: &syn::ExprPath,
        call: &syn::ExprCall,
        want: Want,
        span: Span,
    ) -> Value {
        self.note_module(path);
        let callee = callee(path);
        let alone = plain_ident(path).is_some();
        let last = path.path.segments.last();
        let converted =
            last.and_then(|s| self.with_conversions(callee.kind, &s.ident, alone, &call.args));
        let args = converted.as_ref().unwrap_or(&call.args);
        let typed = self.given_from_fn(path, args);
        let args = typed.as_ref().unwrap_or(args);
        let (values, functions) = self.arguments_for(Some(path), args.iter());
        let callee = Callee {
            functions,
            iterated: args
                .iter()
                .any(|arg| super::sequence::is_sequence(strip(arg))),
            ..callee
        };
        self.emit_call(callee, values, want, span)
    }

    pub(super) fn emit_call(
        &mut self,
        mut callee: Callee,
        values: Vec<(Value, Span)>,
        want: Want,
        span: Span,
    ) -> Value {
        let views: Vec<Option<Place>> = values
            .iter()
            .map(|(value, _)| match value {
                Value::Ref(view) => Some(view.place.clone()),
                _ => None,
            })
            .collect();
        // Of two references to one place none is mutable, whatever they are taken from: else the function did not
        // compile.
        let shared = |at: usize, view: &Place| {
            let others = views.iter().enumerate().filter(|(k, _)| *k != at);
            others
                .filter_map(|(_, other)| other.as_ref())
                .any(|other| nested(view, other))
        };
        let parted = self.parted(&values);
        let (mut args, mut back) = (Vec::new(), Vec::new());
        for (at, (value, span)) in values.into_iter().enumerate() {
            let mode = match value {
                Value::Ref(view) if shared(at, &view.place) => ArgMode::Shared(view.place),
                Value::Ref(view) if parted.contains(&at) => self.part_by_value(view, &mut back),
                Value::Ref(view) if view.mutable => ArgMode::InOut(self.writable(view.place)),
                Value::Ref(view) => ArgMode::Shared(view.place),
                other => ArgMode::Value(self.given(other, span)),
            };
            args.push(Arg { mode, span });
        }
        self.each_function_once(&args);
        let member = self.member_called(&callee, args.first().map(|arg| &arg.mode));
        callee.without = member.and_then(|m| m.derivative.without());
        if callee.kind == CalleeKind::Method && callee.has_parameters() {
            callee.without = Some(Without::Parameters);
        }
        let result = member.map(|m| m.result.clone());
        let apart = callee.fallible;
        let variant = self.note_plain(&mut callee);
        let lent = self.note_lent(&mut callee, &mut args, apart);
        let shown = match apart {
            _ if want == Want::Discard => None,
            _ if variant.is_some() => variant,
            true => self.shown_payload(&callee, args.len()),
            false => self.shown_result(&callee, args.len()),
        };
        let error = apart.then(|| self.error_called(&callee, args.len(), span));
        args.extend(error.map(|error| Arg {
            mode: ArgMode::InOut(Place::var(error, span)),
            span,
        }));
        let callee = Box::new(callee);
        if want == Want::Discard {
            self.emit(
                StmtKind::Call {
                    dest: None,
                    callee,
                    args,
                },
                span,
            );
            back.into_iter().for_each(|kind| self.emit(kind, span));
            return Value::Unit;
        }
        let dest = match want {
            Want::Into(var) => var,
            Want::Value | Want::Discard => {
                let ty = self.types.fresh(Kind::General);
                if apart {
                    self.types.set_result(&ty);
                }
                self.temp(
                    &format!("{}_value", callee.name()),
                    wrapped(ty, apart),
                    span,
                )
            }
        };
        self.emit(
            StmtKind::Call {
                dest: Some(dest),
                callee,
                args,
            },
            span,
        );
        back.into_iter().for_each(|kind| self.emit(kind, span));
        let ty = self.func.var(dest).ty.clone();
        if let Some(shown) = shown {
            self.types.unify(&ty, &wrapped(shown, apart));
        }
        if apart {
            self.error_of_call = error;
            return Value::Expr(Expr::read_var(dest, ty, span));
        }
        if let Some(result) = result.filter(Ty::is_scalar) {
            self.types.unify(&ty, &result);
        }
        self.types.set_result(&ty);
        if lent {
            return Value::Ref(View::new(Place::var(dest, span), ty, false));
        }
        Value::Expr(Expr::read_var(dest, ty, span))
    }

    /// The function of the same block that is called, where the text shows it: `self.f(…)` or `Self::f(…)`.
    fn member_called(&self, callee: &Callee, first: Option<&ArgMode>) -> Option<&'_ Member> {
        let shown = match (callee.kind, first) {
            (CalleeKind::Method, Some(ArgMode::Shared(p) | ArgMode::InOut(p))) => self.is_self(p),
            (CalleeKind::Associated | CalleeKind::Conversion, _) => {
                let segments = &callee.path.path.segments;
                segments.len() == 2 && segments[0].ident == "Self"
            }
            _ => false,
        };
        let name = &callee.path.path.segments.last()?.ident;
        self.owner.member(name).filter(|_| shown)
    }

    /// Whether a place is all of `self`.
    pub(super) fn is_self(&self, place: &Place) -> bool {
        self.this == Some(place.root) && place.proj.iter().all(|proj| matches!(proj, Proj::Deref))
    }
}

/// The type of what a call yields, behind an `Option` if its error goes elsewhere.
fn wrapped(value: Ty, apart: bool) -> Ty {
    if apart {
        Ty::Option(Box::new(value))
    } else {
        value
    }
}
