//! The forms of bodies of `Index`: what they end with, and what stands in front of it.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::filled::is_pure;
use crate::ir::Dots;
use crate::ir::hash::HashSet;

/// The body as that of `Index`.
pub(super) fn shared(block: &syn::Block, exclusive: bool) -> syn::Block {
    struct Shared;
    impl VisitMut for Shared {
        fn visit_expr_reference_mut(&mut self, e: &mut syn::ExprReference) {
            e.mutability = None;
            visit_mut::visit_expr_reference_mut(self, e);
        }
        fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
            visit_mut::visit_expr_method_call_mut(self, call);
            let name = call.method.to_string();
            if let "get_mut" | "index_mut" = name.as_str() {
                let name = name.trim_end_matches("_mut");
                call.method = Ident::new(name, call.method.span());
            }
        }
    }
    let mut block = block.clone();
    if exclusive {
        Shared.visit_block_mut(&mut block);
    }
    block
}

/// The body with the values of variables in their places, where it ends with one place, and nothing but numbers that
/// are computed from the index and fields stands in front of it: `let start = row * self.cols; &self.data[start..]`.
pub(super) fn without_variables(block: syn::Block) -> syn::Block {
    let Some((syn::Stmt::Expr(end, None), variables)) = block.stmts.split_last() else {
        return block;
    };
    let mut end = end.clone();
    if leaf(&mut end.clone()).is_none() {
        return block;
    }
    for stmt in variables.iter().rev() {
        let syn::Stmt::Local(local) = stmt else {
            return block;
        };
        let pat = match &local.pat {
            syn::Pat::Type(typed) if typed.ty.to_token_stream().to_string() == "usize" => {
                &typed.pat
            }
            pat => pat,
        };
        let (syn::Pat::Ident(pat), Some(init)) = (pat, &local.init) else {
            return block;
        };
        let plain = pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none();
        if !plain || init.diverge.is_some() || !is_pure(&init.expr) {
            return block;
        }
        let mut value = InPlace {
            of: &pat.ident,
            value: &init.expr,
            count: 0,
        };
        value.visit_expr_mut(&mut end);
        // What is not used may panic all the same.
        if value.count == 0 {
            return block;
        }
    }
    syn::Block {
        stmts: vec![syn::Stmt::Expr(end, None)],
        ..block
    }
}

/// A value in place of a variable.
struct InPlace<'v> {
    of: &'v Ident,
    value: &'v syn::Expr,
    count: usize,
}

impl VisitMut for InPlace<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if matches!(&*e, syn::Expr::Path(path) if path.path.is_ident(self.of)) {
            let value = self.value;
            *e = syn::parse_quote!((#value));
            self.count += 1;
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }
}

/// Methods of `self` by the path of the type: behind a dot, another variable may have another one.
pub(super) struct ByPath<'n> {
    pub(super) of: &'n Ident,
    pub(super) found: bool,
}

impl VisitMut for ByPath<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let syn::Expr::MethodCall(call) = &*e
            && call.turbofish.is_none()
            && matches!(&*call.receiver, syn::Expr::Path(path) if path.path.is_ident("self"))
        {
            self.found = true;
            let (ty, method, args) = (self.of, &call.method, &call.args);
            *e = syn::parse_quote!(#ty::#method(&self, #args));
        }
    }
}

/// The names in some tokens, without those behind a dot.
pub(crate) fn without_fields(tokens: TokenStream, names: &mut HashSet<String>) {
    let mut dots = Dots::default();
    for tree in tokens {
        let is_field = dots.lead_to(&tree);
        match &tree {
            TokenTree::Ident(name) if !is_field => {
                names.insert(name.unraw().to_string());
            }
            TokenTree::Group(group) => without_fields(group.stream(), names),
            _ => {}
        }
    }
}

/// Applies `end` to each place that a reference is returned to. None: something else is returned.
pub(super) fn each_end(
    block: &mut syn::Block,
    end: &mut dyn FnMut(&syn::Expr) -> Option<syn::Expr>,
) -> Option<()> {
    match block.stmts.last_mut()? {
        syn::Stmt::Expr(e, None) => each_end_of(e, end),
        syn::Stmt::Macro(mac) => is_panic(&mac.mac).then_some(()),
        _ => None,
    }
}

fn each_end_of(
    e: &mut syn::Expr,
    end: &mut dyn FnMut(&syn::Expr) -> Option<syn::Expr>,
) -> Option<()> {
    match e {
        syn::Expr::Block(block) if block.label.is_none() => each_end(&mut block.block, end),
        syn::Expr::Paren(paren) => each_end_of(&mut paren.expr, end),
        syn::Expr::If(branch) => {
            each_end(&mut branch.then_branch, end)?;
            each_end_of(&mut branch.else_branch.as_mut()?.1, end)
        }
        syn::Expr::Match(by) => {
            let mut arms = by.arms.iter_mut();
            arms.try_for_each(|arm| each_end_of(&mut arm.body, end))
        }
        syn::Expr::Macro(mac) => is_panic(&mac.mac).then_some(()),
        other => {
            let mut place = other.clone();
            let place = leaf(&mut place)?;
            *other = end(&place)?;
            Some(())
        }
    }
}

/// The place of `self` that a reference leads to.
pub(super) fn leaf(e: &mut syn::Expr) -> Option<syn::Expr> {
    match e {
        syn::Expr::Reference(to) if to.mutability.is_none() && is_part(&to.expr) => {
            Some((*to.expr).clone())
        }
        syn::Expr::MethodCall(call) => element(call).filter(is_part),
        _ => None,
    }
}

/// `self.data.get(i).unwrap()`, `self.data.index(i)`
fn element(call: &syn::ExprMethodCall) -> Option<syn::Expr> {
    let name = call.method.to_string();
    let args: Vec<&syn::Expr> = call.args.iter().collect();
    let (of, index) = match (name.as_str(), args.as_slice()) {
        ("index", [index]) => (&call.receiver, (*index).clone()),
        ("unwrap", []) | ("expect", [_]) => match &*call.receiver {
            syn::Expr::MethodCall(get) if get.method == "get" && get.args.len() == 1 => {
                (&get.receiver, get.args[0].clone())
            }
            _ => return None,
        },
        _ => return None,
    };
    let index: syn::Expr = index;
    Some(syn::parse_quote!(#of[#index]))
}

/// `self.a.b`, `self.a[i]`, `self.a[i..j]`
fn is_part(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Field(field) => {
            is_part(&field.base)
                || matches!(&*field.base, syn::Expr::Path(path) if path.path.is_ident("self"))
        }
        syn::Expr::Index(index) => is_part(&index.expr),
        syn::Expr::Paren(paren) => is_part(&paren.expr),
        _ => false,
    }
}

pub(super) fn is_panic(mac: &syn::Macro) -> bool {
    ["panic", "unreachable", "todo", "unimplemented"]
        .iter()
        .any(|name| mac.path.is_ident(name))
}

/// What leaves a body, or has a meaning of its own in it.
#[derive(Default)]
pub(super) struct Looked {
    pub(super) failed: bool,
}

impl<'ast> Visit<'ast> for Looked {
    fn visit_expr(&mut self, e: &'ast syn::Expr) {
        self.failed |= matches!(
            e,
            syn::Expr::Return(_)
                | syn::Expr::Try(_)
                | syn::Expr::Closure(_)
                | syn::Expr::Struct(_)
                | syn::Expr::ForLoop(_)
                | syn::Expr::While(_)
                | syn::Expr::Loop(_)
                | syn::Expr::Unsafe(_)
                | syn::Expr::Async(_)
                | syn::Expr::Await(_)
                | syn::Expr::Break(_)
                | syn::Expr::Continue(_)
                | syn::Expr::Assign(_)
        );
        visit::visit_expr(self, e);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let checks = ["assert", "assert_eq", "assert_ne"];
        let known = checks
            .iter()
            .any(|name| mac.path.is_ident(name) || mac.path.is_ident(&format!("debug_{name}")));
        self.failed |= !known && !is_panic(mac);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {
        self.failed = true;
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {
        self.failed = true;
    }
}

/// The variables of a body.
#[derive(Default)]
pub(super) struct Bound {
    pub(super) names: HashSet<String>,
}

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.names.insert(pat.ident.unraw().to_string());
        visit::visit_pat_ident(self, pat);
    }
}

/// How the names of an index are used: as indices of arrays, or otherwise.
pub(super) struct OfArrays {
    pub(super) names: HashSet<String>,
    pub(super) used: HashSet<String>,
    pub(super) otherwise: bool,
}

impl<'ast> Visit<'ast> for OfArrays {
    fn visit_expr_index(&mut self, e: &'ast syn::ExprIndex) {
        self.visit_expr(&e.expr);
        match &*e.index {
            syn::Expr::Path(path) if path.path.get_ident().is_some() => {
                self.used
                    .extend(path.path.get_ident().map(|name| name.unraw().to_string()));
            }
            index => self.visit_expr(index),
        }
    }

    fn visit_expr_path(&mut self, e: &'ast syn::ExprPath) {
        let name = e.path.get_ident().map(|name| name.unraw().to_string());
        self.otherwise |= name.is_some_and(|name| self.names.contains(&name));
    }

    fn visit_macro(&mut self, _: &'ast syn::Macro) {
        self.otherwise = true;
    }
}
