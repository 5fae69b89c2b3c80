//! `#[derive(Differentiable)]`, `#[derive(Duplicate)]` and `#[derive(Record)]`.

mod arguments;
mod definition;
mod differentiable;
mod duplicate;
mod field;
mod flat;
mod generics;
mod impls;
mod parts;
mod record;
mod vector_space;

use proc_macro2::Span;
use syn::spanned::Spanned;

pub(crate) use differentiable::differentiable;
pub(crate) use duplicate::duplicate;
pub(crate) use record::record;

/// `#[helper(crate = path)]`, else `::retrograde`.
fn facade(attrs: &[syn::Attribute], helper: &str) -> syn::Result<syn::Path> {
    let mut path: syn::Path = syn::parse_quote!(::retrograde);
    for attr in attrs.iter().filter(|a| a.path().is_ident(helper)) {
        attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta.error("the only argument is `crate = path`"));
            }
            path = meta.value()?.call(syn::Path::parse_mod_style)?;
            Ok(())
        })?;
    }
    Ok(path)
}

/// Where an error about a type is shown. Lints still see that the macro wrote what is there.
fn at(ty: &syn::Type) -> Span {
    Span::call_site().located_at(ty.span())
}

fn is_phantom(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(ty) if is_phantom_path(ty))
}

fn is_phantom_path(ty: &syn::TypePath) -> bool {
    ty.path
        .segments
        .last()
        .is_some_and(|s| s.ident == "PhantomData")
}
