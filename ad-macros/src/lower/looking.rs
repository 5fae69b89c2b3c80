//! Patterns of selectors, which look at a value and must not move anything out of it.

use std::collections::HashSet;

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::Lowerer;
use super::pattern::names_a_constant;
use super::prescan::names_in;
use super::value::Value;

/// A pattern that binds by reference what it would move, and its guard, which finds the names dereferenced.
pub(super) struct Looking {
    pub(super) pat: syn::Pat,
    pub(super) guard: Option<syn::Expr>,
}

/// How names are bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// As written: what they bind can be copied, or lies behind a reference.
    Written,
    /// A place, by `ref`.
    Place,
    /// A part of a tuple that holds a reference to it.
    Shared,
}

impl Lowerer<'_> {
    pub(super) fn looking(
        &mut self,
        pat: &syn::Pat,
        guard: Option<syn::Expr>,
        value: &Value,
    ) -> Looking {
        let mut written = Macros(HashSet::new());
        guard.iter().for_each(|guard| written.visit_expr(guard));
        let mut by_reference = ByReference {
            mode: Mode::Written,
            kept: written.0,
            bound: HashSet::new(),
        };
        let mut pat = pat.clone();
        self.look(&mut pat, value, false, &mut by_reference);
        let guard = guard.map(|mut guard| {
            Dereferenced(&by_reference.bound).visit_expr_mut(&mut guard);
            guard
        });
        Looking { pat, guard }
    }

    fn look(&mut self, pat: &mut syn::Pat, value: &Value, in_tuple: bool, by: &mut ByReference) {
        match (pat, value) {
            (syn::Pat::Paren(p), _) => self.look(&mut p.pat, value, in_tuple, by),
            (syn::Pat::Or(p), _) => {
                let cases = p.cases.iter_mut();
                cases.for_each(|case| self.look(case, value, in_tuple, by));
            }
            (syn::Pat::Tuple(p), Value::Tuple(values, _)) => {
                let rest = p.elems.iter().position(|p| matches!(p, syn::Pat::Rest(_)));
                let count = p.elems.len();
                for (n, pat) in p.elems.iter_mut().enumerate() {
                    let behind = rest.is_some_and(|rest| n > rest);
                    let at = if behind {
                        (values.len() + n).checked_sub(count)
                    } else {
                        Some(n)
                    };
                    let Some(value) = at.and_then(|at| values.get(at)) else {
                        continue;
                    };
                    if rest != Some(n) {
                        self.look(pat, value, true, by);
                    }
                }
            }
            (pat, value) => {
                let ty = self.type_of(value);
                let copied = self.types.deep(&ty).is_copy() || matches!(value, Value::Ref(_));
                by.mode = match (copied, value) {
                    (true, _) => Mode::Written,
                    (false, Value::Place(..)) if in_tuple => Mode::Shared,
                    (false, _) => Mode::Place,
                };
                by.visit_pat_mut(pat);
            }
        }
    }
}

struct ByReference {
    mode: Mode,
    /// Names that stay as they are: macros in the guard use them.
    kept: HashSet<String>,
    /// Names that are references now.
    bound: HashSet<String>,
}

impl VisitMut for ByReference {
    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        // The selector only looks.
        p.mutability = None;
        let name = p.ident.unraw().to_string();
        if p.by_ref.is_some() {
            p.by_ref = p.by_ref.take().filter(|_| self.mode != Mode::Shared);
        } else if !names_a_constant(&p.ident) && !self.kept.contains(&name) {
            if self.mode == Mode::Place {
                p.by_ref = Some(syn::Token![ref](p.ident.span()));
            }
            if self.mode != Mode::Written {
                self.bound.insert(name);
            }
        }
        if let Some((_, sub)) = &mut p.subpat {
            self.visit_pat_mut(sub);
        }
    }
}

/// The names in the arguments of macros.
struct Macros(HashSet<String>);

impl<'ast> Visit<'ast> for Macros {
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let names = names_in(&mac.tokens.to_token_stream());
        self.0
            .extend(names.iter().map(|name| name.unraw().to_string()));
        visit::visit_macro(self, mac);
    }
}

/// Writes `(*name)` for names.
struct Dereferenced<'a>(&'a HashSet<String>);

impl VisitMut for Dereferenced<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        let name = match e {
            syn::Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
            _ => None,
        };
        if name.is_some_and(|name| self.0.contains(&name.unraw().to_string())) {
            *e = syn::parse_quote!((*#e));
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }
}
