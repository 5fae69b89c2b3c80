//! Private functions of the type's own, which hide those of a trait where only some callers see them.
//!
//! Calls in the module of such a function mean it, and what stands beside the `impl` of the trait is that of the
//! trait's. The `impl` does not see the function, if it stands in another module. But a type cannot have two functions
//! of its own of one name, however private: so a module that nobody sees has one of each name, and rustc refuses the
//! second.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::{carrier::peeled, method};
use crate::block;
use crate::interface;
use crate::ir::{regroup, spells};
use crate::lower::{Derivative, Member};
use crate::surroundings::module_at;

/// Compiles only if the type has no function of its own of the name of one that has a derivative here. Only beside an
/// `impl` in a module: a module in the body of a function would not see its types.
pub(super) fn has_none(block: &syn::ItemImpl) -> Option<TokenStream> {
    let (_, of, _) = block.trait_.as_ref()?;
    module_at(block.impl_token.span)?;
    let ty = peeled(&block.self_ty);
    let names_all = block.generics.params.iter().all(|param| match param {
        syn::GenericParam::Lifetime(_) => true,
        syn::GenericParam::Type(p) => spells(ty.to_token_stream(), &p.ident.to_string()),
        syn::GenericParam::Const(p) => spells(ty.to_token_stream(), &p.ident.to_string()),
    });
    if !names_all {
        return None;
    }
    let functions = block.items.iter().filter_map(|item| match item {
        syn::ImplItem::Fn(function) => Some(function),
        _ => None,
    });
    let functions = functions.filter(|function| {
        let left = method::is_left(&function.attrs);
        Member::of(&function.sig, left).derivative == Derivative::Own
            && !interface::is_forwarded(&function.sig.ident)
    });
    let functions: Vec<_> = functions
        .map(|function| {
            let (cfgs, name) = (block::cfgs(&function.attrs), &function.sig.ident);
            quote_spanned!(name.span()=> #(#cfgs)* fn #name() {})
        })
        .collect();
    if functions.is_empty() {
        return None;
    }
    let module = module(of, ty);
    let (generics, _, clause) = block.generics.split_for_impl();
    let (cfgs, allow) = (block::cfgs(&block.attrs), interface::allowed());
    let [generics, ty, clause] = [
        generics.to_token_stream(),
        ty.to_token_stream(),
        clause.to_token_stream(),
    ]
    .map(from_below);
    Some(quote! {
        #(#cfgs)*
        #allow
        mod #module {
            use super::*;

            #[automatically_derived]
            impl #generics #ty #clause { #(#functions)* }
        }
    })
}

/// A name that no other `impl` of the module has.
fn module(of: &syn::Path, ty: &syn::Type) -> Ident {
    let number = method::number(&quote!(#of for #ty).to_string());
    format_ident!("__functions_of_{number}")
}

/// The tokens as a module in this one writes them: one step further from what `self` and `super` mean.
fn from_below(tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    let mut is_first = true;
    while let Some(tree) = tokens.next() {
        let begins = is_first;
        is_first = !matches!(&tree, TokenTree::Punct(p) if p.as_char() == ':');
        match tree {
            TokenTree::Group(group) => {
                let inner = from_below(group.stream());
                out.extend([TokenTree::Group(regroup(&group, inner))]);
            }
            TokenTree::Ident(name) if begins && name == "super" => out.extend(quote!(super::super)),
            TokenTree::Ident(name)
                if begins
                    && name == "self"
                    && matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':') =>
            {
                out.extend(quote!(super));
            }
            other => out.extend([other]),
        }
    }
    out
}
