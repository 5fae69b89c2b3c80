//! What tells two definitions of functions apart.

use proc_macro2::{Spacing, TokenStream, TokenTree};
use quote::ToTokens;

use super::small::Small;
use crate::hash::hash;

/// A number for the definition of a function, if its calls may be inlined: its signature and its body.
pub(crate) fn definition(function: &syn::ItemFn) -> Option<u64> {
    Small::of(function)
        .ok()
        .map(|small| number(&small.function))
}

/// The number of the tokens of the signature and the body.
pub(super) fn number(function: &syn::ItemFn) -> u64 {
    number_of(&function.sig, &function.block)
}

/// The same of any function.
pub(crate) fn number_of(sig: &syn::Signature, body: &syn::Block) -> u64 {
    let mut text = String::new();
    write(sig.to_token_stream(), &mut text);
    write(body.to_token_stream(), &mut text);
    hash(text.bytes())
}

/// The tokens, one behind the other, whatever stands between them.
fn write(tokens: TokenStream, text: &mut String) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                // Where it has no delimiter, it still is a group.
                let open = format!("{:?}(", group.delimiter());
                text.push_str(&open);
                write(group.stream(), text);
                text.push(')');
            }
            TokenTree::Ident(ident) => {
                text.push_str(&ident.to_string());
                text.push(' ');
            }
            TokenTree::Literal(literal) => {
                text.push_str(&literal.to_string());
                text.push(' ');
            }
            TokenTree::Punct(punct) => {
                text.push(punct.as_char());
                if punct.spacing() == Spacing::Alone {
                    text.push(' ');
                }
            }
        }
    }
}
