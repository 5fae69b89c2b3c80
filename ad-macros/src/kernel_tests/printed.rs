//! The names of generated code, in the text of the stage that prints it.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

use super::{files, root};

/// What the tokens of a file say about names in generated code.
#[derive(Default)]
pub(super) struct Printed {
    /// What stands behind `rt::`, as far as it is written out.
    pub(super) paths: BTreeSet<String>,
    /// What is called of a value or of a type.
    pub(super) methods: BTreeSet<String>,
    /// Names that are chosen among: all that a `quote!` has, and texts.
    pub(super) chosen: BTreeSet<String>,
}

impl Printed {
    pub(super) fn look(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let ident = |at: usize| match tokens.get(at) {
            Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
            _ => None,
        };
        let punct = |at: usize, char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == char);
        // `a.name` and `A::<…>::name`.
        let behind = |at: usize| {
            at > 0 && punct(at - 1, '.')
                || at > 2 && punct(at - 1, ':') && punct(at - 2, ':') && punct(at - 3, '>')
        };
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(word) if word == "rt" && at > 0 && punct(at - 1, '#') => {
                    let mut path = Vec::new();
                    let mut next = at + 1;
                    while punct(next, ':') && punct(next + 1, ':') {
                        let Some(name) = ident(next + 2) else { break };
                        path.push(name);
                        next += 3;
                    }
                    if !path.is_empty() {
                        self.paths.insert(path.join("::"));
                    }
                }
                TokenTree::Ident(word) if behind(at) => {
                    self.methods.insert(word.to_string());
                }
                TokenTree::Group(group) => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    if let [TokenTree::Ident(word)] = inner.as_slice()
                        && at >= 2
                        && punct(at - 1, '!')
                    {
                        self.chosen.insert(word.to_string());
                    }
                    self.look(group.stream());
                }
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    self.chosen.insert(text.trim_matches('"').to_owned());
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }

    pub(super) fn of(folders: &[&str]) -> Self {
        let mut printed = Self::default();
        for folder in folders {
            for file in files(&root().join("ad-macros/src").join(folder)) {
                let text = std::fs::read_to_string(file).expect("a readable file");
                printed.look(text.parse().expect("tokens"));
            }
        }
        printed
    }
}
