//! Crates without std, in which `::std` leads nowhere.
//!
//! Generated code names vectors by `::std::vec::Vec`. Where the root of the crate that is compiled says `no_std`, such
//! paths go through the facade, which has std. Those of the user's text mean the same either way.

use std::sync::OnceLock;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};

use crate::edition::{compiles, is_separator, root_of_crate};

/// What a macro gives back, for a crate with std or without.
pub(crate) fn for_crate(tokens: TokenStream) -> TokenStream {
    static WITHOUT: OnceLock<bool> = OnceLock::new();
    if !*WITHOUT.get_or_init(|| is_without(std::env::args())) {
        return tokens;
    }
    match facade(tokens.clone()) {
        Some(facade) => through(tokens, &facade),
        None => tokens,
    }
}

/// Whether the root that the arguments of rustc name says so. Who says so under a condition loses nothing.
fn is_without(arguments: impl Iterator<Item = String>) -> bool {
    let arguments: Vec<String> = arguments.collect();
    let root = root_of_crate(&arguments).filter(|_| compiles(&arguments));
    let text = root.and_then(|root| std::fs::read_to_string(root).ok());
    text.is_some_and(|text| says_so(&text))
}

fn says_so(root: &str) -> bool {
    let mut attributes = root
        .lines()
        .filter(|line| line.trim_start().starts_with("#!["));
    attributes.any(|line| line.contains("no_std"))
}

/// The path that leads to the first `__rt`, which is the facade's.
fn facade(tokens: TokenStream) -> Option<Vec<TokenTree>> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(ident) if ident == "__rt" => {
                return Some(trees[begin_of_path(&trees, at)..=at].to_vec());
            }
            TokenTree::Group(group) => {
                if let Some(found) = facade(group.stream()) {
                    return Some(found);
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    None
}

/// Where the path begins whose name stands at `at`.
fn begin_of_path(trees: &[TokenTree], mut at: usize) -> usize {
    while at >= 2 && is_separator(&trees[at - 2..at]) {
        at -= 2;
        match at.checked_sub(1).map(|before| &trees[before]) {
            Some(TokenTree::Ident(name)) if !is_keyword(name) => at -= 1,
            _ => break,
        }
    }
    at
}

/// `::std::a` becomes `facade::std::a`.
fn through(tokens: TokenStream, facade: &[TokenTree]) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut out: Vec<TokenTree> = Vec::with_capacity(trees.len());
    for (at, tree) in trees.iter().enumerate() {
        let begins = at == 0 || !matches!(&trees[at - 1], TokenTree::Ident(i) if !is_keyword(i));
        let of_std = matches!(trees.get(at + 2), Some(TokenTree::Ident(i)) if i == "std");
        if begins && of_std && is_separator(&trees[at..]) {
            out.extend(facade.iter().cloned());
        }
        out.push(match tree {
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), through(group.stream(), facade));
                inside.set_span(group.span());
                TokenTree::Group(inside)
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => tree.clone(),
        });
    }
    out.into_iter().collect()
}

/// Behind which a path begins.
fn is_keyword(ident: &Ident) -> bool {
    const KEYWORDS: [&str; 13] = [
        "as", "const", "dyn", "else", "for", "if", "impl", "in", "match", "mut", "return", "use",
        "where",
    ];
    KEYWORDS.iter().any(|keyword| ident == keyword)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> String {
        let tokens: TokenStream = text.parse().expect("tokens");
        let facade = facade(tokens.clone()).expect("a facade");
        through(tokens, &facade).to_string().replace(' ', "")
    }

    #[test]
    fn paths_into_std_go_through_the_facade() {
        let text = "fn f(t: &mut ::own::re::__rt::Tape) -> ::std::vec::Vec<f64> { x as ::std::primitive::u8; \
                    a::std::b }";
        let expected = "fn f(t: &mut ::own::re::__rt::Tape) -> ::own::re::__rt::std::vec::Vec<f64> { x as \
                        ::own::re::__rt::std::primitive::u8; a::std::b }";
        assert_eq!(rewritten(text), expected.replace(' ', ""));
    }

    #[test]
    fn the_root_says_so_by_an_attribute() {
        assert!(says_so("//! A crate.\n#![no_std]\n"));
        assert!(says_so("#![cfg_attr(not(feature = \"std\"), no_std)]"));
        assert!(!says_so(
            "//! This crate is no `#![no_std]` crate.\n#![allow(dead_code)]"
        ));
        assert!(!says_so("fn no_std() {}"));
    }
}
