//! A variable of a closure under another name: the closure is made once more where its name means something else.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};

use super::format::names_in_formats;
use super::prescan::names_in;
use super::scope::{key, plain_ident};

/// The closure with the name `to` for `from`, wherever it is a variable; `None` if a macro names it otherwise than in
/// expressions.
pub(super) fn renamed(
    closure: &syn::ExprClosure,
    from: &Ident,
    to: &Ident,
) -> Option<syn::ExprClosure> {
    let mut closure = closure.clone();
    let mut renamer = Renamer {
        from,
        to,
        all: true,
    };
    renamer.visit_expr_closure_mut(&mut closure);
    renamer.all.then_some(closure)
}

/// Variables that a closure declares under the name are renamed as well, so that each name means what it did.
struct Renamer<'n> {
    from: &'n Ident,
    to: &'n Ident,
    all: bool,
}

impl Renamer<'_> {
    fn is_named(&self, ident: &Ident) -> bool {
        key(ident) == key(self.from)
    }

    fn renamed(&self, ident: &Ident) -> Ident {
        Ident::new(&self.to.to_string(), ident.span())
    }

    /// The arguments of a macro as expressions, `a, b` or `a; b`.
    fn arguments(&mut self, tokens: &proc_macro2::TokenStream) -> Option<proc_macro2::TokenStream> {
        use syn::parse::Parser;
        let listed = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let repeated = Punctuated::<syn::Expr, syn::Token![;]>::parse_terminated;
        if let Ok(mut list) = listed.parse2(tokens.clone()) {
            list.iter_mut().for_each(|e| self.visit_expr_mut(e));
            return Some(quote::quote!(#list));
        }
        let mut list = repeated.parse2(tokens.clone()).ok()?;
        list.iter_mut().for_each(|e| self.visit_expr_mut(e));
        Some(quote::quote!(#list))
    }
}

impl VisitMut for Renamer<'_> {
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if plain_ident(path).is_some_and(|ident| self.is_named(ident)) {
            let segment = &mut path.path.segments[0];
            segment.ident = self.renamed(&segment.ident);
        }
    }

    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        if self.is_named(&pat.ident) {
            pat.ident = self.renamed(&pat.ident);
        }
        visit_mut::visit_pat_ident_mut(self, pat);
    }

    /// `S { x }`
    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        if matches!(&field.member, syn::Member::Named(name) if self.is_named(name)) {
            field.colon_token.get_or_insert_with(Default::default);
        }
        visit_mut::visit_field_pat_mut(self, field);
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        if matches!(&field.member, syn::Member::Named(name) if self.is_named(name)) {
            field.colon_token.get_or_insert_with(Default::default);
        }
        visit_mut::visit_field_value_mut(self, field);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        let from = self.from.unraw();
        let is_from = |name: &Ident| name.unraw() == from;
        if names_in_formats(&mac.tokens).iter().any(is_from) {
            self.all = false;
        } else if names_in(&mac.tokens).iter().any(is_from) {
            match self.arguments(&mac.tokens) {
                Some(tokens) => mac.tokens = tokens,
                None => self.all = false,
            }
        }
    }

    /// An item sees no variables.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
