//! Patterns with `|`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::Lowerer;
use super::pattern::{Reading, names_a_constant};
use super::prescan::mentions;
use super::value::Value;
use crate::diag::catalog;

impl Lowerer<'_> {
    /// Alternatives must bind every used name at the same place.
    pub(super) fn or_pattern(&mut self, p: &syn::PatOr, value: Value, reading: Reading<'_>) {
        // A name that is a constant's by convention and a local variable's in fact is a binding here.
        let disguised = p
            .cases
            .iter()
            .flat_map(super::opaque::pattern_names)
            .any(|ident| {
                names_a_constant(&ident)
                    && self.lookup(&ident).is_some()
                    && reading
                        .users
                        .is_none_or(|users| mentions(users, &ident.unraw().to_string()))
            });
        if disguised || !binds_alike_under(p, reading.users) {
            self.diags.over(p, catalog::or_pattern());
            for case in &p.cases {
                self.poison(case);
            }
            return;
        }
        if let Some(case) = p.cases.first() {
            self.pattern(case, value, reading);
        }
    }
}

/// As many patterns as are needed so that the alternatives in each bind the names that `users` mentions alike.
pub(super) fn separate(pat: &syn::Pat, users: &TokenStream) -> Vec<syn::Pat> {
    let mut search = Alternatives { users, found: None };
    search.visit_pat(pat);
    let Some(cases) = search.found else {
        return vec![pat.clone()];
    };
    let chosen = (0..cases).map(|case| {
        let mut pat = pat.clone();
        let mut choice = Choice {
            users,
            case: Some(case),
        };
        choice.visit_pat_mut(&mut pat);
        pat
    });
    chosen.flat_map(|pat| separate(&pat, users)).collect()
}

/// Finds the first alternatives that bind names at different places, and counts them.
struct Alternatives<'a> {
    users: &'a TokenStream,
    found: Option<usize>,
}

impl<'ast> Visit<'ast> for Alternatives<'_> {
    fn visit_pat_or(&mut self, p: &'ast syn::PatOr) {
        if self.found.is_none() && !binds_alike_under(p, Some(self.users)) {
            self.found = Some(p.cases.len());
        }
        visit::visit_pat_or(self, p);
    }

    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
}

/// Puts one of them in the place of all.
struct Choice<'a> {
    users: &'a TokenStream,
    case: Option<usize>,
}

impl VisitMut for Choice<'_> {
    fn visit_pat_mut(&mut self, pat: &mut syn::Pat) {
        if let syn::Pat::Or(p) = pat
            && !binds_alike_under(p, Some(self.users))
            && let Some(case) = self.case.take()
        {
            *pat = p.cases[case].clone();
            return;
        }
        visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_expr_mut(&mut self, _: &mut syn::Expr) {}
}

fn binds_alike_under(p: &syn::PatOr, users: Option<&TokenStream>) -> bool {
    let mut cases = p.cases.iter().map(|case| {
        let mut found = Vec::new();
        positions(case, String::new(), &mut found);
        found.retain(|(name, _)| users.is_none_or(|users| mentions(users, name)));
        found.sort();
        found
    });
    let first = cases.next().unwrap_or_default();
    cases.all(|case| case == first)
}

/// Parts behind `..` are counted from the end.
fn numbered(
    pats: &syn::punctuated::Punctuated<syn::Pat, syn::Token![,]>,
    way: &str,
    found: &mut Vec<(String, String)>,
) {
    let rest = pats.iter().position(|pat| matches!(pat, syn::Pat::Rest(_)));
    for (n, pat) in pats.iter().enumerate() {
        let behind = rest.is_some_and(|rest| n > rest);
        let at = if behind {
            format!("{way}.last{}", pats.len() - n)
        } else {
            format!("{way}.{n}")
        };
        positions(pat, at, found);
    }
}

/// The names that a pattern binds, each with the way to its place.
fn positions(pat: &syn::Pat, way: String, found: &mut Vec<(String, String)>) {
    match pat {
        syn::Pat::Ident(p) => {
            if !names_a_constant(&p.ident) {
                found.push((
                    p.ident.unraw().to_string(),
                    format!("{way}{}", if p.by_ref.is_some() { "ref" } else { "" }),
                ));
            }
            if let Some((_, sub)) = &p.subpat {
                positions(sub, way, found);
            }
        }
        syn::Pat::Paren(p) => positions(&p.pat, way, found),
        syn::Pat::Reference(p) => positions(&p.pat, format!("{way}&"), found),
        syn::Pat::Tuple(p) => numbered(&p.elems, &way, found),
        syn::Pat::Slice(p) => numbered(&p.elems, &way, found),
        syn::Pat::TupleStruct(p) => numbered(
            &p.elems,
            &format!("{way}.{}", p.path.to_token_stream()),
            found,
        ),
        syn::Pat::Struct(p) => {
            let path = p.path.to_token_stream();
            for field in &p.fields {
                positions(
                    &field.pat,
                    format!("{way}.{path}.{}", field.member.to_token_stream()),
                    found,
                );
            }
        }
        syn::Pat::Or(p) => p
            .cases
            .iter()
            .for_each(|case| positions(case, way.clone(), found)),
        _ => {}
    }
}
