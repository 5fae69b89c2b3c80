//! Facts about the function's text, taken before the walk.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::Visit;

use crate::ir::hash::HashSet;

/// Every identifier spelled in the function, its signature included.
pub(crate) fn identifiers(item: &syn::ItemFn) -> HashSet<String> {
    let mut names = HashSet::default();
    collect(item.to_token_stream(), &mut names);
    names
}

/// The names of some tokens.
pub(crate) fn collect(tokens: TokenStream, names: &mut HashSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                names.insert(ident.unraw().to_string());
            }
            TokenTree::Group(group) => collect(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Whether the tokens spell `name`, also inside a string literal (inline captures of format macros).
pub(super) fn mentions(tokens: &impl ToTokens, name: &str) -> bool {
    spelled(tokens.to_token_stream(), name)
}

fn spelled(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident.unraw() == name,
        TokenTree::Group(group) => spelled(group.stream(), name),
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            text.starts_with(['"', 'r']) && text.contains(name)
        }
        TokenTree::Punct(_) => false,
    })
}

/// Whether the body has a `return` or `?` of its own (closures and nested functions have theirs).
pub(super) fn has_return(block: &syn::Block) -> bool {
    struct Finder(bool);
    impl Visit<'_> for Finder {
        fn visit_expr_return(&mut self, _: &syn::ExprReturn) {
            self.0 = true;
        }
        fn visit_expr_try(&mut self, _: &syn::ExprTry) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &syn::ExprClosure) {}
        fn visit_item(&mut self, _: &syn::Item) {}
    }
    let mut finder = Finder(false);
    finder.visit_block(block);
    finder.0
}

/// The names in front of fields, `x` of `x.0`, that are bound no more than once.
pub(super) fn with_fields(item: &syn::ItemFn) -> HashSet<String> {
    #[derive(Default)]
    struct Names {
        read: HashSet<String>,
        bound: HashSet<String>,
        again: HashSet<String>,
    }
    impl Visit<'_> for Names {
        fn visit_expr_field(&mut self, e: &syn::ExprField) {
            match &*e.base {
                syn::Expr::Path(path) if path.path.get_ident().is_some() => {
                    let name = path.path.get_ident().map(|name| name.unraw().to_string());
                    self.read.extend(name);
                }
                base => self.visit_expr(base),
            }
        }
        fn visit_pat_ident(&mut self, pat: &syn::PatIdent) {
            let name = pat.ident.unraw().to_string();
            if !self.bound.insert(name.clone()) {
                self.again.insert(name);
            }
            syn::visit::visit_pat_ident(self, pat);
        }
        fn visit_item(&mut self, _: &syn::Item) {}
    }
    let mut names = Names::default();
    names.visit_item_fn(item);
    names.read.retain(|name| !names.again.contains(name));
    names.read
}

/// Every identifier in some tokens.
pub(super) fn names_in(tokens: &TokenStream) -> Vec<proc_macro2::Ident> {
    let mut names = Vec::new();
    for token in tokens.clone() {
        match token {
            TokenTree::Ident(ident) => names.push(ident),
            TokenTree::Group(group) => names.extend(names_in(&group.stream())),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    names
}
