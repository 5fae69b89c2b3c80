//! A type that derives `Differentiable` is a `Record`, too, where its fields are and the text does not say otherwise.
//!
//! Without `Record`, a function that keeps one value of the type does not compile, and which values a reverse sweep
//! keeps is not for the user to know. That fields of other types are records is a condition of the implementation: for
//! a type that has others, there is none, and nothing is lost. Where the text does not show the type (a macro made it),
//! shows that it is a `Record` already, or unsafe code that could rely on its fields, `#[derive(Record)]` is for the
//! user to write.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use super::{is_phantom_path, record};
use crate::ir::hash::HashSet;
use crate::surroundings::{Declared, declared};

/// The implementation, if there is one.
pub(super) fn implied(input: &syn::DeriveInput, krate: &syn::Path) -> Option<TokenStream> {
    let mut others = Vec::new();
    let known = record::types(&input.data).all(|ty| is_known(input, ty, &mut others));
    if !known
        || is_recursive(input, &others)
        || record::is_packed(&input.attrs)
        || !crate::surroundings::leaves_record_open(&input.ident)
    {
        return None;
    }
    let mut input = input.clone();
    if !others.is_empty() {
        let clause = input.generics.make_where_clause();
        for ty in others {
            // A lifetime that nothing mentions, so that rustc asks whether it holds only where it matters.
            let predicate = syn::parse_quote!(for<'__any> #ty: #krate::__rt::Record);
            clause.predicates.push(predicate);
        }
    }
    Some(record::implementation(&mut input, krate))
}

/// Whether a field can be a record: made of what is one, of the type itself, of parameters, and of `others`, of which
/// rustc knows.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
fn is_known(input: &syn::DeriveInput, ty: &syn::Type, others: &mut Vec<TokenStream>) -> bool {
    let mut all = |types: &mut dyn Iterator<Item = &syn::Type>| {
        types.fold(true, |known, ty| known & is_known(input, ty, others))
    };
    match ty {
        syn::Type::Group(group) => all(&mut std::iter::once(&*group.elem)),
        syn::Type::Paren(paren) => all(&mut std::iter::once(&*paren.elem)),
        syn::Type::Array(array) => all(&mut std::iter::once(&*array.elem)),
        syn::Type::Tuple(tuple) => all(&mut tuple.elems.iter()),
        syn::Type::Path(path) if is_phantom_path(path) => true,
        syn::Type::Path(path) => match (path.path.get_ident(), inner(path)) {
            (Some(name), _) if path.qself.is_none() && needs_no_bound(input, name) => true,
            // What holds the type itself would be a record if the type were one.
            (_, Some(inner)) if record::is_within(&input.ident, ty) => {
                all(&mut std::iter::once(inner))
            }
            _ => {
                // Also of `f64`: a type of the user's own may have the name.
                let shown = ty.to_token_stream().to_string();
                if others.iter().all(|other| other.to_string() != shown) {
                    others.push(ty.to_token_stream());
                }
                !record::is_within(&input.ident, ty)
            }
        },
        _ => false,
    }
}

/// The type itself, or a parameter, which the derive bounds.
fn needs_no_bound(input: &syn::DeriveInput, name: &proc_macro2::Ident) -> bool {
    let mut parameters = input.generics.type_params();
    *name == input.ident || name == "Self" || parameters.any(|param| param.ident == *name)
}

/// Of what a container of std holds values.
fn inner(path: &syn::TypePath) -> Option<&syn::Type> {
    let only = path.path.segments.first()?;
    let syn::PathArguments::AngleBracketed(list) = &only.arguments else {
        return None;
    };
    let is_container = ["Vec", "Option", "Box"]
        .iter()
        .any(|name| only.ident == name);
    let Some(syn::GenericArgument::Type(inner)) = list.args.first() else {
        return None;
    };
    let is_whole = path.path.segments.len() == 1 && list.args.len() == 1;
    (is_container && is_whole).then_some(inner)
}

/// Whether one of these types has parts of the type: each would be a record if the other were one, which rustc
/// refuses. Types of other crates have none but by their arguments.
fn is_recursive(input: &syn::DeriveInput, types: &[TokenStream]) -> bool {
    let mut seen = HashSet::default();
    let mut open = Vec::new();
    types.iter().for_each(|ty| names(ty.clone(), &mut open));
    while let Some(name) = open.pop() {
        if name == input.ident {
            return true;
        }
        // What std declares is in every file, and has no parts but its arguments.
        let of_std = ["Vec", "Option", "Box", "String"];
        if of_std.iter().any(|known| name == known) || !seen.insert(name.to_string()) {
            continue;
        }
        let fields = match declared(input.ident.span(), &name) {
            Some(Declared::Struct(item)) => item.fields.to_token_stream(),
            Some(Declared::Enum(item)) => item.variants.to_token_stream(),
            Some(Declared::Alias(item)) => item.ty.to_token_stream(),
            None => continue,
        };
        names(fields, &mut open);
    }
    false
}

/// The names that may be those of types.
fn names(tokens: TokenStream, found: &mut Vec<proc_macro2::Ident>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => names(group.stream(), found),
            TokenTree::Ident(name) if name.to_string().starts_with(char::is_uppercase) => {
                found.push(name);
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
