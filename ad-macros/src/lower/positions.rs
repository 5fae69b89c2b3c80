//! Maps of [`super::maps`], written out as values and positions.

use proc_macro2::{Ident, Span};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};

use super::maps::{Map, entry_of, map_of, walks, whole};
use super::operator::strip;
use super::scope::{key, name_of};
use crate::ir::hash::HashMap;

pub(super) fn write_out(item: &mut syn::ItemFn, maps: HashMap<String, Map>) {
    let mut written = Written {
        maps,
        temporaries: 0,
    };
    written.visit_block_mut(&mut item.block);
}

/// Writes the maps out.
struct Written {
    maps: HashMap<String, Map>,
    temporaries: usize,
}

fn values_of(name: &Ident) -> Ident {
    format_ident!(
        "__retrograde_values_of_{}",
        name.unraw(),
        span = name.span()
    )
}

fn positions_of(name: &Ident) -> Ident {
    format_ident!(
        "__retrograde_positions_of_{}",
        name.unraw(),
        span = name.span()
    )
}

impl Written {
    fn is_map(&self, name: &Ident) -> bool {
        self.maps.contains_key(&key(name))
    }

    fn temporary(&mut self, base: &str, span: Span) -> Ident {
        self.temporaries += 1;
        format_ident!("__retrograde_{base}_{}", self.temporaries, span = span)
    }

    /// `let m = …;` as its two variables, and what fills them.
    fn declared(&mut self, name: &Ident, map: &Map, out: &mut Vec<syn::Stmt>) {
        let (values, positions) = (values_of(name), positions_of(name));
        let empty = &map.empty;
        // A type of the user's with this name may do otherwise.
        let of_std: syn::Type = match map.ordered {
            true => syn::parse_quote!(::std::collections::BTreeMap<_, _>),
            false => syn::parse_quote!(::std::collections::HashMap<_, _, _>),
        };
        out.push(syn::parse_quote!(
            let mut #positions = ::core::convert::identity::<#of_std>(#empty);
        ));
        out.push(match &map.values {
            Some(ty) => {
                syn::parse_quote!(let mut #values: ::std::vec::Vec<#ty> = ::std::vec::Vec::new();)
            }
            None => syn::parse_quote!(let mut #values = ::std::vec::Vec::new();),
        });
        if let Some(items) = &map.items {
            let mut items = items.clone();
            self.visit_expr_mut(&mut items);
            let (k, v) = (
                self.temporary("key", name.span()),
                self.temporary("value", name.span()),
            );
            let insert = self.inserted(name, &syn::parse_quote!(#k), &syn::parse_quote!(#v));
            out.push(syn::parse_quote!(for (#k, #v) in #items { #insert }));
        }
    }

    /// `m.insert(k, v);`
    fn inserted(&mut self, name: &Ident, k: &syn::Expr, v: &syn::Expr) -> syn::Stmt {
        let values = values_of(name);
        let new = self.temporary("new", name.span());
        let at = self.entry(
            name,
            k,
            &[syn::parse_quote!(let #new = #v;)],
            &syn::parse_quote!(#values.push(#new);),
            Some(&|at: &Ident| syn::parse_quote!(#values[#at] = #new;)),
        );
        syn::parse_quote!({ #at; })
    }

    /// The position of a key, which is added where it is not there: `absent` pushes its value, `there` is done with
    /// the position of one that is.
    fn entry(
        &mut self,
        name: &Ident,
        k: &syn::Expr,
        before: &[syn::Stmt],
        absent: &syn::Stmt,
        there: Option<&dyn Fn(&Ident) -> syn::Stmt>,
    ) -> syn::Expr {
        let (values, positions) = (values_of(name), positions_of(name));
        let (found, at) = (
            self.temporary("key", name.span()),
            self.temporary("at", name.span()),
        );
        let there = there.map(|there| there(&at));
        let ty = self.maps[&key(name)].keys.as_ref().map(|ty| quote!(: #ty));
        syn::parse_quote!({
            let #found #ty = #k;
            #(#before)*
            let mut #at: usize = #positions.get(&#found).copied().unwrap_or(usize::MAX);
            if #at == usize::MAX {
                #at = #values.len();
                #positions.insert(#found, #at);
                #absent
            } else {
                #there
            }
            #at
        })
    }

    /// The value that `m.entry(k).or_insert(v)` refers to.
    fn of_entry(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        let (name, k, modified, end) = entry_of(e)?;
        if !self.is_map(name) {
            return None;
        }
        let values = values_of(name);
        let new = self.temporary("new", name.span());
        let arg = end.args.first();
        let (before, absent): (Vec<syn::Stmt>, syn::Stmt) = match end.method.to_string().as_str() {
            "or_insert" => (
                vec![syn::parse_quote!(let #new = #arg;)],
                syn::parse_quote!(#values.push(#new);),
            ),
            "or_insert_with" => match arg.map(strip) {
                Some(f @ syn::Expr::Closure(_)) => (
                    vec![],
                    syn::parse_quote!({ let #new = (#f)(); #values.push(#new); }),
                ),
                Some(f) => (
                    vec![],
                    syn::parse_quote!({ let #new = #f(); #values.push(#new); }),
                ),
                None => return None,
            },
            _ => (
                vec![],
                syn::parse_quote!(#values.push(::core::default::Default::default());),
            ),
        };
        let change = modified.cloned();
        let there =
            move |at: &Ident| -> syn::Stmt { syn::parse_quote!((#change)(&mut #values[#at]);) };
        let there: Option<&dyn Fn(&Ident) -> syn::Stmt> = modified.is_some().then_some(&there);
        let at = self.entry(name, k, &before, &absent, there);
        let values = values_of(name);
        Some(syn::parse_quote!(#values[#at]))
    }

    /// What stands for a walk through the whole map.
    fn walked(&mut self, name: &Ident, method: &str) -> syn::Expr {
        let map = &self.maps[&key(name)];
        let keys_ty = map.keys.clone().unwrap_or_else(|| syn::parse_quote!(_));
        let (values, positions) = (values_of(name), positions_of(name));
        let (keys, order) = (
            self.temporary("keys", name.span()),
            self.temporary("order", name.span()),
        );
        let (k, at) = (
            self.temporary("key", name.span()),
            self.temporary("at", name.span()),
        );
        let order: syn::Expr = syn::parse_quote!({
            let #order: ::std::vec::Vec<usize> = #positions.values().copied().collect();
            #order
        });
        let keys: syn::Expr = syn::parse_quote!({
            let #keys: ::std::vec::Vec<#keys_ty> = #positions.keys().cloned().collect();
            #keys
        });
        let value: syn::Expr = match method {
            "iter_mut" | "values_mut" => syn::parse_quote!(&mut #values[#at]),
            "into_iter" | "into_values" => syn::parse_quote!(#values[#at]),
            _ => syn::parse_quote!(&#values[#at]),
        };
        match method {
            "keys" => syn::parse_quote!(#keys.iter()),
            "into_keys" => syn::parse_quote!(#keys.into_iter()),
            "values" | "values_mut" | "into_values" => {
                syn::parse_quote!(#order.into_iter().map(|#at| #value))
            }
            "into_iter" => {
                syn::parse_quote!(#keys.into_iter().zip(#order).map(|(#k, #at)| (#k, #value)))
            }
            _ => syn::parse_quote!(#keys.iter().zip(#order).map(|(#k, #at)| (#k, #value))),
        }
    }

    fn position(&self, name: &Ident, k: &syn::Expr) -> syn::Expr {
        let positions = positions_of(name);
        syn::parse_quote!(#positions.get(#k).copied().unwrap_or(usize::MAX))
    }

    /// What stands for a method of a map.
    fn method(&mut self, call: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let name = name_of(&call.receiver)
            .filter(|name| self.is_map(name))?
            .clone();
        let (values, positions) = (values_of(&name), positions_of(&name));
        let method = call.method.to_string();
        let arg = call.args.first();
        Some(match (method.as_str(), arg) {
            ("get" | "get_mut", Some(k)) => {
                let (at, get) = (self.position(&name, k), &call.method);
                syn::parse_quote!(#values.#get(#at))
            }
            ("remove", Some(k)) => {
                syn::parse_quote!(#values.get(#positions.remove(#k).unwrap_or(usize::MAX)).cloned())
            }
            ("contains_key", Some(k)) => syn::parse_quote!(#positions.contains_key(#k)),
            ("len" | "is_empty", None) => {
                let asked = &call.method;
                syn::parse_quote!(#positions.#asked())
            }
            (method, None) if walks(method, 0) => self.walked(&name, method),
            _ => return None,
        })
    }
}

impl VisitMut for Written {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        for mut stmt in std::mem::take(&mut block.stmts) {
            if let syn::Stmt::Local(local) = &stmt
                && let Some((name, map)) = map_of(local)
                && self.is_map(name)
            {
                let name = name.clone();
                self.declared(&name, &map, &mut block.stmts);
                continue;
            }
            if let Some(written) = self.statement(&stmt) {
                stmt = written;
            }
            self.visit_stmt_mut(&mut stmt);
            block.stmts.push(stmt);
        }
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        let written = match &*e {
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                self.of_entry(&unary.expr)
            }
            syn::Expr::Index(index) => match name_of(&index.expr) {
                Some(name) if self.is_map(name) => {
                    let (values, positions, k) =
                        (values_of(name), positions_of(name), &index.index);
                    let at = self.temporary("at", name.span());
                    Some(syn::parse_quote!(#values[{ let #at: usize = #positions[#k]; #at }]))
                }
                _ => None,
            },
            syn::Expr::MethodCall(call) => match self.of_entry(e) {
                Some(value) => Some(syn::parse_quote!((&mut #value))),
                None => self.method(call),
            },
            _ => None,
        };
        if let Some(written) = written {
            *e = written;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_expr_for_loop_mut(&mut self, repeated: &mut syn::ExprForLoop) {
        if let Some((name, method)) = whole(&repeated.expr)
            && self.is_map(name)
        {
            let name = name.clone();
            *repeated.expr = self.walked(&name, method);
        }
        visit_mut::visit_expr_for_loop_mut(self, repeated);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Written {
    /// `m.insert(k, v);` and `m.clear();`
    fn statement(&mut self, stmt: &syn::Stmt) -> Option<syn::Stmt> {
        let syn::Stmt::Expr(e, Some(_)) = stmt else {
            return None;
        };
        let syn::Expr::MethodCall(call) = strip(e) else {
            return None;
        };
        let name = name_of(&call.receiver)
            .filter(|name| self.is_map(name))?
            .clone();
        let (values, positions) = (values_of(&name), positions_of(&name));
        match (call.method.to_string().as_str(), call.args.len()) {
            ("insert", 2) => Some(self.inserted(&name, &call.args[0], &call.args[1])),
            ("remove", 1) => {
                let k = &call.args[0];
                Some(syn::parse_quote!({ #positions.remove(#k); }))
            }
            ("clear", 0) => Some(syn::parse_quote!({ #positions.clear(); #values.clear(); })),
            _ => None,
        }
    }
}
