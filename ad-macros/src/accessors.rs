//! Methods of a block that lead to a field, `fn coefficients(&self) -> &[f64] { &self.coefficients }`, or that return
//! a chain, `fn squares(&self) -> impl Iterator<Item = f64> { self.x.iter().map(|x| x * x) }`.
//!
//! Neither a reference that a function returns nor an iterator has a derivative. Where another method of the block
//! calls such a method, what it leads to, or the chain, is written in place of the call. That the call means this
//! method is certain in methods with `&self`: there Rust finds those of the type before those of any trait. That the
//! field is what is returned, and nothing that a `Deref` of the user's leads to, rustc checks. A chain means the same
//! where it is called: its names are none of the caller's, and the types of its items are not for the signature to say.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

use crate::indexed::without_fields;
use crate::ir::Passing;
use crate::ir::hash::{HashMap, HashSet};
use crate::lower::passing;

/// How many chains may be written into each other. None calls itself: its type would have no end.
const DEEPEST: usize = 8;

/// The methods of a block that lead to fields, by their names.
#[derive(Default)]
pub(crate) struct Accessors(HashMap<String, Accessor>);

enum Accessor {
    Field {
        /// What it evaluates to: a reference to the field.
        field: syn::ExprReference,
        /// The type behind the reference that it returns.
        returned: syn::Type,
    },
    Chain {
        chain: syn::Expr,
        /// The names in it that are not its own, and those that are.
        free: HashSet<String>,
        bound: HashSet<String>,
    },
}

impl Accessors {
    /// Those of the block. Of one that implements a trait, none: a function of the type may hide its functions.
    pub(crate) fn of(block: &syn::ItemImpl) -> Self {
        if block.trait_.is_some() {
            return Accessors::default();
        }
        let methods = block.items.iter().filter_map(|item| match item {
            syn::ImplItem::Fn(method) => Some(method),
            _ => None,
        });
        let found = methods.filter_map(|method| {
            let name = method.sig.ident.unraw().to_string();
            Some((name, leads_to(method)?))
        });
        Accessors(found.collect())
    }

    /// The method with fields in place of calls, and a function beside it that does not compile if one of the fields is
    /// not of the type that is returned.
    pub(crate) fn written_out(
        &self,
        method: &syn::ImplItemFn,
        krate: &syn::Path,
    ) -> Option<(syn::ImplItemFn, TokenStream)> {
        let receiver = method.sig.receiver().and_then(passing);
        if self.0.is_empty() || receiver != Some(Passing::Shared) {
            return None;
        }
        let mut calls = Calls {
            of: self,
            names: Bound::of(method),
            depth: 0,
            found: Vec::new(),
        };
        let mut method = method.clone();
        calls.visit_block_mut(&mut method.block);
        if calls.found.is_empty() {
            return None;
        }
        let rt = quote!(#krate::__rt);
        let checks = calls
            .found
            .iter()
            .filter_map(|name| match self.0.get(name)? {
                Accessor::Field { field, returned } => {
                    Some(quote!(#rt::leads_to::<#returned, _>(#field);))
                }
                Accessor::Chain { .. } => None,
            });
        let name = format_ident!("__fields_of_{}", method.sig.ident.unraw());
        let check = quote! {
            #[doc(hidden)]
            fn #name(&self) { #(#checks)* }
        };
        Some((method, check))
    }
}

/// Where a method leads to, if all that it does is to return a reference to a field of `self`, or a chain.
fn leads_to(method: &syn::ImplItemFn) -> Option<Accessor> {
    let sig = &method.sig;
    let plain = sig.inputs.len() == 1
        && sig.receiver().and_then(passing) == Some(Passing::Shared)
        && sig.generics.params.is_empty()
        && sig.asyncness.is_none()
        && sig.unsafety.is_none()
        && !method.attrs.iter().any(|a| a.path().is_ident("cfg"));
    let returned = match &sig.output {
        syn::ReturnType::Type(_, ty) => match &**ty {
            syn::Type::Reference(to) => (*to.elem).clone(),
            syn::Type::ImplTrait(of) if plain && has_items_of_its_own(of) => {
                return chain(&method.block);
            }
            _ => return None,
        },
        syn::ReturnType::Default => return None,
    };
    match method.block.stmts.as_slice() {
        [syn::Stmt::Expr(syn::Expr::Reference(to), None)]
            if plain && to.mutability.is_none() && is_field(&to.expr) =>
        {
            Some(Accessor::Field {
                field: to.clone(),
                returned,
            })
        }
        _ => None,
    }
}

/// `impl Iterator<Item = f64>`, of references or of `f64`: what a literal is, an item of another type may say.
fn has_items_of_its_own(of: &syn::TypeImplTrait) -> bool {
    const ITERATORS: [&str; 3] = ["Iterator", "DoubleEndedIterator", "ExactSizeIterator"];
    of.bounds.iter().all(|bound| match bound {
        syn::TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| {
            let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return false;
            };
            let mut arguments = arguments.args.iter();
            let of_own = |argument: &syn::GenericArgument| match argument {
                syn::GenericArgument::AssocType(item) => match &item.ty {
                    syn::Type::Reference(_) => true,
                    syn::Type::Path(path) => path.path.is_ident("f64"),
                    _ => false,
                },
                _ => false,
            };
            ITERATORS.iter().any(|name| last.ident == name) && arguments.all(of_own)
        }),
        syn::TypeParamBound::Lifetime(_) => true,
        _ => false,
    })
}

/// A body that is a chain alone.
fn chain(body: &syn::Block) -> Option<Accessor> {
    let [syn::Stmt::Expr(chain @ syn::Expr::MethodCall(_), None)] = body.stmts.as_slice() else {
        return None;
    };
    let mut looked = Looked::default();
    looked.visit_expr(chain);
    let mut free = HashSet::default();
    without_fields(outside_of_closures(chain).to_token_stream(), &mut free);
    free.remove("self");
    (!looked.failed && looked.begins_at_self).then(|| Accessor::Chain {
        chain: chain.clone(),
        free,
        bound: looked.bound.0,
    })
}

/// A chain without the names that stand for parameters of its closures: what is left means something of the module. A
/// name that a pattern of another kind declares counts as such.
fn outside_of_closures(chain: &syn::Expr) -> syn::Expr {
    struct Parameters(Vec<HashSet<String>>);
    impl VisitMut for Parameters {
        fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
            if let syn::Expr::Closure(closure) = e {
                let mut bound = Bound::default();
                closure.inputs.iter().for_each(|pat| bound.visit_pat(pat));
                self.0.push(bound.0);
                self.visit_expr_mut(&mut closure.body);
                self.0.pop();
                closure
                    .inputs
                    .iter_mut()
                    .for_each(|pat| self.visit_pat_mut(pat));
                return;
            }
            if let syn::Expr::Path(path) = &*e
                && path.qself.is_none()
                && let Some(name) = path.path.get_ident()
                && let name = name.unraw().to_string()
                && self.0.iter().any(|bound| bound.contains(&name))
            {
                *e = syn::parse_quote!(());
                return;
            }
            visit_mut::visit_expr_mut(self, e);
        }

        /// Of a parameter. The types in it stay.
        fn visit_pat_mut(&mut self, pat: &mut syn::Pat) {
            match pat {
                syn::Pat::Ident(name) if name.subpat.is_none() => *pat = syn::parse_quote!(_),
                pat => visit_mut::visit_pat_mut(self, pat),
            }
        }

        // Those of other patterns count as names of the module.
        fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
            self.visit_expr_mut(&mut arm.body);
        }

        fn visit_local_mut(&mut self, _: &mut syn::Local) {}
    }
    let mut chain = chain.clone();
    Parameters(Vec::new()).visit_expr_mut(&mut chain);
    chain
}

/// What a chain has in it.
#[derive(Default)]
struct Looked {
    bound: Bound,
    /// It leaves the body, or is not only what it seems.
    failed: bool,
    begins_at_self: bool,
}

impl<'ast> Visit<'ast> for Looked {
    fn visit_expr(&mut self, e: &'ast syn::Expr) {
        self.failed |= matches!(
            e,
            syn::Expr::Return(_)
                | syn::Expr::Try(_)
                | syn::Expr::Unsafe(_)
                | syn::Expr::Async(_)
                | syn::Expr::Await(_)
                | syn::Expr::Assign(_)
        );
        self.begins_at_self |= is_self(e);
        visit::visit_expr(self, e);
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.bound.visit_pat_ident(pat);
    }

    fn visit_macro(&mut self, _: &'ast syn::Macro) {
        self.failed = true;
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {
        self.failed = true;
    }
}

/// The names that a function declares.
#[derive(Default)]
struct Bound(HashSet<String>);

impl Bound {
    /// Those of a method; `None` if it has items, which may have any.
    fn of(method: &syn::ImplItemFn) -> Option<HashSet<String>> {
        struct Items(bool);
        impl Visit<'_> for Items {
            fn visit_item(&mut self, _: &syn::Item) {
                self.0 = true;
            }
        }
        let mut items = Items(false);
        items.visit_block(&method.block);
        let mut bound = Bound::default();
        bound.visit_impl_item_fn(method);
        (!items.0).then_some(bound.0)
    }
}

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.0.insert(pat.ident.unraw().to_string());
        visit::visit_pat_ident(self, pat);
    }

    /// It may declare what it is given.
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        without_fields(mac.tokens.clone(), &mut self.0);
    }

    fn visit_generic_param(&mut self, parameter: &'ast syn::GenericParam) {
        let name = match parameter {
            syn::GenericParam::Type(parameter) => &parameter.ident,
            syn::GenericParam::Const(parameter) => &parameter.ident,
            syn::GenericParam::Lifetime(_) => return,
        };
        self.0.insert(name.unraw().to_string());
    }
}

/// `self.a.b`, `self.0[..]`
fn is_field(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Field(field) => is_self(&field.base) || is_field(&field.base),
        syn::Expr::Index(index) => {
            let all = matches!(&*index.index, syn::Expr::Range(r) if r.start.is_none() && r.end.is_none());
            all && is_field(&index.expr)
        }
        _ => false,
    }
}

fn is_self(e: &syn::Expr) -> bool {
    matches!(e, syn::Expr::Path(path) if path.path.is_ident("self"))
}

impl Accessor {
    /// What stands in place of a call, where the caller declares these names.
    fn written(&self, names: Option<&HashSet<String>>) -> Option<syn::Expr> {
        match self {
            Accessor::Field { field, .. } => Some(syn::parse_quote!((#field))),
            Accessor::Chain { chain, free, .. } => {
                let others = names.is_some_and(|names| free.is_disjoint(names));
                others.then(|| syn::parse_quote!((#chain)))
            }
        }
    }
}

struct Calls<'a> {
    of: &'a Accessors,
    /// Those that the caller declares.
    names: Option<HashSet<String>>,
    /// How many chains it stands in that were written in place of calls.
    depth: usize,
    /// The names of those that are called.
    found: Vec<String>,
}

impl VisitMut for Calls<'_> {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::MethodCall(call) = &*e
            && is_self(&call.receiver)
            && call.args.is_empty()
            && call.turbofish.is_none()
            && let name = call.method.unraw().to_string()
            && let Some(accessor) = self.of.0.get(&name)
            && let Some(written) = accessor.written(self.names.as_ref())
        {
            *e = written;
            if !self.found.contains(&name) {
                self.found.push(name);
            }
            // A chain may begin with another one, and has that inside of its closures.
            if let (Accessor::Chain { bound, .. }, Some(names)) = (accessor, &mut self.names)
                && self.depth < DEEPEST
            {
                names.extend(bound.iter().cloned());
                self.depth += 1;
                visit_mut::visit_expr_mut(self, e);
                self.depth -= 1;
            }
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    /// There `self` is another one.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
