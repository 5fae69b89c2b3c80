//! Aliases that features choose between: `#[cfg(not(feature = "single"))] pub type Value = f64;`.
//!
//! Which one is there, the arguments of rustc say; without them, the one without a feature is a guess. Generated code
//! checks it.

use std::sync::OnceLock;

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::beside::declarations;
use super::package::for_each_file_with;
use super::{Blocks, Surroundings, with_blocks};
use crate::ir::hash::HashSet;

/// The alias of this name that another file of the package declares several times, each under a `cfg` of its own that
/// asks for features: the one that is there.
pub(crate) fn configured_alias(at: Span, name: &Ident) -> Option<syn::ItemType> {
    let name = name.unraw().to_string();
    let mut all = Vec::new();
    for_each_file_with(at, &format!("type {name}"), |_, blocks| {
        all.push(blocks.configured_aliases(&name));
    });
    all.retain(|of| of.as_ref().is_none_or(|of| !of.is_empty()));
    there(all.pop().flatten().filter(|_| all.is_empty())?)
}

/// The same of one that the file of the name declares.
pub(crate) fn configured_here(name: &Ident) -> Option<syn::ItemType> {
    let word = name.unraw().to_string();
    with_blocks(name.span(), |blocks| blocks.configured_aliases(&word))
        .flatten()
        .and_then(there)
}

fn there(aliases: Vec<(bool, syn::ItemType)>) -> Option<syn::ItemType> {
    let mut there = aliases.into_iter().filter(|(is_there, _)| *is_there);
    let (_, alias) = there.next()?;
    there.next().is_none().then_some(alias)
}

/// Whether what a `cfg` asks for holds with these features; `None` if it asks for something else.
fn holds(cfg: &syn::Meta, features: &HashSet<String>) -> Option<bool> {
    match cfg {
        syn::Meta::NameValue(pair) if pair.path.is_ident("feature") => {
            let syn::Expr::Lit(value) = &pair.value else {
                return None;
            };
            let syn::Lit::Str(name) = &value.lit else {
                return None;
            };
            Some(features.contains(&name.value()))
        }
        syn::Meta::List(list) => {
            let parts = list.parse_args_with(
                syn::punctuated::Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated,
            );
            let parts: Option<Vec<bool>> = parts
                .ok()?
                .iter()
                .map(|part| holds(part, features))
                .collect();
            let name = list.path.get_ident()?.to_string();
            match (name.as_str(), parts?.as_slice()) {
                ("not", [part]) => Some(!part),
                ("all" | "cfg", parts) => Some(parts.iter().all(|part| *part)),
                ("any", parts) => Some(parts.iter().any(|part| *part)),
                _ => None,
            }
        }
        syn::Meta::Path(_) | syn::Meta::NameValue(_) => None,
    }
}

/// The features of the crate that is compiled.
fn features() -> &'static HashSet<String> {
    static FEATURES: OnceLock<HashSet<String>> = OnceLock::new();
    FEATURES.get_or_init(|| features_of(std::env::args()))
}

fn features_of(arguments: impl Iterator<Item = String>) -> HashSet<String> {
    let named = |argument: String| {
        let argument = argument.strip_prefix("--cfg=").unwrap_or(&argument);
        let name = argument.strip_prefix("feature=\"")?.strip_suffix('"')?;
        Some(name.to_owned())
    };
    arguments.filter_map(named).collect()
}

impl Blocks {
    /// The aliases of modules of this name, and whether each is there; `None` if one has no `cfg` that says so.
    fn configured_aliases(&self, name: &str) -> Option<Vec<(bool, syn::ItemType)>> {
        let of_module = |begin: &usize| {
            let open = self.open_before(*begin);
            open.iter().all(|(open, _)| *open == Surroundings::Module)
        };
        let found = declarations(&self.text, "type", name).map(|(begin, _)| begin);
        let each = found.filter(of_module).map(|begin| {
            let before = &self.text[..begin];
            let (cfg, behind) = before[before.rfind("#[cfg(")? + 2..].split_once(']')?;
            let between = |line: &str| {
                let line = line.trim();
                line.is_empty() || line.starts_with("#[") || line.starts_with("//")
            };
            let mut lines = behind.rsplit('\n');
            // In front of the item on its own line, there is nothing, or how far it is seen.
            let _own = lines.next();
            if !lines.all(between) {
                return None;
            }
            let is_there = holds(&syn::parse_str(cfg).ok()?, features())?;
            Some((is_there, self.item(begin)?))
        });
        each.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{features_of, holds};

    #[test]
    fn features_say_what_is_there() {
        let arguments = [
            "--cfg",
            "feature=\"single\"",
            "--cfg=feature=\"wide\"",
            "--edition=2024",
        ];
        let features = features_of(arguments.map(str::to_owned).into_iter());
        let there = |cfg: &str| holds(&syn::parse_str(cfg).expect("a `cfg`"), &features);
        assert_eq!(there("cfg(feature = \"single\")"), Some(true));
        assert_eq!(there("cfg(not(feature = \"single\"))"), Some(false));
        assert_eq!(
            there("cfg(not(any(feature = \"a\", feature = \"wide\")))"),
            Some(false)
        );
        assert_eq!(
            there("cfg(all(not(feature = \"a\"), feature = \"wide\"))"),
            Some(true)
        );
        assert_eq!(there("cfg(unix)"), None);
        assert_eq!(there("cfg(not(target_os = \"none\"))"), None);
    }
}
