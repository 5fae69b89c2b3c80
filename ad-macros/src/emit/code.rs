//! Pieces of code that go into others.
//!
//! A `TokenStream` lives in rustc, which is asked for each that goes into another one, and the compiler runs without
//! optimisation in the builds of its users: what has one token stays that token.

use proc_macro2::{Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::ir::BinOp;

/// The path of the hidden surface for generated code.
pub(crate) struct Runtime(Vec<TokenTree>);

impl Runtime {
    pub(crate) fn of(krate: &impl ToTokens) -> Self {
        Runtime(quote!(#krate::__rt).into_iter().collect())
    }

    /// The same where rustc's errors are to be shown at `span`.
    pub(super) fn at(&self, span: Span) -> Self {
        let located = |token: &TokenTree| {
            let mut token = token.clone();
            token.set_span(token.span().located_at(span));
            token
        };
        Runtime(self.0.iter().map(located).collect())
    }
}

impl ToTokens for Runtime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.iter().cloned());
    }
}

/// An expression, a place or a type.
#[derive(Clone)]
pub(crate) enum Code {
    Token(TokenTree),
    Stream(TokenStream),
}

impl Code {
    pub(super) fn token(token: impl Into<TokenTree>) -> Self {
        Code::Token(token.into())
    }
}

impl From<TokenStream> for Code {
    fn from(stream: TokenStream) -> Self {
        Code::Stream(stream)
    }
}

impl From<Code> for TokenStream {
    fn from(code: Code) -> Self {
        match code {
            Code::Token(token) => token.into(),
            Code::Stream(stream) => stream,
        }
    }
}

impl ToTokens for Code {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Code::Token(token) => tokens.extend([token.clone()]),
            Code::Stream(stream) => stream.to_tokens(tokens),
        }
    }
}

/// An operator where the user wrote it.
pub(super) struct Operator(pub(super) BinOp, pub(super) Span);

impl ToTokens for Operator {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut rest = self.0.symbol().chars().peekable();
        while let Some(sign) = rest.next() {
            let spacing = match rest.peek() {
                Some(_) => Spacing::Joint,
                None => Spacing::Alone,
            };
            let mut punct = Punct::new(sign, spacing);
            punct.set_span(self.1);
            tokens.extend([TokenTree::from(punct)]);
        }
    }
}
