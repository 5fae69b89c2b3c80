//! Chains that a `let` binds to a name: `let mut it = x.iter();`.
//!
//! An iterator is no value here. A walk over the text marks such a `let` and the places that go on with the chain; the
//! name stands for the chain, of which the bounds have been evaluated, and for how much of it was taken. Closures in
//! the chain get names of their own in front of it, so that they see what they captured.
//!
//! Where one item after another is asked for, the chain has random access and `next` is an expression of a counter.
//! What is used in another way than those below is left as it is, and refused where it is met.

use proc_macro2::{Ident, Span};
use quote::{ToTokens, format_ident};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use super::operator::strip;
use super::scope::{key, name_of};
use super::sequence::is_sequence;
use crate::ir::hash::{HashMap, HashSet};

/// `let name = BOUND(chain)`
const BOUND: &str = "__retrograde_bound";
/// `REST(name)`: what is left of the chain.
pub(super) const REST: &str = "__retrograde_rest";

/// `STEPS(name)`: the next items of the chain, as they are asked for.
pub(super) const STEPS: &str = "__retrograde_steps";

/// Names of closures begin so.
const CLOSURE: &str = "__retrograde_closure_";

/// Whether a name is that of a closure of a chain.
pub(super) fn is_of_chain(name: &Ident) -> bool {
    name.to_string().starts_with(CLOSURE)
}

/// The argument of a mark.
fn marked<'e>(e: &'e syn::Expr, mark: &str) -> Option<&'e syn::Expr> {
    match strip(e) {
        syn::Expr::Call(call) if name_of(&call.func).is_some_and(|name| name == mark) => {
            call.args.first()
        }
        _ => None,
    }
}

/// The chain that a `let` binds.
pub(super) fn bound_chain(e: &syn::Expr) -> Option<&syn::Expr> {
    marked(e, BOUND)
}

/// The name of the chain that an expression goes on with.
pub(super) fn rest_of(e: &syn::Expr) -> Option<&Ident> {
    name_of(marked(e, REST)?)
}

/// The name of the chain whose items an expression takes one by one.
pub(super) fn steps_of(e: &syn::Expr) -> Option<&Ident> {
    name_of(marked(e, STEPS)?)
}

/// `name.by_ref()`
fn by_ref(e: &syn::Expr) -> Option<&syn::Expr> {
    match strip(e) {
        syn::Expr::MethodCall(call) if call.method == "by_ref" && call.args.is_empty() => {
            Some(&call.receiver)
        }
        _ => None,
    }
}

/// What a loop runs over that takes a chain by reference: `name.by_ref()`, `&mut name`.
fn taken_by_reference(e: &syn::Expr) -> Option<&syn::Expr> {
    match strip(e) {
        syn::Expr::Reference(r) if r.mutability.is_some() => Some(&r.expr),
        e => by_ref(e),
    }
}

/// The function with such chains marked, if there are any.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<syn::ItemFn> {
    let mut seen = Seen(false);
    seen.visit_item_fn(item);
    if !seen.0 {
        return None;
    }
    let mut found = Candidates::default();
    found.visit_item_fn(item);
    let names = found.chosen();
    if names.is_empty() {
        return None;
    }
    let mut item = item.clone();
    let mut marks = Marks { names, closures: 0 };
    marks.visit_block_mut(&mut item.block);
    Some(item)
}

/// Whether a `let` binds a chain: most functions have none, and how names are used is of no interest then.
struct Seen(bool);

impl<'ast> Visit<'ast> for Seen {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        self.0 |= chain_of(local).is_some();
        visit::visit_local(self, local);
    }
}

/// What a `let` binds: the chain, and whether its items may be asked for one by one.
fn chain_of(local: &syn::Local) -> Option<(&Ident, &syn::Expr)> {
    let syn::Pat::Ident(name) = &local.pat else {
        return None;
    };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let chain = without_peeking(&init.expr);
    let range = matches!(strip(chain), syn::Expr::Range(_));
    let plain = name.by_ref.is_none() && name.subpat.is_none() && local.attrs.is_empty();
    (plain && !range && is_chain_of(chain)).then_some((&name.ident, chain))
}

/// Whether it is a chain, if the name that it goes on with stands for one.
fn is_chain_of(e: &syn::Expr) -> bool {
    let mut marked = e.clone();
    if let Some(begin) = begin_of(&mut marked)
        && let Some(name) = name_of(begin)
    {
        let mark = Ident::new(REST, Span::call_site());
        *begin = syn::parse_quote!(#mark(#name));
    }
    is_sequence(&marked)
}

/// What the methods of an expression begin with.
fn begin_of(e: &mut syn::Expr) -> Option<&mut syn::Expr> {
    if matches!(e, syn::Expr::Path(_)) {
        return Some(e);
    }
    match e {
        syn::Expr::MethodCall(call) if goes_on(&call.method.to_string()) => {
            begin_of(&mut call.receiver)
        }
        syn::Expr::Paren(p) => begin_of(&mut p.expr),
        _ => None,
    }
}

/// `chain.peekable()`: no item is lost by looking at it.
fn without_peeking(e: &syn::Expr) -> &syn::Expr {
    match strip(e) {
        syn::Expr::MethodCall(call) if call.method == "peekable" && call.args.is_empty() => {
            &call.receiver
        }
        _ => e,
    }
}

/// Methods that ask for an item, or look at what is left.
pub(super) fn asks(name: &str, args: usize) -> bool {
    matches!(
        (name, args),
        ("next" | "next_back" | "peek" | "len", 0) | ("nth", 1)
    )
}

/// Methods that go on with a chain.
fn goes_on(name: &str) -> bool {
    crate::ir::is_iterator_method(name)
        || matches!(
            name,
            "any"
                | "all"
                | "count"
                | "position"
                | "copied"
                | "cloned"
                | "rev"
                | "enumerate"
                | "zip"
                | "skip"
                | "take"
                | "step_by"
                | "sum"
                | "product"
                | "fold"
                | "for_each"
                | "last"
                | "find"
                | "find_map"
                | "max"
                | "min"
        )
}

/// Names that are bound to chains, by key: how often a name is bound at all, and whether each use of it is understood.
#[derive(Default)]
struct Candidates {
    /// With the name that the chain goes on with.
    chains: HashMap<String, Option<String>>,
    bound: HashMap<String, usize>,
    /// Uses that are understood, and all.
    good: HashMap<String, usize>,
    all: HashMap<String, usize>,
    /// Names of which a copy is made, and those of chains that can be copied.
    cloned: HashSet<String>,
    random: HashSet<String>,
}

impl Candidates {
    fn chosen(self) -> Vec<String> {
        let once = |name: &String| self.bound.get(name) == Some(&1);
        let understood = |name: &String| {
            let all = self.all.get(name);
            let copied = self.cloned.contains(name) && !self.random.contains(name);
            all.is_some() && self.good.get(name) == all && !copied
        };
        let mut chosen: Vec<String> = Vec::new();
        loop {
            let before = chosen.len();
            for (name, goes_on_with) in &self.chains {
                let begun = goes_on_with.as_ref().is_none_or(|of| chosen.contains(of));
                if !chosen.contains(name) && begun && once(name) && understood(name) {
                    chosen.push(name.clone());
                }
            }
            if chosen.len() == before {
                return chosen;
            }
        }
    }

    /// A use that is understood.
    fn understands(&mut self, e: &syn::Expr) {
        if let Some(name) = name_of(e) {
            *self.good.entry(key(name)).or_default() += 1;
        }
    }
}

impl<'ast> Visit<'ast> for Candidates {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some((name, chain)) = chain_of(local) {
            let mut chain = chain.clone();
            let alone = is_sequence(&chain);
            let goes_on_with = begin_of(&mut chain)
                .and_then(|begin| name_of(begin))
                .map(key);
            if super::iterate::is_chain(&chain) {
                self.random.insert(key(name));
            }
            self.chains
                .insert(key(name), goes_on_with.filter(|_| !alone));
        }
        visit::visit_local(self, local);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        *self.bound.entry(key(&pat.ident)).or_default() += 1;
        visit::visit_pat_ident(self, pat);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        let by_ref = name == "by_ref" && call.args.is_empty();
        if asks(&name, call.args.len()) || goes_on(&name) || by_ref {
            self.understands(&call.receiver);
        }
        if name == "clone" && call.args.is_empty() {
            self.understands(&call.receiver);
            self.cloned.extend(name_of(&call.receiver).map(key));
        }
        if matches!(name.as_str(), "zip" | "chain" | "extend") {
            call.args.iter().for_each(|arg| self.understands(arg));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_for_loop(&mut self, repeated: &'ast syn::ExprForLoop) {
        self.understands(&repeated.expr);
        if let syn::Expr::Reference(r) = strip(&repeated.expr)
            && r.mutability.is_some()
        {
            self.understands(&r.expr);
        }
        visit::visit_expr_for_loop(self, repeated);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let Some(name) = super::scope::plain_ident(path) {
            *self.all.entry(key(name)).or_default() += 1;
        }
    }

    // A closure may run more than once, or later.
    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.named_elsewhere(&closure.to_token_stream());
        let good = self.good.clone();
        visit::visit_expr_closure(self, closure);
        self.good = good;
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.named_elsewhere(&mac.tokens);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

impl Candidates {
    fn named_elsewhere(&mut self, tokens: &proc_macro2::TokenStream) {
        for name in super::prescan::names_in(tokens) {
            *self.all.entry(key(&name)).or_default() += 1;
        }
    }
}

/// Marks the chains of these names.
struct Marks {
    names: Vec<String>,
    closures: usize,
}

impl Marks {
    fn is_chosen(&self, name: &Ident) -> bool {
        self.names.contains(&key(name))
    }

    /// `let name = |…| …;` for each closure of a chain, which has the names in their place.
    fn named_closures(&mut self, chain: &mut syn::Expr, out: &mut Vec<syn::Stmt>) {
        let syn::Expr::MethodCall(call) = chain else {
            return;
        };
        self.named_closures(&mut call.receiver, out);
        for arg in &mut call.args {
            if let syn::Expr::Closure(closure) = strip(arg) {
                let at = closure.or1_token.spans[0];
                let name = format_ident!("{CLOSURE}{}", self.closures, span = at);
                self.closures += 1;
                out.push(syn::parse_quote!(let #name = #closure;));
                *arg = syn::parse_quote!(#name);
            } else {
                self.named_closures(arg, out);
            }
        }
    }
}

impl VisitMut for Marks {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let mut stmts = std::mem::take(&mut block.stmts);
        for at in 0..stmts.len() {
            if let Some(counted) = walked_through(&stmts[at], &stmts[at + 1..])
                && name_of(&counted.expr).is_some_and(|name| self.is_chosen(name))
            {
                stmts[at] = syn::Stmt::Expr(syn::Expr::ForLoop(counted), None);
            }
        }
        for at in 0..stmts.len() {
            let mut stmt = stmts[at].clone();
            let chosen = match &stmt {
                syn::Stmt::Local(local) => chain_of(local).filter(|(name, _)| self.is_chosen(name)),
                _ => None,
            };
            let chosen = chosen.map(|(name, chain)| (name.clone(), chain.clone()));
            if let (Some((name, mut chain)), syn::Stmt::Local(local)) = (chosen, &mut stmt)
                && let Some(init) = &mut local.init
            {
                self.visit_expr_mut(&mut chain);
                self.named_closures(&mut chain, &mut block.stmts);
                let mark = Ident::new(BOUND, Span::call_site());
                *init.expr = syn::parse_quote!(#mark(#chain));
                // Nothing is asked of a chain that loops take as a whole.
                let asked = stmts[at + 1..].iter().any(|stmt| Asks::of(stmt, &name));
                if let syn::Pat::Ident(pat) = &mut local.pat
                    && !asked
                {
                    pat.mutability = None;
                }
            } else {
                self.visit_stmt_mut(&mut stmt);
            }
            block.stmts.push(stmt);
        }
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::MethodCall(call) = e
            && call.method == "clone"
            && name_of(&call.receiver).is_some_and(|name| self.is_chosen(name))
        {
            *e = (*call.receiver).clone();
            return self.rest(e);
        }
        if let Some(name) = by_ref(e)
            .and_then(name_of)
            .filter(|name| self.is_chosen(name))
        {
            *e = steps(name);
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        let name = call.method.to_string();
        visit_mut::visit_expr_method_call_mut(self, call);
        if !asks(&name, call.args.len()) {
            self.rest(&mut call.receiver);
        }
        if matches!(name.as_str(), "zip" | "chain" | "extend") {
            call.args.iter_mut().for_each(|arg| self.rest(arg));
        }
    }

    fn visit_expr_for_loop_mut(&mut self, repeated: &mut syn::ExprForLoop) {
        let taken = taken_by_reference(&repeated.expr).and_then(name_of);
        if let Some(name) = taken.filter(|name| self.is_chosen(name)) {
            *repeated.expr = steps(name);
        }
        visit_mut::visit_expr_for_loop_mut(self, repeated);
        self.rest(&mut repeated.expr);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Marks {
    fn rest(&self, e: &mut syn::Expr) {
        if let Some(name) = name_of(e)
            && self.is_chosen(name)
        {
            let mark = Ident::new(REST, name.unraw().span());
            *e = syn::parse_quote!(#mark(#e));
        }
    }
}

fn steps(name: &Ident) -> syn::Expr {
    let mark = Ident::new(STEPS, name.unraw().span());
    syn::parse_quote!(#mark(#name))
}

/// `while let Some(pattern) = name.next() { … }` as the `for` loop that it is, where nothing else asks the chain.
fn walked_through(stmt: &syn::Stmt, after: &[syn::Stmt]) -> Option<syn::ExprForLoop> {
    let syn::Stmt::Expr(syn::Expr::While(repeated), _) = stmt else {
        return None;
    };
    let syn::Expr::Let(test) = &*repeated.cond else {
        return None;
    };
    let pat = super::condition::always_some(&test.pat)?;
    let syn::Expr::MethodCall(call) = strip(&test.expr) else {
        return None;
    };
    let name = name_of(&call.receiver)?;
    let spelled = name.unraw().to_string();
    let named =
        |tokens: &dyn ToTokens| super::prescan::mentions(&tokens.to_token_stream(), &spelled);
    let elsewhere = named(&repeated.body) || after.iter().any(|stmt| named(stmt));
    if call.method != "next" || !call.args.is_empty() || elsewhere {
        return None;
    }
    let (attrs, label, body) = (&repeated.attrs, &repeated.label, &repeated.body);
    syn::parse2(quote::quote!(#(#attrs)* #label for #pat in #name #body)).ok()
}

/// Whether an item is asked for by name.
struct Asks<'n> {
    name: &'n Ident,
    found: bool,
}

impl Asks<'_> {
    fn of(stmt: &syn::Stmt, name: &Ident) -> bool {
        let mut asks = Asks { name, found: false };
        asks.visit_stmt(stmt);
        asks.found
    }
}

impl<'ast> Visit<'ast> for Asks<'_> {
    fn visit_expr_for_loop(&mut self, repeated: &'ast syn::ExprForLoop) {
        let taken = taken_by_reference(&repeated.expr).and_then(name_of);
        self.found |= taken.is_some_and(|name| name == self.name);
        visit::visit_expr_for_loop(self, repeated);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let named = name_of(&call.receiver).is_some_and(|name| name == self.name);
        let name = call.method.to_string();
        self.found |= named && (asks(&name, call.args.len()) || name == "by_ref");
        visit::visit_expr_method_call(self, call);
    }
}
