//! Functions that are arguments: what is called, and what is given on.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::Lowerer;
use super::callee::{is_associated, segment_names};
use super::closures::Local;
use super::operator::strip;
use super::primitive::primitive_receiver;
use super::scope::{Binding, plain_ident};
use super::value::{Value, View, Want, span_of};
use crate::diag::catalog;
use crate::functions;
use crate::ir::{
    Arg, ArgMode, Behind, Callee, CalleeKind, FunctionArg, FunctionKind, MathFn, Place, Returning,
    Ty, VarId,
};

/// A function that has a name here, or stands where one is given.
#[derive(Clone)]
pub(super) struct FunctionValue {
    pub(super) kind: FunctionKind,
    /// What it is called, for messages.
    pub(super) name: Ident,
    /// The types of its arguments, `_` where they are not written.
    pub(super) inputs: Vec<syn::Type>,
    /// Of a parameter: it is a reference, and whether it is a mutable one.
    pub(super) reference: Option<bool>,
    pub(super) captures: Vec<Value>,
    /// Of a parameter: its type, and the trait by which it is called.
    pub(super) parameter: Option<(Ident, syn::Path)>,
    /// A closure that writes to what it captures: it can be called, and not given to others.
    pub(super) mutates: bool,
    /// The type of its result, where that is known.
    pub(super) output: Option<syn::Type>,
}

impl FunctionValue {
    /// A path.
    fn named(path: &syn::ExprPath) -> Self {
        let last = path.path.segments.last();
        FunctionValue {
            kind: FunctionKind::Named(path.clone()),
            name: last.map_or_else(|| Ident::new("f", Span::call_site()), |s| s.ident.clone()),
            inputs: Vec::new(),
            reference: None,
            captures: Vec::new(),
            parameter: None,
            mutates: false,
            output: None,
        }
    }

    fn as_argument(&self, at: usize, behind: Vec<bool>) -> FunctionArg {
        FunctionArg {
            at,
            captures: self.captures.len(),
            kind: self.kind.clone(),
            inputs: self.inputs.clone(),
            bound: self
                .parameter
                .as_ref()
                .map(|(_, bound)| functions::here(bound)),
            behind,
        }
    }
}

impl Lowerer<'_> {
    /// The type parameter and the bound of a parameter that is a function.
    pub(super) fn function_parameter(&self, ty: &syn::Type) -> Option<(Ident, syn::Path)> {
        let syn::Type::Path(path) = super::signature::ungroup(ty) else {
            return None;
        };
        let name = path.path.get_ident()?;
        let bound = functions::bound_of(&self.generics, name)?;
        Some((name.clone(), bound.clone()))
    }

    pub(super) fn bind_function(
        &mut self,
        ident: &Ident,
        var: VarId,
        of: (Ident, syn::Path),
        attrs: &[syn::Attribute],
    ) {
        let named = |name: &str| attrs.iter().any(|a| a.path().is_ident(name));
        let reference = match (named(functions::SHARED), named(functions::MUTABLE)) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            (false, false) => None,
        };
        let place = Place::var(var, ident.span());
        let function = FunctionValue {
            kind: FunctionKind::Parameter,
            name: ident.clone(),
            inputs: functions::inputs(&functions::here(&of.1)),
            reference,
            captures: vec![Value::Ref(View::new(place, Ty::Unknown, false))],
            mutates: false,
            output: functions::output(&of.1),
            parameter: Some(of),
        };
        self.bind(ident, Binding::Function(Box::new(function)));
    }

    /// The function that an expression names, through references.
    pub(super) fn function_named(&self, e: &syn::Expr) -> Option<FunctionValue> {
        match strip(e) {
            syn::Expr::Path(path) => match self.lookup(plain_ident(path)?)? {
                Binding::Function(function) => Some(*function),
                _ => None,
            },
            syn::Expr::Reference(r) => self.function_named(&r.expr),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                self.function_named(&u.expr)
            }
            _ => None,
        }
    }

    /// The function that is given as an argument; `Err` after a mistake.
    fn function_given(&mut self, e: &syn::Expr) -> Option<Result<FunctionValue, ()>> {
        let found = self.function_found(e)?;
        if let Ok(function) = &found
            && function.mutates
        {
            self.diags.over(e, catalog::closure_writes());
            return Some(Err(()));
        }
        Some(found)
    }

    fn function_found(&mut self, e: &syn::Expr) -> Option<Result<FunctionValue, ()>> {
        if let Some(function) = self.function_named(e) {
            return Some(Ok(function));
        }
        match strip(e) {
            syn::Expr::Reference(r) => self.function_found(&r.expr),
            syn::Expr::Closure(closure) => Some(self.closure_value(closure).ok_or(())),
            syn::Expr::Path(path) if let Some((name, local)) = self.named_closure(path) => {
                Some(self.local_value(&name, &local).ok_or(()))
            }
            syn::Expr::Path(path) => self.path_given(path),
            _ => None,
        }
    }

    /// The closure that a path names.
    fn named_closure(&self, path: &syn::ExprPath) -> Option<(Ident, Local)> {
        let name = plain_ident(path)?;
        match self.lookup(name)? {
            Binding::Closure(local) => Some((name.clone(), local)),
            _ => None,
        }
    }

    /// A path whose last name is that of a function: constants have others.
    fn path_given(&mut self, path: &syn::ExprPath) -> Option<Result<FunctionValue, ()>> {
        let local = plain_ident(path).is_some_and(|ident| self.lookup(ident).is_some());
        let last = path.path.segments.last()?.ident.unraw().to_string();
        let constant = local || self.const_tys.contains_key(&last) || last == "self";
        if constant || !super::variants::names_a_function(&path.path) {
            return None;
        }
        let names = segment_names(&path.path);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Some(ty) = primitive_receiver(path, &names) {
            return self.primitive_given(path, &ty, &last);
        }
        if super::variants::is_shown_unit(path) {
            return None;
        }
        if path.qself.is_some() || is_associated(path) {
            let text = super::callee::path_text(path);
            self.diags.over(path, catalog::function_path(&text));
            return Some(Err(()));
        }
        self.note_nonlocal(&path.path);
        self.note_module(path);
        let of_libm = self.path_of_libm(path);
        self.note_given(of_libm.as_ref().unwrap_or(path));
        Some(Ok(FunctionValue::named(of_libm.as_ref().unwrap_or(path))))
    }

    /// `f64::sin`, as the closure that calls it.
    fn primitive_given(
        &mut self,
        path: &syn::ExprPath,
        ty: &Ty,
        name: &str,
    ) -> Option<Result<FunctionValue, ()>> {
        let function = MathFn::from_name(name).filter(|_| ty.is_float())?;
        self.note_float_function(path, ty, name);
        let ty = Ident::new(if *ty == Ty::F32 { "f32" } else { "f64" }, span_of(path));
        let closure = functions::primitive(path, &ty, function);
        Some(self.closure_value(&closure).ok_or(()))
    }

    /// Lowers arguments of a call, functions among them.
    pub(super) fn arguments<'e>(
        &mut self,
        args: impl IntoIterator<Item = &'e syn::Expr> + Clone,
    ) -> (Vec<(Value, Span)>, Vec<FunctionArg>) {
        self.arguments_for(None, args)
    }

    /// The same of a function that has a path.
    pub(super) fn arguments_for<'e>(
        &mut self,
        callee: Option<&syn::ExprPath>,
        args: impl IntoIterator<Item = &'e syn::Expr> + Clone,
    ) -> (Vec<(Value, Span)>, Vec<FunctionArg>) {
        let mut found = Vec::new();
        let values = self.sequence(args.clone(), |l, e| {
            let function = l.function_given(e);
            let value = match &function {
                Some(Ok(function)) => Value::Tuple(function.captures.clone(), span_of(e)),
                Some(Err(())) => Value::Error,
                None if let Some(option) = l.given_option(e) => option,
                None if let Some(items) = l.given_chain(e) => items,
                None => match l.value(e, Want::Value) {
                    value @ (Value::Opaque(..) | Value::Expr(_)) => {
                        Value::Expr(l.stored(value, span_of(e)))
                    }
                    value => value,
                },
            };
            found.push(function.and_then(Result::ok));
            value
        });
        if let Some(callee) = callee {
            self.given_integers(callee, &values);
        }
        let (mut all, mut functions) = (Vec::new(), Vec::new());
        for ((value, e), function) in values.into_iter().zip(args).zip(found) {
            let span = span_of(e);
            match (function, value) {
                (Some(function), Value::Tuple(parts, _)) => {
                    let mut behind: Vec<bool> = function.reference.into_iter().collect();
                    references(e, &mut behind);
                    functions.push(function.as_argument(all.len(), behind));
                    all.extend(parts.into_iter().map(|part| (part, span)));
                }
                (_, value) => all.push((value, span)),
            }
        }
        (all, functions)
    }

    /// A chain that is an argument: what takes one has its items in its sweeps (`iterated`).
    fn given_chain(&mut self, e: &syn::Expr) -> Option<Value> {
        let syn::Expr::MethodCall(call) = strip(e) else {
            return None;
        };
        if self.lenient > 0 || !super::sequence::is_sequence(strip(e)) || !self.mentions_active(e) {
            return None;
        }
        let receiver = &call.receiver;
        let items: syn::Expr = if call.method == "iter" && call.args.is_empty() {
            syn::parse_quote!(&#receiver[..])
        } else {
            syn::parse_quote!(#e.collect::<::std::vec::Vec<_>>())
        };
        Some(match self.value(&items, Want::Value) {
            value @ (Value::Opaque(..) | Value::Expr(_)) => {
                Value::Expr(self.stored(value, span_of(e)))
            }
            value => value,
        })
    }

    /// Adjoints of what a function has captured have no value of their own that could be added later.
    pub(super) fn each_function_once(&mut self, args: &[Arg]) {
        let mut seen = Vec::new();
        for arg in args {
            let ArgMode::Shared(place) = &arg.mode else {
                continue;
            };
            if !self.func.is_function(place.root) {
                continue;
            }
            if seen.contains(&place.root) {
                let name = self.func.var(place.root).name.to_string();
                self.diags.at(arg.span, catalog::function_twice(&name));
            }
            seen.push(place.root);
        }
    }

    /// `f(x)`, where `f` is an argument or a closure.
    pub(super) fn call_function(
        &mut self,
        function: &FunctionValue,
        call: &syn::ExprCall,
        want: Want,
    ) -> Value {
        self.outside_conditions(|l| {
            let callee = l.callee_of(function);
            let values = l.arguments_of(function, call);
            let value = l.emit_call(callee, values, want, span_of(call));
            if let (Value::Expr(e), Some(output)) = (&value, &function.output) {
                let (of_value, ty) = (e.ty.clone(), l.annotation(output));
                l.types.unify(&of_value, &ty);
            }
            value
        })
    }

    /// A function that is an argument, or a closure, called with values: `x.iter().copied().map(f)`. `fallible`: what
    /// it yields is taken apart.
    pub(super) fn apply_function(
        &mut self,
        named: &syn::Expr,
        function: &FunctionValue,
        args: Vec<Value>,
        fallible: bool,
    ) -> Value {
        let span = span_of(named);
        // When it is called, and how often, is for a chain to say.
        if function.mutates {
            return self.refuse(named, catalog::closure_writes());
        }
        self.outside_conditions(|l| {
            let callee = Callee {
                fallible,
                ..l.callee_of(function)
            };
            let captures = function.captures.iter().cloned();
            let values = captures.chain(args).map(|value| (value, span)).collect();
            let value = l.emit_call(callee, values, Want::Value, span);
            if let (Value::Expr(e), Some(output), false) = (&value, &function.output, fallible) {
                let (of_value, ty) = (e.ty.clone(), l.annotation(output));
                l.types.unify(&of_value, &ty);
            }
            value
        })
    }

    /// The same where the `Result`, or the `Option`, that it yields is taken apart.
    pub(super) fn call_function_apart(
        &mut self,
        function: &FunctionValue,
        call: &syn::ExprCall,
    ) -> Value {
        self.outside_conditions(|l| {
            let callee = Callee {
                fallible: true,
                ..l.callee_of(function)
            };
            let values = l.arguments_of(function, call);
            l.emit_call(callee, values, Want::Value, span_of(call))
        })
    }

    fn callee_of(&self, function: &FunctionValue) -> Callee {
        let name = &function.name;
        Callee {
            kind: CalleeKind::Argument,
            path: syn::parse_quote!(#name),
            without: None,
            fallible: false,
            functions: vec![function.as_argument(0, Vec::new())],
            returning: Returning::Always,
            behind: Behind::Nothing,
            answer: None,
            iterated: false,
        }
    }

    /// What a function has captured, and the arguments of a call of it.
    fn arguments_of(
        &mut self,
        function: &FunctionValue,
        call: &syn::ExprCall,
    ) -> Vec<(Value, Span)> {
        let mark = self.mark();
        let (values, functions) = self.arguments(call.args.iter());
        if !functions.is_empty() {
            self.diags.over(call, catalog::function_signature());
        }
        let mut captures = function.captures.clone();
        self.protect(&mut captures, mark);
        let span = span_of(&*call.func);
        captures
            .into_iter()
            .map(|value| (value, span))
            .chain(values)
            .collect()
    }
}

/// The references that an expression makes of a function, the outermost first.
fn references(e: &syn::Expr, behind: &mut Vec<bool>) {
    match strip(e) {
        syn::Expr::Reference(r) => {
            references(&r.expr, behind);
            behind.insert(0, r.mutability.is_some());
        }
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
            references(&u.expr, behind);
            if !behind.is_empty() {
                behind.remove(0);
            }
        }
        _ => {}
    }
}
