//! Aliases of numbers that another module of the package declares: `use crate::Real;` of a `pub type Real = f64;`.
//!
//! The import shows that the name is the package's own, and the text of the package what it stands for. Names are not
//! resolved, so that generated code checks it.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

use super::configured::configured_here;
use super::{Blocks, Declared, Leaf, configured_alias, declarations, declared, with_blocks};
use crate::lower::is_primitive;

/// What a name stands for that the file imports from the package, if that is a number, or arrays and tuples of numbers.
pub(crate) fn imported_alias(name: &Ident) -> Option<syn::Type> {
    let at = name.span();
    let plain = name.unraw().to_string();
    let imported = |blocks: &Blocks| {
        let text = &blocks.text;
        let several = declarations(text, "type", &plain).nth(1).is_some();
        is_imported(text, blocks.imports(), &plain) && !several
    };
    with_blocks(at, imported).filter(|imported| *imported)?;
    let alias = match declared(at, name) {
        Some(Declared::Alias(alias)) => alias,
        Some(Declared::Struct(_) | Declared::Enum(_)) => return None,
        None => configured_alias(at, name)?,
    };
    of_numbers(alias)
}

/// What a name stands for of which the module declares several aliases, between which features choose.
pub(crate) fn chosen_alias(name: &Ident) -> Option<syn::Type> {
    of_numbers(configured_here(name)?)
}

fn of_numbers(alias: syn::ItemType) -> Option<syn::Type> {
    let whole = alias.generics.params.is_empty() && is_of_numbers(&alias.ty);
    whole.then_some(*alias.ty)
}

/// Whether a path names something of the package by the text of the file: its beginning is declared there, or imported
/// from a module of the package.
pub(crate) fn is_of_package(path: &syn::Path, at: Span) -> bool {
    let Some(first) = path.segments.first() else {
        return false;
    };
    let first = first.ident.unraw().to_string();
    let alone = path.segments.len() == 1;
    let shown = |blocks: &Blocks| {
        let mut known = blocks.of_package.borrow_mut();
        let entry = known.entry((first, alone));
        *entry.or_insert_with_key(|(first, alone)| begins_in_package(blocks, first, *alone))
    };
    path.leading_colon.is_none() && with_blocks(at, shown).unwrap_or(false)
}

fn begins_in_package(blocks: &Blocks, first: &str, alone: bool) -> bool {
    let text = &blocks.text;
    let own = match alone {
        true => declarations(text, "type", first).next().is_some(),
        false => is_module(text, first),
    };
    own || is_imported(text, blocks.imports(), first)
}

/// Whether a path names something of another crate by the text of the file: an import brings its beginning from one,
/// or it begins with one.
pub(crate) fn is_of_other_crate(path: &syn::Path, at: Span) -> bool {
    let Some(first) = path.segments.first() else {
        return false;
    };
    let first = first.ident.unraw().to_string();
    let alone = path.segments.len() == 1;
    let shown = |blocks: &Blocks| match imported_by_name(blocks, &first) {
        Some(of_package) => !of_package,
        None => !alone && !is_module(&blocks.text, &first),
    };
    with_blocks(at, shown).unwrap_or(false)
}

/// Whether the import that brings a name brings it from the package, if one does by the name.
fn imported_by_name(blocks: &Blocks, name: &str) -> Option<bool> {
    let leaves = blocks.imports().iter().flatten();
    let mut named = leaves.filter(|leaf| leaf.name.as_ref().is_some_and(|(_, here)| here == name));
    let leaf = named.next()?;
    let first = leaf.path.first()?;
    Some(is_module(&blocks.text, first))
}

/// Whether a name is that of a module of the package, in front of others.
pub(super) fn is_module(text: &str, name: &str) -> bool {
    let declared = |end: &str| text.contains(&format!("mod {name}{end}"));
    matches!(name, "crate" | "super" | "self") || [";", " {"].iter().any(|end| declared(end))
}

/// Whether an import brings the name from the package, or everything from a module of it, which may have the name.
fn is_imported(text: &str, imports: &[Vec<Leaf>], name: &str) -> bool {
    let of_package = |first: &String| is_module(text, first);
    let mut stars = false;
    for leaf in imports.iter().flatten() {
        let own = leaf.path.first().is_some_and(of_package);
        match &leaf.name {
            Some((of, here)) if here == name => return own && of == here,
            Some(_) => {}
            None => stars |= own,
        }
    }
    stars
}

/// Whether a type is a number, or an array or tuple of numbers, by itself.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
fn is_of_numbers(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(array) => {
            matches!(array.len, syn::Expr::Lit(_)) && is_of_numbers(&array.elem)
        }
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(is_of_numbers),
        syn::Type::Path(path) => {
            let name = path.path.get_ident().filter(|_| path.qself.is_none());
            name.is_some_and(|name| is_primitive(&name.to_string()))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_imported;
    use crate::surroundings::same_name::leaves_of;

    #[test]
    fn imports_show_whose_name_it_is() {
        let imported = |text: &str| is_imported(text, &leaves_of(text), "Real");
        assert!(imported("use crate::Real;"));
        assert!(imported("use crate::{types::{Real, Row}, other};"));
        assert!(imported("use super::*;"));
        assert!(imported("mod types; use types::Real;"));
        assert!(!imported("use other::Real;"));
        assert!(!imported("use crate::Float as Real;"));
        assert!(!imported("use super::*; use other::Real;"));
        assert!(!imported("// use crate::Real;\nfn f() {}"));
    }
}
