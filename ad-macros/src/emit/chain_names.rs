//! Checks that methods of chains of iterators are std's.
//!
//! Which chain a method is called on is not seen. So the name is asked of a chain of unknown type, which a trait for
//! all iterators has, and of each kind of chain that words of the body may lead to.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens as _, quote, quote_spanned};

use super::Emitter;

/// Words of a body, the type in `std` that one of them may lead to, its arguments, and some that make an iterator of
/// it; `C` stands for a chain of `()`.
const KINDS: &[(&str, &str, &str, &str)] = &[
    ("iter iter_mut into_iter", "slice::Iter", "'_, _", "'_, ()"),
    ("iter_mut into_iter", "slice::IterMut", "'_, _", "'_, ()"),
    ("into_iter", "vec::IntoIter", "_", "()"),
    ("into_iter", "array::IntoIter", "_, _", "(), 0"),
    ("drain", "vec::Drain", "'_, _", "'_, ()"),
    ("iter", "option::Iter", "'_, _", "'_, ()"),
    ("iter", "collections::vec_deque::Iter", "'_, _", "'_, ()"),
    (
        "iter",
        "collections::btree_map::Iter",
        "'_, _, _",
        "'_, (), ()",
    ),
    (
        "keys",
        "collections::btree_map::Keys",
        "'_, _, _",
        "'_, (), ()",
    ),
    (
        "values",
        "collections::btree_map::Values",
        "'_, _, _",
        "'_, (), ()",
    ),
    ("windows", "slice::Windows", "'_, _", "'_, ()"),
    ("chunks", "slice::Chunks", "'_, _", "'_, ()"),
    ("chunks_mut", "slice::ChunksMut", "'_, _", "'_, ()"),
    ("chunks_exact", "slice::ChunksExact", "'_, _", "'_, ()"),
    (
        "chunks_exact_mut",
        "slice::ChunksExactMut",
        "'_, _",
        "'_, ()",
    ),
    ("rchunks", "slice::RChunks", "'_, _", "'_, ()"),
    ("rchunks_mut", "slice::RChunksMut", "'_, _", "'_, ()"),
    ("rchunks_exact", "slice::RChunksExact", "'_, _", "'_, ()"),
    (
        "rchunks_exact_mut",
        "slice::RChunksExactMut",
        "'_, _",
        "'_, ()",
    ),
    ("..", "ops::Range", "_", "u8"),
    ("..", "ops::RangeInclusive", "_", "u8"),
    ("..", "ops::RangeFrom", "_", "u8"),
    ("once", "iter::Once", "_", "()"),
    ("empty", "iter::Empty", "_", "()"),
    ("repeat", "iter::Repeat", "_", "()"),
    ("repeat_n", "iter::RepeatN", "_", "()"),
    ("repeat_with", "iter::RepeatWith", "_", "fn() -> ()"),
    ("from_fn", "iter::FromFn", "_", "fn() -> Option<()>"),
    (
        "successors",
        "iter::Successors",
        "_, _",
        "(), fn(&()) -> Option<()>",
    ),
    ("chain", "iter::Chain", "_, _", "C, C"),
    ("zip izip", "iter::Zip", "_, _", "C, C"),
    ("cloned", "iter::Cloned", "_", "R"),
    ("copied", "iter::Copied", "_", "R"),
    ("cycle", "iter::Cycle", "_", "C"),
    ("enumerate", "iter::Enumerate", "_", "C"),
    ("filter", "iter::Filter", "_, _", "C, fn(&()) -> bool"),
    (
        "filter_map",
        "iter::FilterMap",
        "_, _",
        "C, fn(()) -> Option<()>",
    ),
    ("flat_map", "iter::FlatMap", "_, _, _", "C, C, fn(()) -> C"),
    ("flatten", "iter::Flatten", "_", "N"),
    ("fuse", "iter::Fuse", "_", "C"),
    ("inspect", "iter::Inspect", "_, _", "C, fn(&())"),
    ("map izip", "iter::Map", "_, _", "C, fn(()) -> ()"),
    (
        "map_while",
        "iter::MapWhile",
        "_, _",
        "C, fn(()) -> Option<()>",
    ),
    ("peekable", "iter::Peekable", "_", "C"),
    ("rev", "iter::Rev", "_", "C"),
    (
        "scan",
        "iter::Scan",
        "_, _, _",
        "C, (), fn(&mut (), ()) -> Option<()>",
    ),
    ("skip", "iter::Skip", "_", "C"),
    (
        "skip_while",
        "iter::SkipWhile",
        "_, _",
        "C, fn(&()) -> bool",
    ),
    ("step_by", "iter::StepBy", "_", "C"),
    ("take", "iter::Take", "_", "C"),
    (
        "take_while",
        "iter::TakeWhile",
        "_, _",
        "C, fn(&()) -> bool",
    ),
];

impl Emitter<'_> {
    /// Parameters, their types and the calls on them for methods of iterators, numbered behind `before`.
    pub(super) fn chain_methods(&self, before: usize) -> (TokenStream, TokenStream, TokenStream) {
        let rt = self.rt();
        let (mut params, mut types) = (TokenStream::new(), TokenStream::new());
        let mut calls = TokenStream::new();
        let methods = &self.func.chain_methods;
        let chains = match methods.is_empty() {
            true => Vec::new(),
            false => self.chains(),
        };
        let asked = methods.iter();
        let asked = asked.flat_map(|method| chains.iter().map(move |of| (method, of)));
        for (k, (method, (ty, settled))) in asked.enumerate() {
            let mut value = super::own(&format!("__value_{}", before + k + 1));
            value.set_span(value.span().located_at(method.span()));
            params.extend(quote!(mut #value: #ty,));
            types.extend(quote!(#settled,));
            calls.extend(quote_spanned! {method.span()=>
                { use #rt::std_names::OfChains as _; #rt::std_names::is_of_std(#value.#method()); }
            });
        }
        (params, types, calls)
    }

    /// Types of chains that the body may have, with `_` for what is not known, and each with something there.
    fn chains(&self) -> Vec<(TokenStream, TokenStream)> {
        let (rt, words) = (self.rt(), &self.func.chain_words);
        let chain = quote!(#rt::std_names::Chain);
        let mut chains = vec![(quote!(#chain<_>), quote!(#chain<()>))];
        for (leading, path, unknown, known) in KINDS {
            if leading.split(' ').any(|word| words.contains(word)) {
                let ty = |arguments: &str| {
                    let (path, arguments) = (tokens(path, &chain), tokens(arguments, &chain));
                    quote!(#rt::std::#path<#arguments>)
                };
                chains.push((ty(unknown), ty(known)));
            }
        }
        chains
    }
}

/// The tokens of an entry of the table.
fn tokens(text: &str, chain: &TokenStream) -> TokenStream {
    let tokens = text.parse().unwrap_or_default();
    filled(tokens, chain)
}

fn filled(tokens: TokenStream, chain: &TokenStream) -> TokenStream {
    let tree = |tree: TokenTree| match &tree {
        TokenTree::Ident(name) if name == "C" => quote!(#chain<()>),
        TokenTree::Ident(name) if name == "R" => quote!(#chain<&'static ()>),
        TokenTree::Ident(name) if name == "N" => quote!(#chain<#chain<()>>),
        TokenTree::Ident(name) if name == "Option" => quote!(::core::option::Option),
        TokenTree::Group(group) => {
            Group::new(group.delimiter(), filled(group.stream(), chain)).to_token_stream()
        }
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => tree.into(),
    };
    tokens.into_iter().flat_map(tree).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_types() {
        for (_, path, unknown, known) in KINDS {
            let chain = quote!(Chain);
            for arguments in [unknown, known] {
                let (path, arguments) = (tokens(path, &chain), tokens(arguments, &chain));
                let ty = quote!(#path<#arguments>);
                assert!(syn::parse2::<syn::Type>(ty.clone()).is_ok(), "{ty}");
            }
        }
    }
}
