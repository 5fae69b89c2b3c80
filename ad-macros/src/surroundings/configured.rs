//! Aliases that features choose between: `#[cfg(not(feature = "single"))] pub type Value = f64;`.
//!
//! Which one is there, the text does not say. The one without a feature is a guess: generated code checks it.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::beside::declarations;
use super::package::for_each_file_with;
use super::{Blocks, Surroundings};

/// The alias of this name that another file of the package declares several times, each under a `cfg` of its own: the
/// one that is there without a feature, `#[cfg(not(feature = "…"))]`.
pub(crate) fn configured_alias(at: Span, name: &Ident) -> Option<syn::ItemType> {
    let name = name.unraw().to_string();
    let mut all = Vec::new();
    for_each_file_with(at, &format!("type {name}"), |_, blocks| {
        all.push(blocks.configured_aliases(&name));
    });
    all.retain(|of| of.as_ref().is_none_or(|of| !of.is_empty()));
    let only = all.pop().flatten().filter(|_| all.is_empty())?;
    let mut defaults = only.into_iter().filter(|(is_default, _)| *is_default);
    let (_, alias) = defaults.next()?;
    defaults.next().is_none().then_some(alias)
}

impl Blocks {
    /// The aliases of modules of this name, and whether each is there without a feature; `None` if one has no `cfg`.
    fn configured_aliases(&self, name: &str) -> Option<Vec<(bool, syn::ItemType)>> {
        let of_module = |begin: &usize| {
            let open = self.open_before(*begin);
            open.iter().all(|(open, _)| *open == Surroundings::Module)
        };
        let found = declarations(&self.text, "type", name).map(|(begin, _)| begin);
        let each = found.filter(of_module).map(|begin| {
            let before = self.text[..begin].rsplit('\n').map(str::trim).skip(1);
            let mut attributes = before
                .take_while(|line| line.starts_with("#[") || line.starts_with("//"))
                .filter(|line| line.starts_with("#[cfg("));
            let cfg = attributes.next()?;
            Some((cfg.contains("(not(feature"), self.item(begin)?))
        });
        each.collect()
    }
}
