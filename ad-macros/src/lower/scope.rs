//! Names and what they stand for.

use proc_macro2::Ident;
use syn::ext::IdentExt;

use super::Lowerer;
use super::functions::FunctionValue;
use super::value::{Value, View};
use crate::ir::hash::HashMap;
use crate::ir::{Place, Ty, VarId};

/// What a name of the user stands for.
#[derive(Clone)]
pub(super) enum Binding {
    Var(VarId),
    /// A reference: the name of a place. `var` is set if the reference can be re-assigned.
    View {
        view: View,
        var: Option<VarId>,
    },
    /// A tuple that holds references.
    Tuple(Vec<Value>),
    /// What a closure has captured: a place behind a reference.
    Captured(Place, Ty),
    /// A function that is an argument, or a closure.
    Function(Box<FunctionValue>),
    /// `let x;`, not assigned yet: a value or a reference.
    Deferred {
        var: VarId,
        mutable: bool,
    },
    /// A `Result`, by its halves.
    Outcome(super::fallible::Halves),
    /// An iterator.
    Walk(Box<super::walk::Walk>),
    /// `let f = |…| …;`
    Closure(super::closures::Local),
    /// Something was wrong with it, and that was reported.
    Poisoned,
}

#[derive(Clone, Default)]
pub(super) struct Scope {
    names: HashMap<String, Binding>,
}

/// Identifiers of one name but different macro hygiene are different variables.
pub(crate) fn key(ident: &Ident) -> String {
    let name = ident.unraw().to_string();
    let span = format!("{:?}", ident.span());
    // `#4 bytes(10..12)` inside rustc; the number is the syntax context.
    match span
        .strip_prefix('#')
        .and_then(|rest| rest.split(' ').next())
    {
        Some(context) => format!("{name}#{context}"),
        None => name,
    }
}

impl Lowerer<'_> {
    pub(super) fn lookup(&self, ident: &Ident) -> Option<Binding> {
        let key = key(ident);
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.names.get(&key))
            .cloned()
    }

    pub(super) fn bind(&mut self, ident: &Ident, binding: Binding) {
        self.scopes
            .last_mut()
            .expect("a scope is open")
            .names
            .insert(key(ident), binding);
    }

    /// Changes what a name stands for in the scope that declared it.
    pub(super) fn rebind(&mut self, ident: &Ident, binding: Binding) {
        let key = key(ident);
        if let Some(scope) = self
            .scopes
            .iter_mut()
            .rev()
            .find(|scope| scope.names.contains_key(&key))
        {
            scope.names.insert(key, binding);
        }
    }

    pub(super) fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::default());
        let result = f(self);
        self.scopes.pop();
        result
    }
}

/// The identifier of a path that is one plain name.
pub(super) fn plain_ident(path: &syn::ExprPath) -> Option<&Ident> {
    if path.qself.is_some() {
        None
    } else {
        path.path.get_ident()
    }
}

/// The plain name that an expression is, parentheses aside.
pub(super) fn name_of(e: &syn::Expr) -> Option<&Ident> {
    match e {
        syn::Expr::Path(path) => plain_ident(path),
        syn::Expr::Paren(p) => name_of(&p.expr),
        syn::Expr::Group(g) => name_of(&g.expr),
        _ => None,
    }
}
