//! `#[gradient] impl Lerp for f64`: the `impl` of a trait with `#[gradient]` for a type of the language or of std.
//!
//! Beside such a type nothing can stand. So the sweeps stand in the `impl` itself: the trait has them, hidden, for
//! types of the user's, and this `impl` writes its own. They are associated functions of hidden types (`carrier`).

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use super::carrier::{self, Carrier, peeled};
use super::definition;
use super::functions::Heads;
use super::method::{self, Method};
use crate::block;
use crate::diag::{Diagnostics, catalog};
use crate::generic;
use crate::interface;
use crate::ir::spells;
use crate::lower::Owner;
use crate::options::Options;
use crate::surroundings::{has_gradient, trait_beside};

/// Types of std that a trait with `#[gradient]` can be implemented for, beside numbers, arrays and tuples.
const OF_STD: [&str; 3] = ["Vec", "Option", "String"];

/// Whether the `impl` is of such a type.
pub(crate) fn is_of_language(block: &syn::ItemImpl) -> bool {
    match peeled(&block.self_ty) {
        syn::Type::Array(_) => true,
        syn::Type::Tuple(tuple) => tuple.elems.len() <= 8,
        syn::Type::Path(ty) if ty.qself.is_none() => {
            let Some(last) = ty.path.segments.last() else {
                return false;
            };
            let name = last.ident.to_string();
            OF_STD.contains(&name.as_str()) || name != "str" && crate::lower::is_primitive(&name)
        }
        _ => false,
    }
}

/// What stands beside the `impl`, and what is added to it.
pub(crate) fn within(
    block: &syn::ItemImpl,
    options: &Options,
    diags: &mut Diagnostics,
) -> (TokenStream, TokenStream) {
    for name in options.name.iter().chain(&options.companion) {
        diags.at(name.span(), catalog::option_of_block());
    }
    let Some((_, path, _)) = &block.trait_ else {
        return Default::default();
    };
    let Some(name) = path.segments.last().map(|last| &last.ident) else {
        return Default::default();
    };
    if has_gradient(name) == Some(false) {
        diags.at(
            name.span(),
            catalog::trait_without_gradient(&name.to_string()),
        );
        return Default::default();
    }
    // Such a parameter is known to have derivatives where it is known what it is.
    let arguments = path
        .segments
        .last()
        .map(|last| last.arguments.to_token_stream());
    let is_given = |t: &syn::TypeParam| {
        let arguments = arguments.clone().unwrap_or_default();
        spells(arguments, &t.ident.to_string())
    };
    if block.generics.type_params().any(is_given)
        && let Some(declared) = trait_beside(name.span(), name)
        && let Some(parameter) = definition::undifferentiable(&declared)
    {
        let parameter = parameter.ident.to_string();
        diags.at(name.span(), catalog::trait_parameter(&parameter));
        return Default::default();
    }
    let Some(opaque) = generic::as_opaque(block) else {
        diags.over(&block.self_ty, catalog::foreign_type());
        return Default::default();
    };
    let rt = {
        let krate = &options.krate;
        quote!(#krate::__rt)
    };
    let of = interface::arguments_of_trait(path);
    let owner = Owner {
        stands_in_block: true,
        generics: block.generics.clone(),
        ..Owner::default()
    };
    let cfgs = block::cfgs(&block.attrs);
    let (mut beside, mut added) = (TokenStream::new(), TokenStream::new());
    for item in &block.items {
        let syn::ImplItem::Fn(function) = item else {
            continue;
        };
        let written = with_itself(block, function);
        let found = Method::function(&written, &function.attrs, (name, &of), &owner, options);
        let Some(method) = found else {
            continue;
        };
        let ident = &function.sig.ident;
        let carrier = Carrier::named(
            &opaque,
            format_ident!("__derivative_of_{ident}_{}", mark(block)),
        );
        let sweeps = carrier.sweeps(function, options, diags);
        beside.extend(quote!(#(#cfgs)* #sweeps));
        added.extend(items(&method, path, &carrier, &rt));
    }
    (beside, added)
}

/// A number that no other `impl` of the module has.
fn mark(block: &syn::ItemImpl) -> u64 {
    let (of, ty) = (
        block.trait_.as_ref().map(|(_, path, _)| path),
        &block.self_ty,
    );
    let clause = &block.generics.where_clause;
    method::number(&quote!(#of #ty #clause).to_string())
}

/// The signature as the trait may have it: associated types written out, and `Self` for the type itself, whose adjoint
/// is that of a value.
fn with_itself(block: &syn::ItemImpl, function: &syn::ImplItemFn) -> syn::Signature {
    struct Itself(String);
    impl syn::visit_mut::VisitMut for Itself {
        fn visit_type_mut(&mut self, ty: &mut syn::Type) {
            if ty.to_token_stream().to_string() == self.0 {
                *ty = syn::parse_quote!(Self);
                return;
            }
            syn::visit_mut::visit_type_mut(self, ty);
        }
    }
    let mut sig = carrier::with_types(block, function).sig;
    let mut itself = Itself(peeled(&block.self_ty).to_token_stream().to_string());
    method::types_mut(&mut sig)
        .for_each(|ty| syn::visit_mut::VisitMut::visit_type_mut(&mut itself, ty));
    sig
}

/// The sweeps of one function.
fn items(
    method: &Method<'_>,
    of: &syn::Path,
    carrier: &Carrier<'_>,
    rt: &TokenStream,
) -> TokenStream {
    let ident = &method.sig.ident;
    let Heads {
        name,
        forward,
        reverse,
        names,
        bars,
        ..
    } = Heads::of(method, rt);
    let carrier = carrier.path();
    let [of_forward, of_reverse] = method::sweep_names(ident);
    let (import, allow) = (interface::import(of), interface::allowed());
    let head = quote!(#allow #[doc(hidden)] #[inline]);
    quote! {
        #head
        #name { #rt::name_of(&<Self as #of>::#ident) }

        #head
        #forward {
            if false {
                #import
                // A function of the type itself would be meant by its name.
                #rt::same_method(&<Self>::#ident, &<Self as #of>::#ident);
            }
            #carrier::#of_forward(#(#names,)* tape)
        }

        #head
        #reverse { #carrier::#of_reverse(#(#names,)* #(#bars,)* seed, tape) }
    }
}

/// The item with these behind its own.
pub(crate) fn with_items(item: TokenStream, added: TokenStream) -> TokenStream {
    let mut trees: Vec<proc_macro2::TokenTree> = item.into_iter().collect();
    if let Some(proc_macro2::TokenTree::Group(body)) = trees.last_mut() {
        let mut inner = body.stream();
        inner.extend(added);
        *body = crate::ir::regroup(body, inner);
    }
    trees
        .into_iter()
        .map(|tree| tree.to_token_stream())
        .collect()
}
