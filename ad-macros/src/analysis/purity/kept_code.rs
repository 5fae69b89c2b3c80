//! Calls in code that is kept as written.
//!
//! Methods are taken for those of std by their names, which is only sure on receivers whose types are std's: what the
//! compiler has put into the code (if all of that is `known`), what a pattern inside binds of it, and literals. A path
//! in the code, a constant or a static, may be of a type of the user's.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::visit::{Visit, visit_expr, visit_pat};

use super::methods::{PRIMITIVES, is_pure_method};
use crate::ir::{ANSWER, Opaque};

/// Whether the code calls anything but pure functions of std.
pub(super) fn calls(o: &Opaque, known: bool) -> bool {
    let mut names: HashSet<String> = o.args.iter().map(|(name, _)| name.to_string()).collect();
    Binders(&mut names).visit_expr(&o.code);
    let mut calls = Calls {
        names: &names,
        known,
        found: false,
    };
    calls.visit_expr(&o.code);
    calls.found
}

/// Collects what patterns bind, in the arguments of macros too.
struct Binders<'a>(&'a mut HashSet<String>);

impl<'ast> Visit<'ast> for Binders<'_> {
    fn visit_pat(&mut self, pat: &'ast syn::Pat) {
        if let syn::Pat::Ident(binding) = pat {
            self.0.insert(binding.ident.to_string());
        }
        visit_pat(self, pat);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        for argument in arguments(mac).iter().flatten() {
            self.visit_expr(argument);
        }
    }
}

/// The arguments of a macro, if all of them are expressions.
fn arguments(mac: &syn::Macro) -> Option<Punctuated<syn::Expr, syn::Token![,]>> {
    mac.parse_body_with(Punctuated::parse_terminated).ok()
}

struct Calls<'a> {
    /// Names whose values are known.
    names: &'a HashSet<String>,
    known: bool,
    found: bool,
}

impl Calls<'_> {
    /// Whether the value is made of known ones.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the user's syntax has more forms than are asked for"
    )]
    fn is_known(&self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Lit(_) => true,
            syn::Expr::Path(p) => {
                self.known
                    && p.path
                        .get_ident()
                        .is_some_and(|i| self.names.contains(&i.to_string()))
            }
            syn::Expr::Paren(e) => self.is_known(&e.expr),
            syn::Expr::Group(e) => self.is_known(&e.expr),
            syn::Expr::Unary(e) => self.is_known(&e.expr),
            syn::Expr::Reference(e) => self.is_known(&e.expr),
            syn::Expr::Cast(_) => true, // only primitives can be cast
            syn::Expr::Field(e) => self.is_known(&e.base),
            syn::Expr::Index(e) => self.is_known(&e.expr),
            syn::Expr::Binary(e) => self.is_known(&e.left) && self.is_known(&e.right),
            syn::Expr::MethodCall(e) => self.is_known(&e.receiver),
            syn::Expr::Range(e) => [&e.start, &e.end]
                .into_iter()
                .flatten()
                .all(|e| self.is_known(e)),
            syn::Expr::Call(e) => is_pure_function(&e.func),
            syn::Expr::Block(e) => match e.block.stmts.split_last() {
                Some((syn::Stmt::Expr(value, None), before)) => {
                    e.label.is_none()
                        && before.iter().all(|s| self.declares(s))
                        && self.is_known(value)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a statement declares what is made of known values.
    fn declares(&self, stmt: &syn::Stmt) -> bool {
        let init = if let syn::Stmt::Local(local) = stmt {
            local.init.as_ref()
        } else {
            None
        };
        init.is_some_and(|init| init.diverge.is_none() && self.is_known(&init.expr))
    }
}

impl<'ast> Visit<'ast> for Calls<'_> {
    /// The arguments, if they are expressions; else whatever looks like a call in them.
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        match arguments(mac) {
            Some(arguments) => {
                for argument in &arguments {
                    let mut inner = Calls { ..*self };
                    inner.visit_expr(argument);
                    self.found |= inner.found;
                }
            }
            None => self.found |= looks_like_call(mac.tokens.clone()),
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "code that is not named has no effect of its own; its parts are visited"
    )]
    fn visit_expr(&mut self, e: &'ast syn::Expr) {
        self.found |= match e {
            syn::Expr::Call(call) => !is_pure_function(&call.func),
            syn::Expr::MethodCall(call) => {
                !is_pure_method(&call.method.to_string()) || !self.is_known(&call.receiver)
            }
            syn::Expr::Macro(m) => return self.visit_macro(&m.mac),
            syn::Expr::Await(_) | syn::Expr::Yield(_) => true,
            _ => false,
        };
        visit_expr(self, e);
    }
}

/// `Some`, and the functions of primitive types whose names are known: a trait of the user's may add others.
fn is_pure_function(func: &syn::Expr) -> bool {
    let syn::Expr::Path(path) = func else {
        return false;
    };
    let names: Vec<String> = path
        .path
        .segments
        .iter()
        .map(|s| s.ident.to_string())
        .collect();
    match names
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["Some" | "Ok" | "Err" | ANSWER] => true,
        // What generated code looks at an option with.
        ["core", "option", "Option", "as_ref"] => path.path.leading_colon.is_some(),
        [primitive, name] => {
            PRIMITIVES.contains(primitive) && (*name == "from" || is_pure_method(name))
        }
        _ => false,
    }
}

/// Whether tokens that are not parsed may contain a call: parentheses behind a name, a `>`, or another group.
fn looks_like_call(tokens: TokenStream) -> bool {
    let mut callee = false;
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => {
            let call = callee && group.delimiter() == proc_macro2::Delimiter::Parenthesis;
            callee = true;
            call || looks_like_call(group.stream())
        }
        TokenTree::Ident(name) => {
            // `Some(…)` in a pattern is no call.
            callee = !matches!(
                name.to_string().as_str(),
                "Some" | "Ok" | "Err" | "if" | "match" | "in"
            );
            false
        }
        TokenTree::Punct(punct) => {
            callee = punct.as_char() == '>';
            false
        }
        TokenTree::Literal(_) => {
            callee = false;
            false
        }
    })
}
