//! Fragments of the calls of macros: what `$x:expr` and its relatives match.

use proc_macro2::{Delimiter, Group, Literal, Spacing, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};

use super::rules::Stuck;

#[derive(Clone, Copy)]
pub(super) enum Fragment {
    Expr,
    Ident,
    Ty,
    Literal,
    Tree,
    Block,
    Lifetime,
}

impl Fragment {
    /// Fragments that later macros could see through, or that have no token group in `syn`, are not among them.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "expr" => Fragment::Expr,
            "ident" => Fragment::Ident,
            "ty" => Fragment::Ty,
            "literal" => Fragment::Literal,
            "tt" => Fragment::Tree,
            "block" => Fragment::Block,
            "lifetime" => Fragment::Lifetime,
            _ => return None,
        })
    }
}

/// A fragment at the beginning of some tokens: what stands for it, and how many trees it takes.
pub(super) fn fragment(
    kind: Fragment,
    tokens: &[TokenTree],
) -> Result<Option<(TokenStream, usize)>, Stuck> {
    let Some(first) = tokens.first() else {
        return Ok(None);
    };
    let one = |token: &TokenTree| Ok(Some((TokenStream::from(token.clone()), 1)));
    let opaque = matches!(first, TokenTree::Group(g) if g.delimiter() == Delimiter::None);
    match (kind, first) {
        (Fragment::Ident, TokenTree::Ident(ident)) if ident != "_" => one(first),
        (Fragment::Ident, _) => Ok(None),
        (Fragment::Tree, TokenTree::Punct(punct)) if punct.spacing() == Spacing::Joint => {
            Err(Stuck)
        }
        (Fragment::Tree, _) => one(first),
        (Fragment::Literal, _) if opaque => Err(Stuck),
        (Fragment::Literal, TokenTree::Literal(literal)) => Ok(Some((grouped_literal(literal), 1))),
        (Fragment::Literal, TokenTree::Ident(ident)) if ident == "true" || ident == "false" => {
            one(first)
        }
        (Fragment::Literal, TokenTree::Punct(minus)) if minus.as_char() == '-' => {
            match tokens.get(1) {
                Some(TokenTree::Literal(_)) => Ok(Some((grouped(&tokens[..2]), 2))),
                _ => Err(Stuck),
            }
        }
        (Fragment::Literal, _) => Ok(None),
        (Fragment::Block, _) if opaque => Err(Stuck),
        (Fragment::Block, TokenTree::Group(g)) if g.delimiter() == Delimiter::Brace => {
            Ok(Some((grouped(&tokens[..1]), 1)))
        }
        (Fragment::Block, _) => Ok(None),
        (Fragment::Lifetime, TokenTree::Punct(quote)) if quote.as_char() == '\'' => {
            Ok(Some((tokens[..2].iter().cloned().collect(), 2)))
        }
        (Fragment::Lifetime, _) => Ok(None),
        (Fragment::Expr, TokenTree::Punct(punct)) if !begins_expr(punct.as_char()) => Ok(None),
        // A type that was a fragment begins no expression, and the other way round.
        (Fragment::Expr, TokenTree::Group(group)) if opaque && is_opaque_type(group) => Err(Stuck),
        (Fragment::Ty, TokenTree::Group(group)) if opaque && is_opaque_type(group) => one(first),
        (Fragment::Ty, _) if opaque => Err(Stuck),
        (Fragment::Expr, _) => {
            let taken = taken(tokens, |input| match input.parse::<syn::Expr>()? {
                syn::Expr::Let(_)
                | syn::Expr::Verbatim(_)
                | syn::Expr::Infer(_)
                | syn::Expr::Const(_) => Err(input.error("no expression of every edition")),
                _ => Ok(()),
            })?;
            if opaque && taken == 1 {
                return one(first);
            }
            Ok(Some((grouped(&tokens[..taken]), taken)))
        }
        (Fragment::Ty, _) => {
            let taken = taken(tokens, |input| match input.parse::<syn::Type>()? {
                syn::Type::Path(_) | syn::Type::Array(_) | syn::Type::Tuple(_) => Ok(()),
                _ => Err(input.error("another type")),
            })?;
            let ty = Group::new(Delimiter::None, grouped(&tokens[..taken]));
            Ok(Some((TokenTree::from(ty).into(), taken)))
        }
    }
}

/// Types keep together twice, which tells them from expressions.
fn is_opaque_type(group: &Group) -> bool {
    let mut inner = group.stream().into_iter();
    let is_group =
        |tree: TokenTree| matches!(tree, TokenTree::Group(g) if g.delimiter() == Delimiter::None);
    inner.next().is_some_and(is_group) && inner.next().is_none()
}

/// Whether an expression can begin with this character.
fn begins_expr(c: char) -> bool {
    matches!(
        c,
        '-' | '*' | '!' | '&' | '|' | '<' | '\'' | '#' | '.' | ':'
    )
}

/// How many of the trees a parser takes.
fn taken(
    tokens: &[TokenTree],
    parse: impl Fn(ParseStream<'_>) -> syn::Result<()>,
) -> Result<usize, Stuck> {
    let rest = |input: ParseStream<'_>| {
        parse(input)?;
        input.parse::<TokenStream>()
    };
    let all: TokenStream = tokens.iter().cloned().collect();
    let rest = rest.parse2(all).map_err(|_| Stuck)?;
    tokens
        .len()
        .checked_sub(rest.into_iter().count())
        .ok_or(Stuck)
}

/// What keeps together, whatever stands around it.
fn grouped(tokens: &[TokenTree]) -> TokenStream {
    let inner = tokens.iter().cloned().collect();
    TokenStream::from(TokenTree::from(Group::new(Delimiter::None, inner)))
}

fn grouped_literal(literal: &Literal) -> TokenStream {
    grouped(&[TokenTree::from(literal.clone())])
}
