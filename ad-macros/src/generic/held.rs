//! Type parameters of blocks whose values are only held, moved and compared, `impl<T: Copy> Grid<T>`, and those of
//! which the type has a field, `impl<A: Activation> Layer<A>`.
//!
//! They stand for whatever has a derivative, so the sweeps ask for that beside what the user asks for: of those that
//! are only held, also for values that the tape can keep. A parameter of which the block says so itself is left as it
//! is.

use proc_macro2::Ident;
use quote::quote;

use super::bounds::{COMPARING, bounds_of};
use super::rewrite;
use crate::ir::spells;
use crate::surroundings::{Declared, declared, with_text};

/// Traits that say that there is no number in the values, or what the user asks for.
const OTHERS: [&str; 7] = [
    "Differentiable",
    "Duplicate",
    "Eq",
    "FixedShape",
    "Hash",
    "Ord",
    "Record",
];

/// Whether nothing is known of the values of a parameter but that they are moved and compared.
fn is_held(generics: &syn::Generics, parameter: &syn::TypeParam) -> bool {
    bounds_of(generics, parameter).all(|path| {
        path.segments.last().is_some_and(|last| {
            let is = |known: &&str| last.ident == *known;
            COMPARING.iter().any(is) && !OTHERS.iter().any(is)
        })
    })
}

/// Adds what the sweeps of the functions of a block of a type ask of such parameters.
pub(super) fn ask(block: &mut syn::ItemImpl, krate: &syn::Path) {
    let asked = asked(block, krate);
    if !asked.is_empty() {
        block.generics.make_where_clause().predicates.extend(asked);
    }
}

/// Whether something is asked of some for the method of the block. One whose value is a constant needs no derivative.
pub(super) fn asks(block: &syn::ItemImpl) -> bool {
    !has_constant_receiver(block) && !asked(block, &syn::parse_quote!(retrograde)).is_empty()
}

fn asked(block: &syn::ItemImpl, krate: &syn::Path) -> Vec<syn::WherePredicate> {
    if block.trait_.is_some() {
        return Vec::new();
    }
    let own = block.generics.type_params();
    let named = own.filter(|t| rewrite::names(&block.self_ty, &t.ident));
    let asked = named.filter_map(|t| {
        let name = &t.ident;
        if is_held(&block.generics, t) {
            carries(block, name).then(
                || syn::parse_quote!(#name: #krate::__rt::Differentiable + #krate::__rt::Record),
            )
        } else {
            let kept = makes_values(block).then(|| quote!(+ #krate::__rt::Record));
            is_field(block, t).then(|| syn::parse_quote!(#name: #krate::__rt::Differentiable #kept))
        }
    });
    asked.collect()
}

/// Whether some method takes its value as a constant: then the type need not have a derivative.
fn has_constant_receiver(block: &syn::ItemImpl) -> bool {
    block.items.iter().any(|item| match item {
        syn::ImplItem::Fn(function) => function.sig.receiver().is_some_and(|receiver| {
            let mut attributes = receiver.attrs.iter();
            attributes.any(|a| a.path().is_ident("constant"))
        }),
        _ => false,
    })
}

/// Whether a function of the block returns values of the type: what was made in it lies on the tape, as a rule.
fn makes_values(block: &syn::ItemImpl) -> bool {
    let named = match &*block.self_ty {
        syn::Type::Path(ty) => ty.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    };
    block.items.iter().any(|item| match item {
        syn::ImplItem::Fn(function) => match &function.sig.output {
            syn::ReturnType::Type(_, ty) => {
                let names = |name: &str| spells(quote!(#ty), name);
                names("Self") || named.as_deref().is_some_and(names)
            }
            syn::ReturnType::Default => false,
        },
        _ => false,
    })
}

/// Whether the type, if the text of the package shows it, has a field of the parameter that carries a derivative: then
/// it has itself one for parameters alone that have one.
fn is_field(block: &syn::ItemImpl, parameter: &syn::TypeParam) -> bool {
    let says_so = bounds_of(&block.generics, parameter).any(|path| {
        let last = path.segments.last();
        last.is_some_and(|last| OTHERS.iter().any(|known| last.ident == *known))
    });
    if says_so || has_constant_receiver(block) {
        return false;
    }
    let syn::Type::Path(ty) = &*block.self_ty else {
        return false;
    };
    let Some(last) = ty.path.segments.last() else {
        return false;
    };
    let syn::PathArguments::AngleBracketed(given) = &last.arguments else {
        return false;
    };
    let is_own = |given: &syn::GenericArgument| {
        matches!(given, syn::GenericArgument::Type(syn::Type::Path(ty))
            if ty.path.is_ident(&parameter.ident))
    };
    let types = |given: &&syn::GenericArgument| !matches!(given, syn::GenericArgument::Lifetime(_));
    let Some(at) = given.args.iter().filter(types).position(is_own) else {
        return false;
    };
    if crate::functions::is_function(&block.generics, &parameter.ident) {
        return false;
    }
    let Some(Declared::Struct(of)) = declared(last.ident.span(), &last.ident) else {
        return false;
    };
    let params = of.generics.params.iter();
    let mut params = params.filter(|param| !matches!(param, syn::GenericParam::Lifetime(_)));
    let Some(syn::GenericParam::Type(inside)) = params.nth(at) else {
        return false;
    };
    of.fields.iter().any(|field| {
        let mut attributes = field.attrs.iter();
        !attributes.any(|a| a.path().is_ident("constant")) && is_value(&field.ty, &inside.ident)
    })
}

/// Whether values of the type may hold some of the parameter's: it may be a mark alone, where the file has any.
fn carries(block: &syn::ItemImpl, parameter: &Ident) -> bool {
    let marks = with_text(parameter.span(), |text| text.contains("PhantomData"));
    let named = block.items.iter().any(|item| match item {
        syn::ImplItem::Fn(function) => {
            let output = match &function.sig.output {
                syn::ReturnType::Type(_, ty) => Some(&**ty),
                syn::ReturnType::Default => None,
            };
            let inputs = function.sig.inputs.iter().filter_map(|input| match input {
                syn::FnArg::Typed(input) => Some(&*input.ty),
                syn::FnArg::Receiver(_) => None,
            });
            inputs.chain(output).any(|ty| is_value(ty, parameter))
        }
        _ => false,
    });
    named || marks == Some(false)
}

/// Whether the type is the parameter, or one of the language or of std that holds some.
fn is_value(ty: &syn::Type, parameter: &Ident) -> bool {
    match ty {
        syn::Type::Reference(ty) => is_value(&ty.elem, parameter),
        syn::Type::Slice(ty) => is_value(&ty.elem, parameter),
        syn::Type::Array(ty) => is_value(&ty.elem, parameter),
        syn::Type::Paren(ty) => is_value(&ty.elem, parameter),
        syn::Type::Group(ty) => is_value(&ty.elem, parameter),
        syn::Type::Tuple(ty) => ty.elems.iter().any(|ty| is_value(ty, parameter)),
        syn::Type::Path(ty) => {
            let Some(last) = ty.path.segments.last() else {
                return false;
            };
            let holds = ["Vec", "Option", "Box", "Result"]
                .iter()
                .any(|of| last.ident == of);
            ty.path.is_ident(parameter)
                || holds
                    && matches!(&last.arguments, syn::PathArguments::AngleBracketed(of)
                    if of.args.iter().any(|of| {
                        matches!(of, syn::GenericArgument::Type(ty) if is_value(ty, parameter))
                    }))
        }
        _ => false,
    }
}

/// Whether the tape keeps values of a parameter of a function: where something is changed, what was there is restored.
pub(super) fn is_kept(function: &syn::ItemFn, parameter: &syn::TypeParam) -> bool {
    let (generics, block) = (&function.sig.generics, &function.block);
    let copied = bounds_of(generics, parameter).any(|path| {
        let last = path.segments.last();
        last.is_some_and(|last| last.ident == "Copy")
    });
    let inputs = &function.sig.inputs;
    copied && is_held(generics, parameter) && spells(quote!(#inputs #block), "mut")
}
