//! What chunks of one length leave over: `let chunks = x.chunks_exact(n);` whose `remainder` is asked for is written
//! with the slice and the length under names of their own; the remainder is a part of that slice.

use proc_macro2::Ident;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::operator::strip;
use super::scope::{key, name_of};
use crate::ir::hash::{HashMap, HashSet};

/// The function with such remainders written out, if there are any.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let mut found = Found::default();
    found.visit_block(&item.block);
    let mut names = found.asked;
    names.retain(|name| found.chunked.contains(name) && found.bound.get(name) == Some(&1));
    if names.is_empty() {
        return None;
    }
    let mut item = item.clone();
    Written(names).visit_block_mut(&mut item.block);
    Some(item)
}

/// `let name = base.chunks_exact(n);` of a slice that has a name or is a part of what has one.
fn chunks_of(local: &syn::Local) -> Option<(&Ident, &syn::ExprMethodCall)> {
    let syn::Pat::Ident(name) = &local.pat else {
        return None;
    };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let syn::Expr::MethodCall(call) = &*init.expr else {
        return None;
    };
    let plain = name.by_ref.is_none() && name.subpat.is_none();
    let chunks = call.method == "chunks_exact" && call.args.len() == 1;
    (plain && chunks && is_named(&call.receiver)).then_some((&name.ident, call))
}

fn is_named(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Path(path) => path.path.get_ident().is_some(),
        syn::Expr::Field(field) => is_named(&field.base),
        syn::Expr::Index(at) => is_named(&at.expr),
        _ => false,
    }
}

/// `name.remainder()`
fn asked(e: &syn::Expr) -> Option<&Ident> {
    match e {
        syn::Expr::MethodCall(call) if call.method == "remainder" && call.args.is_empty() => {
            name_of(&call.receiver)
        }
        _ => None,
    }
}

/// How often names are bound, which of them to chunks, and whose remainders are asked for.
#[derive(Default)]
struct Found {
    bound: HashMap<String, usize>,
    chunked: HashSet<String>,
    asked: HashSet<String>,
}

impl<'ast> Visit<'ast> for Found {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some((name, _)) = chunks_of(local) {
            self.chunked.insert(key(name));
        }
        visit::visit_local(self, local);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        *self.bound.entry(key(&pat.ident)).or_default() += 1;
        visit::visit_pat_ident(self, pat);
    }

    fn visit_expr(&mut self, e: &'ast syn::Expr) {
        if let Some(name) = asked(e) {
            self.asked.insert(key(name));
        }
        visit::visit_expr(self, e);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// The slice, and the length of its chunks.
fn names_for(chunks: &Ident) -> [Ident; 2] {
    let (base, span) = (chunks.unraw(), chunks.span());
    [
        format_ident!("__retrograde_slice_of_{base}", span = span),
        format_ident!("__retrograde_length_of_{base}", span = span),
    ]
}

struct Written(HashSet<String>);

impl VisitMut for Written {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            if let syn::Stmt::Local(local) = &mut stmt
                && let Some((name, call)) = chunks_of(local)
                && self.0.contains(&key(name))
            {
                let [slice, length] = names_for(name);
                let (base, n) = (&call.receiver, &call.args[0]);
                stmts.push(syn::parse_quote!(let #slice = &#base[..];));
                stmts.push(syn::parse_quote!(let #length: usize = #n;));
                let chunks: syn::Expr = syn::parse_quote!(#slice.chunks_exact(#length));
                if let Some(init) = &mut local.init {
                    *init.expr = chunks;
                }
            }
            stmts.push(stmt);
        }
        block.stmts = stmts;
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let Some(name) = asked(e)
            && self.0.contains(&key(name))
        {
            let [slice, length] = names_for(name);
            *e = syn::parse_quote!((&#slice[#slice.len() / #length * #length..]));
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
