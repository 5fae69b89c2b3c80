//! `match option.as_ref() { Some(x) => …, None => … }`, where nothing else shows that it is an `Option`: the patterns
//! do, so it is written `match &option { … }`.
//!
//! A method of this name of another type, whose result is matched so, is an error of rustc (E0308).

use syn::visit_mut::{self, VisitMut};

use super::operator::strip;

/// The function with such calls written out, if there are any.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let mut item = item.clone();
    let mut references = References { found: false };
    references.visit_block_mut(&mut item.block);
    references.found.then_some(item)
}

struct References {
    found: bool,
}

impl References {
    fn selector(&mut self, e: &mut syn::Expr) {
        let syn::Expr::MethodCall(call) = strip(e) else {
            return;
        };
        let receiver = &call.receiver;
        let plain = call.args.is_empty() && call.turbofish.is_none();
        let written: syn::Expr = match call.method.to_string().as_str() {
            "as_ref" if plain => syn::parse_quote_spanned!(call.method.span()=> &#receiver),
            "as_mut" if plain => syn::parse_quote_spanned!(call.method.span()=> &mut #receiver),
            _ => return,
        };
        self.found = true;
        *e = written;
    }
}

/// Whether it takes a value out of the reference that `as_ref` yields: with `&` in it, it fits nothing else.
fn dereferences(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::TupleStruct(p) => p.elems.iter().any(dereferences),
        syn::Pat::Or(p) => p.cases.iter().any(dereferences),
        syn::Pat::Paren(p) => dereferences(&p.pat),
        syn::Pat::Reference(_) => true,
        _ => false,
    }
}

/// Whether only an `Option` has this pattern.
fn is_of_option(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::TupleStruct(p) => p.path.segments.last().is_some_and(|s| s.ident == "Some"),
        syn::Pat::Ident(p) => p.ident == "None",
        syn::Pat::Path(p) => super::variants::is_none(&p.path),
        syn::Pat::Or(p) => p.cases.iter().any(is_of_option),
        syn::Pat::Paren(p) => is_of_option(&p.pat),
        _ => false,
    }
}

impl VisitMut for References {
    fn visit_expr_match_mut(&mut self, e: &mut syn::ExprMatch) {
        let mut pats = e.arms.iter().map(|arm| &arm.pat);
        if pats.clone().any(is_of_option) && !pats.any(dereferences) {
            self.selector(&mut e.expr);
        }
        visit_mut::visit_expr_match_mut(self, e);
    }

    fn visit_expr_let_mut(&mut self, e: &mut syn::ExprLet) {
        if is_of_option(&e.pat) && !dereferences(&e.pat) {
            self.selector(&mut e.expr);
        }
        visit_mut::visit_expr_let_mut(self, e);
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        let fits = is_of_option(&local.pat) && !dereferences(&local.pat);
        if let (true, Some(init)) = (fits, &mut local.init) {
            self.selector(&mut init.expr);
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
