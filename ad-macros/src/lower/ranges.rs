//! Ranges that a `let` binds to a name: `let r = 1..n;`.
//!
//! A range is no value here. Its bounds get names of their own, and the range stands where its name is used: whoever
//! takes a range takes it with its bounds as they were where it was made.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::operator::strip;
use super::prescan::{identifiers, names_in};
use super::scope::{key, name_of, plain_ident};
use crate::ir::hash::{HashMap, HashSet};

/// The function with such ranges written out, if there are any.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let mut found = Ranges::default();
    found.visit_item_fn(item);
    let once = |name: &String| found.bound.get(name) == Some(&1);
    let names = found.ranges.difference(&found.elsewhere);
    let names: HashSet<String> = names.filter(|name| once(name)).cloned().collect();
    if names.is_empty() {
        return None;
    }
    let mut written = Written {
        names,
        taken: identifiers(item),
        bounds: HashMap::default(),
    };
    let mut item = item.clone();
    written.visit_block_mut(&mut item.block);
    Some(item)
}

/// `let name = lo..hi;`
fn range_of(local: &syn::Local) -> Option<(&Ident, &syn::ExprRange)> {
    let syn::Pat::Ident(name) = &local.pat else {
        return None;
    };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let syn::Expr::Range(range) = strip(&init.expr) else {
        return None;
    };
    let plain = name.by_ref.is_none()
        && name.mutability.is_none()
        && name.subpat.is_none()
        && local.attrs.is_empty();
    (plain && range.start.is_some() && range.end.is_some()).then_some((&name.ident, range))
}

/// Names of ranges, how often names are bound, and names in the arguments of macros.
#[derive(Default)]
struct Ranges {
    ranges: HashSet<String>,
    bound: HashMap<String, usize>,
    elsewhere: HashSet<String>,
}

impl<'ast> Visit<'ast> for Ranges {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        self.ranges
            .extend(range_of(local).map(|(name, _)| key(name)));
        visit::visit_local(self, local);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        *self.bound.entry(key(&pat.ident)).or_default() += 1;
        visit::visit_pat_ident(self, pat);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.elsewhere.extend(names_in(&mac.tokens).iter().map(key));
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        if field.colon_token.is_none() {
            self.elsewhere.extend(name_of(&field.expr).map(key));
        }
        visit::visit_field_value(self, field);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

struct Written {
    names: HashSet<String>,
    taken: HashSet<String>,
    /// The bounds of each range, and what stands between them.
    bounds: HashMap<String, (syn::Expr, syn::RangeLimits, syn::Expr)>,
}

impl Written {
    /// A bound as it is from here on, in a variable unless it is a number.
    fn bound(
        &mut self,
        name: &Ident,
        end: &str,
        e: &syn::Expr,
        out: &mut Vec<syn::Stmt>,
    ) -> syn::Expr {
        if matches!(strip(e), syn::Expr::Lit(_)) {
            return e.clone();
        }
        let mut spelled = format!("{}_{end}", syn::ext::IdentExt::unraw(name));
        while !self.taken.insert(spelled.clone()) {
            spelled.push('_');
        }
        let var = Ident::new(&spelled, name.span());
        out.push(syn::parse_quote!(let #var = #e;));
        syn::parse_quote!(#var)
    }

    fn range(&self, e: &syn::Expr) -> Option<&(syn::Expr, syn::RangeLimits, syn::Expr)> {
        match e {
            syn::Expr::Path(path) => self.bounds.get(&key(plain_ident(path)?)),
            syn::Expr::Paren(p) => self.range(&p.expr),
            _ => None,
        }
    }
}

impl VisitMut for Written {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        for mut stmt in std::mem::take(&mut block.stmts) {
            let range = match &stmt {
                syn::Stmt::Local(local) => {
                    range_of(local).filter(|(name, _)| self.names.contains(&key(name)))
                }
                _ => None,
            };
            let range = range.map(|(name, range)| (name.clone(), range.clone()));
            let Some((name, mut range)) = range else {
                self.visit_stmt_mut(&mut stmt);
                block.stmts.push(stmt);
                continue;
            };
            self.visit_expr_range_mut(&mut range);
            if let (Some(lo), Some(hi)) = (&range.start, &range.end) {
                let lo = self.bound(&name, "from", lo, &mut block.stmts);
                let hi = self.bound(&name, "to", hi, &mut block.stmts);
                self.bounds.insert(key(&name), (lo, range.limits, hi));
            }
        }
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        let part = match e {
            syn::Expr::Field(field) => self.range(&field.base).and_then(|(lo, limits, hi)| {
                let half_open = matches!(limits, syn::RangeLimits::HalfOpen(_));
                match field.member.to_token_stream().to_string().as_str() {
                    "start" if half_open => Some(lo.clone()),
                    "end" if half_open => Some(hi.clone()),
                    _ => None,
                }
            }),
            syn::Expr::MethodCall(call) if call.args.is_empty() => {
                match (call.method.to_string().as_str(), self.range(&call.receiver)) {
                    ("clone", Some((lo, limits, hi))) => Some(syn::parse_quote!((#lo #limits #hi))),
                    _ => None,
                }
            }
            _ => self
                .range(e)
                .map(|(lo, limits, hi)| syn::parse_quote!((#lo #limits #hi))),
        };
        match part {
            Some(part) => *e = part,
            None => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
