//! Patterns of selectors, which look at a value and must not move anything out of it.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::Lowerer;
use super::opaque::pattern_names;
use super::pattern::names_a_constant;
use super::prescan::names_in;
use super::value::Value;
use crate::ir::hash::HashSet;

/// A pattern that binds by reference what it would move, and its guard, which finds the names dereferenced.
pub(super) struct Looking {
    pub(super) pat: syn::Pat,
    pub(super) guard: Option<syn::Expr>,
}

/// How the names in a pattern for a value are bound, or those for the parts of a tuple. It is asked once: what is
/// lowered meanwhile may say more of the types.
pub(super) enum Modes {
    One(Mode),
    Parts(Vec<Modes>),
}

impl Modes {
    /// Of part `n` of a tuple.
    pub(super) fn part(&self, n: usize) -> &Modes {
        match self {
            Modes::Parts(parts) => parts.get(n).unwrap_or(&Modes::One(Mode::Written)),
            Modes::One(_) => self,
        }
    }
}

/// How names are bound.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// As written: what they bind can be copied, or lies behind a reference.
    Written,
    /// A place, by `ref`.
    Place,
    /// A part of a tuple that holds a reference to it.
    Shared,
}

impl Lowerer<'_> {
    pub(super) fn modes(&mut self, value: &Value, in_tuple: bool) -> Modes {
        if let Value::Tuple(values, _) = value {
            return Modes::Parts(values.iter().map(|v| self.modes(v, true)).collect());
        }
        let ty = self.type_of(value);
        let copied = self.types.is_plain(&ty) || self.types.deep(&ty).is_copy();
        Modes::One(match value {
            _ if copied => Mode::Written,
            Value::Ref(_) => Mode::Written,
            Value::Place(..) if in_tuple => Mode::Shared,
            _ => Mode::Place,
        })
    }

    pub(super) fn looking(
        &mut self,
        pat: &syn::Pat,
        guard: Option<syn::Expr>,
        modes: &Modes,
    ) -> Looking {
        let mut kept = Kept(HashSet::default());
        guard.iter().for_each(|guard| kept.visit_expr(guard));
        let mut by_reference = ByReference {
            mode: Mode::Written,
            kept: kept.0,
            bound: HashSet::default(),
        };
        let mut pat = pat.clone();
        look(&mut pat, modes, &mut by_reference);
        let guard = guard.map(|mut guard| {
            Dereferenced(by_reference.bound).visit_expr_mut(&mut guard);
            guard
        });
        Looking { pat, guard }
    }
}

fn look(pat: &mut syn::Pat, modes: &Modes, by: &mut ByReference) {
    match (pat, modes) {
        (syn::Pat::Paren(p), _) => look(&mut p.pat, modes, by),
        (syn::Pat::Or(p), _) => p.cases.iter_mut().for_each(|case| look(case, modes, by)),
        (syn::Pat::Tuple(p), Modes::Parts(parts)) => {
            let rest = p.elems.iter().position(|p| matches!(p, syn::Pat::Rest(_)));
            let count = p.elems.len();
            for (n, pat) in p.elems.iter_mut().enumerate() {
                let behind = rest.is_some_and(|rest| n > rest);
                let at = if behind {
                    (parts.len() + n).saturating_sub(count)
                } else {
                    n
                };
                if rest != Some(n) {
                    look(pat, modes.part(at), by);
                }
            }
        }
        (pat, Modes::One(mode)) => {
            by.mode = *mode;
            by.visit_pat_mut(pat);
        }
        // A name for the whole tuple, which holds copies and references.
        (pat, Modes::Parts(_)) => {
            by.mode = Mode::Written;
            by.visit_pat_mut(pat);
        }
    }
}

/// What the patterns for a tuple have for its part `n`.
pub(super) fn patterns_of_part<'p>(
    pats: &[&'p syn::Pat],
    n: usize,
    count: usize,
) -> Vec<&'p syn::Pat> {
    let mut found = Vec::new();
    for pat in cases(pats) {
        let syn::Pat::Tuple(p) = pat else { continue };
        let rest = p.elems.iter().position(|p| matches!(p, syn::Pat::Rest(_)));
        let at = match rest {
            Some(rest) if n >= rest => (p.elems.len() + n)
                .checked_sub(count)
                .filter(|&at| at > rest),
            _ => Some(n),
        };
        found.extend(at.and_then(|at| p.elems.get(at)));
    }
    found
}

/// Whether one of the patterns, `Some(&x)`, is for an option of a reference.
pub(super) fn takes_references(pats: &[&syn::Pat]) -> bool {
    cases(pats).into_iter().any(|pat| match pat {
        syn::Pat::TupleStruct(p) => {
            let payload: Vec<&syn::Pat> = p.elems.iter().collect();
            cases(&payload)
                .iter()
                .any(|pat| matches!(pat, syn::Pat::Reference(_)))
        }
        _ => false,
    })
}

/// The alternatives, without parentheses.
fn cases<'p>(pats: &[&'p syn::Pat]) -> Vec<&'p syn::Pat> {
    let mut found = Vec::new();
    for &pat in pats {
        match pat {
            syn::Pat::Paren(p) => found.extend(cases(&[&*p.pat])),
            syn::Pat::Or(p) => found.extend(cases(&p.cases.iter().collect::<Vec<_>>())),
            syn::Pat::Ident(syn::PatIdent {
                subpat: Some((_, sub)),
                ..
            }) => found.extend(cases(&[&**sub])),
            pat => found.push(pat),
        }
    }
    found
}

struct ByReference {
    mode: Mode,
    /// Names that stay as they are.
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

/// Names in a guard that may mean something else than the pattern's, or stand where they cannot be dereferenced: those
/// that the guard binds itself, other than as parameters of closures, and those in the arguments of macros.
struct Kept(HashSet<String>);

impl<'ast> Visit<'ast> for Kept {
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.0.insert(p.ident.unraw().to_string());
        visit::visit_pat_ident(self, p);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.visit_expr(&closure.body);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let names = names_in(&mac.tokens.to_token_stream());
        self.0
            .extend(names.iter().map(|name| name.unraw().to_string()));
        visit::visit_macro(self, mac);
    }
}

/// Writes `(*name)` for names.
struct Dereferenced(HashSet<String>);

impl VisitMut for Dereferenced {
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

    /// Parameters hide names.
    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        let outside = self.0.clone();
        for name in closure.inputs.iter().flat_map(pattern_names) {
            self.0.remove(&name.unraw().to_string());
        }
        self.visit_expr_mut(&mut closure.body);
        self.0 = outside;
    }
}
