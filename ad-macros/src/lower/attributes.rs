//! Attributes on parameters, statements and expressions.

use super::Lowerer;
use crate::diag::catalog;
use crate::functions;

/// What an attribute inside the function means.
enum Meaning {
    Ignored,
    Checkpoint,
    Parallel,
    Refused,
}

impl Lowerer<'_> {
    /// Whether the parameter is `#[constant]`.
    pub(super) fn parameter_attributes(&mut self, attrs: &[syn::Attribute]) -> bool {
        let mut constant = false;
        for attr in attrs {
            if attr.path().is_ident("constant") {
                constant = true;
            } else if matches!(self.meaning(attr), Meaning::Parallel) {
                self.diags.over(attr, catalog::parallel_target());
            }
        }
        constant
    }

    /// Whether the expression is to be lowered plainly: it has no `#[checkpoint]`.
    pub(super) fn expr_attributes(&mut self, e: &syn::Expr) -> bool {
        let mut plain = true;
        for attr in attributes_of(e) {
            match self.meaning(attr) {
                Meaning::Parallel if !matches!(e, syn::Expr::ForLoop(_)) => {
                    self.diags.over(attr, catalog::parallel_target());
                }
                Meaning::Checkpoint => plain = false,
                Meaning::Parallel | Meaning::Ignored | Meaning::Refused => {}
            }
        }
        plain
    }

    /// Reports unsupported attributes; `false` if `#[checkpoint]` is among them.
    pub(super) fn plain_attributes(&mut self, attrs: &[syn::Attribute]) -> bool {
        let mut plain = true;
        for attr in attrs {
            match self.meaning(attr) {
                Meaning::Parallel => self.diags.over(attr, catalog::parallel_target()),
                Meaning::Checkpoint => plain = false,
                Meaning::Ignored | Meaning::Refused => {}
            }
        }
        plain
    }

    fn meaning(&mut self, attr: &syn::Attribute) -> Meaning {
        let first = attr
            .path()
            .segments
            .first()
            .map(|s| s.ident.to_string())
            .unwrap_or_default();
        let message = match first.as_str() {
            functions::SHARED | functions::MUTABLE => return Meaning::Ignored,
            "allow" | "warn" | "deny" | "expect" | "forbid" | "doc" | "inline" | "rustfmt"
            | "clippy" => return Meaning::Ignored,
            "checkpoint" if matches!(attr.meta, syn::Meta::Path(_)) => return Meaning::Checkpoint,
            "checkpoint" => catalog::checkpoint_schedule(),
            "cfg" | "cfg_attr" => catalog::cfg(),
            "parallel" if !cfg!(feature = "rayon") => catalog::parallel_feature(),
            "parallel" if matches!(attr.meta, syn::Meta::Path(_)) => return Meaning::Parallel,
            "parallel" => catalog::parallel_target(),
            "constant" => catalog::constant_on_code(),
            other => catalog::unknown_attribute(other),
        };
        self.diags.over(attr, message);
        Meaning::Refused
    }
}

/// The attributes of an expression.
pub(crate) fn attributes_of(e: &syn::Expr) -> &[syn::Attribute] {
    match e {
        syn::Expr::Array(e) => &e.attrs,
        syn::Expr::Assign(e) => &e.attrs,
        syn::Expr::Async(e) => &e.attrs,
        syn::Expr::Await(e) => &e.attrs,
        syn::Expr::Binary(e) => &e.attrs,
        syn::Expr::Block(e) => &e.attrs,
        syn::Expr::Break(e) => &e.attrs,
        syn::Expr::Call(e) => &e.attrs,
        syn::Expr::Cast(e) => &e.attrs,
        syn::Expr::Closure(e) => &e.attrs,
        syn::Expr::Const(e) => &e.attrs,
        syn::Expr::Continue(e) => &e.attrs,
        syn::Expr::Field(e) => &e.attrs,
        syn::Expr::ForLoop(e) => &e.attrs,
        syn::Expr::If(e) => &e.attrs,
        syn::Expr::Index(e) => &e.attrs,
        syn::Expr::Lit(e) => &e.attrs,
        syn::Expr::Loop(e) => &e.attrs,
        syn::Expr::Macro(e) => &e.attrs,
        syn::Expr::Match(e) => &e.attrs,
        syn::Expr::MethodCall(e) => &e.attrs,
        syn::Expr::Paren(e) => &e.attrs,
        syn::Expr::Path(e) => &e.attrs,
        syn::Expr::Range(e) => &e.attrs,
        syn::Expr::Reference(e) => &e.attrs,
        syn::Expr::Repeat(e) => &e.attrs,
        syn::Expr::Return(e) => &e.attrs,
        syn::Expr::Struct(e) => &e.attrs,
        syn::Expr::Try(e) => &e.attrs,
        syn::Expr::Tuple(e) => &e.attrs,
        syn::Expr::Unary(e) => &e.attrs,
        syn::Expr::Unsafe(e) => &e.attrs,
        syn::Expr::While(e) => &e.attrs,
        _ => &[],
    }
}

/// The expression without its `#[checkpoint]`.
pub(super) fn without_checkpoint(e: &syn::Expr) -> syn::Expr {
    fn strip(attrs: &mut Vec<syn::Attribute>) {
        attrs.retain(|attr| !attr.path().is_ident("checkpoint"));
    }
    let mut e = e.clone();
    match &mut e {
        syn::Expr::Block(e) => strip(&mut e.attrs),
        syn::Expr::Call(e) => strip(&mut e.attrs),
        syn::Expr::ForLoop(e) => strip(&mut e.attrs),
        syn::Expr::While(e) => strip(&mut e.attrs),
        syn::Expr::Loop(e) => strip(&mut e.attrs),
        syn::Expr::If(e) => strip(&mut e.attrs),
        syn::Expr::Match(e) => strip(&mut e.attrs),
        syn::Expr::MethodCall(e) => strip(&mut e.attrs),
        syn::Expr::Paren(e) => strip(&mut e.attrs),
        syn::Expr::Binary(e) => strip(&mut e.attrs),
        syn::Expr::Unary(e) => strip(&mut e.attrs),
        syn::Expr::Assign(e) => strip(&mut e.attrs),
        syn::Expr::Tuple(e) => strip(&mut e.attrs),
        syn::Expr::Array(e) => strip(&mut e.attrs),
        _ => {}
    }
    e
}
