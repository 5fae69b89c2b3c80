//! What a method asks of the parameters of its block: `fn area(&self) -> T where T: Copy + Mul<Output = T>`.
//!
//! Where that alone says that a parameter stands for a float, the method is one of a block that asks for it.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

use super::bounds::floats;
use super::{of_function, rewrite};

/// A block of this method alone, which asks for what the method asked of the parameters of its own block; if one of
/// them then stands for a float, and none did before.
pub(super) fn hoisted(block: &syn::ItemImpl, method: &syn::ImplItemFn) -> Option<syn::ItemImpl> {
    let none = syn::ReturnType::Default;
    let has_floats = |generics: &syn::Generics| !floats(generics, &none).is_empty();
    if block.trait_.is_some()
        || has_floats(&block.generics)
        || !of_function(&method.sig, &method.block).is_empty()
    {
        return None;
    }
    let mut method = method.clone();
    let clause = method.sig.generics.where_clause.take()?;
    let own = &method.sig.generics;
    let of_block = |predicate: &syn::WherePredicate| asks_of(&block.generics, own, predicate);
    let (taken, left): (Vec<_>, Vec<_>) = clause.predicates.into_iter().partition(of_block);
    if !left.is_empty() {
        let clause = method.sig.generics.make_where_clause();
        clause.predicates.extend(left);
    }
    let mut block = block.clone();
    let clause = block.generics.make_where_clause();
    clause.predicates.extend(taken);
    block.items = vec![syn::ImplItem::Fn(method)];
    has_floats(&block.generics).then_some(block)
}

/// Whether a predicate is about parameters of the block, and names none of the method's.
fn asks_of(block: &syn::Generics, own: &syn::Generics, predicate: &syn::WherePredicate) -> bool {
    let syn::WherePredicate::Type(of) = predicate else {
        return false;
    };
    let first = match &of.bounded_ty {
        syn::Type::Path(path) if path.qself.is_none() => path.path.segments.first(),
        _ => None,
    };
    let of_block = |name: &Ident| block.type_params().any(|t| t.ident == *name);
    let tokens = predicate.to_token_stream();
    let mut names = own.type_params().map(|t| &t.ident);
    first.is_some_and(|first| of_block(&first.ident))
        && !names.any(|name| rewrite::mentions(tokens.clone(), name))
        && !has_lifetimes(tokens)
}

fn has_lifetimes(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Punct(punct) => punct.as_char() == '\'',
        TokenTree::Group(group) => has_lifetimes(group.stream()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    })
}
