//! What `#[gradient]` stands on.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};

use crate::diag::{Diagnostics, catalog};

/// The function, or the item as written with a message reported.
pub(crate) fn function(
    item: &TokenStream,
    diags: &mut Diagnostics,
) -> Result<syn::ItemFn, TokenStream> {
    match syn::parse2::<syn::ItemFn>(item.clone()) {
        Ok(function) => Ok(function),
        Err(error) => {
            match syn::parse2::<syn::Item>(item.clone()) {
                Ok(other) => diags.over(&head(&other), catalog::not_a_function(describe(&other))),
                Err(_) if syn::parse2::<syn::TraitItemFn>(item.clone()).is_ok() => {
                    diags.over(item, catalog::not_a_function("a function without a body"));
                }
                Err(_) => match syn::parse2::<syn::Stmt>(item.clone()) {
                    Ok(_) => diags.over(item, catalog::not_a_function("a statement or expression")),
                    Err(_) => diags.at(error.span(), catalog::not_a_function("this item")),
                },
            }
            Err(item.clone())
        }
    }
}

/// The token that names what kind of item it is.
fn head(item: &syn::Item) -> TokenStream {
    item.to_token_stream()
        .into_iter()
        .find(|t| matches!(t, proc_macro2::TokenTree::Ident(_)))
        .into_iter()
        .collect()
}

fn describe(item: &syn::Item) -> &'static str {
    match item {
        syn::Item::Struct(_) => "a struct",
        syn::Item::Enum(_) => "an enum",
        syn::Item::Union(_) => "a union",
        syn::Item::Trait(_) => "a trait",
        syn::Item::Impl(_) => "an `impl` block",
        syn::Item::Const(_) => "a constant",
        syn::Item::Static(_) => "a static",
        syn::Item::Mod(_) => "a module",
        syn::Item::Type(_) => "a type alias",
        syn::Item::Use(_) => "a `use`",
        syn::Item::Macro(_) => "a macro call",
        _ => "this item",
    }
}

/// The function as the user wrote it, without the helper attributes that rustc does not know.
pub(crate) fn stripped(function: &syn::ItemFn) -> syn::ItemFn {
    let mut function = function.clone();
    Strip.visit_item_fn_mut(&mut function);
    // Someone who calls only the gradient still uses the function.
    function.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
    function
}

const HELPERS: [&str; 3] = ["constant", "checkpoint", "parallel"];

/// The tokens of a macro call without helper attributes.
fn without_helpers(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for tree in tokens {
        let tree = match tree {
            TokenTree::Group(group) => {
                let is_helper = group.delimiter() == Delimiter::Bracket
                    && matches!(out.last(), Some(TokenTree::Punct(p)) if p.as_char() == '#')
                    && matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(name)) if HELPERS.iter().any(|h| name == h));
                if is_helper {
                    out.pop();
                    continue;
                }
                let mut inner = Group::new(group.delimiter(), without_helpers(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        };
        out.push(tree);
    }
    out.into_iter().collect()
}

struct Strip;

impl VisitMut for Strip {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<syn::Attribute>) {
        attrs.retain(|a| !HELPERS.iter().any(|name| a.path().is_ident(name)));
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = without_helpers(std::mem::take(&mut mac.tokens));
    }

    // Items inside have attributes of their own.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_item_fn_mut(&mut self, function: &mut syn::ItemFn) {
        visit_mut::visit_item_fn_mut(self, function);
    }
}
