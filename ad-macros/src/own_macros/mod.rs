//! Macros that a function's own file defines: what stands for their calls, in place of them.
//!
//! `macro_rules!` in front of the function, in its module or one around it, or in its body, is a rule that the text
//! shows. Generated code is derived from the function with its calls written out; the function itself stays as it is.
//!
//! Which definition a name means is told by the text: the last one in front of the call whose block is open there.
//! That is the textual scope of rustc, in which a definition comes before what a `use` brings. Where something could
//! come between (`#[macro_use]` on a module, an attribute on the definition that may be a `cfg`), nothing is expanded.
//!
//! **Hygiene.** What a template declares is not what the call calls by that name: each expansion gives the variables
//! and labels that its template declares names of their own. A name that a template uses and does not declare means
//! what it means where the macro is defined; if a variable of that name is another one where the macro is called, the
//! call is left as it is, and `lower` refuses it, as it does every call that is not understood here.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "what the user writes has more forms than are understood; whatever is not named is left as it is"
)]

mod fragments;
mod names;
mod rules;

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;

use crate::ir::hash::{HashMap, HashSet};
use crate::lower::{is_listed_macro, key};
use crate::surroundings::macro_at;
use rules::{Rules, filled, trees};

/// Calls in what stands for calls: as deep as one looks.
const DEPTH: usize = 32;

/// Writes calls of such macros out, in a function.
pub(crate) fn written_out(function: &mut syn::ItemFn) {
    let text = function.to_token_stream();
    if calls_a_macro(&text) {
        of_signature(&text, &function.sig, |expander| {
            expander.visit_block_mut(&mut function.block);
        });
    }
}

/// The same in the functions of a block.
pub(crate) fn written_out_in_block(block: &mut syn::ItemImpl) {
    for item in &mut block.items {
        if let syn::ImplItem::Fn(method) = item {
            let text = method.to_token_stream();
            if calls_a_macro(&text) {
                of_signature(&text, &method.sig, |expander| {
                    expander.visit_block_mut(&mut method.block);
                });
            }
        }
    }
}

fn of_signature(text: &TokenStream, sig: &syn::Signature, walk: impl FnOnce(&mut Expander)) {
    let mut expander = Expander::new(text, sig.fn_token.span);
    for input in &sig.inputs {
        if let syn::FnArg::Typed(typed) = input {
            expander.visit_pat_mut(&mut typed.pat.clone());
        }
    }
    walk(&mut expander);
}

/// Whether a macro is called that is none of the known ones.
fn calls_a_macro(tokens: &TokenStream) -> bool {
    let tokens = trees(tokens.clone());
    let call = |at: usize| match &tokens[at..] {
        [
            TokenTree::Ident(name),
            TokenTree::Punct(p),
            TokenTree::Group(_),
            ..,
        ] if p.as_char() == '!' => !is_listed_macro(&syn::Path::from(name.clone())),
        [TokenTree::Group(group), ..] => calls_a_macro(&group.stream()),
        _ => false,
    };
    (0..tokens.len()).any(call)
}

/// Which declaration of a variable each name means.
type Meaning = HashMap<String, usize>;

/// What a definition says, and what the names in it mean.
struct Definition {
    rules: Option<Rules>,
    env: Meaning,
}

/// Where a name of a template came from.
struct Mark {
    name: Ident,
    definition: Rc<Definition>,
}

struct Expander {
    /// Where the function stands.
    function: Span,
    /// The variables that are in scope, by block.
    scopes: Vec<Meaning>,
    /// The macros that the body defines, by block.
    macros: Vec<HashMap<String, Rc<Definition>>>,
    /// Those of the file.
    beside: HashMap<String, Option<Rc<Definition>>>,
    marks: HashMap<String, Mark>,
    /// Labels of templates.
    labels: HashSet<String>,
    /// What tells the names of templates from all others.
    suffix: String,
    declared: usize,
    expansions: usize,
    depth: usize,
    /// The expansion that is looked at cannot be used.
    failed: bool,
    /// Macros of which a call is left.
    left: HashSet<String>,
}

impl Expander {
    fn new(text: &TokenStream, function: Span) -> Self {
        let mut names = HashSet::default();
        names::collect(text, &mut names);
        let mut suffix = "m".to_owned();
        while names
            .iter()
            .any(|name| name.contains(&format!("_{suffix}")))
        {
            suffix.push('m');
        }
        Expander {
            function,
            scopes: vec![Meaning::default()],
            macros: vec![HashMap::default()],
            beside: HashMap::default(),
            marks: HashMap::default(),
            labels: HashSet::default(),
            suffix,
            declared: 0,
            expansions: 0,
            depth: 0,
            failed: false,
            left: HashSet::default(),
        }
    }

    fn scoped(&mut self, walk: impl FnOnce(&mut Self)) {
        self.scopes.push(Meaning::default());
        walk(self);
        self.scopes.pop();
    }

    fn meaning(&self, ident: &Ident) -> Option<usize> {
        let key = key(ident);
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|scope| scope.get(&key)).copied()
    }

    fn bind(&mut self, ident: &Ident) {
        self.declared += 1;
        let declared = self.declared;
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(key(ident), declared);
        }
    }

    /// Everything that is in scope.
    fn env(&self) -> Meaning {
        let mut env = Meaning::default();
        for scope in &self.scopes {
            env.extend(scope.iter().map(|(name, of)| (name.clone(), *of)));
        }
        env
    }

    /// Which definition a call means.
    fn definition(&mut self, path: &syn::Path) -> Option<Rc<Definition>> {
        let name = self.unmarked_name(path.get_ident()?);
        let spelled = name.unraw().to_string();
        let own = self.macros.iter().rev().find_map(|m| m.get(&spelled));
        if let Some(own) = own {
            return Some(own.clone());
        }
        if is_listed_macro(&syn::Path::from(name.clone())) {
            return None;
        }
        let function = self.function;
        let known = self.beside.entry(spelled.clone());
        let found = known.or_insert_with(|| {
            let tokens: TokenStream = macro_at(function, name.span(), &spelled)?.parse().ok()?;
            let rules = Rules::parse(placed(tokens, name.span()))?;
            let (rules, env) = (Some(rules), Meaning::default());
            Some(Rc::new(Definition { rules, env }))
        });
        found.clone()
    }

    /// What stands for a call.
    fn expansion(&mut self, mac: &syn::Macro) -> Option<TokenStream> {
        let definition = self.definition(&mac.path)?;
        if self.depth >= DEPTH {
            return None;
        }
        let rules = definition.rules.as_ref()?;
        let spelled = |ident: &Ident| self.unmarked_name(ident);
        let (template, bindings) = rules.matched(mac.tokens.clone(), &spelled)?;
        self.expansions += 1;
        let suffix = format!("_{}{}", self.suffix, self.expansions);
        let (marks, mut is_taken) = (&mut self.marks, false);
        let found = filled(template, &bindings, &mut |ident| {
            if names::is_reserved(ident) {
                return ident.clone();
            }
            let name = ident.unraw().to_string();
            is_taken |= name.contains(&format!("_{}", self.suffix));
            let marked = Ident::new(&format!("{name}{suffix}"), ident.span());
            let (name, definition) = (ident.clone(), definition.clone());
            marks.insert(marked.to_string(), Mark { name, definition });
            marked
        });
        found.filter(|_| !is_taken)
    }

    /// Puts what stands for a call in its place, if that can be used.
    fn replaced<T>(
        &mut self,
        mac: &syn::Macro,
        read: impl FnOnce(&mut Self, TokenStream) -> Option<T>,
    ) -> Option<T> {
        let outer = std::mem::take(&mut self.failed);
        let found = self.expansion(mac);
        self.depth += 1;
        let found = found.and_then(|tokens| read(self, tokens));
        self.depth -= 1;
        let fails = std::mem::replace(&mut self.failed, outer);
        let found = found.filter(|_| !fails);
        if found.is_none() {
            self.leave(mac);
        }
        found
    }

    /// The call stays.
    fn leave(&mut self, mac: &syn::Macro) {
        if let Some(name) = mac.path.get_ident() {
            let name = self.unmarked_name(name);
            self.left.insert(name.unraw().to_string());
        }
        // Within another expansion, its tokens are not the user's.
        self.failed |= self.depth > 0 && self.definition(&mac.path).is_some();
    }

    /// The statements that stand for a call, walked through.
    fn statements_of(&mut self, mac: &syn::Macro, semicolon: bool) -> Option<Vec<syn::Stmt>> {
        self.replaced(mac, |expander, tokens| {
            let mut stmts = syn::Block::parse_within.parse2(tokens).ok()?;
            if let Some(syn::Stmt::Expr(_, end @ None)) = stmts.last_mut()
                && semicolon
            {
                *end = Some(Default::default());
            }
            let mut out = Vec::new();
            expander.statements(stmts, &mut out);
            Some(out)
        })
    }

    fn statements(&mut self, stmts: Vec<syn::Stmt>, out: &mut Vec<syn::Stmt>) {
        for mut stmt in stmts {
            let call = match &stmt {
                syn::Stmt::Macro(mac) if mac.attrs.is_empty() => {
                    Some((&mac.mac, mac.semi_token.is_some()))
                }
                // Without a semicolon, it is an expression: `{ a } - b` is a difference.
                syn::Stmt::Expr(syn::Expr::Macro(mac), Some(_)) if mac.attrs.is_empty() => {
                    Some((&mac.mac, true))
                }
                _ => None,
            };
            if let Some((mac, semicolon)) = call
                && self.definition(&mac.path).is_some()
                && let Some(expanded) = self.statements_of(&mac.clone(), semicolon)
            {
                out.extend(expanded);
                continue;
            }
            if let syn::Stmt::Item(syn::Item::Macro(item)) = &stmt {
                self.define(item);
            }
            self.visit_stmt_mut(&mut stmt);
            out.push(stmt);
        }
    }

    /// `macro_rules!` in the body.
    fn define(&mut self, item: &syn::ItemMacro) {
        let Some(name) = &item.ident else { return };
        let plain = item.attrs.is_empty() && item.mac.path.is_ident("macro_rules");
        // What stands for a call defines no macros that are followed.
        let rules = (plain && self.depth == 0).then(|| Rules::parse(item.mac.tokens.clone()));
        let (rules, env) = (rules.flatten(), self.env());
        if rules.is_none() {
            self.left.insert(name.unraw().to_string());
        }
        if let Some(macros) = self.macros.last_mut() {
            macros.insert(name.unraw().to_string(), Rc::new(Definition { rules, env }));
        }
    }

    /// A name of a template that is used as a value: whether it is one that the template declares. Another one has to
    /// mean the same where the macro is called as where it is defined.
    fn is_declared(&mut self, ident: &Ident) -> bool {
        if self.meaning(ident).is_some() {
            return true;
        }
        if let Some(mark) = self.marks.get(&ident.to_string()) {
            let defined = mark.definition.env.get(&key(&mark.name)).copied();
            self.failed |= defined != self.meaning(&mark.name);
        }
        false
    }

    fn unmarked_name(&self, ident: &Ident) -> Ident {
        let mut ident = ident.clone();
        self.unmark(&mut ident);
        ident
    }

    fn unmark(&self, ident: &mut Ident) {
        if let Some(mark) = self.marks.get(&ident.to_string()) {
            *ident = mark.name.clone();
        }
    }
}

/// The tokens at another place.
pub(crate) fn placed(tokens: TokenStream, at: Span) -> TokenStream {
    let place = |mut tree: TokenTree| {
        if let TokenTree::Group(group) = &tree {
            let inner = placed(group.stream(), at);
            tree = proc_macro2::Group::new(group.delimiter(), inner).into();
        }
        tree.set_span(at);
        tree
    };
    tokens.into_iter().map(place).collect()
}

/// The arguments of a macro that stays, if they are expressions, and what stands between them.
fn arguments(tokens: &TokenStream) -> Option<(Vec<syn::Expr>, char)> {
    let list = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
    if let Ok(list) = list.parse2(tokens.clone()) {
        return Some((list.into_iter().collect(), ','));
    }
    let list = Punctuated::<syn::Expr, syn::Token![;]>::parse_separated_nonempty;
    let list = list.parse2(tokens.clone()).ok()?;
    Some((list.into_iter().collect(), ';'))
}
