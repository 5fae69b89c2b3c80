//! Functions without an attribute, called with a value that has a derivative: `check_len(x)?`, `t[level(x)]`.
//!
//! | the text of the file shows | the call |
//! |---|---|
//! | that what comes out counts, or names a variant, and that no float is in its bits | is taken as it is |
//! | that the function has no attribute | a message, where a derivative goes in |
//! | neither | is one of a function with sweeps |
//!
//! What comes out could hold a float in its bits, which the caller makes one of again. So the body, and those of what
//! it calls, may not speak of bits, and may do nothing that cannot be read. What a `Result` says beside its value has
//! no derivative anyway.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};

use super::Lowerer;
use super::scope::plain_ident;
use super::types::{is_of_std, result_of};
use crate::ir::{Answer, Callee, CalleeKind, Ty, Without, spells};
use crate::surroundings::{function_of_module, is_fieldless, with_text};

/// Functions that are looked into behind one another.
const DEPTH: usize = 4;

impl Lowerer<'_> {
    /// Notes what the text shows of a function that is called by its name. A variant has no type in the call.
    pub(super) fn note_plain(&self, callee: &mut Callee) -> Option<Ty> {
        let name = plain_ident(&callee.path).filter(|_| callee.kind == CalleeKind::Function)?;
        // An item of the body may be what the name means.
        if !self.func.items.is_empty() {
            return None;
        }
        let at = self.func.name.span();
        let function = function_of_module(at, name).filter(|f| f.attrs.iter().all(is_inert))?;
        let outcome = is_discrete(&function, at, &mut HashSet::new());
        if outcome {
            callee.answer = Some(Answer::Discrete);
        } else if with_text(at, brings_no_rule) == Some(true) {
            callee.without = Some(Without::Plain);
        }
        let syn::ReturnType::Type(_, output) = &function.sig.output else {
            return None;
        };
        let value = result_of(&function.sig.output).unwrap_or(output);
        (outcome && names_a_variant(value, at)).then_some(Ty::Passive)
    }
}

/// Whether nothing in a file can be, or bring from elsewhere, a rule for a function that is declared there.
fn brings_no_rule(text: &str) -> bool {
    let of_std = |line: &str| ["std::", "core::"].iter().any(|name| line.contains(name));
    let globs = text
        .lines()
        .any(|line| line.contains("::*") && !of_std(line));
    !globs && !text.contains("derivative_of")
}

/// Attributes that leave a function as it is.
fn is_inert(attribute: &syn::Attribute) -> bool {
    const NAMES: [&str; 9] = [
        "doc",
        "inline",
        "must_use",
        "allow",
        "expect",
        "warn",
        "cold",
        "deprecated",
        "track_caller",
    ];
    let path = attribute.path();
    NAMES.iter().any(|name| path.is_ident(name))
        || path
            .segments
            .first()
            .is_some_and(|first| first.ident == "clippy")
}

/// Whether what comes out is discrete, and made of no bits of floats.
fn is_discrete(function: &syn::ItemFn, at: Span, seen: &mut HashSet<String>) -> bool {
    let sig = &function.sig;
    let syn::ReturnType::Type(_, output) = &sig.output else {
        return false;
    };
    let value = result_of(&sig.output).unwrap_or(output);
    let writes = sig.inputs.iter().any(|input| {
        matches!(input, syn::FnArg::Typed(input) if spells_mut(&input.ty.to_token_stream()))
    });
    let plain = sig.asyncness.is_none() && sig.unsafety.is_none() && sig.abi.is_none();
    plain
        && !writes
        && sig.generics.type_params().next().is_none()
        && is_discrete_type(value, at)
        && has_no_bits(function, at, seen)
}

fn is_discrete_type(ty: &syn::Type, at: Span) -> bool {
    match super::signature::ungroup(ty) {
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(|ty| is_discrete_type(ty, at)),
        syn::Type::Path(path) if path.qself.is_none() => {
            let Some(last) = path.path.segments.last() else {
                return false;
            };
            let name = last.ident.to_string();
            match &last.arguments {
                syn::PathArguments::None => is_count(&name) || names_a_variant(ty, at),
                syn::PathArguments::AngleBracketed(arguments) => {
                    matches!(name.as_str(), "Option" | "Vec")
                        && arguments.args.iter().all(|argument| match argument {
                            syn::GenericArgument::Type(ty) => {
                                is_discrete_type(ty, at) && !names_a_variant(ty, at)
                            }
                            _ => false,
                        })
                }
                syn::PathArguments::Parenthesized(_) => false,
            }
        }
        _ => false,
    }
}

fn is_count(name: &str) -> bool {
    const NAMES: [&str; 14] = [
        "usize", "u8", "u16", "u32", "u64", "u128", "isize", "i8", "i16", "i32", "i64", "i128",
        "bool", "char",
    ];
    NAMES.contains(&name)
}

/// Whether the type is an enum of the same module whose variants hold nothing.
fn names_a_variant(ty: &syn::Type, at: Span) -> bool {
    let syn::Type::Path(path) = super::signature::ungroup(ty) else {
        return false;
    };
    let name = path.path.get_ident();
    name.is_some_and(|name| !is_count(&name.to_string()) && is_fieldless(at, name))
}

/// Whether something can be written through a type.
fn spells_mut(ty: &TokenStream) -> bool {
    ["mut", "Cell", "RefCell"]
        .iter()
        .any(|name| spells(ty.clone(), name))
}

/// Whether the body, and what it calls, makes nothing of the bits of a float.
fn has_no_bits(function: &syn::ItemFn, at: Span, seen: &mut HashSet<String>) -> bool {
    if seen.len() > DEPTH || !seen.insert(function.sig.ident.to_string()) {
        return seen.len() <= DEPTH;
    }
    let mut body = Body {
        at,
        seen,
        is_open: false,
    };
    body.visit_block(&function.block);
    !body.is_open
}

struct Body<'s> {
    at: Span,
    seen: &'s mut HashSet<String>,
    /// Whether it may do more than its text says.
    is_open: bool,
}

impl Body<'_> {
    fn name(&mut self, name: &Ident) {
        let name = name.to_string();
        self.is_open |= ["bits", "bytes", "decode", "transmute"]
            .iter()
            .any(|part| name.contains(part));
    }
}

impl Visit<'_> for Body<'_> {
    fn visit_ident(&mut self, name: &Ident) {
        self.name(name);
    }

    fn visit_expr_call(&mut self, call: &syn::ExprCall) {
        let known = match &*call.func {
            syn::Expr::Path(path) => {
                let mut segments = path.path.segments.iter().rev();
                let last = segments
                    .next()
                    .map(|s| s.ident.to_string())
                    .unwrap_or_default();
                let of_std = segments.next().is_some_and(|of| {
                    let of = of.ident.to_string();
                    is_of_std(&of) || super::is_primitive(&of)
                });
                let named = path.path.get_ident();
                matches!(last.as_str(), "Some" | "Ok" | "Err")
                    || of_std
                    || named.is_some_and(|name| {
                        function_of_module(self.at, name)
                            .is_some_and(|f| has_no_bits(&f, self.at, self.seen))
                    })
                    // What an error is made of carries none.
                    || last.starts_with(char::is_uppercase)
            }
            _ => false,
        };
        self.is_open |= !known;
        visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, of: &syn::Macro) {
        self.is_open |= !super::macros::is_listed(&of.path);
        self.tokens(&of.tokens);
    }

    fn visit_expr_unsafe(&mut self, _: &syn::ExprUnsafe) {
        self.is_open = true;
    }

    fn visit_item(&mut self, _: &syn::Item) {
        self.is_open = true;
    }
}

impl Body<'_> {
    fn tokens(&mut self, tokens: &TokenStream) {
        for token in tokens.clone() {
            match token {
                TokenTree::Ident(name) => self.name(&name),
                TokenTree::Group(group) => self.tokens(&group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}
