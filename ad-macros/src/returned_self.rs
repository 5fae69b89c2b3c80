//! Methods that return the receiver: `fn gain(&mut self, by: f64) -> &mut Self { …; self }`.
//!
//! What they do is done to `self`. So their sweeps are those of a method that returns nothing.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

use syn::visit::Visit;

use crate::ir::Passing;
use crate::lower::passing;

/// The signature and the body of one that returns nothing, if all that the method returns is `self`. A `return` that a
/// macro hides would be an error of rustc.
pub(crate) fn without(
    sig: &syn::Signature,
    body: &syn::Block,
) -> Option<(syn::Signature, syn::Block)> {
    let (mut sig, mut body) = (sig.clone(), body.clone());
    let syn::ReturnType::Type(_, output) = &sig.output else {
        return None;
    };
    let itself = matches!(&**output, syn::Type::Reference(to)
        if to.mutability.is_some()
            && matches!(&*to.elem, syn::Type::Path(ty) if ty.path.is_ident("Self")));
    if !itself || sig.receiver().and_then(passing) != Some(Passing::InOut) {
        return None;
    }
    match body.stmts.pop() {
        Some(syn::Stmt::Expr(e, None)) if is_self(&e) => {}
        _ => return None,
    }
    let ends_once = !leaves_early(&body);
    sig.output = syn::ReturnType::Default;
    ends_once.then_some((sig, body))
}

/// Whether a body has another exit than its end.
pub(crate) fn leaves_early(body: &syn::Block) -> bool {
    let mut returns = Returns(false);
    returns.visit_block(body);
    returns.0
}

fn is_self(e: &syn::Expr) -> bool {
    matches!(e, syn::Expr::Path(path) if path.path.is_ident("self"))
}

struct Returns(bool);

impl Visit<'_> for Returns {
    fn visit_expr_return(&mut self, _: &syn::ExprReturn) {
        self.0 = true;
    }

    fn visit_expr_try(&mut self, _: &syn::ExprTry) {
        self.0 = true;
    }

    fn visit_expr_closure(&mut self, _: &syn::ExprClosure) {}

    fn visit_item(&mut self, _: &syn::Item) {}
}
