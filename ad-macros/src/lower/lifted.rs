//! A closure as a function: what it captures as parameters in front of its own, and its types written.

use proc_macro2::{Ident, Span};
use quote::ToTokens;

use super::Lowerer;
use super::constructed;
use super::guessed::{self, Use};
use super::infer::Class;
use super::opaque::pattern_names;
use super::open_integers::type_of_number;
use super::owner::Owner;
use super::prescan::names_in;
use super::scope::key;
use super::value::{Value, View, span_of};
use crate::diag::Diagnostics;
use crate::functions;
use crate::ir::hash::HashSet;
use crate::ir::{Func, IntTy, Ty, VarId, VarKind, Written, each_write};

/// A variable that a closure captures, as a parameter.
pub(super) struct Capture {
    pub(super) ident: Ident,
    pub(super) ty: syn::Type,
    pub(super) value: Value,
    /// It is a reference where the closure has the value.
    pub(super) behind: bool,
    /// Of a function: it is a reference where it comes from.
    pub(super) reference: Option<bool>,
    /// It is an integer whose type is not known yet, and is not written.
    pub(super) open: bool,
}

impl Capture {
    /// Whether a `move` closure has a value of its own.
    pub(super) fn is_copy(&self) -> bool {
        !matches!(&self.value, Value::Ref(_)) || self.behind
    }

    /// The closure writes to it.
    pub(super) fn lend(&mut self) {
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
pub(super) fn written(function: &syn::ItemFn, captures: &[Capture]) -> Vec<bool> {
    let func = lowered(function, captures, None);
    let params = func.signature().iter().take(captures.len());
    let vars: Vec<VarId> = params.map(|p| p.var).collect();
    let mut written = vec![false; captures.len()];
    each_write(&func.body, &mut |var, _| {
        if let Some(at) = vars.iter().position(|v| *v == var) {
            written[at] = true;
        }
    });
    written
}

impl Lowerer<'_> {
    /// The type of what is captured, a float where all that is known is that it is one.
    pub(super) fn captured_type(&mut self, ty: &Ty, name: &Ident) -> Ty {
        self.types.solve();
        if self.types.class(ty) == Class::Int && guessed::counts(self.source.clone(), name) {
            self.types.unify(ty, &Ty::USIZE);
        }
        let float = self.float();
        self.fix_floats(ty, &float, true);
        self.types.deep(ty)
    }

    /// Whether it is an integer of which no more is known.
    pub(super) fn is_open_integer(&self, ty: &Ty) -> bool {
        matches!(self.types.shallow(ty), Ty::Infer(_)) && self.types.class(ty) == Class::Int
    }

    /// `whole`: it is the type of what is captured, and no part of it.
    fn fix_floats(&mut self, ty: &Ty, float: &Ty, whole: bool) {
        match self.types.shallow(ty) {
            // A guess, if nothing is known: rustc rejects it where it is wrong.
            open @ Ty::Infer(_) => {
                let guessed = matches!(
                    self.types.class(&open),
                    Class::Open | Class::Float | Class::Number
                );
                if guessed {
                    self.types.unify(&open, float);
                } else if !whole && self.types.class(&open) == Class::Int {
                    self.types.unify(&open, &Ty::Int(IntTy::from_name("i32")));
                }
            }
            Ty::Array(t, _)
            | Ty::Slice(t)
            | Ty::Vec(t)
            | Ty::Queue(t)
            | Ty::Option(t)
            | Ty::Ref(_, t) => {
                self.fix_floats(&t, float, false);
            }
            Ty::Tuple(parts) => parts
                .iter()
                .for_each(|part| self.fix_floats(part, float, false)),
            _ => {}
        }
    }

    /// The width of floats about which nothing is known: that of the signature.
    pub(super) fn float(&self) -> Ty {
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
    pub(super) fn written_type(
        &mut self,
        var: VarId,
        ty: &Ty,
        ident: &Ident,
    ) -> Result<syn::Type, ()> {
        let param = self.func.params.iter().find(|p| p.var == var);
        let written = match param {
            // The receiver's type is that of the block.
            Some(param) if param.ident == "self" => self.owner.itself.clone(),
            Some(param) if self.func.var(var).kind == VarKind::Param => {
                Some(crate::ir::without_reference(&param.written).clone())
            }
            _ if self.this == Some(var) => self.owner.itself.clone(),
            _ => spelled(ty, &self.func.written).or_else(|| {
                let written = self.written_types.get(&var);
                written.filter(|ty| constructed::is_whole(ty)).cloned()
            }),
        };
        written.ok_or_else(|| self.unknown(ident))
    }

    /// The closure as a function, its types written.
    pub(super) fn lifted(
        &mut self,
        name: &Ident,
        closure: &syn::ExprClosure,
        captures: &[Capture],
        prelude: Vec<syn::Stmt>,
    ) -> syn::ItemFn {
        let captured = captures.iter().map(|capture| -> syn::FnArg {
            let (ident, ty) = (&capture.ident, &capture.ty);
            let mark = capture.reference.map(functions::mark);
            syn::parse_quote!(#mark #ident: #ty)
        });
        // What closures in the prelude see does not hide the closure's own parameters, nor these it.
        let mut prelude = prelude;
        let outside: HashSet<String> = captures
            .iter()
            .map(|capture| key(&capture.ident))
            .chain(prelude.iter().flat_map(declared))
            .collect();
        let mut own: Vec<syn::FnArg> = Vec::new();
        for input in &closure.inputs {
            let (pat, ty) = match input {
                syn::Pat::Type(typed) => (&*typed.pat, functions::unnamed(&typed.ty)),
                pat => (pat, syn::parse_quote!(_)),
            };
            let ty = if is_open(&ty) {
                self.guessed(pat, closure)
            } else {
                ty
            };
            let hides = pattern_names(pat).iter().any(|n| outside.contains(&key(n)));
            own.push(if hides {
                let argument = self.func.fresh_name("argument", span_of(pat));
                prelude.push(syn::parse_quote!(let #pat = #argument;));
                syn::parse_quote!(#argument: #ty)
            } else {
                syn::parse_quote!(#pat: #ty)
            });
        }
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

    /// The type of a parameter without one: a slice, if its elements are used.
    fn guessed(&self, pat: &syn::Pat, closure: &syn::ExprClosure) -> syn::Type {
        let syn::Pat::Ident(name) = pat else {
            return syn::parse_quote!(_);
        };
        let float = spelled(&self.float(), &self.func.written);
        match guessed::used(&closure.body, &name.ident) {
            Use::Unknown => syn::parse_quote!(_),
            Use::Elements => syn::parse_quote!(&[#float]),
            Use::Written => syn::parse_quote!(&mut [#float]),
        }
    }

    /// What the body of a closure says of an integer that it captures.
    fn same_integer(&mut self, value: &Value, ty: &Ty) {
        if let Some(of_value) = type_of_number(value)
            && matches!(ty, Ty::Int(Some(_)))
        {
            self.types.unify(&of_value, ty);
        }
    }

    /// Writes the types that the text of a closure leaves out, as far as the macro sees them; else `f64`.
    fn infer(&mut self, function: &mut syn::ItemFn, captures: &[Capture]) {
        let open = |input: &syn::FnArg| matches!(input, syn::FnArg::Typed(t) if is_open(&t.ty));
        let of_result = matches!(&function.sig.output, syn::ReturnType::Type(_, ty) if is_open(ty));
        if !of_result && !function.sig.inputs.iter().any(open) {
            return;
        }
        let around = self.outermost();
        let float = self.float();
        // The result is looked for when the types of the parameters are there.
        let tried = lowered(function, captures, around);
        for (at, (input, param)) in function
            .sig
            .inputs
            .iter_mut()
            .zip(&tried.params)
            .enumerate()
        {
            match (input, captures.get(at)) {
                (_, Some(capture)) if capture.open => self.same_integer(&capture.value, &param.ty),
                (syn::FnArg::Typed(typed), _) if is_open(&typed.ty) => {
                    *typed.ty = written_or_float(&param.ty, &tried.written, &float);
                }
                _ => {}
            }
        }
        if of_result {
            let tried = lowered(function, captures, around);
            let ty = constructed::type_of_end(function)
                .unwrap_or_else(|| written_or_float(&tried.ret_ty, &tried.written, &float));
            function.sig.output = syn::parse_quote!(-> #ty);
        }
    }
}

/// The function in the IR, whatever is wrong with it. `around`: where the function of the user stands.
fn lowered(function: &syn::ItemFn, captures: &[Capture], around: Option<Span>) -> Func {
    let behind = captures.iter().filter(|capture| capture.behind);
    let owner = Owner {
        captures: captures.len(),
        captured: behind.map(|capture| key(&capture.ident)).collect(),
        around,
        integers: captures
            .iter()
            .filter(|capture| capture.open)
            .map(|capture| key(&capture.ident))
            .collect(),
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

/// The names that a statement declares.
fn declared(stmt: &syn::Stmt) -> Vec<String> {
    if let syn::Stmt::Local(local) = stmt {
        pattern_names(&local.pat).iter().map(key).collect()
    } else {
        Vec::new()
    }
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
        Ty::Queue(t) => Ty::Queue(inner(t)),
        Ty::Option(t) => Ty::Option(inner(t)),
        Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|t| with_floats(t, float)).collect()),
        other => other.clone(),
    }
}

fn has(ty: &Ty, float: &Ty) -> bool {
    match ty {
        Ty::Array(t, _)
        | Ty::Slice(t)
        | Ty::Vec(t)
        | Ty::Queue(t)
        | Ty::Option(t)
        | Ty::Ref(_, t) => has(t, float),
        Ty::Tuple(parts) => parts.iter().any(|t| has(t, float)),
        other => other == float,
    }
}

/// A type that is known in full, as it is written.
pub(super) fn spelled(ty: &Ty, written: &Written) -> Option<syn::Type> {
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
        Ty::Queue(t) => {
            let t = inner(t)?;
            syn::parse_quote!(::std::collections::VecDeque<#t>)
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

/// The parameters that the text of a function mentions, and what is asked of them.
fn mentioned(generics: &syn::Generics, function: &syn::ItemFn) -> syn::Generics {
    let names = names_in(&function.to_token_stream());
    let is_named = |name: &Ident| names.iter().any(|n| n == name);
    let kept = |param: &syn::GenericParam| match param {
        syn::GenericParam::Type(t) => is_named(&t.ident),
        syn::GenericParam::Const(c) => is_named(&c.ident),
        syn::GenericParam::Lifetime(_) => false,
    };
    let params = generics.params.iter().filter(|p| kept(p)).cloned();
    let mut found = syn::Generics {
        params: params.collect(),
        ..syn::Generics::default()
    };
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
