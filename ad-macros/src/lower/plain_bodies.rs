//! What the bodies of functions without an attribute do, as far as their text shows it.
//!
//! A value that is given to such a function could be given back later, from a cell or out of the bits of an integer. So
//! what is called in a body has to be read as well, or be something that std has for numbers, options, text and
//! containers of the function's own.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::parse::Parser as _;
use syn::visit::{self, Visit};

use super::method_names::{is_float_function, is_known_of_language, same_type_arguments};
use super::types::is_of_std;
use crate::ir::hash::HashSet;
use crate::ir::is_reader;
use crate::surroundings::{function_of_module, may_declare_function, methods_named};

/// Functions that are looked into for one call.
const FUNCTIONS: usize = 12;

/// Whether the body, and what it calls, makes nothing of the bits of a float, and keeps nothing.
pub(super) fn has_no_bits(function: &syn::ItemFn, at: Span, seen: &mut HashSet<String>) -> bool {
    // One that calls itself has been looked at.
    !seen.insert(function.sig.ident.to_string())
        || seen.len() <= FUNCTIONS && is_read(&function.sig, &function.block, at, seen)
}

fn is_read(sig: &syn::Signature, block: &syn::Block, at: Span, seen: &mut HashSet<String>) -> bool {
    let mut parameters = Bound::default();
    for input in &sig.inputs {
        parameters.visit_fn_arg(input);
    }
    let mut bound = Bound::default();
    bound.visit_block(block);
    let mut body = Body {
        at,
        seen,
        named: parameters.named.union(&bound.named).cloned().collect(),
        callable: bound.callable,
        is_open: false,
    };
    body.visit_block(block);
    !body.is_open
}

/// The names that patterns bind.
#[derive(Default)]
struct Bound {
    named: HashSet<String>,
    /// Those of closures, and of functions that are named where they are bound.
    callable: HashSet<String>,
}

impl Visit<'_> for Bound {
    fn visit_pat_ident(&mut self, pat: &syn::PatIdent) {
        self.named.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }

    fn visit_local(&mut self, local: &syn::Local) {
        if let (syn::Pat::Ident(pat), Some(init)) = (&local.pat, &local.init)
            && matches!(&*init.expr, syn::Expr::Closure(_) | syn::Expr::Path(_))
        {
            self.callable.insert(pat.ident.to_string());
        }
        visit::visit_local(self, local);
    }
}

struct Body<'s> {
    at: Span,
    seen: &'s mut HashSet<String>,
    named: HashSet<String>,
    callable: HashSet<String>,
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

    /// Whether a function that is called, or given to another, is known to keep nothing.
    fn is_known(&mut self, path: &syn::Path, is_called: bool) -> bool {
        if let Some(name) = path.get_ident() {
            let text = name.to_string();
            if self.named.contains(&text) {
                // What a closure does has been looked at; any other name may be a parameter, or a part of one.
                return !is_called || self.callable.contains(&text);
            }
            return match function_of_module(self.at, name) {
                Some(function) => has_no_bits(&function, self.at, self.seen),
                // A variant, a constant, what an error is made of.
                None => text.starts_with(char::is_uppercase) || text == "self",
            };
        }
        let mut segments = path.segments.iter().rev();
        let mut next = || segments.next().map(|segment| segment.ident.to_string());
        let (last, of) = (next().unwrap_or_default(), next().unwrap_or_default());
        if last.starts_with(char::is_uppercase) {
            return true;
        }
        (is_of_std(&of) || super::is_primitive(&of)) && (makes_one(&last) || keeps_nothing(&last))
    }

    /// Whether all functions of a name, of which the file has some, keep nothing.
    fn is_known_here(&mut self, name: &Ident) -> bool {
        // Names of a text that is read again have no place of their own.
        let mut placed = name.clone();
        placed.set_span(self.at);
        let methods = methods_named(self.at, &placed);
        let known = !self.seen.insert(format!(".{name}"))
            || self.seen.len() <= FUNCTIONS
                && methods
                    .iter()
                    .all(|method| is_read(&method.sig, &method.block, self.at, self.seen));
        !methods.is_empty() && known
    }

    /// What macros of std are given.
    fn arguments(&mut self, tokens: &TokenStream) {
        let list = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let repeated = |input: syn::parse::ParseStream<'_>| {
            let value: syn::Expr = input.parse()?;
            input.parse::<syn::Token![;]>()?;
            Ok([value, input.parse()?])
        };
        // Of `matches!` the pattern has names alone, and the guard yields a `bool`.
        let first = |input: syn::parse::ParseStream<'_>| {
            let value: syn::Expr = input.parse()?;
            input.parse::<syn::Token![,]>()?;
            syn::Pat::parse_multi_with_leading_vert(input)?;
            if input.parse::<Option<syn::Token![if]>>()?.is_some() {
                input.parse::<syn::Expr>()?;
            }
            input.parse::<Option<syn::Token![,]>>()?;
            Ok(value)
        };
        if let Ok(all) = list.parse2(tokens.clone()) {
            for e in &all {
                // A name of a format string.
                let e = match e {
                    syn::Expr::Assign(named) => &named.right,
                    e => e,
                };
                self.visit_expr(e);
            }
        } else if let Ok(both) = repeated.parse2(tokens.clone()) {
            both.iter().for_each(|e| self.visit_expr(e));
        } else if let Ok(value) = first.parse2(tokens.clone()) {
            self.visit_expr(&value);
        } else {
            self.is_open = true;
        }
    }

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

impl Visit<'_> for Body<'_> {
    fn visit_ident(&mut self, name: &Ident) {
        self.name(name);
    }

    fn visit_expr_call(&mut self, call: &syn::ExprCall) {
        match &*call.func {
            syn::Expr::Path(path) if path.qself.is_none() => {
                self.is_open |= !self.is_known(&path.path, true);
                self.visit_path(&path.path);
            }
            _ => self.is_open = true,
        }
        call.args.iter().for_each(|arg| self.visit_expr(arg));
    }

    /// A function may be given to one that calls it.
    fn visit_expr_path(&mut self, path: &syn::ExprPath) {
        self.is_open |= !self.is_known(&path.path, false);
        visit::visit_expr_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
        let name = call.method.to_string();
        let known = if may_declare_function(self.at, &call.method) {
            self.is_known_here(&call.method)
        } else {
            // A cell has a `swap` with one argument.
            keeps_nothing(&name) || name == "swap" && call.args.len() == 2
        };
        self.is_open |= !known;
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, of: &syn::Macro) {
        self.is_open |= !super::macros::is_listed(&of.path);
        self.tokens(&of.tokens);
        self.arguments(&of.tokens);
    }

    fn visit_expr_unsafe(&mut self, _: &syn::ExprUnsafe) {
        self.is_open = true;
    }

    fn visit_item(&mut self, _: &syn::Item) {
        self.is_open = true;
    }
}

/// Functions of types of std that make a value.
fn makes_one(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "new",
        "default",
        "with_capacity",
        "from",
        "try_from",
        "from_iter",
        "from_str_radix",
    ];
    NAMES.contains(&name)
}

/// Methods that std has for numbers, options, containers of the function's own and chains, none of which a cell, a lock
/// or an atomic has for what it is given.
fn keeps_nothing(name: &str) -> bool {
    const OTHERS: &[&str] = &[
        "all",
        "and",
        "and_then",
        "any",
        "append",
        "as_bool",
        "as_mut",
        "by_ref",
        "char_indices",
        "clear",
        "count",
        "dedup",
        "drain",
        "entry",
        "err",
        "eq_ignore_ascii_case",
        "extend",
        "fill",
        "filter",
        "first_mut",
        "for_each",
        "insert",
        "get_mut",
        "is_none_or",
        "is_some_and",
        "iter_mut",
        "last_mut",
        "leading_zeros",
        "map_err",
        "map_or",
        "map_or_else",
        "next",
        "next_back",
        "next_multiple_of",
        "next_power_of_two",
        "ok",
        "ok_or",
        "ok_or_else",
        "or",
        "or_default",
        "or_else",
        "or_insert",
        "or_insert_with",
        "parse",
        "peek",
        "pop",
        "position",
        "push",
        "push_str",
        "remove",
        "resize",
        "retain",
        "reverse",
        "rotate_left",
        "rotate_right",
        "rposition",
        "swap_remove",
        "then",
        "then_some",
        "then_with",
        "to_f32",
        "to_f64",
        "trailing_zeros",
        "truncate",
        "unwrap_or_default",
        "unwrap_or_else",
        "unsigned_abs",
        "xor",
    ];
    const PREFIXES: [&str; 8] = [
        "abs_",
        "checked_",
        "max",
        "min",
        "overflowing_",
        "saturating_",
        "sort",
        "wrapping_",
    ];
    OTHERS.contains(&name)
        || is_reader(name)
        || is_known_of_language(name)
        || is_float_function(name, usize::from(name != "sin_cos"))
        || is_float_function(name, 0)
        || same_type_arguments(name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
