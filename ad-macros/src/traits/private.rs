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
use crate::surroundings::{module_at, with_text};

/// Compiles only if the type has no function of its own of the name of one that has a derivative here.
pub(super) fn has_none(block: &syn::ItemImpl) -> Option<TokenStream> {
    let (_, of, _) = block.trait_.as_ref()?;
    let ty = peeled(&block.self_ty);
    let name = plain_name(ty);
    let is_beside = module_at(block.impl_token.span).is_some();
    if !is_beside && (!name.is_some_and(is_declared_once) || !block.generics.params.is_empty()) {
        return None;
    }
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
    let none = quote! {
        use super::*;

        #[automatically_derived]
        impl #generics #ty #clause { #(#functions)* }
    };
    let none = if is_beside {
        none
    } else {
        not_in_module(name?, &none)
    };
    Some(quote! {
        #(#cfgs)*
        #allow
        mod #module { #none }
    })
}

/// The same where nothing shows that the `impl` stands in a module: a macro has written it, or it stands in the body of
/// a function. A module sees no types of a body, so that it has one of the name for itself; what the module around
/// declares, or imports, comes before that.
fn not_in_module(name: &Ident, none: &TokenStream) -> TokenStream {
    quote! {
        enum #name {}

        fn none() { #none }
    }
}

/// Whether the file declares one type of this name at most: in a body there may be another one than in the module.
fn is_declared_once(name: &Ident) -> bool {
    let name_of = |text: &str| {
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
        text[..end.unwrap_or(text.len())].to_owned()
    };
    let declared = |text: &str| {
        let heads = ["struct ", "enum "]
            .iter()
            .flat_map(|word| text.split(word).skip(1));
        heads.filter(|rest| *name == name_of(rest)).count()
    };
    with_text(name.span(), declared).is_none_or(|declared| declared <= 1)
}

/// The name of a type that is a name alone.
fn plain_name(ty: &syn::Type) -> Option<&Ident> {
    match ty {
        syn::Type::Path(path) if path.qself.is_none() => path.path.get_ident(),
        syn::Type::Group(group) => plain_name(&group.elem),
        _ => None,
    }
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
