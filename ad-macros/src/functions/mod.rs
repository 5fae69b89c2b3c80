//! Functions that are arguments: `f: impl Fn(f64) -> f64`.
//!
//! In the sweeps of a function that takes one, whatever form it has there, it is a type parameter bound by the
//! runtime's `Function`, and given by value. `prepare` writes such a signature. The callee that a caller names is
//! compared with the function as one that takes pointers, wherever the user's is generic.
//!
//! | the signature | in the sweeps | the check of the callee |
//! |---|---|---|
//! | `f: F`, `F: Fn(f64) -> f64`; `f: impl Fn(f64) -> f64` | `f: F`, `F: Function<…>` | `fn(f64) -> f64` |
//! | `f: &F`, `f: &mut F` | the same | `&fn(f64) -> f64`, `&mut fn(f64) -> f64` |
//! | `f: &dyn Fn(f64) -> f64`, `f: fn(f64) -> f64` | the same, with a parameter of ours | as written |
//!
//! A closure in a function with `#[gradient]` is lifted (`closure`): what it captures becomes parameters in front of
//! its own.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

mod bound;
mod closure;
mod literal;
mod sweeps;

use proc_macro2::Ident;
use syn::visit_mut::{self, VisitMut};

use crate::diag::{Diagnostics, catalog};
use crate::generic::bounds_of;

pub(crate) use bound::{bound_of, bound_of_signature, here, inputs, output};
pub(crate) use closure::{primitive, written_captures};
pub(crate) use literal::literal;
use sweeps::sweeps_of_closure;
pub(crate) use sweeps::with_closures;

/// Stands on a parameter that is a reference to a function as the user wrote it.
pub(crate) const SHARED: &str = "__shared";

/// The same of a mutable one.
pub(crate) const MUTABLE: &str = "__mutable";

/// The attribute that says so.
pub(crate) fn mark(mutable: bool) -> proc_macro2::TokenStream {
    let name = if mutable { MUTABLE } else { SHARED };
    let name = Ident::new(name, proc_macro2::Span::call_site());
    quote::quote!(#[#name])
}

/// A function that takes functions, as its sweeps take them.
pub(crate) struct Prepared {
    pub(crate) function: syn::ItemFn,
    /// The types of arguments that a callee is compared by.
    pub(crate) compared: Vec<syn::Type>,
}

/// What a function that is an argument takes, and what it gives back.
#[derive(Clone)]
pub(crate) struct Signature {
    pub(crate) inputs: Vec<syn::Type>,
    pub(crate) output: syn::Type,
}

impl Signature {
    /// That of a bound `Fn(f64) -> f64`.
    fn of_bounds<'b>(bounds: impl IntoIterator<Item = &'b syn::Path>) -> Option<Self> {
        bounds.into_iter().find_map(Self::of_path)
    }

    fn of_path(path: &syn::Path) -> Option<Self> {
        let last = path.segments.last()?;
        if !is_family(&last.ident) {
            return None;
        }
        let syn::PathArguments::Parenthesized(arguments) = &last.arguments else {
            return None;
        };
        Some(Signature {
            inputs: arguments.inputs.iter().map(unnamed).collect(),
            output: output_of(&arguments.output),
        })
    }

    fn of_pointer(pointer: &syn::TypeBareFn) -> Option<Self> {
        let plain = pointer.unsafety.is_none() && pointer.abi.is_none();
        (plain && pointer.variadic.is_none()).then(|| Signature {
            inputs: pointer.inputs.iter().map(|arg| unnamed(&arg.ty)).collect(),
            output: output_of(&pointer.output),
        })
    }

    fn pointer(&self) -> syn::Type {
        let (inputs, output) = (&self.inputs, &self.output);
        syn::parse_quote!(fn(#(#inputs),*) -> #output)
    }
}

fn output_of(output: &syn::ReturnType) -> syn::Type {
    match output {
        syn::ReturnType::Type(_, ty) => unnamed(ty),
        syn::ReturnType::Default => syn::parse_quote!(()),
    }
}

fn is_family(name: &Ident) -> bool {
    ["Fn", "FnMut", "FnOnce"].iter().any(|known| name == known)
}

/// The type with references whose lifetimes have no names: each call has its own.
pub(crate) fn unnamed(ty: &syn::Type) -> syn::Type {
    struct Unnamed;
    impl VisitMut for Unnamed {
        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            reference.lifetime = None;
            visit_mut::visit_type_reference_mut(self, reference);
        }
        fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
            if lifetime.ident != "static" {
                *lifetime = syn::Lifetime::new("'_", lifetime.span());
            }
        }
    }
    let mut ty = ty.clone();
    Unnamed.visit_type_mut(&mut ty);
    ty
}

/// How a parameter takes a function.
enum Form {
    /// Its type is, or refers to, a type parameter.
    Parameter(Ident),
    /// `impl Fn(…)`
    Unnamed,
    /// A `dyn` or a pointer.
    Erased,
}

/// The function that a parameter of this type takes.
fn taken(ty: &syn::Type, generics: &syn::Generics) -> Option<(Form, Signature)> {
    let of_bounds = |bounds: &syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>| {
        let paths = bounds.iter().filter_map(|bound| match bound {
            syn::TypeParamBound::Trait(bound) => Some(&bound.path),
            _ => None,
        });
        Signature::of_bounds(paths.collect::<Vec<_>>())
    };
    match ty {
        syn::Type::Paren(t) => taken(&t.elem, generics),
        syn::Type::Group(t) => taken(&t.elem, generics),
        syn::Type::Reference(t) => match taken(&t.elem, generics)? {
            (Form::Unnamed, signature) => Some((Form::Unnamed, signature)),
            found => Some(found),
        },
        syn::Type::ImplTrait(t) => Some((Form::Unnamed, of_bounds(&t.bounds)?)),
        syn::Type::TraitObject(t) => Some((Form::Erased, of_bounds(&t.bounds)?)),
        syn::Type::BareFn(t) => Some((Form::Erased, Signature::of_pointer(t)?)),
        syn::Type::Path(t) => {
            let name = t.path.get_ident()?;
            let parameter = generics.type_params().find(|p| p.ident == *name)?;
            let signature = Signature::of_bounds(bounds_of(generics, parameter))?;
            Some((Form::Parameter(name.clone()), signature))
        }
        _ => None,
    }
}

/// Whether a type says by itself that it is one of functions.
pub(crate) fn is_taken(ty: &syn::Type) -> bool {
    taken(ty, &syn::Generics::default()).is_some()
}

/// Whether a type parameter stands for a function.
pub(crate) fn is_function(generics: &syn::Generics, parameter: &Ident) -> bool {
    let parameter = generics.type_params().find(|p| p.ident == *parameter);
    parameter.is_some_and(|p| Signature::of_bounds(bounds_of(generics, p)).is_some())
}

/// The function that an argument stands for, if it does and may have a derivative.
fn taken_by<'i>(
    input: &'i syn::FnArg,
    generics: &syn::Generics,
) -> Option<(&'i syn::PatType, Form, Signature)> {
    let syn::FnArg::Typed(input) = input else {
        return None;
    };
    if input.attrs.iter().any(|a| a.path().is_ident("constant")) {
        return None;
    }
    let (form, signature) = taken(&input.ty, generics)?;
    Some((input, form, signature))
}

/// Whether there is a function among the arguments whose derivative counts.
pub(crate) fn takes_functions(sig: &syn::Signature) -> bool {
    let mut inputs = sig.inputs.iter();
    inputs.any(|input| taken_by(input, &sig.generics).is_some())
}

/// The function as its sweeps take its arguments, if there are functions among them.
pub(crate) fn prepare(
    function: &syn::ItemFn,
    krate: &syn::Path,
    diags: &mut Diagnostics,
) -> Option<Prepared> {
    if !takes_functions(&function.sig) {
        return None;
    }
    let mut prepared = function.clone();
    let generics = &function.sig.generics;
    let mut compared = Vec::new();
    let mut made: Vec<Ident> = Vec::new();
    for (at, input) in function.sig.inputs.iter().enumerate() {
        let Some((typed, form, signature)) = taken_by(input, generics) else {
            if let syn::FnArg::Typed(typed) = input {
                compared.push((*typed.ty).clone());
            }
            continue;
        };
        let name = match form {
            Form::Parameter(name) => {
                compared.push(with_pointer(&typed.ty, &signature));
                name
            }
            Form::Unnamed => {
                compared.push(with_pointer(&typed.ty, &signature));
                crate::ir::of_function(at)
            }
            Form::Erased => {
                compared.push((*typed.ty).clone());
                crate::ir::of_function(at)
            }
        };
        if let syn::FnArg::Typed(input) = &mut prepared.sig.inputs[at] {
            *input.ty = syn::parse_quote!(#name);
            if let syn::Type::Reference(reference) = &*typed.ty {
                let mark = mark(reference.mutability.is_some());
                input.attrs.push(syn::parse_quote!(#mark));
            }
        }
        if made.contains(&name) {
            continue;
        }
        let generics = &mut prepared.sig.generics;
        if generics.type_params().all(|p| p.ident != name) {
            generics.params.push(syn::parse_quote!(#name));
        }
        refuse_other_bounds(generics, &name, diags);
        without_bounds(generics, &name);
        let bound = bound_of_signature(&signature, generics, krate);
        let bound = bound.unwrap_or_else(|| {
            diags.over(&typed.ty, catalog::function_signature());
            syn::parse_quote!(#krate::__rt::functions::Function<(), (), (), ()>)
        });
        let clause = generics.make_where_clause();
        clause.predicates.push(syn::parse_quote!(#name: #bound));
        made.push(name);
    }
    Some(Prepared {
        function: prepared,
        compared,
    })
}

/// The type with a function pointer in place of the function.
fn with_pointer(ty: &syn::Type, signature: &Signature) -> syn::Type {
    match ty {
        syn::Type::Paren(t) => with_pointer(&t.elem, signature),
        syn::Type::Group(t) => with_pointer(&t.elem, signature),
        syn::Type::Reference(t) => {
            let mut reference = t.clone();
            *reference.elem = with_pointer(&t.elem, signature);
            syn::Type::Reference(reference)
        }
        _ => signature.pointer(),
    }
}

/// Function pointers have few traits, and so do the functions that the sweeps get.
fn refuse_other_bounds(generics: &syn::Generics, name: &Ident, diags: &mut Diagnostics) {
    const KNOWN: [&str; 6] = ["Copy", "Clone", "Send", "Sync", "Sized", "Unpin"];
    let Some(parameter) = generics.type_params().find(|p| p.ident == *name) else {
        return;
    };
    for path in bounds_of(generics, parameter) {
        let Some(last) = path.segments.last() else {
            continue;
        };
        if !is_family(&last.ident) && !KNOWN.iter().any(|known| last.ident == known) {
            diags.over(path, catalog::function_bound(&last.ident.to_string()));
        }
    }
}

/// The parameters of a function without the bounds of those that stand for functions whose derivative counts.
pub(crate) fn unbound(sig: &syn::Signature) -> syn::Generics {
    let mut unbound = sig.generics.clone();
    for input in &sig.inputs {
        if let Some((_, Form::Parameter(name), _)) = taken_by(input, &sig.generics) {
            without_bounds(&mut unbound, &name);
        }
    }
    unbound
}

/// Takes all bounds from a parameter.
fn without_bounds(generics: &mut syn::Generics, name: &Ident) {
    for parameter in generics.type_params_mut() {
        if parameter.ident == *name {
            parameter.bounds.clear();
            parameter.colon_token = None;
        }
    }
    if let Some(clause) = &mut generics.where_clause {
        let predicates = std::mem::take(&mut clause.predicates);
        clause.predicates = predicates
            .into_iter()
            .filter(|predicate| match predicate {
                syn::WherePredicate::Type(bound) => {
                    !matches!(&bound.bounded_ty, syn::Type::Path(p) if p.path.is_ident(name))
                }
                _ => true,
            })
            .collect();
    }
}
