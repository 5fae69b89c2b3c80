//! Which functions the loops of a function call, and which names it gives a meaning of its own.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};

use crate::ir::hash::HashSet;

/// What the text of a function calls and declares.
#[derive(Default)]
pub(super) struct Calls {
    /// The functions that are called by their names alone, in loops and in closures, which are given to chains.
    pub(super) called: Vec<Ident>,
    /// The names of its parameters of types and constants, and of the items in its body.
    pub(super) declared: HashSet<String>,
    /// The names of its variables.
    bound: HashSet<String>,
    depth: usize,
    /// Something may give any name a meaning: an import, which may be of traits with methods, or a macro.
    open: bool,
}

impl Calls {
    pub(super) fn of(function: &syn::ItemFn) -> Self {
        let mut calls = Calls::default();
        calls.visit_signature(&function.sig);
        calls.visit_block(&function.block);
        if calls.open {
            calls.called.clear();
        }
        calls
    }

    /// Whether a name means something else in the function than around it.
    pub(super) fn names_something(&self, name: &str) -> bool {
        self.declared.contains(name) || self.bound.contains(name)
    }

    fn declare(&mut self, ident: &Ident) {
        self.declared.insert(ident.unraw().to_string());
    }

    fn inside(&mut self, walk: impl FnOnce(&mut Self)) {
        self.depth += 1;
        walk(self);
        self.depth -= 1;
    }
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_generic_param(&mut self, param: &'ast syn::GenericParam) {
        match param {
            syn::GenericParam::Type(param) => self.declare(&param.ident),
            syn::GenericParam::Const(param) => self.declare(&param.ident),
            syn::GenericParam::Lifetime(_) => {}
        }
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.bound.insert(pat.ident.unraw().to_string());
        visit::visit_pat_ident(self, pat);
    }

    fn visit_expr_for_loop(&mut self, repeated: &'ast syn::ExprForLoop) {
        self.visit_pat(&repeated.pat);
        self.visit_expr(&repeated.expr);
        self.inside(|calls| calls.visit_block(&repeated.body));
    }

    fn visit_expr_while(&mut self, repeated: &'ast syn::ExprWhile) {
        self.inside(|calls| visit::visit_expr_while(calls, repeated));
    }

    fn visit_expr_loop(&mut self, repeated: &'ast syn::ExprLoop) {
        self.inside(|calls| visit::visit_expr_loop(calls, repeated));
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.inside(|calls| visit::visit_expr_closure(calls, closure));
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if self.depth > 0
            && let syn::Expr::Path(path) = &*call.func
            && path.qself.is_none()
            && let Some(name) = path.path.get_ident()
            && !self.called.iter().any(|known| known == name)
        {
            self.called.push(name.clone());
        }
        visit::visit_expr_call(self, call);
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the user's syntax has more forms than are asked for; the others give any name a meaning"
    )]
    fn visit_item(&mut self, item: &'ast syn::Item) {
        match item {
            syn::Item::Fn(item) => self.declare(&item.sig.ident),
            syn::Item::Const(item) => self.declare(&item.ident),
            syn::Item::Static(item) => self.declare(&item.ident),
            syn::Item::Type(item) => self.declare(&item.ident),
            _ => self.open = true,
        }
    }
}
