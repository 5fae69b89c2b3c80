//! Closures that are given to others: each becomes a function of its own, in front of whose parameters
//! stands what it captures.

use std::rc::Rc;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};

use super::Lowerer;
use super::bodies::{Shown, shown};
use super::closures::Local;
use super::format::names_in_formats;
use super::functions::FunctionValue;
use super::guessed::{self, Use};
use super::infer::Class;
use super::lifted::{Capture, spelled, written};
use super::opaque::pattern_names;
use super::prescan::names_in;
use super::rename_captures::renamed as renamed_variable;
use super::scope::{Binding, key};
use super::value::{Value, View};
use crate::diag::catalog;
use crate::functions;
use crate::ir::hash::HashSet;
use crate::ir::{Closure, Expr, FunctionKind, Place, Proj, Ty, parameter_names, regroup};

impl Lowerer<'_> {
    /// The closure as a function; `None` after a mistake.
    pub(super) fn closure_value(&mut self, closure: &syn::ExprClosure) -> Option<FunctionValue> {
        let renamed = self.without_self(closure);
        let closure = renamed.as_ref().unwrap_or(closure);
        if !self.has_plain_form(closure) {
            return None;
        }
        let names = free_names(closure);
        let mut captures = Vec::new();
        let mut prelude: Vec<(Ident, syn::Stmt)> = Vec::new();
        let mut mistake = false;
        let mut queue = names;
        queue.reverse();
        let mut seen = HashSet::default();
        let mut bodies = vec![closure.body.clone()];
        while let Some(ident) = queue.pop() {
            let Some(binding) = self.lookup(&ident) else {
                continue;
            };
            let first = seen.insert(key(&ident));
            if let Binding::Closure(local) = &binding {
                // What needs it stands behind it, also what was found first.
                prelude.retain(|(name, _)| *name != ident);
                // It is made once more inside, of the same variables.
                let Some((text, names)) = self.once_more(local) else {
                    let what = format!(
                        "the closure `{ident}`, some of whose variables have been shadowed since,"
                    );
                    self.diags.at(ident.span(), catalog::closure_form(&what));
                    mistake = true;
                    continue;
                };
                bodies.push(text.body.clone());
                let stmt: syn::Stmt = syn::parse_quote!(let #ident = #text;);
                prelude.insert(0, (ident, stmt));
                queue.extend(names);
                continue;
            }
            if !first {
                continue;
            }
            let mut uses = bodies.iter().map(|body| guessed::used(body, &ident));
            if uses.any(|found| found != Use::Unknown) {
                self.guess_vector(&binding);
            }
            match self.captured_as(&ident, &binding, closure.capture.is_some()) {
                Ok(capture) => captures.extend(capture),
                Err(()) => mistake = true,
            }
        }
        if mistake {
            return None;
        }
        let prelude: Vec<syn::Stmt> = prelude.into_iter().map(|(_, stmt)| stmt).collect();
        let name = self.func.fresh_name("__closure", closure.or1_token.span);
        let mut function = self.lifted(&name, closure, &captures, prelude.clone());
        let written = written(&function, &captures);
        for (capture, _) in captures.iter_mut().zip(&written).filter(|(_, w)| **w) {
            if closure.capture.is_some() && capture.is_copy() {
                self.diags
                    .at(capture.ident.span(), catalog::closure_writes());
                return None;
            }
            capture.lend();
        }
        let mutates = written.contains(&true);
        if mutates {
            function = self.lifted(&name, closure, &captures, prelude);
        }
        let behind = captures.iter().filter(|capture| capture.behind);
        let value = FunctionValue {
            kind: FunctionKind::Closure(
                name.clone(),
                parameter_names(&function.sig.generics).cloned().collect(),
            ),
            name,
            inputs: closure.inputs.iter().map(type_written).collect(),
            reference: None,
            captures: captures
                .iter()
                .map(|capture| capture.value.clone())
                .collect(),
            parameter: None,
            mutates,
            output: match &function.sig.output {
                syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
                syn::ReturnType::Default => None,
            },
        };
        self.note_open(&captures);
        self.func.closures.push(Closure {
            function,
            captures: captures.len(),
            captured: behind.map(|capture| key(&capture.ident)).collect(),
        });
        Some(value)
    }

    /// The text of a closure for another place, with the names that it sees there: what is hidden there by another
    /// variable, or is a copy that it has to itself, gets a name of its own. `None`: it has a macro that names such a
    /// variable in its text.
    fn once_more(&mut self, local: &Local) -> Option<(syn::ExprClosure, Vec<Ident>)> {
        let own = self.under(local, |l| {
            let names = free_names(&local.closure).into_iter();
            let bound = names.filter_map(|name| Some((l.lookup(&name)?, name)));
            bound.collect::<Vec<_>>()
        });
        let mut text = (*local.closure).clone();
        // Copies are made where it stands: what it writes to here are these.
        text.capture = None;
        let mut names = Vec::new();
        for (was, name) in own {
            let same = self
                .lookup(&name)
                .is_some_and(|now| same_binding(&now, &was));
            let name = if same {
                name
            } else {
                let other = self.func.fresh_name(&name.to_string(), name.span());
                text = renamed_variable(&text, &name, &other)?;
                self.bind(&other, was);
                other
            };
            names.push(name);
        }
        Some((text, names))
    }

    /// The closure that has a name as a function of the variables that its names stand for.
    pub(super) fn local_value(&mut self, name: &Ident, local: &Local) -> Option<FunctionValue> {
        let mut value = self.under(local, |l| l.closure_value(&local.closure))?;
        value.name = name.clone();
        Some(value)
    }

    /// Under the names that a closure sees.
    fn under<T>(&mut self, local: &Local, then: impl FnOnce(&mut Self) -> T) -> T {
        let outside = std::mem::replace(&mut self.scopes, (*local.scopes).clone());
        let done = then(self);
        self.scopes = outside;
        done
    }

    /// The closure with a plain name for `self`, and the type for `Self`, if it has one of them.
    fn without_self(&mut self, closure: &syn::ExprClosure) -> Option<syn::ExprClosure> {
        let ty = self.owner.itself.clone()?;
        let named = |name: &Ident| *name == "self" || *name == "Self";
        let tokens = closure.to_token_stream();
        let this = names_in(&tokens).into_iter().find(named)?;
        let name = self.func.fresh_name("this", this.span());
        if let Some(binding) = self.lookup(&Ident::new("self", this.span())) {
            self.bind(&name, binding);
        }
        syn::parse2(renamed(tokens, &name, &ty)).ok()
    }

    pub(super) fn has_plain_form(&mut self, closure: &syn::ExprClosure) -> bool {
        if let Some(token) = &closure.asyncness {
            self.diags.over(token, catalog::async_block());
            return false;
        }
        if let Some(token) = &closure.lifetimes {
            self.diags.over(token, catalog::closure_form("`for<…>`"));
            return false;
        }
        let open = matches!(closure.output, syn::ReturnType::Default);
        if open && shown(closure) == Some(Shown::Result) {
            self.diags.over(closure, catalog::closure_result());
            return false;
        }
        let names = free_names(closure);
        if let Some(this) = names.iter().find(|name| *name == "self" || *name == "Self") {
            self.diags.at(this.span(), catalog::closure_self());
            return false;
        }
        true
    }

    /// What a name that stands in a closure is captured as; nothing if it has no value.
    fn captured_as(
        &mut self,
        ident: &Ident,
        binding: &Binding,
        moves: bool,
    ) -> Result<Option<Capture>, ()> {
        let span = ident.span();
        let reference = match binding {
            Binding::Function(function) => function.reference,
            _ => None,
        };
        let of = |ty, value, behind| {
            Ok(Some(Capture {
                ident: ident.clone(),
                ty,
                value,
                behind,
                reference,
                open: false,
            }))
        };
        match binding {
            Binding::Function(function) => match &function.parameter {
                Some((ty, _)) => of(syn::parse_quote!(#ty), function.captures[0].clone(), false),
                None => Ok(None),
            },
            Binding::Var(var) | Binding::Deferred { var, .. } => {
                let place = Place::var(*var, span);
                let ty = self.captured_type(&self.func.var(*var).ty.clone(), ident);
                let open = self.is_open_integer(&ty);
                let written = if open {
                    Some(syn::parse_quote!(_))
                } else {
                    spelled(&ty, &self.func.written)
                };
                if self.types.is_plain(&ty)
                    && let Some(written) = written
                {
                    let value = if moves && self.unstable.contains(var) {
                        let read = Expr::read_var(*var, ty.clone(), span);
                        Value::Expr(self.in_temp("captured", read))
                    } else {
                        Value::Place(place, ty)
                    };
                    let capture = of(written, value, false)?;
                    return Ok(capture.map(|capture| Capture { open, ..capture }));
                }
                let written = self.written_type(*var, &ty, ident)?;
                let written = functions::unnamed(&written);
                // What is moved, or copied, keeps the value that it has here.
                let place = if moves && self.unstable.contains(var) {
                    let read = Expr::read_var(*var, ty.clone(), span);
                    Place::var(self.temp_let("captured", read), span)
                } else {
                    place
                };
                let view = View::new(place, ty, false);
                of(syn::parse_quote!(&#written), Value::Ref(view), true)
            }
            Binding::Captured(place, ty) => {
                let written = self.written_type(place.root, ty, ident)?;
                let written = functions::unnamed(&written);
                let view = View::new(place.clone(), ty.clone(), false);
                of(syn::parse_quote!(&#written), Value::Ref(view), true)
            }
            Binding::View { view, var } => {
                if view.depth > 0 || var.is_some() {
                    self.diags
                        .at(span, catalog::closure_type(&ident.to_string()));
                    return Err(());
                }
                let whole = view.place.proj.iter().all(|p| matches!(p, Proj::Deref));
                let ty = self.captured_type(&view.ty, ident);
                let written = if whole {
                    self.written_type(view.place.root, &ty, ident)?
                } else {
                    let written = spelled(&ty, &self.func.written);
                    written.ok_or_else(|| self.unknown(ident))?
                };
                let written = functions::unnamed(&written);
                let view = View {
                    mutable: false,
                    ty,
                    ..view.clone()
                };
                of(syn::parse_quote!(&#written), Value::Ref(view), false)
            }
            Binding::Tuple(_) | Binding::Closure(_) | Binding::Outcome(_) | Binding::Walk(_) => {
                self.unknown(ident);
                Err(())
            }
            Binding::Poisoned => Err(()),
        }
    }

    /// The variable is a vector, if nothing else is known of it: what a function returned whose elements are used.
    fn guess_vector(&mut self, binding: &Binding) {
        if let Binding::Var(var) = binding {
            let ty = self.func.var(*var).ty.clone();
            self.types.solve();
            if self.types.class(&ty) == Class::Open {
                let vector = Ty::Vec(Box::new(self.float()));
                self.types.unify(&ty, &vector);
            }
        }
    }

    pub(super) fn unknown(&mut self, ident: &Ident) {
        self.diags
            .at(ident.span(), catalog::closure_type(&ident.to_string()));
    }
}

/// The tokens with `name` for `self`, and the type for `Self`.
fn renamed(tokens: TokenStream, name: &Ident, ty: &syn::Type) -> TokenStream {
    let mut out = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    let is_colon =
        |tree: Option<&TokenTree>| matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == ':');
    while let Some(tree) = tokens.next() {
        match tree {
            TokenTree::Ident(ident) if ident == "self" && !is_colon(tokens.peek()) => {
                out.extend([TokenTree::Ident(Ident::new(
                    &name.to_string(),
                    ident.span(),
                ))]);
            }
            TokenTree::Ident(ident) if ident == "Self" => out.extend(match ty {
                syn::Type::Path(ty) => with_colons(ty).into_token_stream(),
                ty if is_colon(tokens.peek()) => quote!(<#ty>),
                ty => ty.to_token_stream(),
            }),
            TokenTree::Group(group) => {
                let inner = renamed(group.stream(), name, ty);
                out.extend([TokenTree::Group(regroup(&group, inner))]);
            }
            other => out.extend([other]),
        }
    }
    out
}

/// The path with `::` in front of its arguments, as both types and expressions can have it.
fn with_colons(ty: &syn::TypePath) -> syn::TypePath {
    let mut ty = ty.clone();
    for segment in &mut ty.path.segments {
        if let syn::PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
            arguments.colon2_token.get_or_insert_with(Default::default);
        }
    }
    ty
}

/// Whether a name means the same variable.
fn same_binding(a: &Binding, b: &Binding) -> bool {
    match (a, b) {
        (
            Binding::Var(a) | Binding::Deferred { var: a, .. },
            Binding::Var(b) | Binding::Deferred { var: b, .. },
        ) => a == b,
        (Binding::View { view: a, .. }, Binding::View { view: b, .. }) => {
            same_place(&a.place, &b.place)
        }
        (Binding::Captured(a, _), Binding::Captured(b, _)) => same_place(a, b),
        (Binding::Closure(a), Binding::Closure(b)) => Rc::ptr_eq(&a.closure, &b.closure),
        (Binding::Function(a), Binding::Function(b)) => match (&a.kind, &b.kind) {
            (FunctionKind::Closure(a, _), FunctionKind::Closure(b, _)) => a == b,
            _ => match (&a.captures[..], &b.captures[..]) {
                ([Value::Ref(a)], [Value::Ref(b)]) => same_place(&a.place, &b.place),
                _ => false,
            },
        },
        _ => false,
    }
}

fn same_place(a: &Place, b: &Place) -> bool {
    let whole = |p: &Place| p.proj.iter().all(|p| matches!(p, Proj::Deref));
    a.root == b.root && whole(a) && whole(b)
}

/// The names that may be variables outside of a closure.
fn free_names(closure: &syn::ExprClosure) -> Vec<Ident> {
    struct Finder(Vec<Ident>);
    impl Visit<'_> for Finder {
        fn visit_expr_path(&mut self, path: &syn::ExprPath) {
            if path.qself.is_none()
                && let Some(first) = path.path.segments.first()
                && (path.path.segments.len() == 1 || first.ident == "Self")
            {
                self.0.push(first.ident.clone());
            }
            visit::visit_expr_path(self, path);
        }
        fn visit_expr_struct(&mut self, literal: &syn::ExprStruct) {
            let first = literal.path.segments.first();
            let itself = first.filter(|first| first.ident == "Self");
            self.0.extend(itself.map(|first| first.ident.clone()));
            visit::visit_expr_struct(self, literal);
        }
        fn visit_macro(&mut self, mac: &syn::Macro) {
            self.0.extend(names_in(&mac.tokens));
            self.0.extend(names_in_formats(&mac.tokens));
        }
        fn visit_item(&mut self, _: &syn::Item) {}
    }
    let mut finder = Finder(Vec::new());
    finder.visit_expr(&closure.body);
    let own: HashSet<String> = closure
        .inputs
        .iter()
        .flat_map(pattern_names)
        .map(|name| key(&name))
        .collect();
    let mut seen = HashSet::default();
    finder
        .0
        .into_iter()
        .filter(|name| !own.contains(&key(name)) && seen.insert(key(name)))
        .collect()
}

/// The type that a parameter of a closure is written with, or `_`.
fn type_written(parameter: &syn::Pat) -> syn::Type {
    match parameter {
        syn::Pat::Type(typed) => (*typed.ty).clone(),
        _ => syn::parse_quote!(_),
    }
}
