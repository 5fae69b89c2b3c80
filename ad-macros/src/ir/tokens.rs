//! Tokens: names in them, and groups without delimiters.
//!
//! `macro_rules!` wraps a fragment (`$e:expr`) in a group without delimiters, which keeps `1 + 1` together in
//! `$e * 2`. rustc forgets such groups when a procedural macro gives them back, so an expression in one gets
//! parentheses. (A type or pattern that happens to read as an expression is the same in parentheses.)

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Whether a name stands in the tokens.
pub(crate) fn spells(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => spells(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Which trees of a list stand behind a dot that leads to a field or a method. The second dot of a range leads to none.
#[derive(Default)]
pub(crate) struct Dots {
    leads: bool,
    was_dot: bool,
}

impl Dots {
    /// Whether the next tree of the list is a field or a method.
    pub(crate) fn lead_to(&mut self, next: &TokenTree) -> bool {
        let is_dot = matches!(next, TokenTree::Punct(p) if p.as_char() == '.');
        let leads = std::mem::replace(&mut self.leads, is_dot && !self.was_dot);
        self.was_dot = is_dot;
        leads
    }
}

/// A group with the stream replaced, and parentheses where its invisible delimiters would be lost.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "other tokens stay as they are"
)]
pub(crate) fn regroup(group: &Group, stream: TokenStream) -> Group {
    let delimiter = match group.delimiter() {
        Delimiter::None if binds_loosely(&stream) => Delimiter::Parenthesis,
        other => other,
    };
    let mut out = Group::new(delimiter, stream);
    out.set_span(group.span());
    out
}

fn binds_loosely(stream: &TokenStream) -> bool {
    if stream.clone().into_iter().nth(1).is_none() {
        return false;
    }
    matches!(
        syn::parse2::<syn::Expr>(stream.clone()),
        Ok(syn::Expr::Binary(_)
            | syn::Expr::Unary(_)
            | syn::Expr::Cast(_)
            | syn::Expr::Reference(_)
            | syn::Expr::Range(_)
            | syn::Expr::Closure(_))
    )
}
