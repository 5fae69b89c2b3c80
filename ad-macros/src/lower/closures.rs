//! Closures that are given to others, or have a name: each becomes a function of its own, in front of whose parameters
//! stands what it captures.

use std::collections::HashSet;

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::visit::{self, Visit};

use super::functions::FunctionValue;
use super::infer::Class;
use super::opaque::pattern_names;
use super::owner::Owner;
use super::prescan::names_in;
use super::scope::{Binding, key};
use super::value::{Value, View, span_of};
use super::{Lowerer, VarKind};
use crate::diag::{Diagnostics, catalog};
use crate::functions;
use crate::ir::{
    Access, Closure, Expr, Func, FunctionKind, IntTy, Place, Proj, Ty, VarId, Written,
    shallow_accesses,
};

/// A variable that a closure captures, as a parameter.
struct Capture {
    ident: Ident,
    ty: syn::Type,
    value: Value,
    /// It is a reference where the closure has the value.
    behind: bool,
}

impl Capture {
    /// Whether a `move` closure has a value of its own.
    fn is_copy(&self) -> bool {
        !matches!(&self.value, Value::Ref(_)) || self.behind
    }

    /// The closure writes to it.
    fn lend(&mut self) {
        let ty = crate::ir::without_reference(&self.ty).clone();
        self.ty = syn::parse_quote!(&mut #ty);
        match &mut self.value {
            Value::Ref(view) => view.mutable = true,
            Value::Place(place, ty) => {
                let view = View::new(place.clone(), ty.clone(), true);
                self.value = Value::Ref(view);
                self.behind = true;
            }
            _ => {}
        }
    }
}

/// Which of its captures a closure writes to.
fn written(function: &syn::ItemFn, captures: &[Capture]) -> Vec<bool> {
    let func = lowered(function, captures);
    let params = func.signature().iter().take(captures.len());
    let vars: Vec<VarId> = params.map(|p| p.var).collect();
    let mut written = vec![false; captures.len()];
    crate::ir::visit_stmts(&func.body, &mut |stmt| {
        shallow_accesses(stmt, &mut |var, access| {
            let writes = matches!(access, Access::WriteAll | Access::WritePart);
            if let Some(at) = vars.iter().position(|v| *v == var).filter(|_| writes) {
                written[at] = true;
            }
        });
    });
    written
}

impl Lowerer<'_> {
    /// `let f = |x| …;`
    pub(super) fn named_closure(&mut self, ident: &Ident, closure: &syn::ExprClosure) {
        let binding = match self.closure_value(closure) {
            Some(mut function) => {
                function.name = ident.clone();
                Binding::Function(Box::new(function))
            }
            None => Binding::Poisoned,
        };
        self.bind(ident, binding);
    }

    /// The closure as a function; `None` after a mistake.
    pub(super) fn closure_value(&mut self, closure: &syn::ExprClosure) -> Option<FunctionValue> {
        if !self.has_plain_form(closure) {
            return None;
        }
        let names = free_names(closure);
        let (mut captures, mut bindings) = (Vec::new(), Vec::new());
        let mut prelude = Vec::new();
        let mut mistake = false;
        let mut queue = names;
        queue.reverse();
        let mut seen = HashSet::new();
        while let Some(ident) = queue.pop() {
            let Some(binding) = self.lookup(&ident) else {
                continue;
            };
            if !seen.insert(key(&ident)) {
                continue;
            }
            if let Binding::Function(function) = &binding
                && let Some((text, own)) = &function.source
            {
                // It is made once more inside, of the same variables.
                let same = own.iter().all(|(name, was)| {
                    self.lookup(name).is_some_and(|now| same_binding(&now, was))
                });
                if !same || text.capture.is_some() {
                    let what = format!(
                        "the closure `{ident}`, some of whose variables have been shadowed since,"
                    );
                    self.diags.at(ident.span(), catalog::closure_form(&what));
                    mistake = true;
                }
                prelude.insert(0, syn::parse_quote!(let #ident = #text;));
                queue.extend(own.iter().map(|(name, _)| name.clone()));
                continue;
            }
            match self.capture(&ident, &binding, closure.capture.is_some()) {
                Ok(capture) => captures.extend(capture),
                Err(()) => mistake = true,
            }
            bindings.push((ident, binding));
        }
        if mistake {
            return None;
        }
        let name = self
            .func
            .fresh_name("__closure", span_of(&closure.or1_token));
        let mut function = self.lifted(&name, closure, &captures, prelude.clone());
        let written = written(&function, &captures);
        for (capture, _) in captures.iter_mut().zip(&written).filter(|(_, w)| **w) {
            if closure.capture.is_some() && capture.is_copy() {
                self.diags
                    .at(capture.ident.span(), catalog::closure_writes());
                return None;
            }
            capture.lend();
        }
        let mutates = written.contains(&true);
        if mutates {
            function = self.lifted(&name, closure, &captures, prelude);
        }
        let generics = function.sig.generics.params.iter();
        let generics = generics.filter_map(|param| match param {
            syn::GenericParam::Type(t) => Some(t.ident.clone()),
            syn::GenericParam::Const(c) => Some(c.ident.clone()),
            syn::GenericParam::Lifetime(_) => None,
        });
        let behind = captures.iter().filter(|capture| capture.behind);
        let value = FunctionValue {
            kind: FunctionKind::Closure(name.clone(), generics.collect()),
            name,
            arity: closure.inputs.len(),
            captures: captures
                .iter()
                .map(|capture| capture.value.clone())
                .collect(),
            parameter: None,
            mutates,
            output: match &function.sig.output {
                syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
                syn::ReturnType::Default => None,
            },
            source: Some((closure.clone(), bindings)),
        };
        self.func.closures.push(Closure {
            function,
            captures: captures.len(),
            captured: behind.map(|capture| key(&capture.ident)).collect(),
        });
        Some(value)
    }

    fn has_plain_form(&mut self, closure: &syn::ExprClosure) -> bool {
        if let Some(token) = &closure.asyncness {
            self.diags.over(token, catalog::async_block());
            return false;
        }
        if let Some(token) = &closure.lifetimes {
            self.diags.over(token, catalog::closure_form("`for<…>`"));
            return false;
        }
        let names = free_names(closure);
        if let Some(this) = names.iter().find(|name| *name == "self" || *name == "Self") {
            self.diags.at(this.span(), catalog::closure_self());
            return false;
        }
        true
    }

    /// What a name that stands in a closure is captured as; nothing if it has no value.
    fn capture(
        &mut self,
        ident: &Ident,
        binding: &Binding,
        moves: bool,
    ) -> Result<Option<Capture>, ()> {
        let span = ident.span();
        let of = |ty, value, behind| {
            Ok(Some(Capture {
                ident: ident.clone(),
                ty,
                value,
                behind,
            }))
        };
        match binding {
            Binding::Function(function) => match &function.parameter {
                Some((ty, _)) => of(syn::parse_quote!(#ty), function.captures[0].clone(), false),
                None => Ok(None),
            },
            Binding::Var(var) | Binding::Deferred { var, .. } => {
                let place = Place::var(*var, span);
                let ty = self.captured_type(&self.func.var(*var).ty.clone());
                if self.types.is_plain(&ty)
                    && let Some(written) = spelled(&ty, &self.func.written)
                {
                    let value = if moves && self.unstable.contains(var) {
                        let read = Expr::read_var(*var, ty.clone(), span);
                        Value::Expr(self.in_temp("captured", read))
                    } else {
                        Value::Place(place, ty)
                    };
                    return of(written, value, false);
                }
                if moves && self.unstable.contains(var) {
                    let what = format!("`move` of `{ident}`, which may be written to,");
                    self.diags.at(span, catalog::closure_form(&what));
                    return Err(());
                }
                let written = self.written_type(*var, &ty, ident)?;
                let written = functions::unnamed(&written);
                let view = View::new(place, ty, false);
                of(syn::parse_quote!(&#written), Value::Ref(view), true)
            }
            Binding::Captured(place, ty) => {
                let written = self.written_type(place.root, ty, ident)?;
                let written = functions::unnamed(&written);
                let view = View::new(place.clone(), ty.clone(), false);
                of(syn::parse_quote!(&#written), Value::Ref(view), true)
            }
            Binding::View { view, var } => {
                if view.depth > 0 || var.is_some() {
                    self.diags
                        .at(span, catalog::closure_capture(&ident.to_string()));
                    return Err(());
                }
                let whole = view.place.proj.iter().all(|p| matches!(p, Proj::Deref));
                let ty = self.captured_type(&view.ty);
                let written = if whole {
                    self.written_type(view.place.root, &ty, ident)?
                } else {
                    let written = spelled(&ty, &self.func.written);
                    written.ok_or_else(|| self.unknown(ident))?
                };
                let written = functions::unnamed(&written);
                let view = View {
                    mutable: false,
                    ty,
                    ..view.clone()
                };
                of(syn::parse_quote!(&#written), Value::Ref(view), false)
            }
            Binding::Tuple(_) => Err(self.unknown(ident)),
            Binding::Poisoned => Err(()),
        }
    }

    fn unknown(&mut self, ident: &Ident) {
        self.diags
            .at(ident.span(), catalog::closure_capture(&ident.to_string()));
    }

    /// The type of what is captured, a float where all that is known is that it is one.
    fn captured_type(&mut self, ty: &Ty) -> Ty {
        self.types.solve();
        let float = self.float();
        self.fix_floats(ty, &float);
        self.types.deep(ty)
    }

    fn fix_floats(&mut self, ty: &Ty, float: &Ty) {
        match self.types.shallow(ty) {
            // A guess, if nothing is known: rustc rejects it where it is wrong.
            open @ Ty::Infer(_) => {
                let guessed = matches!(
                    self.types.class(&open),
                    Class::Open | Class::Float | Class::Number
                );
                if guessed {
                    self.types.unify(&open, float);
                } else if self.types.class(&open) == Class::Int {
                    self.types.unify(&open, &Ty::Int(IntTy::from_name("i32")));
                }
            }
            Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) | Ty::Option(t) | Ty::Ref(_, t) => {
                self.fix_floats(&t, float);
            }
            Ty::Tuple(parts) => parts.iter().for_each(|part| self.fix_floats(part, float)),
            _ => {}
        }
    }

    /// The width of floats about which nothing is known: that of the signature.
    fn float(&self) -> Ty {
        let mut types = self
            .func
            .params
            .iter()
            .map(|p| &p.ty)
            .chain([&self.func.ret_ty]);
        let narrow = types.clone().any(|ty| has(ty, &Ty::F32));
        if narrow && !types.any(|ty| has(ty, &Ty::F64)) {
            Ty::F32
        } else {
            Ty::F64
        }
    }

    /// The type of a variable as it can be written: that of a parameter stands in the signature.
    fn written_type(&mut self, var: VarId, ty: &Ty, ident: &Ident) -> Result<syn::Type, ()> {
        let param = self.func.params.iter().find(|p| p.var == var);
        let written = match param {
            Some(param) if self.func.var(var).kind == VarKind::Param => {
                Some(crate::ir::without_reference(&param.written).clone())
            }
            _ => spelled(ty, &self.func.written),
        };
        written.ok_or_else(|| self.unknown(ident))
    }

    /// The closure as a function, its types written.
    fn lifted(
        &mut self,
        name: &Ident,
        closure: &syn::ExprClosure,
        captures: &[Capture],
        prelude: Vec<syn::Stmt>,
    ) -> syn::ItemFn {
        let captured = captures.iter().map(|capture| -> syn::FnArg {
            let (ident, ty) = (&capture.ident, &capture.ty);
            syn::parse_quote!(#ident: #ty)
        });
        let own = closure.inputs.iter().map(|input| -> syn::FnArg {
            match input {
                syn::Pat::Type(typed) => {
                    let (pat, ty) = (&typed.pat, functions::unnamed(&typed.ty));
                    syn::parse_quote!(#pat: #ty)
                }
                pat => syn::parse_quote!(#pat: _),
            }
        });
        let inputs: Vec<_> = captured.chain(own).collect();
        let output: syn::ReturnType = match &closure.output {
            syn::ReturnType::Default => syn::parse_quote!(-> _),
            written @ syn::ReturnType::Type(..) => written.clone(),
        };
        let body = match &*closure.body {
            syn::Expr::Block(block) if block.label.is_none() && block.attrs.is_empty() => {
                block.block.stmts.clone()
            }
            other => vec![syn::Stmt::Expr(other.clone(), None)],
        };
        let mut function: syn::ItemFn =
            syn::parse_quote!(fn #name(#(#inputs),*) #output { #(#prelude)* #(#body)* });
        function.sig.generics = mentioned(&self.generics, &function);
        self.infer(&mut function, captures);
        function
    }

    /// Writes the types that the text of a closure leaves out, as far as the macro sees them; else `f64`.
    fn infer(&mut self, function: &mut syn::ItemFn, captures: &[Capture]) {
        let open = |input: &syn::FnArg| matches!(input, syn::FnArg::Typed(t) if is_open(&t.ty));
        let of_result = matches!(&function.sig.output, syn::ReturnType::Type(_, ty) if is_open(ty));
        if !of_result && !function.sig.inputs.iter().any(open) {
            return;
        }
        let float = self.float();
        // The result is looked for when the types of the parameters are there.
        let tried = lowered(function, captures);
        for (input, param) in function.sig.inputs.iter_mut().zip(&tried.params) {
            if let syn::FnArg::Typed(typed) = input
                && is_open(&typed.ty)
            {
                *typed.ty = written_or_float(&param.ty, &tried.written, &float);
            }
        }
        if of_result {
            let tried = lowered(function, captures);
            let ty = written_or_float(&tried.ret_ty, &tried.written, &float);
            function.sig.output = syn::parse_quote!(-> #ty);
        }
    }
}

/// The function in the IR, whatever is wrong with it.
fn lowered(function: &syn::ItemFn, captures: &[Capture]) -> Func {
    let behind = captures.iter().filter(|capture| capture.behind);
    let owner = Owner {
        captures: captures.len(),
        captured: behind.map(|capture| key(&capture.ident)).collect(),
        ..Owner::default()
    };
    let mut ignored = Diagnostics::new();
    let mut lowerer = Lowerer::new(function, &owner, &mut ignored);
    lowerer.function(function);
    let func = lowerer.finish();
    let _reported_again = ignored.is_empty();
    func
}

/// A closure that stands in no differentiated function, as a function; `None` after a mistake.
pub(crate) fn closure_function(
    name: &Ident,
    closure: &syn::ExprClosure,
    diags: &mut Diagnostics,
) -> Option<syn::ItemFn> {
    let owner = Owner::default();
    let around: syn::ItemFn = syn::parse_quote!(fn #name() {});
    let mut lowerer = Lowerer::new(&around, &owner, diags);
    if !lowerer.has_plain_form(closure) {
        return None;
    }
    Some(lowerer.lifted(name, closure, &[], Vec::new()))
}

fn is_open(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Infer(_))
}

fn written_or_float(ty: &Ty, lengths: &Written, float: &Ty) -> syn::Type {
    let ty = with_floats(ty, float);
    let written = spelled(&ty, lengths).or_else(|| spelled(float, lengths));
    written.unwrap_or_else(|| syn::parse_quote!(f64))
}

/// The type with a width for each float.
fn with_floats(ty: &Ty, float: &Ty) -> Ty {
    let inner = |t: &Ty| Box::new(with_floats(t, float));
    match ty {
        Ty::Float => float.clone(),
        Ty::Array(t, n) => Ty::Array(inner(t), n.clone()),
        Ty::Vec(t) => Ty::Vec(inner(t)),
        Ty::Option(t) => Ty::Option(inner(t)),
        Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|t| with_floats(t, float)).collect()),
        other => other.clone(),
    }
}

fn has(ty: &Ty, float: &Ty) -> bool {
    match ty {
        Ty::Array(t, _) | Ty::Slice(t) | Ty::Vec(t) | Ty::Option(t) | Ty::Ref(_, t) => {
            has(t, float)
        }
        Ty::Tuple(parts) => parts.iter().any(|t| has(t, float)),
        other => other == float,
    }
}

/// A type that is known in full, as it is written.
fn spelled(ty: &Ty, written: &Written) -> Option<syn::Type> {
    let inner = |t: &Ty| spelled(t, written);
    Some(match ty {
        Ty::F32 => syn::parse_quote!(f32),
        Ty::F64 => syn::parse_quote!(f64),
        Ty::Bool => syn::parse_quote!(bool),
        Ty::Char => syn::parse_quote!(char),
        Ty::Unit => syn::parse_quote!(()),
        Ty::Index => syn::parse_quote!(usize),
        Ty::Int(Some(int)) => {
            let name = Ident::new(int.name(), Span::call_site());
            syn::parse_quote!(#name)
        }
        Ty::Array(t, Some(len)) => {
            let (t, len) = (inner(t)?, written.len_tokens(len));
            syn::parse_quote!([#t; #len])
        }
        Ty::Slice(t) => {
            let t = inner(t)?;
            syn::parse_quote!([#t])
        }
        Ty::Vec(t) => {
            let t = inner(t)?;
            syn::parse_quote!(::std::vec::Vec<#t>)
        }
        Ty::Option(t) => {
            let t = inner(t)?;
            syn::parse_quote!(::core::option::Option<#t>)
        }
        Ty::Tuple(parts) => {
            let parts = parts.iter().map(inner).collect::<Option<Vec<_>>>()?;
            syn::parse_quote!((#(#parts,)*))
        }
        _ => return None,
    })
}

/// Whether a name means the same variable.
fn same_binding(a: &Binding, b: &Binding) -> bool {
    match (a, b) {
        (
            Binding::Var(a) | Binding::Deferred { var: a, .. },
            Binding::Var(b) | Binding::Deferred { var: b, .. },
        ) => a == b,
        (Binding::View { view: a, .. }, Binding::View { view: b, .. }) => {
            same_place(&a.place, &b.place)
        }
        (Binding::Captured(a, _), Binding::Captured(b, _)) => same_place(a, b),
        (Binding::Function(a), Binding::Function(b)) => match (&a.kind, &b.kind) {
            (FunctionKind::Closure(a, _), FunctionKind::Closure(b, _)) => a == b,
            _ => match (&a.captures[..], &b.captures[..]) {
                ([Value::Ref(a)], [Value::Ref(b)]) => same_place(&a.place, &b.place),
                _ => false,
            },
        },
        _ => false,
    }
}

fn same_place(a: &Place, b: &Place) -> bool {
    let whole = |p: &Place| p.proj.iter().all(|p| matches!(p, Proj::Deref));
    a.root == b.root && whole(a) && whole(b)
}

/// The parameters that the text of a function mentions, and what is asked of them.
fn mentioned(generics: &syn::Generics, function: &syn::ItemFn) -> syn::Generics {
    let names = names_in(&function.to_token_stream());
    let is_named = |name: &Ident| names.iter().any(|n| n == name);
    let kept = |param: &syn::GenericParam| match param {
        syn::GenericParam::Type(t) => is_named(&t.ident),
        syn::GenericParam::Const(c) => is_named(&c.ident),
        syn::GenericParam::Lifetime(_) => false,
    };
    let mut found = syn::Generics::default();
    found.params = generics
        .params
        .iter()
        .filter(|p| kept(p))
        .cloned()
        .collect();
    if let Some(clause) = &generics.where_clause {
        let predicates = clause
            .predicates
            .iter()
            .filter(|predicate| match predicate {
                syn::WherePredicate::Type(bound) => {
                    let mut names = names_in(&bound.bounded_ty.to_token_stream()).into_iter();
                    names.any(|n| {
                        found
                            .params
                            .iter()
                            .any(|p| matches!(p, syn::GenericParam::Type(t) if t.ident == n))
                    })
                }
                _ => false,
            });
        let predicates: Vec<_> = predicates.cloned().collect();
        if !predicates.is_empty() {
            found.make_where_clause().predicates.extend(predicates);
        }
    }
    found
}

/// The names that may be variables outside of a closure.
fn free_names(closure: &syn::ExprClosure) -> Vec<Ident> {
    struct Finder(Vec<Ident>);
    impl Visit<'_> for Finder {
        fn visit_expr_path(&mut self, path: &syn::ExprPath) {
            if path.qself.is_none()
                && let Some(first) = path.path.segments.first()
            {
                self.0.push(first.ident.clone());
            }
            visit::visit_expr_path(self, path);
        }
        fn visit_macro(&mut self, mac: &syn::Macro) {
            self.0.extend(names_in(&mac.tokens));
        }
        fn visit_item(&mut self, _: &syn::Item) {}
    }
    let mut finder = Finder(Vec::new());
    finder.visit_expr(&closure.body);
    let own: HashSet<String> = closure
        .inputs
        .iter()
        .flat_map(pattern_names)
        .map(|name| key(&name))
        .collect();
    let mut seen = HashSet::new();
    finder
        .0
        .into_iter()
        .filter(|name| !own.contains(&key(name)) && seen.insert(key(name)))
        .collect()
}
