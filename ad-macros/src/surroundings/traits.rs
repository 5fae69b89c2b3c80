//! Traits that the file declares, by its text.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::beside::declarations;
use super::package::for_each_other_text;
use super::{Surroundings, is_word, with_blocks, with_text};

/// Whether the trait of this name has `#[gradient]`, if the file in which the name stands declares one trait of it.
pub(crate) fn has_gradient(name: &Ident) -> Option<bool> {
    with_text(name.span(), |text| {
        declared_with_gradient(text, &name.to_string())
    })?
}

pub(super) fn declared_with_gradient(text: &str, name: &str) -> Option<bool> {
    let is_end = |c: Option<char>| c.is_none_or(|c| !is_word(c));
    let mut found = text.match_indices("trait ").filter(|(at, word)| {
        let line = text[..*at].rsplit('\n').next().unwrap_or_default();
        if line.contains("//") {
            return false;
        }
        let behind = text[at + word.len()..].trim_start();
        is_end(text[..*at].chars().next_back())
            && behind
                .strip_prefix(name)
                .is_some_and(|rest| is_end(rest.chars().next()))
    });
    let (at, _) = found.next()?;
    if found.next().is_some() {
        return None;
    }
    // What stands in front of it: its visibility, attributes and documentation.
    let mut lines = text[..at].rsplit('\n').map(str::trim);
    let own = lines.next().unwrap_or_default();
    let before = lines.take_while(|line| line.starts_with("#[") || line.starts_with("//"));
    let attributes = std::iter::once(own).chain(before.filter(|line| line.starts_with('#')));
    Some(attributes.into_iter().any(|line| {
        line.match_indices("gradient").any(|(at, word)| {
            let rest = &line[at + word.len()..];
            rest.starts_with([']', '('])
        })
    }))
}

/// Whether the file in which the name of a method stands declares traits with such a method, and none of these has
/// `#[gradient]`.
pub(crate) fn is_of_plain_trait(method: &Ident) -> bool {
    let declared = with_blocks(method.span(), |blocks| {
        let function = format!("fn {method}");
        let found = blocks.text.match_indices(&function);
        let traits = found.filter_map(|(at, word)| {
            let behind = blocks.text[at + word.len()..].chars().next()?;
            if is_word(behind) {
                return None;
            }
            let last = blocks.open.partition_point(|(from, _)| *from <= at);
            let (_, open) = blocks.open.get(last.checked_sub(1)?)?;
            let (Surroundings::Trait, brace) = *open.last()? else {
                return None;
            };
            let head = blocks.text[..brace].rsplit(['}', ';', '{']).next()?;
            let code = |line: &&str| !line.trim_start().starts_with("//");
            let head: String = head.lines().filter(code).collect::<Vec<_>>().join("\n");
            let (_, behind) = head.split_once("trait ")?;
            let name: String = behind
                .trim_start()
                .chars()
                .take_while(|c| is_word(*c))
                .collect();
            declared_with_gradient(&blocks.text, &name)
        });
        traits.collect::<Vec<bool>>()
    });
    declared.is_some_and(|declared| !declared.is_empty() && !declared.contains(&true))
}

/// What each trait of this name that the package declares asks for, by its last name: `Copy` and `Num` of
/// `trait BaseNum: Copy + Num`. The file of the name comes first. Names are not resolved.
pub(crate) fn supertraits(name: &Ident) -> Vec<Vec<Ident>> {
    let (at, word) = (name.span(), name.unraw().to_string());
    let mut found = with_text(at, |text| heads(text, &word)).unwrap_or_default();
    if found.is_empty() {
        for_each_other_text(at, |text| found.extend(heads(text, &word)));
    }
    let last = |bound: syn::TypeParamBound| {
        let syn::TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let last = bound.path.segments.last()?;
        Some(Ident::new(&last.ident.to_string(), at))
    };
    let each = found.into_iter();
    each.map(|head| head.supertraits.into_iter().filter_map(last).collect())
        .collect()
}

/// The traits of this name in a text, without their items.
fn heads(text: &str, name: &str) -> Vec<syn::ItemTrait> {
    let found = declarations(text, "trait", name).filter_map(|(begin, _)| {
        let line = text[..begin].rsplit('\n').next().unwrap_or_default();
        let head = &text[begin..];
        let head = format!("{}{{}}", &head[..head.find('{')?]);
        (!line.contains("//")).then(|| syn::parse_str(&head).ok())?
    });
    found.collect()
}
