//! Guards that bind names, `Some(v) if let Some(w) = x.get(1) => v * w`: the arm alone may use them, and which arm runs
//! is asked apart from what it does.

use proc_macro2::Span;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};

use super::Lowerer;
use crate::diag::catalog;

impl Lowerer<'_> {
    /// No guard has a `let`, wherever it stands.
    pub(super) fn no_guard_binds(&mut self, body: &syn::Block) {
        let mut lets = Lets::default();
        lets.visit_block(body);
        for span in lets.found {
            self.diags.at(span, catalog::guard_let());
        }
    }
}

#[derive(Default)]
struct Lets {
    found: Vec<Span>,
    in_guard: bool,
}

impl<'ast> Visit<'ast> for Lets {
    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        visit::visit_pat(self, &arm.pat);
        if let Some((_, guard)) = &arm.guard {
            self.in_guard = true;
            visit::visit_expr(self, guard);
            self.in_guard = false;
        }
        visit::visit_expr(self, &arm.body);
    }

    fn visit_expr_let(&mut self, e: &'ast syn::ExprLet) {
        if self.in_guard {
            self.found.push(e.let_token.span);
        }
        visit::visit_expr_let(self, e);
    }

    /// The conditions of what stands inside of a guard are not the guard's.
    fn visit_block(&mut self, block: &'ast syn::Block) {
        let in_guard = std::mem::take(&mut self.in_guard);
        visit::visit_block(self, block);
        self.in_guard = in_guard;
    }

    fn visit_expr_if(&mut self, e: &'ast syn::ExprIf) {
        let in_guard = std::mem::take(&mut self.in_guard);
        visit::visit_expr_if(self, e);
        self.in_guard = in_guard;
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let args = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        let Ok(args) = args.parse2(mac.tokens.clone()) else {
            return;
        };
        let mut inside = Lets::default();
        args.iter().for_each(|arg| inside.visit_expr(arg));
        self.found.append(&mut inside.found);
    }
}
