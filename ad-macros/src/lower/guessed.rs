//! What the text of a closure shows of a variable whose type is not known: whether it is used as a slice.
//!
//! A guess: rustc rejects it where it is wrong.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};

use super::operator::strip;
use super::scope::name_of;

/// How a name is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// In no way that tells.
    Unknown,
    /// Its elements are read.
    Elements,
    /// Its elements are written.
    Written,
}

/// Methods of slices and vectors, but not of numbers, that only read.
const READERS: &[&str] = &[
    "len",
    "is_empty",
    "iter",
    "windows",
    "chunks",
    "chunks_exact",
    "first",
    "last",
    "get",
    "get_unchecked",
    "to_vec",
    "split_at",
];

/// Methods of slices that write.
const WRITERS: &[&str] = &[
    "iter_mut",
    "fill",
    "swap",
    "reverse",
    "copy_from_slice",
    "chunks_mut",
    "chunks_exact_mut",
    "split_at_mut",
    "get_mut",
    "get_unchecked_mut",
    "first_mut",
    "last_mut",
    "rotate_left",
    "rotate_right",
];

/// How the body of a closure uses a name.
pub(super) fn used(body: &syn::Expr, name: &Ident) -> Use {
    let mut finder = Finder {
        name,
        found: Use::Unknown,
    };
    finder.visit_expr(body);
    finder.found
}

struct Finder<'n> {
    name: &'n Ident,
    found: Use,
}

impl Finder<'_> {
    fn is_name(&self, e: &syn::Expr) -> bool {
        name_of(strip(e)).is_some_and(|ident| ident.unraw() == self.name.unraw())
    }

    fn note(&mut self, found: Use) {
        self.found = self.found.max(found);
    }

    /// What stands on the left of an assignment.
    fn written(&mut self, e: &syn::Expr) {
        match strip(e) {
            syn::Expr::Index(i) if self.is_name(&i.expr) => self.note(Use::Written),
            syn::Expr::Index(i) => self.written(&i.expr),
            syn::Expr::Tuple(t) => t.elems.iter().for_each(|e| self.written(e)),
            syn::Expr::Array(a) => a.elems.iter().for_each(|e| self.written(e)),
            _ => {}
        }
    }
}

/// What an expression refers to.
fn referent(e: &syn::Expr) -> &syn::Expr {
    match strip(e) {
        syn::Expr::Reference(r) => &r.expr,
        e => e,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_index(&mut self, i: &'ast syn::ExprIndex) {
        if self.is_name(&i.expr) {
            self.note(Use::Elements);
        }
        visit::visit_expr_index(self, i);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if self.is_name(&call.receiver) {
            let method = call.method.to_string();
            if READERS.contains(&method.as_str()) {
                self.note(Use::Elements);
            } else if WRITERS.contains(&method.as_str()) {
                self.note(Use::Written);
            }
        }
        let takes = ["copy_from_slice", "extend_from_slice", "zip"];
        if takes.iter().any(|name| call.method == name)
            && call
                .args
                .first()
                .is_some_and(|arg| self.is_name(referent(arg)))
        {
            self.note(Use::Elements);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_for_loop(&mut self, l: &'ast syn::ExprForLoop) {
        if self.is_name(referent(&l.expr)) {
            self.note(Use::Elements);
        }
        visit::visit_expr_for_loop(self, l);
    }

    fn visit_expr_assign(&mut self, a: &'ast syn::ExprAssign) {
        self.written(&a.left);
        visit::visit_expr_assign(self, a);
    }

    fn visit_expr_binary(&mut self, b: &'ast syn::ExprBinary) {
        let text = b.op.to_token_stream().to_string();
        if text.ends_with('=') && !matches!(text.as_str(), "==" | "!=" | "<=" | ">=") {
            self.written(&b.left);
        }
        visit::visit_expr_binary(self, b);
    }

    fn visit_expr_reference(&mut self, r: &'ast syn::ExprReference) {
        if r.mutability.is_some() {
            self.written(&r.expr);
        }
        visit::visit_expr_reference(self, r);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// Whether an integer is a `usize`, as far as the text of a function shows it: it stands in an index, or beside a
/// length or a number of this type.
pub(super) fn counts(body: proc_macro2::TokenStream, name: &Ident) -> bool {
    let Ok(block) = syn::parse2::<syn::Block>(body) else {
        return false;
    };
    let mut counter = Counter { name, found: false };
    counter.visit_block(&block);
    counter.found
}

struct Counter<'n> {
    name: &'n Ident,
    found: bool,
}

impl Counter<'_> {
    /// Whether the value of an expression has the type of a number with this name in it.
    fn has_name(&self, e: &syn::Expr) -> bool {
        match strip(e) {
            syn::Expr::Binary(b) => self.has_name(&b.left) || self.has_name(&b.right),
            e => name_of(e).is_some_and(|ident| ident.unraw() == self.name.unraw()),
        }
    }

    fn beside(&mut self, a: &syn::Expr, b: &syn::Expr) {
        self.found |= self.has_name(a) && is_usize(b) || self.has_name(b) && is_usize(a);
    }
}

/// `x.len()`, `5_usize`, or arithmetic with one of them.
fn is_usize(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::MethodCall(call) => call.method == "len" && call.args.is_empty(),
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) => n.suffix() == "usize",
        syn::Expr::Binary(b) => is_usize(&b.left) || is_usize(&b.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Counter<'_> {
    fn visit_expr_index(&mut self, index: &'ast syn::ExprIndex) {
        self.found |= self.has_name(&index.index);
        visit::visit_expr_index(self, index);
    }

    fn visit_expr_binary(&mut self, b: &'ast syn::ExprBinary) {
        if !matches!(b.op, syn::BinOp::Shl(_) | syn::BinOp::Shr(_)) {
            self.beside(&b.left, &b.right);
        }
        visit::visit_expr_binary(self, b);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if let (Some(arg), 1) = (call.args.first(), call.args.len()) {
            self.beside(&call.receiver, arg);
        }
        visit::visit_expr_method_call(self, call);
    }
}
