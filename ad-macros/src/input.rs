//! What `#[gradient]` stands on.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::diag::{Diagnostics, catalog};
use crate::ir::regroup;
use crate::traits;

/// What the attribute stands on.
pub(crate) enum Target {
    Function(Box<syn::ItemFn>),
    Impl(Box<syn::ItemImpl>),
    /// The `impl` of an operator.
    Operator(Box<syn::ItemImpl>),
    /// A trait.
    Definition(Box<syn::ItemTrait>),
    /// The `impl` of another trait.
    Trait(Box<syn::ItemImpl>),
    /// The same for a type of the language or of std.
    OfLanguage(Box<syn::ItemImpl>),
}

/// The function or block, or the item as written with a message reported.
pub(crate) fn target(item: &TokenStream, diags: &mut Diagnostics) -> Result<Target, TokenStream> {
    match syn::parse2::<syn::ItemFn>(item.clone()) {
        Ok(function) => {
            let name = function.sig.ident.to_string();
            if crate::lower::is_primitive(&name) && !is_associated(&function) {
                diags.at(function.sig.ident.span(), catalog::primitive_name(&name));
                return Err(stripped(item.clone()));
            }
            Ok(Target::Function(Box::new(function)))
        }
        Err(error) => {
            match syn::parse2::<syn::Item>(item.clone()) {
                Ok(syn::Item::Impl(block)) if block.trait_.is_none() => {
                    return Ok(Target::Impl(Box::new(block)));
                }
                Ok(syn::Item::Impl(block)) if traits::is_operator(&block) => {
                    return Ok(Target::Operator(Box::new(block)));
                }
                Ok(syn::Item::Impl(block)) if traits::is_of_a_type(&block) => {
                    return Ok(Target::Trait(Box::new(block)));
                }
                Ok(syn::Item::Impl(block)) if traits::is_of_language(&block) => {
                    return Ok(Target::OfLanguage(Box::new(block)));
                }
                Ok(syn::Item::Impl(block)) => {
                    diags.over(&block.self_ty, catalog::foreign_type());
                }
                Ok(syn::Item::Trait(definition)) => {
                    return Ok(Target::Definition(Box::new(definition)));
                }
                Ok(syn::Item::Verbatim(tokens))
                    if syn::parse2::<syn::TraitItemFn>(tokens.clone()).is_ok() =>
                {
                    diags.over(
                        &tokens,
                        catalog::not_a_function("a function without a body"),
                    );
                }
                Ok(other) => diags.over(&head(&other), catalog::not_a_function(describe(&other))),
                Err(_) if syn::parse2::<syn::TraitItemFn>(item.clone()).is_ok() => {
                    diags.over(item, catalog::not_a_function("a function without a body"));
                }
                Err(_) => match syn::parse2::<syn::Stmt>(item.clone()) {
                    Ok(_) => diags.over(item, catalog::not_a_function("a statement or expression")),
                    Err(_) => diags.at(error.span(), catalog::unreadable_item(&error.to_string())),
                },
            }
            Err(item.clone())
        }
    }
}

/// The token that names what kind of item it is.
fn head(item: &syn::Item) -> TokenStream {
    const KEYWORDS: [&str; 12] = [
        "struct",
        "enum",
        "union",
        "trait",
        "impl",
        "const",
        "static",
        "mod",
        "type",
        "use",
        "extern",
        "macro_rules",
    ];
    let keyword = |tree: &TokenTree| matches!(tree, TokenTree::Ident(name) if KEYWORDS.iter().any(|k| name == k));
    item.to_token_stream()
        .into_iter()
        .find(keyword)
        .into_iter()
        .collect()
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
fn describe(item: &syn::Item) -> &'static str {
    match item {
        syn::Item::Struct(_) => "a struct",
        syn::Item::Enum(_) => "an enum",
        syn::Item::Union(_) => "a union",
        syn::Item::Trait(_) => "a trait",
        syn::Item::Impl(_) => "an `impl`",
        syn::Item::Const(_) => "a constant",
        syn::Item::Static(_) => "a static",
        syn::Item::Mod(_) => "a module",
        syn::Item::Type(_) => "a type alias",
        syn::Item::Use(_) => "a `use`",
        syn::Item::Macro(_) => "a macro call",
        _ => "this item",
    }
}

/// Whether the function certainly stands in an `impl` or `trait`, where no companion type can stand beside it.
pub(crate) fn is_associated(function: &syn::ItemFn) -> bool {
    fn names_self(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            TokenTree::Ident(ident) => ident == "Self",
            TokenTree::Group(group) => names_self(group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
    function.sig.receiver().is_some() || names_self(function.sig.to_token_stream())
}

/// The item as the user wrote it, without the helper attributes that rustc does not know. Token by token: nothing is
/// parsed and printed again.
pub(crate) fn stripped(item: TokenStream) -> TokenStream {
    let item = without_helpers(item);
    // Someone who calls only the gradient still uses the function.
    let allow = crate::interface::allow("dead_code");
    quote!(#allow #item)
}

const HELPERS: [&str; 3] = ["constant", "checkpoint", "parallel"];

/// The identifier that the tokens begin with, also as a fragment of a `macro_rules!` macro.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
fn first_name(tokens: TokenStream) -> Option<proc_macro2::Ident> {
    match tokens.into_iter().next()? {
        TokenTree::Ident(name) => Some(name),
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            first_name(group.stream())
        }
        _ => None,
    }
}

/// The tokens without helper attributes.
pub(crate) fn without_helpers(tokens: TokenStream) -> TokenStream {
    without(tokens, &HELPERS)
}

/// The tokens without attributes of these names.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other tokens stay as they are"
)]
pub(crate) fn without(tokens: TokenStream, helpers: &[&str]) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for tree in tokens {
        let tree = match tree {
            TokenTree::Group(group) => {
                let is_helper = group.delimiter() == Delimiter::Bracket
                    && matches!(out.last(), Some(TokenTree::Punct(p)) if p.as_char() == '#')
                    && first_name(group.stream())
                        .is_some_and(|name| helpers.iter().any(|h| name == h));
                if is_helper {
                    out.pop();
                    continue;
                }
                TokenTree::Group(regroup(&group, without(group.stream(), helpers)))
            }
            other => other,
        };
        out.push(tree);
    }
    out.into_iter().collect()
}
