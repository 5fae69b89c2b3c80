//! Which methods with the names of those of floats and of std's types are methods of the user's own types, by the text.
//!
//! `self.z.abs()` is a float's method or one of a type of the user's, and a macro sees no types. What the text says of
//! `z` decides: declarations of variables and fields, and signatures of what is called, in the file or elsewhere in the
//! package. A receiver is taken for one of a type of the user's if the text declares the type, and the method in
//! one of its blocks. That is a guess about names: where it is wrong, the type has no sweeps of this name, or a float
//! is asked for them, and rustc says so.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

mod items;
mod types;
mod variables;

use proc_macro2::{Ident, LineColumn, Span};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};

use crate::ir::hash::{HashMap, HashSet};
use crate::lower::{Derivative, Member, is_float_function, is_method_of_std};
use crate::surroundings::{block_around, declares_some};
use types::{Types, name_of};

/// What the text shows of a function.
#[derive(Default)]
pub(crate) struct Shown {
    /// The calls of methods of types of the user's, of those that std has, too, by where their names stand.
    calls: HashMap<(usize, usize), (Member, Yields)>,
    /// The variables of such types, by their names.
    variables: HashSet<String>,
}

/// What a method yields, as far as its signature says it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Yields {
    /// A value of a type of the user's.
    Own,
    F64,
    F32,
    Unknown,
}

impl Shown {
    pub(crate) fn of(function: &syn::ItemFn) -> Self {
        let mut calls = Calls::default();
        calls.visit_block(&function.block);
        let at = function.sig.ident.span();
        let names = calls
            .found
            .iter()
            .map(|call| call.method.unraw().to_string());
        if !declares_some(at, &names.collect()) {
            return Shown::default();
        }
        let types = Types::of(function, block_around(at), at);
        let own = calls.found.iter().filter_map(|call| {
            let result = types.of_method(call);
            // What it yields carries no derivative, which generated code checks.
            if result.as_ref().is_some_and(is_order) {
                return None;
            }
            let member = own(&types, call)?;
            Some((key(&call.method), (member, yields(&types, result.as_ref()))))
        });
        Shown {
            calls: own.collect(),
            variables: types.variables.names(|ty| types.is_own(ty)),
        }
    }

    /// The method, if it is one of a type of the user's, and what it yields.
    pub(crate) fn call(&self, method: &Ident) -> Option<&(Member, Yields)> {
        self.calls.get(&key(method))
    }

    /// Whether all variables of this name are of such types.
    pub(crate) fn is_own_variable(&self, name: &Ident) -> bool {
        !self.variables.is_empty() && self.variables.contains(&name.unraw().to_string())
    }
}

/// What the definition of the type says that a field of `self` is.
pub(crate) fn field_of(at: Span, field: &syn::Expr) -> Option<syn::Type> {
    field_of_self(&Types::in_block(block_around(at)?, at), field)
}

/// The type of `self.a.b`.
fn field_of_self(types: &Types, e: &syn::Expr) -> Option<syn::Type> {
    match e {
        syn::Expr::Paren(e) => field_of_self(types, &e.expr),
        syn::Expr::Path(path) if path.path.is_ident("self") => types.own(),
        syn::Expr::Field(field) => types.field(&field_of_self(types, &field.base)?, &field.member),
        _ => None,
    }
}

/// The method, if the receiver is of a type of the user's that has it.
fn own(types: &Types, call: &syn::ExprMethodCall) -> Option<Member> {
    let ty = types.of_expr(&call.receiver)?;
    let ty = types::behind(&ty);
    if !types.is_own(ty) {
        return None;
    }
    let member = Member::of(&types.method(name_of(ty)?, &call.method)?, false);
    // One without a derivative may have the meaning of std's: `len`, `is_empty`.
    (member.derivative == Derivative::Own).then_some(member)
}

/// `Ordering`, or an option of one.
fn is_order(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else {
        return false;
    };
    let Some(last) = path.path.segments.last() else {
        return false;
    };
    match &last.arguments {
        syn::PathArguments::AngleBracketed(of) if last.ident == "Option" => {
            matches!(of.args.first(), Some(syn::GenericArgument::Type(ty)) if is_order(ty))
        }
        _ => last.ident == "Ordering",
    }
}

fn yields(types: &Types, result: Option<&syn::Type>) -> Yields {
    match result {
        Some(ty) if types.is_own(ty) => Yields::Own,
        Some(syn::Type::Path(path)) if path.path.is_ident("f64") => Yields::F64,
        Some(syn::Type::Path(path)) if path.path.is_ident("f32") => Yields::F32,
        _ => Yields::Unknown,
    }
}

/// What tells one token of a file from another.
fn key(name: &Ident) -> (usize, usize) {
    let LineColumn { line, column } = name.span().start();
    (line, column)
}

/// The calls that are asked about.
#[derive(Default)]
struct Calls<'f> {
    found: Vec<&'f syn::ExprMethodCall>,
}

impl<'f> Visit<'f> for Calls<'f> {
    fn visit_expr_method_call(&mut self, call: &'f syn::ExprMethodCall) {
        let (name, args) = (call.method.to_string(), call.args.len());
        // What a clone is, is compared with the value.
        if is_float_function(&name, args) || name != "clone" && is_method_of_std(&name, args) {
            self.found.push(call);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_item(&mut self, _: &'f syn::Item) {}
}
