//! Crates of edition 2015, in which `::core::f` is looked for in the crate itself, and `dyn` may be a name.
//!
//! rustc reads a path in the edition of its leading `::`, and a keyword in that of its own span. Generated code has
//! that of the crate it is written into; where this is 2015, such tokens get that of the macro, and so does the first
//! name behind a `use` of generated code, which rustc would look for at the root. Paths that the user has
//! written keep theirs, but for those into `core` and `std`, which mean the same in both unless the crate has modules
//! of these names at its root.

use std::collections::HashSet;
use std::sync::OnceLock;

use proc_macro2::{Group, Spacing, Span, TokenStream, TokenTree};

/// What generated paths begin with.
const ROOTS: [&str; 3] = ["core", "std", "retrograde"];

/// What a macro gives back, for the edition of the crate that is compiled.
pub(crate) fn for_crate(tokens: TokenStream) -> TokenStream {
    if is_2015() { of_macro(tokens) } else { tokens }
}

/// Whether the crate that is compiled is of edition 2015.
pub(crate) fn is_2015() -> bool {
    static OLD: OnceLock<bool> = OnceLock::new();
    *OLD.get_or_init(|| say_2015(std::env::args()))
}

/// Whether the arguments of rustc leave the edition at its default. What is no rustc says nothing.
fn say_2015(arguments: impl Iterator<Item = String>) -> bool {
    let arguments: Vec<String> = arguments.collect();
    let named = arguments.iter().enumerate().find_map(|(n, argument)| {
        let next = || arguments.get(n + 1).map(String::as_str);
        match argument.as_str() {
            "--edition" => next(),
            other => other.strip_prefix("--edition="),
        }
    });
    compiles(&arguments) && named.is_none_or(|edition| edition == "2015")
}

/// Whether these are arguments of rustc.
pub(crate) fn compiles(arguments: &[String]) -> bool {
    arguments.iter().any(|a| a == "--crate-name")
}

/// Whether a path may begin with a crate of this name, by the arguments of rustc. What is no rustc says nothing.
pub(crate) fn may_be_crate(name: &str) -> bool {
    is_given(name) != Some(false)
}

/// Whether rustc is given a crate of this name.
pub(crate) fn is_crate(name: &str) -> bool {
    is_given(name) == Some(true)
}

fn is_given(name: &str) -> Option<bool> {
    static OTHERS: OnceLock<Option<HashSet<String>>> = OnceLock::new();
    let others = OTHERS.get_or_init(|| {
        let arguments: Vec<String> = std::env::args().collect();
        compiles(&arguments).then(|| crates(&arguments).collect())
    });
    let name = name.strip_prefix("r#").unwrap_or(name);
    if matches!(name, "std" | "core" | "alloc") {
        return Some(true);
    }
    others.as_ref().map(|others| others.contains(name))
}

/// The names that rustc is given for crates: `--extern name=path`, also with options in front.
fn crates(arguments: &[String]) -> impl Iterator<Item = String> {
    let given = arguments.iter().enumerate().filter_map(|(n, argument)| {
        let next = || arguments.get(n + 1).map(String::as_str);
        match argument.strip_prefix("--extern")? {
            "" => next(),
            other => other.strip_prefix('='),
        }
    });
    given.map(|given| {
        let name = given.split('=').next().unwrap_or_default();
        name.rsplit(':').next().unwrap_or_default().to_owned()
    })
}

/// The file that rustc compiles, by its arguments.
pub(crate) fn root_of_crate(arguments: &[String]) -> Option<&str> {
    let mut roots = arguments.iter().skip(1).filter(|a| a.ends_with(".rs"));
    roots.find(|a| !a.starts_with('-')).map(String::as_str)
}

fn of_macro(tokens: TokenStream) -> TokenStream {
    let mut trees: Vec<TokenTree> = tokens.into_iter().collect();
    for at in 0..trees.len() {
        if at > 0
            && is_generated_use(&trees[at - 1])
            && let TokenTree::Ident(first) = &mut trees[at]
        {
            first.set_span(Span::mixed_site());
        }
        let begins_path = is_separator(&trees[at..]) && is_root(trees.get(at + 2));
        match &mut trees[at] {
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), of_macro(group.stream()));
                inside.set_span(group.span());
                *group = inside;
            }
            TokenTree::Ident(ident) if ident == "dyn" => ident.set_span(Span::mixed_site()),
            TokenTree::Punct(_) if begins_path => {
                for colon in &mut trees[at..at + 2] {
                    colon.set_span(Span::mixed_site());
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    trees.into_iter().collect()
}

/// A `use` that stands where the attribute does: one of the user's stands behind it.
fn is_generated_use(tree: &TokenTree) -> bool {
    let TokenTree::Ident(ident) = tree else {
        return false;
    };
    ident == "use" && ident.span().start() == Span::call_site().start()
}

pub(crate) fn is_separator(trees: &[TokenTree]) -> bool {
    matches!(
        trees,
        [TokenTree::Punct(first), TokenTree::Punct(second), ..]
            if first.as_char() == ':' && first.spacing() == Spacing::Joint && second.as_char() == ':'
    )
}

fn is_root(tree: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Ident(ident)) = tree else {
        return false;
    };
    ROOTS.iter().any(|root| ident == root)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn old(arguments: &[&str]) -> bool {
        say_2015(arguments.iter().map(|&a| a.to_owned()))
    }

    #[test]
    fn the_default_of_rustc_is_2015() {
        assert!(old(&["rustc", "--crate-name", "a", "src/lib.rs"]));
        assert!(old(&["rustc", "--crate-name", "a", "--edition=2015"]));
        assert!(old(&["rustc", "--crate-name", "a", "--edition", "2015"]));
        assert!(!old(&["rustc", "--crate-name", "a", "--edition=2021"]));
        assert!(!old(&["rustc", "--crate-name", "a", "--edition", "2024"]));
        assert!(!old(&["rust-analyzer-proc-macro-srv"]));
    }

    #[test]
    fn crates_are_those_that_rustc_is_given() {
        let arguments = [
            "--extern",
            "a=x=y.rlib",
            "--extern=priv:b=z.rlib",
            "--extern",
            "c",
        ];
        let arguments: Vec<String> = arguments.iter().map(|&a| a.to_owned()).collect();
        assert_eq!(crates(&arguments).collect::<Vec<_>>(), ["a", "b", "c"]);
    }

    #[test]
    fn the_tokens_are_the_same() {
        let text = "fn f(x: &dyn ::core::any::Any) -> ::std::vec::Vec<f64> { g(::h::i::<u8>()) }";
        let tokens: TokenStream = text.parse().expect("tokens");
        assert_eq!(of_macro(tokens.clone()).to_string(), tokens.to_string());
    }
}
