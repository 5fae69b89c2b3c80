//! `q.front()` and `q.back()` of a queue of the function's own, which is a vector in what is generated: its first and
//! its last element.
//!
//! A variable is one if each `let` of its name in the function makes a `VecDeque`.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::operator::strip;
use crate::ir::hash::{HashMap, HashSet};

/// The function with such methods under the names of those of vectors, if there are any.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let mut bound = Bound::default();
    bound.visit_item_fn(item);
    let queues: HashSet<String> = bound
        .queues
        .into_iter()
        .filter(|(name, made)| bound.all.get(name) == Some(made))
        .map(|(name, _)| name)
        .collect();
    if queues.is_empty() {
        return None;
    }
    let mut item = item.clone();
    let mut ends = Ends {
        queues,
        found: false,
    };
    ends.visit_block_mut(&mut item.block);
    ends.found.then_some(item)
}

/// How often each name is bound, and how often to a queue.
#[derive(Default)]
struct Bound {
    all: HashMap<String, usize>,
    queues: HashMap<String, usize>,
}

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        *self.all.entry(pat.ident.unraw().to_string()).or_default() += 1;
        visit::visit_pat_ident(self, pat);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let (pat, is_typed) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, is_queue(&typed.ty)),
            pat => (pat, false),
        };
        let is_made = || {
            local
                .init
                .as_ref()
                .is_some_and(|init| makes_queue(&init.expr))
        };
        if let syn::Pat::Ident(pat) = pat
            && (is_typed || is_made())
        {
            *self
                .queues
                .entry(pat.ident.unraw().to_string())
                .or_default() += 1;
        }
        visit::visit_local(self, local);
    }
}

fn is_queue(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|s| s.ident == "VecDeque"),
        _ => false,
    }
}

/// `VecDeque::new()`, `VecDeque::with_capacity(n)`
fn makes_queue(e: &syn::Expr) -> bool {
    let syn::Expr::Call(call) = strip(e) else {
        return false;
    };
    let syn::Expr::Path(path) = &*call.func else {
        return false;
    };
    let mut names = path.path.segments.iter().rev().map(|s| &s.ident);
    names
        .next()
        .is_some_and(|name| name == "new" || name == "with_capacity")
        && names.next().is_some_and(|name| name == "VecDeque")
}

struct Ends {
    queues: HashSet<String>,
    found: bool,
}

impl VisitMut for Ends {
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        let of_vectors = match call.method.to_string().as_str() {
            "front" => "first",
            "front_mut" => "first_mut",
            "back" => "last",
            "back_mut" => "last_mut",
            _ => return,
        };
        let name = super::scope::name_of(&call.receiver);
        if call.args.is_empty()
            && name.is_some_and(|name| self.queues.contains(&name.unraw().to_string()))
        {
            call.method = Ident::new(of_vectors, call.method.span());
            self.found = true;
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
