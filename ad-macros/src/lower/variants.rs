//! Which paths lead to variants of enums.
//!
//! `Law::Linear(x)` is a variant by Rust's naming conventions. Of a name that stands alone, `Linear(x)` behind a `use`,
//! the text shows it where a pattern with it can fail and nothing in the pattern but the name can be why. What is taken
//! for the wrong one of the two is an error of rustc, since the names of fields of structs and of methods of tangents
//! have nothing in common.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};

use super::Lowerer;
use super::pattern::names_a_constant;
use crate::ir::hash::HashSet;
use crate::ir::{Field, Proj, VariantPart};
use crate::surroundings::{Declared, declared, declares_function, with_text};

impl Lowerer<'_> {
    /// Whether a path leads to a variant, and not to a struct.
    pub(super) fn is_variant(&self, path: &syn::Path) -> bool {
        names_a_variant(path)
            || path
                .get_ident()
                .is_some_and(|name| self.variants.contains(&name.unraw().to_string()))
    }

    /// The way to a field of what a path makes, or matches.
    pub(super) fn field_of(&self, path: &syn::Path, field: Field) -> Proj {
        if self.is_variant(path) {
            Proj::Variant(VariantPart::new(path, field).into())
        } else {
            Proj::Field(field)
        }
    }
}

/// A variant behind its enum, `Shape::Circle`, or one of std's, and not a struct.
fn names_a_variant(path: &syn::Path) -> bool {
    let before = path.segments.iter().rev().nth(1);
    is_of_std(path) || before.is_some_and(|segment| names_a_constant(&segment.ident))
}

/// A variant without data, in whatever letters, of an enum that the text of the package shows.
pub(super) fn is_shown_unit(path: &syn::ExprPath) -> bool {
    let mut names = path
        .path
        .segments
        .iter()
        .rev()
        .map(|segment| &segment.ident);
    let (Some(last), Some(of), None) = (names.next(), names.next(), &path.qself) else {
        return false;
    };
    let Some(Declared::Enum(shown)) = declared(of.span(), of) else {
        return false;
    };
    let is_unit = |v: &syn::Variant| v.ident == *last && matches!(v.fields, syn::Fields::Unit);
    shown.variants.iter().any(is_unit)
}

/// A variant of `Option` or `Result`.
pub(super) fn is_of_std(path: &syn::Path) -> bool {
    let last = path.segments.last();
    last.is_some_and(|last| ["Some", "Ok", "Err"].iter().any(|name| last.ident == name))
}

/// A path that leads to a struct or a variant with data, by Rust's naming convention: rustc checks that it does.
pub(super) fn names_a_constructor(path: &syn::Path) -> bool {
    let last = path.segments.last();
    last.is_some_and(|last| names_a_constant(&last.ident))
        && !names_a_function(path)
        && !is_of_std(path)
}

/// `None` or `Option::None`: other enums may have a variant of that name.
pub(super) fn is_none(path: &syn::Path) -> bool {
    let mut names = path.segments.iter().rev().map(|segment| &segment.ident);
    names.next().is_some_and(|last| last == "None") && names.next().is_none_or(|of| of == "Option")
}

/// Whether the name is that of a function by Rust's naming convention, or, where it begins with a capital, as formulas
/// do, by its words, `Td_thermal`: those of types are written together, and those of constants in capitals. The
/// definition has the last word, where the text of the file shows it.
pub(super) fn names_a_function(path: &syn::Path) -> bool {
    let Some(last) = path.segments.last().map(|last| &last.ident) else {
        return false;
    };
    if !names_a_constant(last) {
        return true;
    }
    let of_a_type = path.segments.iter().rev().nth(1);
    if of_a_type.is_some_and(|of| names_a_constant(&of.ident)) {
        return false;
    }
    let name = last.unraw().to_string();
    let by_words = name.contains('_') && name.contains(|c: char| c.is_lowercase());
    let declared = with_text(last.span(), |text| {
        if text.contains(&format!("struct {name}")) {
            Some(false)
        } else {
            declares_function(text, &name).then_some(true)
        }
    });
    declared.flatten().unwrap_or(by_words)
}

/// The names that stand alone and are variants of enums, as far as the text shows it.
pub(super) fn variants(block: &syn::Block) -> HashSet<String> {
    let mut found = Variants::default();
    found.visit_block(block);
    found.0
}

#[derive(Default)]
struct Variants(HashSet<String>);

impl Variants {
    /// Patterns for one value: where two names begin them, both are variants.
    fn column(&mut self, patterns: &[&syn::Pat]) {
        let mut flat = Vec::new();
        patterns.iter().for_each(|pat| cases(pat, &mut flat));
        let names: HashSet<String> = flat.iter().filter_map(|pat| head(pat)).collect();
        let mut below: BTreeMap<(String, String), Vec<&syn::Pat>> = BTreeMap::new();
        for pat in &flat {
            for (part, pat) in parts(pat) {
                let key = (head(pat).unwrap_or_default(), part);
                below.entry(key).or_default().push(pat);
            }
        }
        if names.len() > 1 {
            self.0.extend(names);
        }
        below
            .into_values()
            .for_each(|patterns| self.column(&patterns));
    }

    /// A pattern that does not match whatever comes: where only one name can be why, it is that of a variant.
    fn refutable(&mut self, pat: &syn::Pat) {
        let mut names = HashSet::default();
        if only_names_fail(pat, &mut names) && names.len() == 1 {
            self.0.extend(names);
        }
        self.column(&[pat]);
    }
}

impl<'ast> Visit<'ast> for Variants {
    fn visit_expr_match(&mut self, m: &'ast syn::ExprMatch) {
        let patterns: Vec<&syn::Pat> = m.arms.iter().map(|arm| &arm.pat).collect();
        self.column(&patterns);
        // What comes before another arm can fail.
        let before = m.arms.iter().rev().skip(1);
        before
            .filter(|arm| arm.guard.is_none())
            .for_each(|arm| self.refutable(&arm.pat));
        visit::visit_expr_match(self, m);
    }

    fn visit_expr_let(&mut self, l: &'ast syn::ExprLet) {
        self.refutable(&l.pat);
        visit::visit_expr_let(self, l);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let otherwise = local.init.as_ref().and_then(|init| init.diverge.as_ref());
        if otherwise.is_some() {
            self.refutable(&local.pat);
        }
        visit::visit_local(self, local);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let pattern = |input: syn::parse::ParseStream<'_>| {
            input.parse::<syn::Expr>()?;
            input.parse::<syn::Token![,]>()?;
            let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
            input.parse::<proc_macro2::TokenStream>()?;
            Ok(pat)
        };
        if mac.path.is_ident("matches")
            && let Ok(pat) = mac.parse_body_with(pattern)
        {
            self.refutable(&pat);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        imported(&item.tree, false, &mut self.0);
    }
}

/// `use Law::{Linear, Square as S};`
fn imported(tree: &syn::UseTree, of_type: bool, found: &mut HashSet<String>) {
    match tree {
        syn::UseTree::Path(path) => imported(&path.tree, names_a_constant(&path.ident), found),
        syn::UseTree::Group(group) => {
            let items = group.items.iter();
            items.for_each(|tree| imported(tree, of_type, found));
        }
        syn::UseTree::Name(name) if of_type => _ = found.insert(name.ident.unraw().to_string()),
        syn::UseTree::Rename(_) | syn::UseTree::Name(_) | syn::UseTree::Glob(_) => {}
    }
}

/// The alternatives of a pattern.
fn cases<'p>(pat: &'p syn::Pat, out: &mut Vec<&'p syn::Pat>) {
    match pat {
        syn::Pat::Or(or) => or.cases.iter().for_each(|case| cases(case, out)),
        syn::Pat::Paren(p) => cases(&p.pat, out),
        syn::Pat::Reference(p) => cases(&p.pat, out),
        syn::Pat::Ident(syn::PatIdent {
            subpat: Some((_, sub)),
            ..
        }) => cases(sub, out),
        other => out.push(other),
    }
}

/// The name of the user's that a pattern begins with, if it stands alone.
fn head(pat: &syn::Pat) -> Option<String> {
    let alone = |path: &syn::Path| path.get_ident().cloned().filter(|_| !is_of_std(path));
    let name: Ident = match pat {
        syn::Pat::TupleStruct(p) => alone(&p.path)?,
        syn::Pat::Struct(p) => alone(&p.path)?,
        syn::Pat::Ident(p) if names_a_constant(&p.ident) && p.ident != "None" => p.ident.clone(),
        _ => return None,
    };
    Some(name.unraw().to_string()).filter(|name| name != "Self")
}

/// The patterns in a pattern, each with the name of its part.
fn parts(pat: &syn::Pat) -> Vec<(String, &syn::Pat)> {
    match pat {
        syn::Pat::Tuple(p) => {
            let parts = p.elems.iter().enumerate();
            parts.map(|(n, p)| (n.to_string(), p)).collect()
        }
        syn::Pat::TupleStruct(p) => {
            let path = p.path.to_token_stream().to_string();
            let parts = p.elems.iter().enumerate();
            parts.map(|(n, p)| (format!("{path}.{n}"), p)).collect()
        }
        syn::Pat::Struct(p) => {
            let path = p.path.to_token_stream().to_string();
            let name = |f: &syn::FieldPat| format!("{path}.{}", f.member.to_token_stream());
            p.fields.iter().map(|f| (name(f), &*f.pat)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether nothing in a pattern can fail but the names that begin patterns in it, which are collected.
fn only_names_fail(pat: &syn::Pat, names: &mut HashSet<String>) -> bool {
    let mut flat = Vec::new();
    cases(pat, &mut flat);
    flat.into_iter().all(|pat| {
        names.extend(head(pat));
        let known = match pat {
            syn::Pat::TupleStruct(_) | syn::Pat::Struct(_) => head(pat).is_some(),
            syn::Pat::Ident(p) => p.ident != "None",
            syn::Pat::Wild(_) | syn::Pat::Rest(_) | syn::Pat::Tuple(_) => true,
            _ => false,
        };
        let parts = parts(pat);
        known
            && parts
                .into_iter()
                .all(|(_, pat)| only_names_fail(pat, names))
    })
}
