//! Parameters that are iterators, or that are seen as slices: `impl IntoIterator<Item = f64>`, `S: AsRef<[f64]>`.
//!
//! What the function does with such a parameter is what it does with one kind of argument, whose sweeps it gets:
//!
//! | the signature | in the sweeps | the function that a callee is compared with takes |
//! |---|---|---|
//! | `I: IntoIterator<Item = T>` | `Vec<T>` | the same |
//! | `I: IntoIterator<Item = &T>` | `&[T]` | the same |
//! | `I: Iterator<Item = T>`, or the like with an end or a length | `Vec<T>` | `vec::IntoIter<T>` |
//! | `I: Iterator<Item = &T>` | `&[T]` | `slice::Iter<T>` |
//! | `S: AsRef<[T]>`, of a value or a reference | `&[T]` | `Vec<T>`, `&Vec<T>` |
//! | `V: Into<Vec<T>>` | `Vec<T>` | the same |
//!
//! The body of a function that takes an iterator begins with `let it = it_items.iter();`, and `s.as_ref()` is `s`, as
//! `v.into()` is `v`. A
//! callee for other arguments is another function, which generated code compares at run time as any.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

use proc_macro2::Ident;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};

use crate::generic::bounds_of;
use crate::ir::{is_type_named, spells};
use crate::lower::type_argument;

/// A function as its sweeps take its arguments.
pub(crate) struct Iterated {
    pub(crate) function: syn::ItemFn,
    /// The types of the arguments of the function that a callee is compared with, where they are others.
    pub(crate) compared: Vec<Option<syn::Type>>,
}

impl Iterated {
    /// The types of arguments that a callee is compared by. `others`: of the function as it has become.
    pub(crate) fn compared(&self, others: Option<Vec<syn::Type>>) -> Vec<syn::Type> {
        let inputs = self.function.sig.inputs.iter();
        let written = inputs.filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some((*typed.ty).clone()),
            syn::FnArg::Receiver(_) => None,
        });
        let others = others.unwrap_or_else(|| written.collect());
        let own = self.compared.iter().cloned();
        own.zip(others)
            .map(|(own, other)| own.unwrap_or(other))
            .collect()
    }
}

/// What a bound asks of a parameter.
#[derive(Clone)]
enum Asked {
    /// To be one, or to become one.
    Iterator { item: syn::Type, is_one: bool },
    /// To be seen as a slice of this type.
    Slice(syn::Type),
    /// To become a vector of this type.
    Vec(syn::Type),
}

/// Traits of iterators and of values that ask for nothing that a `Vec` and its iterator do not have, and those of ours
/// that have been added.
const BESIDE: [&str; 11] = [
    "Clone",
    "Copy",
    "Differentiable",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "FusedIterator",
    "Record",
    "Send",
    "Sized",
    "Sync",
    "Unpin",
];

impl Asked {
    fn of_bounds<'b>(bounds: impl IntoIterator<Item = &'b syn::Path>) -> Option<Self> {
        let mut found = None;
        for path in bounds {
            let last = path.segments.last()?;
            match Self::of_path(last) {
                Some(asked) if found.is_none() => found = Some(asked),
                None if BESIDE.iter().any(|known| last.ident == known) => {}
                _ => return None,
            }
        }
        found
    }

    fn of_path(last: &syn::PathSegment) -> Option<Self> {
        let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return None;
        };
        let [argument] = arguments.args.iter().collect::<Vec<_>>()[..] else {
            return None;
        };
        match (last.ident.to_string().as_str(), argument) {
            (
                name @ ("Iterator" | "IntoIterator" | "ExactSizeIterator" | "DoubleEndedIterator"),
                syn::GenericArgument::AssocType(item),
            ) if item.ident == "Item" => Some(Asked::Iterator {
                item: item.ty.clone(),
                is_one: name != "IntoIterator",
            }),
            ("AsRef", syn::GenericArgument::Type(syn::Type::Slice(slice))) => {
                Some(Asked::Slice((*slice.elem).clone()))
            }
            ("Into", syn::GenericArgument::Type(syn::Type::Path(into))) => {
                let last = into
                    .path
                    .segments
                    .last()
                    .filter(|last| last.ident == "Vec")?;
                Some(Asked::Vec(type_argument(last)?.clone()))
            }
            _ => None,
        }
        .filter(Asked::is_supported)
    }

    /// Whether the items, or what they refer to, hold no further references.
    fn is_supported(&self) -> bool {
        let item = match self {
            Asked::Iterator { item, .. } | Asked::Slice(item) | Asked::Vec(item) => item,
        };
        let item = match item {
            syn::Type::Reference(of) if of.mutability.is_none() => &of.elem,
            item => item,
        };
        let text = item.to_token_stream().to_string();
        !text.contains(['&', '\'']) && !["dyn", "impl"].iter().any(|word| text.contains(word))
    }

    /// The type in the sweeps, and that of the argument of the function which is compared.
    fn types(&self) -> (syn::Type, syn::Type) {
        match self {
            Asked::Slice(item) => (
                syn::parse_quote!(&[#item]),
                syn::parse_quote!(::std::vec::Vec<#item>),
            ),
            Asked::Vec(item) => {
                let vec: syn::Type = syn::parse_quote!(::std::vec::Vec<#item>);
                (vec.clone(), vec)
            }
            Asked::Iterator {
                item: syn::Type::Reference(of),
                is_one,
            } => {
                let (lifetime, item) = (&of.lifetime, &of.elem);
                let slice: syn::Type = syn::parse_quote!(&#lifetime [#item]);
                let lifetime = lifetime.iter();
                let one = syn::parse_quote!(::core::slice::Iter<#(#lifetime,)* #item>);
                (slice.clone(), if *is_one { one } else { slice })
            }
            Asked::Iterator { item, is_one } => {
                let vec: syn::Type = syn::parse_quote!(::std::vec::Vec<#item>);
                let one = syn::parse_quote!(::std::vec::IntoIter<#item>);
                (vec.clone(), if *is_one { one } else { vec })
            }
        }
    }
}

/// What a type asks for, and its type parameter, if that is named. `reference`: the type is one of a slice's owner.
fn asked(ty: &syn::Type, generics: &syn::Generics) -> Option<(Asked, Option<Ident>, bool)> {
    match ty {
        syn::Type::Paren(t) => asked(&t.elem, generics),
        syn::Type::Group(t) => asked(&t.elem, generics),
        syn::Type::Reference(t) if t.mutability.is_none() => match asked(&t.elem, generics)? {
            (slice @ Asked::Slice(_), name, false) => Some((slice, name, true)),
            _ => None,
        },
        syn::Type::ImplTrait(t) => {
            let paths = t.bounds.iter().map(|bound| match bound {
                syn::TypeParamBound::Trait(bound) => Some(&bound.path),
                _ => None,
            });
            let paths: Option<Vec<_>> = paths.collect();
            Some((Asked::of_bounds(paths?)?, None, false))
        }
        syn::Type::Path(t) => {
            let name = t.path.get_ident()?;
            let parameter = generics.type_params().find(|p| p.ident == *name)?;
            let asked = Asked::of_bounds(bounds_of(generics, parameter))?;
            Some((asked, Some(name.clone()), false))
        }
        _ => None,
    }
}

/// Whether a type says by itself that it is one of these.
pub(crate) fn is_taken(ty: &syn::Type) -> bool {
    asked(ty, &syn::Generics::default()).is_some()
}

/// Whether an argument of this type becomes a vector of numbers.
pub(crate) fn becomes_vector(ty: &syn::Type, generics: &syn::Generics) -> bool {
    match asked(ty, generics) {
        Some((Asked::Vec(syn::Type::Path(item)), ..)) => {
            item.path.is_ident("f64") || item.path.is_ident("f32")
        }
        _ => false,
    }
}

/// Whether a function takes some of these.
pub(crate) fn takes_iterators(sig: &syn::Signature) -> bool {
    let mut inputs = sig.inputs.iter();
    inputs.any(|input| taken_by(input, sig).is_some())
}

/// The name of a parameter that is one of these, and what is asked of it.
fn taken_by<'i>(
    input: &'i syn::FnArg,
    sig: &syn::Signature,
) -> Option<(&'i Ident, Asked, Option<Ident>, bool)> {
    let syn::FnArg::Typed(input) = input else {
        return None;
    };
    if input.attrs.iter().any(|a| a.path().is_ident("constant")) {
        return None;
    }
    let syn::Pat::Ident(name) = &*input.pat else {
        return None;
    };
    let (asked, parameter, reference) = asked(&input.ty, &sig.generics)?;
    let named_elsewhere = parameter.as_ref().is_some_and(|name| {
        let of_type = |ty: &syn::Type| spells(ty.to_token_stream(), &name.to_string());
        let others = sig.inputs.iter().filter(|other| match other {
            syn::FnArg::Typed(other) => of_type(&other.ty),
            syn::FnArg::Receiver(_) => false,
        });
        let returned = matches!(&sig.output, syn::ReturnType::Type(_, ty) if of_type(ty));
        let bounds = sig.generics.where_clause.iter().flat_map(|w| &w.predicates);
        let bounded = bounds.filter(|p| match p {
            syn::WherePredicate::Type(of) => {
                of_type(&of.bounded_ty) && !is_type_named(&of.bounded_ty, name)
            }
            _ => false,
        });
        others.count() > 1 || returned || bounded.count() > 0
    });
    if named_elsewhere {
        return None;
    }
    Some((&name.ident, asked, parameter, reference))
}

/// The type parameters of a function without those of which its sweeps know nothing.
pub(crate) fn generics(sig: &syn::Signature) -> syn::Generics {
    let taken = sig.inputs.iter().filter_map(|input| taken_by(input, sig));
    let gone: Vec<Ident> = taken.filter_map(|(_, _, parameter, _)| parameter).collect();
    let mut generics = sig.generics.clone();
    without(&mut generics, &gone);
    generics
}

/// The function as its sweeps take its arguments, if there are such parameters.
pub(crate) fn prepare(function: &syn::ItemFn) -> Option<Iterated> {
    if !takes_iterators(&function.sig) {
        return None;
    }
    let mut prepared = function.clone();
    let (mut compared, mut gone, mut seen) = (Vec::new(), Vec::new(), Vec::new());
    let mut first = Vec::new();
    for (at, input) in function.sig.inputs.iter().enumerate() {
        let Some((name, asked, parameter, reference)) = taken_by(input, &function.sig) else {
            if let syn::FnArg::Typed(_) = input {
                compared.push(None);
            }
            continue;
        };
        let (ty, of_callee) = asked.types();
        compared.push(Some(match reference {
            true => syn::parse_quote!(&#of_callee),
            false => of_callee,
        }));
        gone.extend(parameter);
        let syn::FnArg::Typed(typed) = &mut prepared.sig.inputs[at] else {
            continue;
        };
        *typed.ty = ty;
        let items = quote::format_ident!("{}_items", name.unraw());
        let pat = (*typed.pat).clone();
        match asked {
            Asked::Slice(_) => seen.push((name.clone(), "as_ref")),
            Asked::Vec(_) => seen.push((name.clone(), "into")),
            Asked::Iterator { is_one: true, item } => {
                *typed.pat = syn::parse_quote!(#items);
                first.push(match item {
                    syn::Type::Reference(_) => syn::parse_quote!(let #pat = #items.iter();),
                    _ => syn::parse_quote!(let #pat = #items.iter().cloned();),
                });
            }
            Asked::Iterator { is_one: false, .. } => {}
        }
    }
    Seen(&seen).visit_block_mut(&mut prepared.block);
    prepared.block.stmts.splice(0..0, first);
    without(&mut prepared.sig.generics, &gone);
    Some(Iterated {
        function: prepared,
        compared,
    })
}

/// `s.as_ref()` of the parameters with these names is the slice, and `v.into()` the vector.
struct Seen<'n>(&'n [(Ident, &'static str)]);

impl VisitMut for Seen<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let syn::Expr::MethodCall(call) = e
            && call.args.is_empty()
            && let syn::Expr::Path(path) = &*call.receiver
            && let Some(of) = path.path.get_ident()
            && self
                .0
                .iter()
                .any(|(name, method)| name == of && call.method == method)
        {
            *e = (*call.receiver).clone();
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Takes parameters away, with all that is said of them.
fn without(generics: &mut syn::Generics, gone: &[Ident]) {
    let params = std::mem::take(&mut generics.params);
    generics.params = params
        .into_iter()
        .filter(|p| !matches!(p, syn::GenericParam::Type(t) if gone.contains(&t.ident)))
        .collect();
    if let Some(clause) = &mut generics.where_clause {
        let predicates = std::mem::take(&mut clause.predicates);
        let of_gone = |predicate: &syn::WherePredicate| match predicate {
            syn::WherePredicate::Type(of) => {
                gone.iter().any(|name| is_type_named(&of.bounded_ty, name))
            }
            _ => false,
        };
        clause.predicates = predicates.into_iter().filter(|p| !of_gone(p)).collect();
    }
}
