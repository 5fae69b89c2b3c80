//! The lints that generated code is allowed not to obey, but for those that the crate forbids: an `allow` of what is
//! forbidden is an error (E0453).
//!
//! What a crate forbids stands in the attributes of its root, and among the arguments of rustc, where the root is
//! named, too. Where neither can be read nothing counts as forbidden, and rustc has the word.

use crate::ir::hash::HashSet;
use std::sync::OnceLock;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// Those that crates often forbid, and generated code obeys, are missing: `variant_size_differences`, `missing_docs`,
/// and those of [`companion`]. Names of lints that rustc itself does not have take it longest, so they are left to
/// clippy.
const LINTS: [&str; 12] = [
    "warnings",
    "unused",
    "unreachable_pub",
    "unused_qualifications",
    "single_use_lifetimes",
    "unused_results",
    "unused_lifetimes",
    "redundant_lifetimes",
    "elided_lifetimes_in_paths",
    "unit_bindings",
    "private_interfaces",
    "private_bounds",
];

/// Those that nothing but code of the user's may violate, or what sweeps are made of: imports, macros, casts, structs.
/// A name costs rustc time for each item.
const LINTS_OF_SWEEPS: [&str; 9] = [
    "trivial_casts",
    "trivial_numeric_casts",
    "explicit_outlives_requirements",
    "let_underscore_drop",
    "meta_variable_misuse",
    "unused_import_braces",
    "redundant_imports",
    "arithmetic_overflow",
    "unconditional_panic",
];

/// Groups, and those of their lints that matter here.
const GROUPS: [(&str, &[&str]); 2] = [
    (
        "unused",
        &[
            "dead_code",
            "path_statements",
            "redundant_semicolons",
            "unreachable_code",
            "unreachable_patterns",
            "unused_allocation",
            "unused_assignments",
            "unused_braces",
            "unused_doc_comments",
            "unused_features",
            "unused_imports",
            "unused_labels",
            "unused_macros",
            "unused_must_use",
            "unused_mut",
            "unused_parens",
            "unused_unsafe",
            "unused_variables",
        ],
    ),
    (
        "rust_2018_idioms",
        &["elided_lifetimes_in_paths", "unused_extern_crates"],
    ),
];

/// The attributes of generated items.
pub(crate) fn allowed() -> TokenStream {
    attributes(LINTS.into_iter().chain(LINTS_OF_SWEEPS))
}

/// The attributes of generated functions that call the sweeps, and do nothing else.
pub(super) fn allowed_of_callers() -> TokenStream {
    attributes(LINTS.into_iter())
}

fn attributes(lints: impl Iterator<Item = &'static str>) -> TokenStream {
    let forbidden = forbidden();
    let lints = lints.filter(|lint| !forbidden.contains(*lint)).map(name);
    quote! {
        #[allow(#(#lints),*)]
        #[cfg_attr(clippy, allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction))]
    }
}

/// `#[allow(lint)]`, if that is not forbidden.
pub(crate) fn allow(lint: &str) -> TokenStream {
    if forbidden().contains(lint) {
        return TokenStream::new();
    }
    let lint = name(lint);
    quote!(#[allow(#lint)])
}

/// The attributes of a companion type that others see: a derive for each lint that forbids to be without, where an
/// `allow` is cheaper for whoever compiles it.
pub(crate) fn companion(vis: &syn::Visibility) -> TokenStream {
    if matches!(vis, syn::Visibility::Inherited) {
        return TokenStream::new();
    }
    let clone = quote!(::core::clone::Clone, ::core::marker::Copy);
    let pairs = [
        ("missing_copy_implementations", clone),
        ("missing_debug_implementations", quote!(::core::fmt::Debug)),
    ];
    let attributes = pairs.into_iter().map(|(lint, derived)| {
        let allowed = allow(lint);
        if allowed.is_empty() {
            quote!(#[derive(#derived)])
        } else {
            allowed
        }
    });
    attributes.collect()
}

fn name(lint: &str) -> Ident {
    Ident::new(lint, Span::call_site())
}

/// What the crate that is compiled forbids.
fn forbidden() -> &'static HashSet<String> {
    static FORBIDDEN: OnceLock<HashSet<String>> = OnceLock::new();
    FORBIDDEN.get_or_init(|| {
        let arguments: Vec<String> = std::env::args().collect();
        let root = arguments
            .iter()
            .find(|a| a.ends_with(".rs") && !a.starts_with('-'));
        let text = root.and_then(|root| std::fs::read_to_string(root).ok());
        with_groups(
            in_arguments(&arguments)
                .chain(in_text(&text.unwrap_or_default()))
                .collect(),
        )
    })
}

/// `--forbid=lint`, `--forbid lint`, `-Flint`, `-F lint`.
fn in_arguments(arguments: &[String]) -> impl Iterator<Item = String> {
    let values = arguments
        .iter()
        .enumerate()
        .filter_map(|(n, argument)| match argument.as_str() {
            "--forbid" | "-F" => arguments.get(n + 1).map(String::as_str),
            other => other
                .strip_prefix("--forbid=")
                .or_else(|| other.strip_prefix("-F")),
        });
    values
        .flat_map(|list| list.split(','))
        .map(|lint| lint.trim().replace('-', "_"))
}

/// `forbid(lint, …)`, wherever it stands: one that is no attribute of the crate leaves out an `allow` too many.
fn in_text(text: &str) -> impl Iterator<Item = String> {
    let lists = text
        .split("forbid(")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    lists
        .flat_map(|list| list.split(','))
        .map(|lint| lint.trim().to_owned())
}

/// A group is forbidden if one of its lints is, and with it all that it holds.
fn with_groups(mut forbidden: HashSet<String>) -> HashSet<String> {
    for (group, lints) in GROUPS {
        if forbidden.contains(group) {
            forbidden.extend(lints.iter().map(|lint| (*lint).to_owned()));
        } else if lints.iter().any(|lint| forbidden.contains(*lint)) {
            forbidden.insert(group.to_owned());
        }
    }
    forbidden
}

#[cfg(test)]
mod tests {
    use crate::ir::hash::HashSet;

    use super::{in_arguments, in_text, with_groups};

    fn set(lints: &[&str]) -> HashSet<String> {
        lints.iter().map(|lint| (*lint).to_owned()).collect()
    }

    #[test]
    fn arguments_forbid() {
        let arguments = [
            "rustc",
            "-F",
            "a",
            "--forbid=b,c-d",
            "--forbid",
            "e",
            "-Ff",
            "--deny=g",
        ];
        let arguments = arguments.map(str::to_owned);
        assert_eq!(
            in_arguments(&arguments).collect::<HashSet<_>>(),
            set(&["a", "b", "c_d", "e", "f"])
        );
    }

    #[test]
    fn the_root_forbids() {
        let text =
            "#![forbid(unsafe_code,\n    trivial_casts)]\n#![deny(x)] #![cfg_attr(a, forbid(y))]";
        assert_eq!(
            in_text(text).collect::<HashSet<_>>(),
            set(&["unsafe_code", "trivial_casts", "y"])
        );
    }

    #[test]
    fn groups_and_their_lints_are_forbidden_together() {
        assert_eq!(
            with_groups(set(&["unused_mut"])),
            set(&["unused_mut", "unused"])
        );
        assert!(with_groups(set(&["unused"])).contains("dead_code"));
        assert_eq!(with_groups(set(&["z"])), set(&["z"]));
    }
}
