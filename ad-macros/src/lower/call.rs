//! Calls by path.

use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt;

use super::Lowerer;
use super::infer::{Class, Kind};
use super::opaque::Builder;
use super::operator::strip;
use super::scope::{Binding, plain_ident};
use super::types::primitive;
use super::value::{Value, View, Want, holds_reference, span_of};
use crate::diag::catalog;
use crate::ir::{
    Access, Arg, ArgMode, Expr, ExprKind, MathFn, OpaqueKind, Place, StmtKind, Ty, shallow_accesses,
};

impl Lowerer<'_> {
    pub(super) fn call(&mut self, call: &syn::ExprCall, want: Want) -> Value {
        match strip(&call.func) {
            syn::Expr::Path(path) => self.path_call(path, call, want),
            _ if self.lenient > 0 => self.call_as_written(call, "this callee".to_owned()),
            func => self.refuse(func, catalog::unsupported_call()),
        }
    }

    fn path_call(&mut self, path: &syn::ExprPath, call: &syn::ExprCall, want: Want) -> Value {
        let span = span_of(call);
        if let Some(binding) = plain_ident(path).and_then(|ident| self.lookup(ident)) {
            if self.lenient == 0 && !self.is_constant(&binding) {
                return self.refuse(path, catalog::call_of_local());
            }
            return self.call_as_written(call, path_text(path));
        }
        self.note_nonlocal(&path.path);
        let names: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|s| s.ident.unraw().to_string())
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Some(ty) = primitive_receiver(path, &names) {
            let method = names.last().copied().unwrap_or_default().to_owned();
            return self.primitive_call(&ty, &method, call, span);
        }
        match names.as_slice() {
            [.., "no_gradient"] if call.args.len() == 1 => self.no_gradient(&call.args[0], span),
            ["Some"] | [.., "Option", "Some"] if call.args.len() == 1 => {
                let value = self.value(&call.args[0], Want::Value);
                let value = self.stored(value, span);
                let ty = Ty::Option(Box::new(value.ty.clone()));
                Value::Expr(Expr::new(ExprKind::Some(Box::new(value)), ty, span))
            }
            [.., "Vec", "new"] if call.args.is_empty() => {
                Value::Expr(self.new_vec(path, None, span))
            }
            [.., "Vec", "with_capacity"] if call.args.len() == 1 => {
                let capacity = self.passive_expr(&call.args[0]);
                Value::Expr(self.new_vec(path, Some(capacity), span))
            }
            ["std" | "core", "mem", name @ ("swap" | "replace" | "take")]
            | ["mem", name @ ("swap" | "replace" | "take")] => {
                let (name, guarded) = ((*name).to_owned(), names.len() == 2);
                self.outside_conditions(|l| l.memory_call(&name, guarded, path, call, span))
            }
            ["drop"] | ["std" | "core", "mem", "drop"] | ["mem", "drop"]
                if call.args.len() == 1 =>
            {
                let value = self.value(&call.args[0], Want::Value);
                if !matches!(value, Value::Place(..) | Value::Ref(_)) {
                    self.discard(value, span);
                }
                Value::Unit
            }
            ["std" | "core", "cmp", "min" | "max"] if call.args.len() == 2 && self.lenient == 0 => {
                self.ordered(call, path, span)
            }
            ["Self", ..] => self.refuse(path, catalog::self_call()),
            _ if self.lenient > 0 || is_foreign(path, &names) => {
                self.call_as_written(call, path_text(path))
            }
            _ => self.outside_conditions(|l| l.companion_call(path, call, want, span)),
        }
    }

    /// A parameter marked `#[constant]`: what it calls carries no derivative.
    fn is_constant(&self, binding: &Binding) -> bool {
        let root = match binding {
            Binding::Var(var) | Binding::Deferred { var, .. } => *var,
            Binding::View { view, .. } => view.place.root,
            Binding::Tuple(_) | Binding::Poisoned => return true,
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
        let written = path
            .path
            .segments
            .iter()
            .rev()
            .find(|s| s.ident == "Vec")
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
            Ty::Vec(Box::new(element)),
            span,
        )
    }

    // `f64::sin(x)`, `usize::max(a, b)`

    fn primitive_call(&mut self, ty: &Ty, name: &str, call: &syn::ExprCall, span: Span) -> Value {
        let float = ty.is_float();
        match (name, MathFn::from_name(name)) {
            ("sin_cos", _) if float && call.args.len() == 1 => {
                let operand = self.expr(&call.args[0]);
                self.types.unify(ty, &operand.ty);
                self.sin_cos(operand, span)
            }
            (_, Some(f)) if float && f.arity() == call.args.len() => {
                let args = self.operands(call.args.iter());
                if let Some(first) = args.first() {
                    self.types.unify(ty, &first.ty);
                }
                let mut e = self.math(f, args, span);
                e.ty = ty.clone();
                Value::Expr(e)
            }
            ("from", _) if float && call.args.len() == 1 => {
                self.float_from(ty, &call.args[0], span)
            }
            ("to_bits" | "to_ne_bytes" | "to_le_bytes" | "to_be_bytes", _)
                if float && self.lenient == 0 =>
            {
                self.refuse(&call.func, catalog::active_method(name))
            }
            _ => {
                let result = match name {
                    _ if float && name.starts_with("is_") => Ty::Bool,
                    "total_cmp" | "partial_cmp" | "cmp" => Ty::Passive,
                    _ if float => ty.clone(),
                    "from" => ty.clone(),
                    _ if name.starts_with("try_") || name.starts_with("from_str") => Ty::Passive,
                    _ => self.int_result(name, ty),
                };
                self.call_with_type(call, path_text_of(&call.func), result)
            }
        }
    }

    /// `f64::from(e)`
    fn float_from(&mut self, ty: &Ty, arg: &syn::Expr, span: Span) -> Value {
        let e = self.expr(arg);
        let written: syn::Type = if *ty == Ty::F32 {
            syn::parse_quote!(f32)
        } else {
            syn::parse_quote!(f64)
        };
        match (self.types.shallow(&e.ty), self.types.class(&e.ty)) {
            (known, _) if known == *ty => Value::Expr(e),
            (Ty::F32, _) => Value::Expr(Expr::new(
                ExprKind::Cast(Box::new(e), Box::new(written)),
                ty.clone(),
                span,
            )),
            (known, Class::Int) => {
                let _ = known;
                Value::Expr(Expr::new(
                    ExprKind::Cast(Box::new(e), Box::new(written)),
                    ty.clone(),
                    span,
                ))
            }
            (Ty::Bool, _) => {
                let mut builder = Builder::default();
                let operand = builder.value(self, e);
                Value::Expr(builder.finish(
                    self,
                    syn::parse_quote!(<#written>::from(#operand)),
                    OpaqueKind::Other("a conversion"),
                    ty.clone(),
                    span,
                ))
            }
            _ if self.lenient > 0 => {
                let mut builder = Builder::default();
                let operand = builder.value(self, e);
                Value::Expr(builder.finish(
                    self,
                    syn::parse_quote!(<#written>::from(#operand)),
                    OpaqueKind::Other("a conversion"),
                    ty.clone(),
                    span,
                ))
            }
            _ => {
                self.diags.over(arg, catalog::float_conversion());
                Value::Error
            }
        }
    }

    // Calls kept as written.

    fn call_as_written(&mut self, call: &syn::ExprCall, name: String) -> Value {
        let ty = self.types.fresh(Kind::General);
        self.call_with_type(call, name, ty)
    }

    fn call_with_type(&mut self, call: &syn::ExprCall, name: String, ty: Ty) -> Value {
        let span = span_of(call);
        let mut builder = Builder::default();
        let func = builder.verbatim(self, &call.func);
        let closures = call
            .args
            .iter()
            .any(|arg| matches!(strip(arg), syn::Expr::Closure(_) | syn::Expr::Range(_)));
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

    fn companion_call(
        &mut self,
        path: &syn::ExprPath,
        call: &syn::ExprCall,
        want: Want,
        span: Span,
    ) -> Value {
        let values = self.sequence(call.args.iter(), |l, e| match l.value(e, Want::Value) {
            value @ (Value::Opaque(..) | Value::Expr(_)) => {
                Value::Expr(l.stored(value, span_of(e)))
            }
            value => value,
        });
        let values: Vec<(Value, Span)> = values
            .into_iter()
            .zip(call.args.iter().map(span_of))
            .collect();
        let callee = path_text(path);
        self.emit_call(path, &callee, values, want, span)
    }

    pub(super) fn emit_call(
        &mut self,
        path: &syn::ExprPath,
        _callee: &str,
        values: Vec<(Value, Span)>,
        want: Want,
        span: Span,
    ) -> Value {
        let mut args = Vec::new();
        for (value, span) in values {
            let mode = match value {
                Value::Ref(view) if view.mutable => ArgMode::InOut(self.writable(view.place)),
                Value::Ref(view) => ArgMode::Shared(view.place),
                other => ArgMode::Value(self.stored(other, span)),
            };
            args.push(Arg { mode, span });
        }
        let callee = Box::new(path.clone());
        if want == Want::Discard {
            self.emit(
                StmtKind::Call {
                    dest: None,
                    callee,
                    args,
                },
                span,
            );
            return Value::Unit;
        }
        let dest = match want {
            Want::Into(var) => var,
            Want::Value | Want::Discard => {
                let ty = self.types.fresh(Kind::General);
                let base = path
                    .path
                    .segments
                    .last()
                    .map_or("value".to_owned(), |s| s.ident.unraw().to_string());
                self.temp(&format!("{base}_value"), ty, span)
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
        Value::Expr(Expr::read_var(dest, self.func.var(dest).ty.clone(), span))
    }

    // `std::mem`

    fn memory_call(
        &mut self,
        name: &str,
        guarded: bool,
        path: &syn::ExprPath,
        call: &syn::ExprCall,
        span: Span,
    ) -> Value {
        if guarded {
            self.guard_memory_path(path, name, span);
        }
        match (name, call.args.len()) {
            ("swap", 2) => self.memory_swap(call, span),
            ("replace", 2) => self.memory_replace(call, span),
            ("take", 1) => self.memory_take(call, span),
            _ => self.refuse(path, catalog::unsupported_call()),
        }
    }

    /// `mem::swap` without `std::` could be a function of the user's own module `mem`: checked at run time, where it folds away.
    fn guard_memory_path(&mut self, path: &syn::ExprPath, name: &str, span: Span) {
        let mut plain = path.clone();
        if let Some(last) = plain.path.segments.last_mut() {
            last.arguments = syn::PathArguments::None;
        }
        let expected = format!("core::mem::{name}");
        let opaque = crate::ir::Opaque {
            code: syn::parse_quote!(::core::assert!(
                ::core::any::type_name_of_val(&#plain::<u8>).starts_with(#expected),
                "`mem` is not `std::mem` here"
            )),
            args: Vec::new(),
            kind: OpaqueKind::Macro("assert".to_owned()),
        };
        self.emit(StmtKind::Opaque(Box::new(opaque)), span);
    }

    fn memory_swap(&mut self, call: &syn::ExprCall, span: Span) -> Value {
        if let Some(done) = self.swap_references(call, span) {
            return done;
        }
        let values = self.sequence(call.args.iter(), |l, e| l.value(e, Want::Value));
        let mut views = Vec::new();
        for value in values {
            match value {
                Value::Ref(view) if view.depth == 0 => views.push(view),
                Value::Error => return Value::Error,
                _ => return self.refuse(&call.args, catalog::reference_too_dynamic()),
            }
        }
        let (Some(b), Some(a)) = (views.pop(), views.pop()) else {
            return Value::Error;
        };
        self.types.unify(&a.ty, &b.ty);
        let (a, b) = (self.writable(a.place), self.writable(b.place));
        self.emit(StmtKind::Swap(a, b), span);
        Value::Unit
    }

    /// `mem::swap(&mut a, &mut b)` where `a` and `b` are reference variables: they exchange what they point to.
    fn swap_references(&mut self, call: &syn::ExprCall, span: Span) -> Option<Value> {
        let mut sides: Vec<(crate::ir::VarId, View)> = Vec::new();
        for arg in &call.args {
            let syn::Expr::Reference(r) = strip(arg) else {
                return None;
            };
            let ident = super::scope::name_of(&r.expr)?;
            match self.lookup(ident)? {
                Binding::View {
                    view,
                    var: Some(var),
                } => sides.push((var, view)),
                Binding::View { var: None, .. } => {
                    self.diags.over(arg, catalog::reference_too_dynamic());
                    return Some(Value::Error);
                }
                _ => return None,
            }
        }
        let (Some((b, b_view)), Some((a, a_view))) = (sides.pop(), sides.pop()) else {
            return None;
        };
        self.types.unify(&a_view.ty, &b_view.ty);
        let old = self.freeze_view(a_view);
        self.point(a, &b_view, false);
        self.point(b, &old, false);
        let _ = span;
        Some(Value::Unit)
    }

    fn memory_replace(&mut self, call: &syn::ExprCall, span: Span) -> Value {
        let values = self.sequence(call.args.iter(), |l, e| match l.value(e, Want::Value) {
            value @ Value::Ref(_) => value,
            value => Value::Expr(l.stored(value, span_of(e))),
        });
        let mut values = values.into_iter();
        let (Some(Value::Ref(view)), Some(Value::Expr(value))) = (values.next(), values.next())
        else {
            return self.refuse(&call.args, catalog::reference_too_dynamic());
        };
        self.types.unify(&view.ty, &value.ty);
        Value::Expr(self.take_out(view, value, span))
    }

    fn memory_take(&mut self, call: &syn::ExprCall, span: Span) -> Value {
        let Value::Ref(view) = self.value(&call.args[0], Want::Value) else {
            return self.refuse(&call.args, catalog::reference_too_dynamic());
        };
        let ty = self.types.shallow(&view.ty);
        let zero = match (&ty, self.types.class(&ty)) {
            (_, Class::Float) => syn::Lit::Float(syn::LitFloat::new("0.0", span)),
            (_, Class::Int) => syn::Lit::Int(syn::LitInt::new("0", span)),
            (Ty::Bool, _) => syn::Lit::Bool(syn::LitBool::new(false, span)),
            (Ty::Vec(_), _) => {
                return Value::Expr(self.take_out(
                    view,
                    Expr::new(ExprKind::VecNew(None), ty, span),
                    span,
                ));
            }
            (Ty::Option(_), _) => {
                return Value::Expr(self.take_out(view, Expr::new(ExprKind::None, ty, span), span));
            }
            _ => return self.refuse(&call.args, catalog::mem_take()),
        };
        Value::Expr(self.take_out(view, Expr::new(ExprKind::Lit(zero), ty, span), span))
    }

    /// The old value of the place, which then holds `value`.
    fn take_out(&mut self, view: View, value: Expr, span: Span) -> Expr {
        let place = self.writable(view.place);
        let value = if reads(&value, &place) {
            self.in_temp("new", value)
        } else {
            value
        };
        let old = Expr::new(ExprKind::Read(place.clone()), view.ty, span);
        let old = self.in_temp("old", old);
        self.emit(
            StmtKind::Assign {
                place,
                value,
                init: false,
            },
            span,
        );
        old
    }

    // `no_gradient(e)`

    fn no_gradient(&mut self, arg: &syn::Expr, span: Span) -> Value {
        let declared = self.func.vars.len();
        let mark = self.mark();
        self.lenient += 1;
        let value = self.value(arg, Want::Value);
        if holds_reference(&value) && !matches!(value, Value::Ref(_)) {
            self.lenient -= 1;
            return self.refuse(&arg, catalog::reference_in_value());
        }
        let e = self.operand_raw(value, span);
        self.lenient -= 1;
        let mut outside = false;
        for stmt in &self.frame().stmts[mark..] {
            visit(stmt, &mut |var, access| {
                outside |= (var as usize) < declared && access
            });
        }
        if outside {
            return self.refuse(&arg, catalog::no_gradient_effect());
        }
        let ty = e.ty.clone();
        Value::Expr(Expr::new(ExprKind::NoGradient(Box::new(e)), ty, span))
    }
}

/// Reports each written variable; what unknown code writes is left to the activity analysis.
fn visit(stmt: &crate::ir::Stmt, f: &mut dyn FnMut(u32, bool)) {
    if !matches!(stmt.kind, StmtKind::Opaque(_)) {
        shallow_accesses(stmt, &mut |var, access| {
            f(
                var.0,
                matches!(access, Access::WriteAll | Access::WritePart),
            )
        });
    }
    for block in stmt.kind.blocks() {
        block.stmts.iter().for_each(|inner| visit(inner, f));
    }
}

fn reads(e: &Expr, place: &Place) -> bool {
    let mut found = false;
    crate::ir::expr_reads(e, &mut |p| found |= p.root == place.root);
    found
}

/// The type before the last segment, if it is a primitive one: `f64::sin`, `<f64>::sin`, `core::primitive::f64::sin`.
fn primitive_receiver(path: &syn::ExprPath, names: &[&str]) -> Option<Ty> {
    match (&path.qself, names) {
        (Some(q), [_]) => super::signature::cast_type(&q.ty),
        (None, [ty, _]) | (None, ["std" | "core", "primitive", ty, _]) => {
            primitive(ty).filter(|ty| *ty != Ty::Str)
        }
        _ => None,
    }
}

/// Constructors, associated functions and functions of std: they have no companion.
fn is_foreign(path: &syn::ExprPath, names: &[&str]) -> bool {
    let upper = |name: &&str| name.starts_with(|c: char| c.is_uppercase());
    let std = names.len() > 1 && matches!(names.first(), Some(&("std" | "core" | "alloc")));
    path.qself.is_some()
        || std
        || names.last().is_some_and(upper)
        || (names.len() > 1 && names.get(names.len() - 2).is_some_and(upper))
}

pub(super) fn path_text(path: &syn::ExprPath) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

fn path_text_of(e: &syn::Expr) -> String {
    e.to_token_stream().to_string().replace(' ', "")
}
