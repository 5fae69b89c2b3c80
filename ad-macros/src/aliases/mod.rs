//! What the aliases of a function's own module stand for.
//!
//! `type Corners = [f64; 8];` beside a function means in it what it says: a module has no two types of one name, and
//! what a `use` with a star brings comes behind. So what is generated for the function is generated as if the array
//! stood there. Where the text of the file says something else than rustc sees, the types of what is generated are not
//! those of the function, and rustc says so.
//!
//! One that the file imports from another module of the package is what the text of that says, and generated code
//! checks it.
//!
//! Only aliases of numbers, and of arrays, slices and tuples of them, are looked into; the names of all else
//! would have to mean the same in the function as beside it.

mod results;

use std::cell::RefCell;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use crate::ir::hash::HashMap;
use crate::ir::parameter_names;
use crate::surroundings::{Alias, aliases_at, chosen_alias, imported_alias};

pub(crate) use results::{
    restored, written_out as results_written_out, written_out_in_output as result_in_output,
    written_out_in_trait as results_in_trait,
};

/// Aliases in aliases: as deep as one looks.
const DEPTH: usize = 8;

/// The function with what aliases of its module stand for in place of them.
pub(crate) fn written_out(function: &mut syn::ItemFn) {
    let at = function.sig.ident.span();
    if let Some(names) = names(|names| names.visit_item_fn(function)) {
        resolve(aliases_at(at), names, |resolver| {
            resolver.generics(&function.sig.generics);
            resolver.visit_item_fn_mut(function);
            resolver.check_in(&mut function.block);
        });
    }
}

/// The same of a block.
pub(crate) fn written_out_in_block(block: &mut syn::ItemImpl) {
    let at = block.impl_token.span;
    if let Some(names) = names(|names| names.visit_item_impl(block)) {
        resolve(aliases_at(at), names, |resolver| {
            resolver.generics(&block.generics);
            for item in &mut block.items {
                if let syn::ImplItem::Fn(method) = item {
                    let outer = resolver.hidden.len();
                    resolver.generics(&method.sig.generics);
                    resolver.visit_impl_item_fn_mut(method);
                    resolver.check_in(&mut method.block);
                    resolver.hidden.truncate(outer);
                }
            }
        });
    }
}

/// The same of the fields of a struct; what checks them.
pub(crate) fn written_out_in_fields(item: &mut syn::DeriveInput) -> Option<syn::Item> {
    let at = item.ident.span();
    let names = names(|names| names.visit_derive_input(item))?;
    let mut check = None;
    resolve(aliases_at(at), names, |resolver| {
        resolver.generics(&item.generics);
        resolver.visit_data_mut(&mut item.data);
        check = resolver.check();
    });
    check
}

/// The types that are names and not those of the language, if all names mean what they mean outside.
fn names(look: impl FnOnce(&mut Names)) -> Option<Vec<Ident>> {
    let mut names = Names::default();
    look(&mut names);
    (!names.found.is_empty() && !names.items).then_some(names.found)
}

#[derive(Default)]
struct Names {
    found: Vec<Ident>,
    /// Whether there are items inside, which have names of their own.
    items: bool,
}

impl Names {
    fn note(&mut self, name: &Ident) {
        if !is_known(&name.unraw().to_string()) && !self.found.contains(name) {
            self.found.push(name.clone());
        }
    }
}

impl Visit<'_> for Names {
    fn visit_type_path(&mut self, ty: &syn::TypePath) {
        if simple(ty).is_some() {
            ty.path
                .get_ident()
                .into_iter()
                .for_each(|name| self.note(name));
        }
        visit::visit_type_path(self, ty);
    }

    fn visit_expr_path(&mut self, path: &syn::ExprPath) {
        of_type(path).into_iter().for_each(|of| self.note(of));
        visit::visit_expr_path(self, path);
    }

    fn visit_stmt(&mut self, stmt: &syn::Stmt) {
        self.items |= matches!(stmt, syn::Stmt::Item(_));
        visit::visit_stmt(self, stmt);
    }
}

/// The name, if the type is a name alone.
fn simple(ty: &syn::TypePath) -> Option<String> {
    let alone = ty.qself.is_none();
    let name = alone.then(|| ty.path.get_ident()).flatten()?;
    Some(name.unraw().to_string())
}

/// `Real` of `Real::powi`.
fn of_type(path: &syn::ExprPath) -> Option<&Ident> {
    let mut segments = path.path.segments.iter();
    let (of, _) = (segments.next()?, segments.next()?);
    let plain = path.qself.is_none() && path.path.leading_colon.is_none();
    let alone = plain && segments.next().is_none() && of.arguments.is_none();
    alone.then_some(&of.ident)
}

fn is_known(name: &str) -> bool {
    name == "Self" || crate::lower::is_primitive(name) || crate::lower::is_of_std(name)
}

/// `names`: those that aliases may be known by. They are looked for in the package only where the file imports them.
fn resolve(aliases: Vec<Alias>, mut names: Vec<Ident>, run: impl FnOnce(&mut Resolver)) {
    let mut known: HashMap<String, Option<syn::Type>> = HashMap::default();
    for (name, of) in aliases {
        let ty: Option<syn::Type> = of.and_then(|of| syn::parse_str(&of).ok());
        let mut inside = Names::default();
        ty.iter().for_each(|ty| inside.visit_type(ty));
        let at = names.first().map_or_else(Span::call_site, Ident::span);
        names.extend(inside.found.into_iter().map(|mut name| {
            name.set_span(at);
            name
        }));
        let twice = known.contains_key(&name);
        known.insert(name, ty.filter(|_| !twice));
    }
    let mut imported = Vec::new();
    for name in names {
        let key = name.unraw().to_string();
        let found = match known.get(&key) {
            None => imported_alias(&name),
            // It is under an attribute, or there is another one.
            Some(None) => chosen_alias(&name),
            Some(Some(_)) => None,
        };
        if let Some(ty) = found {
            known.insert(key, Some(ty));
            imported.push(name);
        }
    }
    if !known.is_empty() {
        run(&mut Resolver {
            known,
            hidden: Vec::new(),
            imported,
            used: RefCell::default(),
        });
    }
}

struct Resolver {
    known: HashMap<String, Option<syn::Type>>,
    /// Parameters of the function, whose names come in front.
    hidden: Vec<String>,
    /// The names that other modules declare.
    imported: Vec<Ident>,
    /// Those of them that were written out.
    used: RefCell<Vec<String>>,
}

impl Resolver {
    fn generics(&mut self, generics: &syn::Generics) {
        let names = parameter_names(generics);
        self.hidden
            .extend(names.map(|name| name.unraw().to_string()));
    }

    /// What a name stands for, all through.
    fn of(&self, name: &str, depth: usize) -> Option<syn::Type> {
        let ty = self.known.get(name)?.as_ref();
        let ty = ty.filter(|_| depth > 0 && !self.hidden.iter().any(|hidden| hidden == name));
        let found = self.plain(ty?, depth)?;
        self.used.borrow_mut().push(name.to_owned());
        Some(found)
    }

    /// What checks the names that were written out since the last time, of those that other modules declare.
    fn check(&self) -> Option<syn::Item> {
        let used = std::mem::take(&mut *self.used.borrow_mut());
        let checks = self.imported.iter().filter_map(|name| {
            let key = name.unraw().to_string();
            let ty = self.known.get(&key)?.as_ref()?;
            let check =
                quote::quote_spanned!(name.span()=> let _: fn(#name) -> #ty = |value| value;);
            used.contains(&key).then_some(check)
        });
        let checks: Vec<TokenStream> = checks.collect();
        (!checks.is_empty()).then(|| syn::parse_quote!(const _: () = { #(#checks)* };))
    }

    /// Puts the check into the body of what uses them.
    fn check_in(&self, body: &mut syn::Block) {
        let check = self.check().map(syn::Stmt::Item);
        body.stmts.splice(0..0, check);
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the user's syntax has more forms than are asked for"
    )]
    fn plain(&self, ty: &syn::Type, depth: usize) -> Option<syn::Type> {
        let mut ty = ty.clone();
        match &mut ty {
            syn::Type::Array(array) => {
                *array.elem = self.plain(&array.elem, depth)?;
                // A constant beside the alias is one beside what names it.
                let known = match &array.len {
                    syn::Expr::Lit(_) => true,
                    syn::Expr::Path(len) => len
                        .path
                        .get_ident()
                        .is_some_and(|len| !self.hidden.iter().any(|hidden| len == hidden)),
                    _ => false,
                };
                known.then_some(ty)
            }
            syn::Type::Slice(slice) => {
                *slice.elem = self.plain(&slice.elem, depth)?;
                Some(ty)
            }
            syn::Type::Tuple(tuple) => {
                for part in &mut tuple.elems {
                    *part = self.plain(part, depth)?;
                }
                Some(ty)
            }
            syn::Type::Path(path) => {
                let name = simple(path)?;
                if !self.known.contains_key(&name) && crate::lower::is_primitive(&name) {
                    return Some(ty);
                }
                self.of(&name, depth - 1)
            }
            _ => None,
        }
    }
}

impl VisitMut for Resolver {
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if let Some(of) = of_type(path)
            && let Some(syn::Type::Path(number)) = self.of(&of.unraw().to_string(), DEPTH)
            && let Some(number) = number.path.get_ident()
        {
            let number = Ident::new(&number.to_string(), of.span());
            path.path.segments[0].ident = number;
        }
        visit_mut::visit_expr_path_mut(self, path);
    }

    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::Path(path) = ty
            && let Some(name) = simple(path)
            && let Some(found) = self.of(&name, DEPTH)
        {
            let span = path.path.segments.first().map(|s| s.ident.span());
            let tokens = at(
                found.to_token_stream(),
                span.unwrap_or_else(Span::call_site),
            );
            if let Ok(found) = syn::parse2(tokens) {
                *ty = found;
            }
            return;
        }
        visit_mut::visit_type_mut(self, ty);
    }
}

/// The tokens, where the alias stands.
fn at(tokens: TokenStream, span: Span) -> TokenStream {
    let placed = |mut tree: TokenTree| match &tree {
        TokenTree::Group(group) => {
            let mut placed = Group::new(group.delimiter(), at(group.stream(), span));
            placed.set_span(span);
            TokenTree::Group(placed)
        }
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {
            tree.set_span(span);
            tree
        }
    };
    tokens.into_iter().map(placed).collect()
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::{names, resolve};

    /// The function, where its module has these aliases.
    fn with(aliases: &[(&str, Option<&str>)], function: &str) -> String {
        let mut function: syn::ItemFn = syn::parse_str(function).expect("a function");
        let own = |of: &str| of.to_owned();
        let aliases = aliases.iter().map(|(name, of)| (own(name), of.map(own)));
        if let Some(names) = names(|names| syn::visit::Visit::visit_item_fn(names, &function)) {
            resolve(aliases.collect(), names, |resolver| {
                resolver.generics(&function.sig.generics);
                syn::visit_mut::VisitMut::visit_item_fn_mut(resolver, &mut function);
            });
        }
        function.to_token_stream().to_string().replace(' ', "")
    }

    #[test]
    fn aliases_of_numbers_are_written_out() {
        let aliases = [
            ("Real", Some("f64")),
            ("Row", Some("[Real; 3]")),
            ("Rows", Some("[Row]")),
        ];
        let function = "fn f(x: &Row, y: &Rows, z: Vec<Row>) -> Real { let a: Real = x[0]; Real::powi(a, 2) as Real }";
        assert_eq!(
            with(&aliases, function),
            "fnf(x:&[f64;3],y:&[[f64;3]],z:Vec<[f64;3]>)->f64{leta:f64=x[0];f64::powi(a,2)asf64}"
        );
    }

    #[test]
    fn what_may_mean_something_else_stays() {
        let function = "fn f<T, const N: usize>(x: &T, y: &A, z: m::A) -> [A; N] {}";
        let as_written = function.replace(' ', "");
        let aliases: [&[(&str, Option<&str>)]; 7] = [
            &[("T", Some("f64"))],
            &[("A", None)],
            &[("A", Some("f64")), ("A", Some("f32"))],
            &[("A", Some("[f64; N]"))],
            &[("A", Some("[T; 3]")), ("T", Some("f64"))],
            &[("A", Some("Vec<f64>"))],
            &[("A", Some("B")), ("B", Some("A"))],
        ];
        for aliases in aliases {
            assert_eq!(with(aliases, function), as_written);
        }
        let inside = "fn f(x: &A) -> f64 { type A = f32; let y: A = x[0]; y }";
        assert_eq!(
            with(&[("A", Some("[f64; 2]"))], inside),
            inside.replace(' ', "")
        );
    }
}
