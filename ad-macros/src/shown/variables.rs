//! The types of variables, by their declarations. All declarations of a name in the function have to agree.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};

use super::items::item_of;
use super::types::{Types, behind, element_of, payload_of};
use crate::ir::hash::{HashMap, HashSet};

/// The variables, by their names; `None` where the declarations do not agree, or do not say it.
#[derive(Default)]
pub(super) struct Variables {
    types: HashMap<String, Option<syn::Type>>,
}

impl Variables {
    pub(super) fn type_of(&self, name: &Ident) -> Option<syn::Type> {
        self.types.get(&name.unraw().to_string())?.clone()
    }

    /// The names of those whose type is such a one.
    pub(super) fn names(&self, is: impl Fn(&syn::Type) -> bool) -> HashSet<String> {
        let types = self.types.iter();
        let found = types.filter(|(_, ty)| ty.as_ref().is_some_and(|ty| is(behind(ty))));
        found.map(|(name, _)| name.clone()).collect()
    }

    fn declare(&mut self, name: &Ident, ty: Option<syn::Type>) {
        let name = name.unraw().to_string();
        let declared = self.types.entry(name).or_insert_with(|| ty.clone());
        let same = match (&*declared, &ty) {
            (Some(a), Some(b)) => behind(a) == behind(b),
            _ => false,
        };
        if !same {
            *declared = None;
        }
    }
}

/// Notes all variables of a function.
pub(super) fn declare_all(types: &mut Types, function: &syn::ItemFn) {
    let mut walk = Walk { types };
    for input in &function.sig.inputs {
        match input {
            syn::FnArg::Receiver(_) => {
                let own = walk.types.own();
                let itself = Ident::new("self", proc_macro2::Span::call_site());
                walk.types.variables.declare(&itself, own);
            }
            syn::FnArg::Typed(input) => {
                let ty = walk.types.written(&input.ty);
                walk.pattern(&input.pat, Some(&ty));
            }
        }
    }
    walk.visit_block(&function.block);
}

struct Walk<'t> {
    types: &'t mut Types,
}

impl Walk<'_> {
    /// Declares what a pattern binds, of a value of this type.
    fn pattern(&mut self, pat: &syn::Pat, ty: Option<&syn::Type>) {
        let of = ty.map(behind);
        match pat {
            syn::Pat::Ident(name) => {
                self.types.variables.declare(&name.ident, ty.cloned());
                if let Some((_, sub)) = &name.subpat {
                    self.pattern(sub, ty);
                }
            }
            syn::Pat::Reference(to) => self.pattern(&to.pat, of),
            syn::Pat::Paren(inner) => self.pattern(&inner.pat, ty),
            syn::Pat::Type(typed) => {
                let ty = self.types.written(&typed.ty);
                self.pattern(&typed.pat, Some(&ty));
            }
            syn::Pat::Tuple(tuple) => {
                let parts = match of {
                    Some(syn::Type::Tuple(parts)) if parts.elems.len() == tuple.elems.len() => {
                        Some(parts)
                    }
                    _ => None,
                };
                for (n, pat) in tuple.elems.iter().enumerate() {
                    self.pattern(pat, parts.and_then(|parts| parts.elems.get(n)));
                }
            }
            syn::Pat::Struct(fields) => {
                for field in &fields.fields {
                    let ty = of.and_then(|of| self.types.field(of, &field.member));
                    self.pattern(&field.pat, ty.as_ref());
                }
            }
            syn::Pat::TupleStruct(fields) => {
                let holds = of.and_then(payload_of).map(|ty| self.types.written(&ty));
                for (n, pat) in fields.elems.iter().enumerate() {
                    let of_struct = of.and_then(|of| self.types.field(of, &syn::Member::from(n)));
                    self.pattern(pat, holds.clone().or(of_struct).as_ref());
                }
            }
            syn::Pat::Slice(parts) => {
                let element = of.and_then(element_of);
                parts
                    .elems
                    .iter()
                    .for_each(|pat| self.pattern(pat, element.as_ref()));
            }
            syn::Pat::Or(cases) => cases.cases.iter().for_each(|pat| self.pattern(pat, ty)),
            _ => {}
        }
    }

    /// The closure of an adapter: it is given the items.
    fn closure(&mut self, call: &syn::ExprMethodCall, closure: &syn::ExprClosure) {
        let name = call.method.to_string();
        let item = item_of(self.types, &call.receiver);
        let held = || {
            self.types
                .of_expr(&call.receiver)
                .as_ref()
                .map(behind)
                .and_then(payload_of)
        };
        let ty = match name.as_str() {
            "map" | "for_each" | "filter" | "any" | "all" | "flat_map" | "filter_map"
            | "position" | "find" | "inspect" | "take_while" | "skip_while" | "map_while"
            | "map_or" | "and_then" | "is_some_and" => item.or_else(held),
            "fold" => {
                let parts: Vec<&syn::Pat> = closure.inputs.iter().collect();
                if let [sum, pat] = parts.as_slice() {
                    let begin = call
                        .args
                        .first()
                        .and_then(|begin| self.types.of_expr(begin));
                    self.pattern(sum, begin.as_ref());
                    self.pattern(pat, item.as_ref());
                    return;
                }
                None
            }
            "min_by" | "max_by" | "reduce" | "sort_by" | "zip_with" => item,
            _ => None,
        };
        closure
            .inputs
            .iter()
            .for_each(|pat| self.pattern(pat, ty.as_ref()));
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        visit::visit_local(self, local);
        let init = local
            .init
            .as_ref()
            .and_then(|init| self.types.of_expr(&init.expr));
        self.pattern(&local.pat, init.as_ref());
    }

    fn visit_expr_for_loop(&mut self, l: &'ast syn::ExprForLoop) {
        let item = item_of(self.types, &l.expr);
        self.pattern(&l.pat, item.as_ref());
        visit::visit_expr_for_loop(self, l);
    }

    fn visit_expr_let(&mut self, e: &'ast syn::ExprLet) {
        let ty = self.types.of_expr(&e.expr);
        self.pattern(&e.pat, ty.as_ref());
        visit::visit_expr_let(self, e);
    }

    fn visit_expr_match(&mut self, e: &'ast syn::ExprMatch) {
        let ty = self.types.of_expr(&e.expr);
        e.arms
            .iter()
            .for_each(|arm| self.pattern(&arm.pat, ty.as_ref()));
        visit::visit_expr_match(self, e);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.visit_expr(&call.receiver);
        for arg in &call.args {
            if let syn::Expr::Closure(closure) = arg {
                self.closure(call, closure);
                self.visit_expr(&closure.body);
            } else {
                self.visit_expr(arg);
            }
        }
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        closure
            .inputs
            .iter()
            .for_each(|pat| self.pattern(pat, None));
        visit::visit_expr_closure(self, closure);
    }

    /// There are other variables.
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
