//! The `impl`s of `Index` and `IndexMut` for a type of the module, by the text of its file.
//!
//! A type has one of each for a type of index. That the trait is that of std, the imports of the module say.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::same_name::{Leaf, leaves};
use super::{Blocks, Surroundings, derives, is_code, is_written, with_blocks};

/// The `impl`s of both traits for the type of this name in the module around this place, which may stand in a block, if
/// the type derives `Differentiable` in the same file. None where one of them may not be there, or may be of another
/// trait.
pub(crate) fn indices(at: Span, ty: &Ident) -> Vec<syn::ItemImpl> {
    // With an implementation by hand, fields of the tangent are other ones.
    if !is_code(at) || !is_written(at) || !derives(at, ty) {
        return Vec::new();
    }
    let name = ty.unraw().to_string();
    let found = with_blocks(at, |blocks| {
        if !blocks.text.contains("Index") {
            return None;
        }
        blocks.place_of_code(at)?;
        blocks.indices(at, &name)
    });
    found.flatten().unwrap_or_default()
}

impl Blocks {
    fn indices(&self, at: Span, ty: &str) -> Option<Vec<syn::ItemImpl>> {
        let mut open = self.open_at(at.start().line, at.start().column)?;
        if let Some((Surroundings::Impl, _)) = open.last() {
            open.pop();
        }
        if !open.iter().all(|(open, _)| *open == Surroundings::Module) {
            return None;
        }
        let (mut found, mut imports) = (Vec::new(), Imports::default());
        for (begin, end) in self.chunks(&open) {
            let text = self.text.get(begin..end)?;
            if !["Index", "ops"].iter().any(|word| text.contains(word)) {
                continue;
            }
            // The braces of an import end in front of its semicolon.
            let import = || {
                syn::parse_str::<syn::File>(&format!(
                    "{};",
                    text.trim_start_matches([';', ' ', '\n'])
                ))
                .ok()
            };
            let items = self.items(begin, end).or_else(|| Some(import()?.items))?;
            for item in items {
                if let syn::Item::Use(item) = item {
                    leaves(&item.tree).iter().for_each(|leaf| imports.add(leaf));
                } else if let syn::Item::Impl(block) = item {
                    if !is_index(&block) || !is_of(&block, ty) {
                        continue;
                    }
                    let plain = block.attrs.iter().all(is_plain);
                    if !plain || self.macros.is_given(end.checked_sub(1)?) {
                        return None;
                    }
                    found.push(block);
                } else if let syn::Item::Trait(item) = item
                    && (item.ident == "Index" || item.ident == "IndexMut")
                {
                    return None;
                }
            }
        }
        found.retain(|block| imports.shows(block));
        Some(found)
    }
}

/// Whether the attribute changes nothing of what the block does, and whether it is there.
fn is_plain(attribute: &syn::Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|last| {
        ["gradient", "allow", "doc", "expect", "warn"]
            .iter()
            .any(|known| last.ident == known)
    })
}

fn is_index(block: &syn::ItemImpl) -> bool {
    let path = block.trait_.as_ref().map(|(_, path, _)| path);
    path.and_then(|path| path.segments.last())
        .is_some_and(|last| last.ident == "Index" || last.ident == "IndexMut")
}

fn is_of(block: &syn::ItemImpl, ty: &str) -> bool {
    matches!(&*block.self_ty, syn::Type::Path(of) if of.qself.is_none()
        && of.path.segments.len() == 1
        && of.path.segments.last().is_some_and(|last| last.ident.unraw() == ty))
}

/// What a module imports of the traits' names.
#[derive(Default)]
struct Imports {
    /// The names that mean the traits of `std::ops`.
    named: Vec<String>,
    /// Something else has one of the names.
    others: bool,
    /// `use std::ops::*`
    all: bool,
}

impl Imports {
    fn add(&mut self, leaf: &Leaf) {
        let of_std = matches!(leaf.path.as_slice(), [root, ops]
            if matches!(root.as_str(), "std" | "core") && ops == "ops");
        match &leaf.name {
            None => self.all |= of_std,
            Some((name, here)) if here == "Index" || here == "IndexMut" => {
                if of_std && name == here {
                    self.named.push(name.clone());
                } else {
                    self.others = true;
                }
            }
            Some(_) => {}
        }
    }

    /// Whether the `impl` is of the trait of std.
    fn shows(&self, block: &syn::ItemImpl) -> bool {
        let Some((_, path, _)) = &block.trait_ else {
            return false;
        };
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        match names.as_slice() {
            [name] => !self.others && (self.all || self.named.contains(name)),
            [root, ops, _] => matches!(root.as_str(), "std" | "core") && ops == "ops",
            _ => false,
        }
    }
}
