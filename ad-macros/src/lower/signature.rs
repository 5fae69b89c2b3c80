//! Parameters, result, and the frame around the body.

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::spanned::Spanned;

use super::Lowerer;
use super::owner::passing;
use super::scope::Binding;
use super::types::{primitive, result_of, signature_type};
use super::value::{Value, View, Want, span_of};
use crate::diag::catalog;
use crate::ir::{
    Expr, ExprKind, Param, Passing, Place, Proj, Stmt, StmtKind, Ty, VarId, VarInfo, VarKind,
};

impl Lowerer<'_> {
    pub(super) fn function(&mut self, item: &syn::ItemFn) {
        self.qualifiers(&item.sig);
        self.constants(&self.owner.generics);
        self.generics(&item.sig);
        let mut patterns = Vec::new();
        for (n, input) in item.sig.inputs.iter().enumerate() {
            self.parameter(n, input, &mut patterns);
        }
        self.result_type(&item.sig.output);
        for (pat, value) in patterns {
            self.bind_pattern(pat, value);
        }
        for input in &item.sig.inputs {
            if let syn::FnArg::Typed(input) = input {
                self.note_written_type(&input.pat, &input.ty);
            }
        }
        self.no_guard_binds(&item.block);
        self.note_variants(&item.block);
        self.body(&item.block);
    }

    fn qualifiers(&mut self, sig: &syn::Signature) {
        if let Some(token) = &sig.asyncness {
            self.diags.over(token, catalog::async_fn());
        }
        if let Some(token) = &sig.unsafety {
            self.diags.over(token, catalog::unsafe_fn());
        }
        if let Some(abi) = &sig.abi {
            self.diags.over(abi, catalog::extern_fn());
        }
        if let Some(variadic) = &sig.variadic {
            self.diags.over(variadic, catalog::variadic());
        }
    }

    fn generics(&mut self, sig: &syn::Signature) {
        for t in sig.generics.type_params() {
            if !crate::generic::is_supported(sig, t) {
                let message = catalog::generic_type(&t.ident.to_string());
                self.diags.at(t.ident.span(), message);
            }
        }
        self.constants(&sig.generics);
    }

    fn constants(&mut self, generics: &syn::Generics) {
        for c in generics.const_params() {
            let ty = self.annotation(&c.ty);
            self.const_tys.insert(c.ident.to_string(), ty);
        }
    }

    /// `self`, under a name that can be given to any variable.
    fn receiver(&mut self, receiver: &syn::Receiver) {
        let constant = self.parameter_attributes(&receiver.attrs);
        let ident = Ident::new("self", receiver.self_token.span);
        let Some(passing) = passing(receiver) else {
            self.diags.over(receiver, catalog::receiver_type());
            self.bind(&ident, Binding::Poisoned);
            return;
        };
        let itself = || self.func.written.type_of(&syn::parse_quote!(Self));
        let ty = if constant {
            Ty::Passive
        } else {
            itself().unwrap_or(Ty::Unknown)
        };
        let declared = match passing {
            Passing::Value => ty.clone(),
            Passing::Shared => Ty::Ref(false, Box::new(ty.clone())),
            Passing::InOut => Ty::Ref(true, Box::new(ty.clone())),
        };
        let name = self.func.fresh_name("this", ident.span());
        let var = self.func.add(VarInfo {
            name,
            ty: declared,
            mutable: false,
            kind: VarKind::Param,
            constant,
            class: crate::ir::Class::Primal,
            type_of: None,
        });
        self.func.params.push(Param {
            var,
            ident: ident.clone(),
            passing,
            ty: ty.clone(),
            written: (*receiver.ty).clone(),
            constant,
            generator: false,
            function: false,
        });
        self.this = Some(var);
        let place = Place::var(var, ident.span());
        match passing {
            Passing::Value if receiver.mutability.is_some() => {
                let init = self.read(place, ty.clone());
                let this = Ident::new("this", ident.span());
                let local = self.declare(&this, ty, VarKind::Local, true);
                self.emit_let(local, Some(init), ident.span());
                self.this = Some(local);
                self.bind(&ident, Binding::Var(local));
            }
            Passing::Value => self.bind(&ident, Binding::Var(var)),
            Passing::Shared | Passing::InOut => {
                let view = View::new(place.then(Proj::Deref), ty, passing == Passing::InOut);
                self.bind(&ident, Binding::View { view, var: None });
            }
        }
    }

    fn parameter<'a>(
        &mut self,
        n: usize,
        input: &'a syn::FnArg,
        patterns: &mut Vec<(&'a syn::Pat, Value)>,
    ) {
        let input = match input {
            syn::FnArg::Typed(input) => input,
            syn::FnArg::Receiver(receiver) => return self.receiver(receiver),
        };
        let constant = self.parameter_attributes(&input.attrs);
        if !constant {
            self.note_std_types(&input.ty);
        }
        let (passing, ty, declared) = self.parameter_type(&input.ty, constant);
        self.captured_integer(n, input, &ty);
        let function = self.function_parameter(&input.ty).filter(|_| !constant);
        let ident = match &*input.pat {
            syn::Pat::Ident(p) if p.subpat.is_none() => p.ident.clone(),
            other => format_ident!("arg{}", n, span = other.span()),
        };
        let name = self.parameter_name(&ident);
        let info = VarInfo {
            name: name.clone(),
            ty: declared,
            mutable: false,
            kind: VarKind::Param,
            constant,
            class: crate::ir::Class::Primal,
            type_of: None,
        };
        let var = self.func.add(info);
        let place = Place::var(var, ident.span());
        let value = match passing {
            Passing::Value => Value::Place(place, ty.clone()),
            Passing::Shared => Value::Ref(View::new(place.then(Proj::Deref), ty.clone(), false)),
            Passing::InOut => Value::Ref(View::new(place.then(Proj::Deref), ty.clone(), true)),
        };
        self.func.params.push(Param {
            var,
            ident: name,
            passing,
            ty,
            written: (*input.ty).clone(),
            constant,
            generator: passing == Passing::InOut && crate::known_types::is_generator(&input.attrs),
            function: function.is_some(),
        });
        if let Some(function) = function {
            // A pattern of a function is a name, or nothing.
            return self.bind_function(&ident, var, function, &input.attrs);
        }
        if self.owner.captured.contains(&super::scope::key(&ident))
            && n < self.owner.captures
            && let Value::Ref(view) = &value
        {
            let binding = Binding::Captured(view.place.clone(), view.ty.clone());
            return self.bind(&ident, binding);
        }
        match (&*input.pat, &value) {
            // The parameter itself is the variable.
            (syn::Pat::Ident(p), _)
                if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() =>
            {
                self.bind_parameter(&p.ident, var, value);
            }
            (syn::Pat::Wild(_), _) => {}
            (pat, _) => patterns.push((pat, value)),
        }
    }

    fn bind_parameter(&mut self, ident: &Ident, var: VarId, value: Value) {
        let binding = match value {
            Value::Ref(view) => Binding::View { view, var: None },
            _ => Binding::Var(var),
        };
        self.bind(ident, binding);
    }

    fn parameter_name(&mut self, ident: &Ident) -> Ident {
        let base = syn::ext::IdentExt::unraw(ident).to_string();
        if self.taken.insert(base.clone()) {
            ident.clone()
        } else {
            self.func.fresh_name(&base, ident.span())
        }
    }

    /// How the parameter is passed, the type behind the reference, and the type of the variable.
    fn parameter_type(&mut self, written: &syn::Type, constant: bool) -> (Passing, Ty, Ty) {
        let mut known =
            |written: &syn::Type| match signature_type(written, constant, &mut self.func.written) {
                Ok(ty) => ty,
                Err((span, message)) => {
                    self.diags.at(span, message);
                    Ty::Unknown
                }
            };
        match ungroup(written) {
            // Of a closure, to be found out.
            syn::Type::Infer(_) => {
                let ty = self.types.fresh(super::infer::Kind::General);
                (Passing::Value, ty.clone(), ty)
            }
            syn::Type::Reference(r) => {
                let ty = known(&r.elem);
                if ty == Ty::Str {
                    return (Passing::Value, Ty::Str, Ty::Str);
                }
                // What is written through it would have to be borrowed for as long as it is.
                if matches!(ty, Ty::Ref(..)) || r.mutability.is_some() && ty.holds_reference() {
                    self.diags.over(&r.elem, catalog::nested_reference());
                    return (Passing::Value, Ty::Unknown, Ty::Unknown);
                }
                let mutable = r.mutability.is_some();
                let passing = if mutable {
                    Passing::InOut
                } else {
                    Passing::Shared
                };
                (passing, ty.clone(), Ty::Ref(mutable, Box::new(ty)))
            }
            other => {
                let ty = known(other);
                (Passing::Value, ty.clone(), ty)
            }
        }
    }

    fn result_type(&mut self, output: &syn::ReturnType) {
        let syn::ReturnType::Type(_, written) = output else {
            return;
        };
        self.func.ret_written = (**written).clone();
        self.note_std_types(written);
        if let Some(value) = result_of(output) {
            let known = signature_type(value, false, &mut self.func.written);
            let value = known.unwrap_or_else(|(span, message)| {
                self.diags.at(span, message);
                Ty::Unknown
            });
            self.owned_result(&value, written);
            self.func.ret_ty = Ty::Option(Box::new(value));
            self.declare_failure(written.span());
            return;
        }
        let ty = match ungroup(written) {
            syn::Type::Reference(r) => {
                self.diags.over(r, catalog::returned_reference());
                Ty::Unknown
            }
            syn::Type::Path(p) if p.path.is_ident("Self") => Ty::Unknown,
            syn::Type::Infer(_) => self.types.fresh(super::infer::Kind::General),
            other if super::owner::elides_lifetime(other) => {
                self.diags.over(other, catalog::returned_borrow());
                Ty::Unknown
            }
            other => signature_type(other, false, &mut self.func.written).unwrap_or_else(
                |(span, message)| {
                    self.diags.at(span, message);
                    Ty::Unknown
                },
            ),
        };
        self.owned_result(&ty, written);
        self.func.ret_ty = ty;
    }

    fn owned_result(&mut self, ty: &Ty, written: &syn::Type) {
        if holds_boxed_slice(written) {
            self.diags.over(written, catalog::boxed_slice());
        }
        if ty.holds_reference() {
            self.diags.over(written, catalog::returned_reference());
        }
    }

    fn body(&mut self, block: &syn::Block) {
        let span = block.span();
        let unit = self.func.ret_ty == Ty::Unit;
        if unit {
            self.block(block, Want::Discard);
            return;
        }
        let ty = self.func.ret_ty.clone();
        let result = self.temp("result", ty.clone(), span);
        self.result = Some(result);
        self.func.result = Some(result);
        if self.early_return {
            self.frame().stmts.insert(
                0,
                Stmt::new(
                    StmtKind::Let {
                        var: result,
                        init: None,
                    },
                    span,
                ),
            );
            let value = self.block(block, Want::Value);
            self.return_value(value, span);
            return;
        }
        let value = self.block(block, Want::Into(result));
        if matches!(value, Value::Never) {
            // Never assigned, since the end is never reached.
            self.frame().stmts.insert(
                0,
                Stmt::new(
                    StmtKind::Let {
                        var: result,
                        init: None,
                    },
                    span,
                ),
            );
            return;
        }
        self.initialise(result, value, span);
    }

    /// Declares `var` with `value`, unless the value was produced in it.
    pub(super) fn initialise(&mut self, var: VarId, value: Value, span: Span) {
        let declared = self.func.var(var).ty.clone();
        match &value {
            Value::Expr(Expr {
                kind: ExprKind::Read(place),
                ..
            }) if place.root == var && place.is_var() => return,
            Value::Never if self.diverged() => return,
            Value::Ref(view) if self.result == Some(var) => {
                // Rust has no coercion from a reference to a value: the result type was refused.
                let _ = view;
                return;
            }
            _ => {}
        }
        let init = match value {
            // It moves: an error, say, need not be something that can be copied.
            Value::Opaque(opaque, Ty::Passive, span) if super::fallible::moves(&opaque) => {
                Expr::new(ExprKind::Opaque(opaque), Ty::Passive, span)
            }
            value if self.unstable.contains(&var) => self.stored(value, span),
            value => self.stored_raw(value, span),
        };
        self.types.unify(&declared, &init.ty);
        self.emit_let(var, Some(init), span);
    }

    /// Assigns the function's result (where it was declared before).
    pub(super) fn return_value(&mut self, value: Value, span: Span) {
        let Some(result) = self.result else { return };
        if matches!(value, Value::Never) && self.diverged() {
            return;
        }
        let value = self.stored(value, span_of(&Ident::new("result", span)));
        let ty = self.func.ret_ty.clone();
        self.types.unify(&ty, &value.ty);
        self.emit(
            StmtKind::Assign {
                place: Place::var(result, span),
                value,
                init: true,
            },
            span,
        );
    }
}

pub(super) fn ungroup(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Paren(t) => ungroup(&t.elem),
        syn::Type::Group(t) => ungroup(&t.elem),
        other => other,
    }
}

/// The type of a written primitive, for casts.
pub(super) fn cast_type(written: &syn::Type) -> Option<Ty> {
    match ungroup(written) {
        syn::Type::Path(p) if p.qself.is_none() => {
            primitive(&p.path.segments.last()?.ident.to_string())
                .filter(|ty| *ty != Ty::Str && is_primitive_path(&p.path))
        }
        _ => None,
    }
}

fn is_primitive_path(path: &syn::Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    matches!(names.as_slice(), [_] | ["std" | "core", "primitive", _])
}

/// Whether a result has a slice in a box: the sweeps have a vector in its place.
fn holds_boxed_slice(written: &syn::Type) -> bool {
    struct Boxed(bool);
    impl<'ast> syn::visit::Visit<'ast> for Boxed {
        fn visit_path_segment(&mut self, segment: &'ast syn::PathSegment) {
            if let syn::PathArguments::AngleBracketed(list) = &segment.arguments {
                let slice = |arg: &syn::GenericArgument| match arg {
                    syn::GenericArgument::Type(ty) => matches!(ungroup(ty), syn::Type::Slice(_)),
                    _ => false,
                };
                self.0 |= segment.ident == "Box" && list.args.iter().any(slice);
            }
            syn::visit::visit_path_segment(self, segment);
        }
    }
    let mut boxed = Boxed(false);
    syn::visit::Visit::visit_type(&mut boxed, written);
    boxed.0
}
