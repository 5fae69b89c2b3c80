//! Renaming inside code that is kept as written: variables of the function become placeholders.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::visit_mut::{VisitMut, visit_expr_mut};

use super::Lowerer;
use super::infer::Class;
use super::method_names::is_float_function;
use super::opaque::{Builder, atom, pattern_names};
use super::operator::{compound_operator, strip};
use super::scope::{Binding, key, plain_ident};
use super::value::Value;
use crate::diag::catalog;
use crate::ir::hash::HashSet;
use crate::ir::{OpaqueArg, OpaqueKind, Place, Ty, is_reader, only_reads};

pub(super) struct Renamer<'b, 'l, 'd> {
    pub(super) builder: &'b mut Builder,
    pub(super) l: &'l mut Lowerer<'d>,
    pub(super) scopes: Vec<HashSet<String>>,
    pub(super) closures: u32,
    pub(super) loops: u32,
}

/// What the code around a name does with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Look,
    /// By a method that should not write: behind a shared reference, so that rustc rejects it if it does.
    Share,
    Write,
}

impl<'b, 'l, 'd> Renamer<'b, 'l, 'd> {
    /// A renamer under the names in `scopes`, which the code around has bound.
    pub(super) fn new(
        builder: &'b mut Builder,
        l: &'l mut Lowerer<'d>,
        scopes: Vec<HashSet<String>>,
    ) -> Self {
        Renamer {
            builder,
            l,
            scopes,
            closures: 0,
            loops: 0,
        }
    }
}

impl Renamer<'_, '_, '_> {
    pub(super) fn bind(&mut self, pat: &syn::Pat) {
        for ident in pattern_names(pat) {
            self.builder.bound.insert(ident.unraw().to_string());
            if let Some(scope) = self.scopes.last_mut() {
                scope.insert(key(&ident));
            }
        }
    }

    pub(super) fn in_scope(&mut self, f: impl FnOnce(&mut Self)) {
        self.scopes.push(HashSet::default());
        f(self);
        self.scopes.pop();
    }

    fn is_own(&self, ident: &Ident) -> bool {
        let key = key(ident);
        self.scopes.iter().any(|scope| scope.contains(&key))
    }

    /// The local variable of the function that a chain of fields and indices starts at.
    fn root_of(&self, e: &syn::Expr) -> Option<Binding> {
        match strip(e) {
            syn::Expr::Path(path) => plain_ident(path)
                .filter(|ident| !self.is_own(ident))
                .and_then(|ident| self.l.lookup(ident)),
            syn::Expr::Field(f) => self.root_of(&f.base),
            syn::Expr::Index(i) => self.root_of(&i.expr),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.root_of(&u.expr),
            _ => None,
        }
    }

    /// Whether unknown code could write through the binding.
    fn is_writable(&self, binding: &Binding) -> bool {
        match binding {
            Binding::Var(var) | Binding::Deferred { var, .. } => {
                let ty = &self.l.func.var(*var).ty;
                let scalar = self.l.types.is_plain(ty);
                self.l.unstable.contains(var) && !scalar
            }
            Binding::View { view, .. } => view.mutable,
            Binding::Tuple(_)
            | Binding::Closure(_)
            | Binding::Walk(_)
            | Binding::Outcome(_)
            | Binding::Captured(..)
            | Binding::Function(_)
            | Binding::Poisoned => false,
        }
    }

    fn replace_name(&mut self, e: &mut syn::Expr, ident: &Ident, access: Access) {
        let Some(binding) = self.l.lookup(ident) else {
            self.l.nonlocal.insert(ident.unraw().to_string());
            return;
        };
        if let Binding::Closure(local) = binding {
            *e = self.closure(&local);
            return;
        }
        let span = ident.span();
        let value = self.l.bound(binding, span);
        *e = match (value, access) {
            (Value::Place(place, _), Access::Write) => self.written(place, span),
            (Value::Ref(view), Access::Write) => {
                let view = self.shallow_view(view.place, view.depth, span);
                self.builder.impure = true;
                let name = self.builder.arg(self.l, OpaqueArg::RefMut(view), span);
                syn::parse_quote!((*#name))
            }
            (Value::Ref(view), Access::Look | Access::Share) => {
                let name = self.builder.arg(self.l, OpaqueArg::Ref(view.place), span);
                // References to the reference.
                (0..view.depth).fold(name, |name, _| syn::parse_quote!((&#name)))
            }
            (Value::Place(place, _), Access::Share) => {
                let name = self.builder.arg(self.l, OpaqueArg::Ref(place), span);
                syn::parse_quote!((*#name))
            }
            (value, _) => self.builder.operand(self.l, value, span),
        };
    }

    /// The text of a closure that a name stands for, under the names that it sees.
    fn closure(&mut self, local: &super::closures::Local) -> syn::Expr {
        let outside = std::mem::replace(&mut self.l.scopes, (*local.scopes).clone());
        let own = std::mem::take(&mut self.scopes);
        let mut code = syn::Expr::Closure((*local.closure).clone());
        self.visit_expr_mut(&mut code);
        self.scopes = own;
        self.l.scopes = outside;
        syn::parse_quote!((#code))
    }

    fn shallow_view(&mut self, place: Place, depth: u8, span: Span) -> Place {
        if depth > 0 {
            self.l.diags.at(span, catalog::reference_too_dynamic());
        }
        place
    }

    fn written(&mut self, place: Place, span: Span) -> syn::Expr {
        self.builder.impure = true;
        let name = self.builder.arg(self.l, OpaqueArg::RefMut(place), span);
        syn::parse_quote!((*#name))
    }

    /// Renames a chain of fields and indices, its root being used with this access.
    fn visit_chain(&mut self, e: &mut syn::Expr, access: Access) {
        match e {
            syn::Expr::Paren(p) => self.visit_chain(&mut p.expr, access),
            syn::Expr::Group(g) => self.visit_chain(&mut g.expr, access),
            syn::Expr::Field(f) => self.visit_chain(&mut f.base, access),
            syn::Expr::Index(i) => {
                self.visit_chain(&mut i.expr, access);
                self.visit_expr_mut(&mut i.index);
            }
            syn::Expr::Path(path) => {
                let ident = plain_ident(path).cloned();
                if let Some(ident) = ident.filter(|ident| !self.is_own(ident)) {
                    self.replace_name(e, &ident, access);
                }
            }
            syn::Expr::Unary(u)
                if access == Access::Write
                    && matches!(u.op, syn::UnOp::Deref(_))
                    && self.root_of(&u.expr).is_some() =>
            {
                // `*r` of a view: the written place itself.
                self.visit_chain(&mut u.expr, access);
                let inner = (*u.expr).clone();
                *e = inner;
            }
            other => self.visit_expr_mut(other),
        }
    }

    /// A plain function is trusted as it is outside of kept code; a method could belong to a cell (`hidden`).
    fn call(&mut self, call: &mut syn::ExprCall) {
        let before = self.builder.hidden.len();
        let cut = match &*call.func {
            syn::Expr::Path(p) if is_cut(p) => Some(p.path.clone()),
            _ => None,
        };
        self.visit_expr_mut(&mut call.func);
        self.builder.impure = true;
        call.args
            .iter_mut()
            .for_each(|arg| self.visit_argument(arg));
        if let Some(path) = cut {
            self.builder.hidden.truncate(before);
            self.l.func.cuts.push(path);
        }
    }

    /// The call as one value, if it is a pure expression that uses no name of the code's own.
    fn folded(&mut self, e: &syn::Expr) -> Option<syn::Expr> {
        if !self.builder.folds || !matches!(e, syn::Expr::MethodCall(_) | syn::Expr::Call(_)) {
            return None;
        }
        let names = super::prescan::names_in(&quote::ToTokens::to_token_stream(e));
        if names.iter().any(|name| self.is_own(name)) {
            return None;
        }
        let value = self.l.attempt(e)?;
        let span = value.span;
        Some(self.builder.arg(self.l, OpaqueArg::Value(value), span))
    }

    /// Whether an expression without names of the code's own is an integer, whose methods keep nothing.
    fn is_integer(&mut self, e: &syn::Expr) -> bool {
        let names = super::prescan::names_in(&quote::ToTokens::to_token_stream(e));
        if names.iter().any(|name| self.is_own(name)) {
            return false;
        }
        let Some(value) = self.l.attempt(e) else {
            return false;
        };
        let ty = self.l.types.shallow(&value.ty);
        matches!(self.l.types.class(&ty), Class::Int)
    }

    /// Whether the method is one of options that keeps nothing, and called on an option, which a name or a field shows.
    fn is_of_option(&mut self, call: &syn::ExprMethodCall) -> bool {
        let name = call.method.to_string();
        let taken = matches!(
            name.as_str(),
            "map_or" | "map_or_else" | "and_then" | "or" | "or_else" | "unwrap_or_else"
        );
        (taken || matches!(name.as_str(), "filter" | "map"))
            && self.is_option(&call.receiver, &call.method)
    }

    /// Whether an expression is an option whose method of this name is std's.
    fn is_option(&mut self, e: &syn::Expr, method: &Ident) -> bool {
        let e = strip(e);
        if let syn::Expr::MethodCall(call) = e {
            let yields_option = matches!(
                call.method.to_string().as_str(),
                "and_then" | "filter" | "map" | "or" | "or_else"
            );
            return yields_option && self.is_of_option(call);
        }
        // Such a place leaves nothing behind.
        let names = super::prescan::names_in(&quote::ToTokens::to_token_stream(e));
        if !is_plain(e) || names.iter().any(|name| self.is_own(name)) {
            return false;
        }
        let value = self.l.pointee(e);
        let ty = self.l.type_of(&value);
        let is_option = matches!(self.l.types.shallow(&ty), Ty::Option(_));
        if is_option {
            self.l.note_std_method(&value, method);
        }
        is_option
    }

    fn method(&mut self, call: &mut syn::ExprMethodCall) {
        let hides = !is_reader(&call.method.to_string())
            && !self.is_integer(&call.receiver)
            && !self.is_of_option(call);
        let first = self.builder.args.len();
        let root = self.root_of(&call.receiver);
        if let Some(number) = self.number_asked(call, root.is_some()) {
            *call.receiver = number;
        } else if root.is_some_and(|root| self.is_writable(&root)) {
            let reads = only_reads(&call.method.to_string());
            let access = if reads { Access::Share } else { Access::Write };
            self.visit_chain(&mut call.receiver, access);
        } else {
            self.visit_expr_mut(&mut call.receiver);
            *call.receiver = atom((*call.receiver).clone());
        }
        call.args
            .iter_mut()
            .for_each(|arg| self.visit_argument(arg));
        if hides {
            let operands = self.builder.args[first..].to_vec();
            let kind = OpaqueKind::Method(call.method.clone());
            self.builder.hidden.push((kind, operands));
        }
    }

    /// What a method of floats is asked of in a region, which runs it twice. Where nothing shows that it is a number,
    /// rustc checks it.
    fn number_asked(&mut self, call: &syn::ExprMethodCall, of_local: bool) -> Option<syn::Expr> {
        let name = call.method.to_string();
        let asks = name.starts_with("is_") && is_float_function(&name, call.args.len());
        if !of_local || !asks || self.l.regions.is_empty() {
            return None;
        }
        let names = super::prescan::names_in(&quote::ToTokens::to_token_stream(&call.receiver));
        if names.iter().any(|name| self.is_own(name)) {
            return None;
        }
        let value = self.l.attempt(&call.receiver)?;
        let value = match self.l.types.class(&value.ty) {
            Class::Float | Class::Int | Class::Number => value,
            Class::Open | Class::Hidden => self.l.as_number(value),
            Class::Other => return None,
        };
        let span = value.span;
        Some(self.builder.arg(self.l, OpaqueArg::Value(value), span))
    }

    /// An argument that is a mutable view by name is re-borrowed: the callee may write through it.
    fn visit_argument(&mut self, arg: &mut syn::Expr) {
        if let syn::Expr::Path(path) = arg {
            let ident = plain_ident(path).cloned();
            if let Some(ident) = ident.filter(|i| !self.is_own(i))
                && let Some(Binding::View { view, .. }) = self.l.lookup(&ident)
                && view.mutable
            {
                self.builder.impure = true;
                *arg = self
                    .builder
                    .arg(self.l, OpaqueArg::RefMut(view.place), ident.span());
                return;
            }
        }
        self.visit_expr_mut(arg);
    }
}

impl VisitMut for Renamer<'_, '_, '_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let Some(name) = super::walks::rest_of(e) {
            *e = syn::parse_quote!(#name);
        }
        if let Some(folded) = self.folded(e) {
            *e = folded;
            return;
        }
        match e {
            syn::Expr::Path(path) => {
                if let Some(ident) = plain_ident(path).cloned() {
                    if !self.is_own(&ident) {
                        self.replace_name(e, &ident, Access::Look);
                    }
                } else {
                    let path = path.path.clone();
                    self.l.note_nonlocal(&path);
                }
            }
            syn::Expr::Reference(r)
                if r.mutability.is_some() && self.root_of(&r.expr).is_some() =>
            {
                self.visit_chain(&mut r.expr, Access::Write)
            }
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                self.visit_expr_mut(&mut u.expr);
                *u.expr = atom((*u.expr).clone());
            }
            syn::Expr::Group(group) => {
                // Invisible delimiters are lost when tokens are parsed again.
                self.visit_expr_mut(&mut group.expr);
                let inner = (*group.expr).clone();
                *e = syn::parse_quote!((#inner));
            }
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Call(call) => self.call(call),
            syn::Expr::Assign(a) => {
                if self.root_of(&a.left).is_some() {
                    self.l.diags.over(&a.left, catalog::assignment_in_code());
                } else {
                    visit_expr_mut(self, e);
                }
            }
            syn::Expr::Binary(b)
                if compound_operator(&b.op).is_some() && self.root_of(&b.left).is_some() =>
            {
                self.l.diags.over(&b.left, catalog::assignment_in_code());
            }
            syn::Expr::Macro(m) => {
                let mut scopes = std::mem::take(&mut self.scopes);
                self.l.rename_macro(self.builder, &mut m.mac, &mut scopes);
                self.scopes = scopes;
            }
            syn::Expr::Struct(s) => {
                self.l.note_nonlocal(&s.path);
                for field in &mut s.fields {
                    self.visit_expr_mut(&mut field.expr);
                    // `S { x }` needs its colon once `x` has another name.
                    field.colon_token = Some(syn::Token![:](Span::call_site()));
                }
                if let Some(rest) = &mut s.rest {
                    self.visit_expr_mut(rest);
                }
            }
            other => {
                if !self.refuse_jumps(other) && !self.binding_form(other) {
                    visit_expr_mut(self, other);
                }
            }
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        self.in_scope(|s| {
            block
                .stmts
                .iter_mut()
                .for_each(|stmt| s.visit_statement(stmt))
        });
    }

    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}

    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
}

/// Renames inside one expression of a macro's arguments, under the names that the code around it binds.
pub(super) fn rename_under(
    l: &mut Lowerer<'_>,
    builder: &mut Builder,
    scopes: &mut Vec<HashSet<String>>,
    e: &mut syn::Expr,
) {
    let mut renamer = Renamer::new(builder, l, std::mem::take(scopes));
    renamer.visit_expr_mut(e);
    *scopes = renamer.scopes;
}

/// Adds the names of a pattern to the innermost scope.
pub(super) fn bind_under(builder: &mut Builder, scopes: &mut Vec<HashSet<String>>, pat: &syn::Pat) {
    let names = pattern_names(pat);
    builder
        .bound
        .extend(names.iter().map(|i| i.unraw().to_string()));
    scopes.push(names.iter().map(key).collect());
}

/// Whether a name is bound by the code itself.
pub(super) fn is_bound(scopes: &[HashSet<String>], ident: &Ident) -> bool {
    let key = key(ident);
    scopes.iter().any(|scope| scope.contains(&key))
}

/// A name, or a field of one.
fn is_plain(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Path(path) => plain_ident(path).is_some(),
        syn::Expr::Field(field) => is_plain(strip(&field.base)),
        _ => false,
    }
}

/// `no_gradient`, which generated code checks to be retrograde's.
fn is_cut(path: &syn::ExprPath) -> bool {
    let last = path.path.segments.last();
    last.is_some_and(|last| last.ident == "no_gradient")
}
