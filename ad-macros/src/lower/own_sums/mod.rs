//! Sums of own types: `p.iter().sum::<V>()`, where the package shows `impl Sum for V`.
//!
//! The body of the `impl` is written in place of the call, with the chain for its iterator:
//! `chain.fold(V::zero(), |a, b| a + b)`. What is lowered are folds and loops then.
//!
//! **Which `impl` is meant.** A type has one for a type of items: its values, or references to them. The text is that
//! of a type of the name, which may be another one. So `#[gradient]` above the `impl` leaves a function with the number
//! of the body beside it, and generated code names that function of the type that is meant (`traits/sums.rs`).
//!
//! **What the body means.** It names nothing but its own variables, its type, numbers, and `Add::add`, which the
//! function beside the `impl` compares with that of std. So it means the same everywhere.

mod body;

use proc_macro2::Ident;
use quote::{ToTokens, format_ident, quote_spanned};
use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};

use super::Lowerer;
use super::types::{is_of_std, is_primitive};
use crate::inlining::number_of;
use crate::ir::hash::HashSet;
use crate::ir::parameter_names;
use crate::surroundings::{SumOf, sums};
use body::around;

pub(crate) use body::operators;

/// A sum that was written out: the type, and the function that its `impl` has beside it.
pub(super) struct Written {
    ty: syn::TypePath,
    marker: Ident,
}

/// The function with such sums written out, if there are any.
pub(super) fn written_out(item: &syn::ItemFn) -> Option<(syn::ItemFn, Vec<Written>)> {
    let mut named = Named(false);
    named.visit_item_fn(item);
    if !named.0 {
        return None;
    }
    let mut names = HashSet::default();
    super::collect(item.to_token_stream(), &mut names);
    let returned = match &item.sig.output {
        syn::ReturnType::Type(_, ty) => Some((**ty).clone()),
        syn::ReturnType::Default => None,
    };
    let parameters = parameter_names(&item.sig.generics);
    let mut sums = Sums {
        parameters: parameters.cloned().collect(),
        names,
        returned,
        found: Vec::new(),
        is_changed: false,
        depth: 0,
    };
    let mut item = item.clone();
    if let Some(ty) = sums.returned.clone() {
        sums.end(&mut item.block, &ty);
    }
    sums.visit_block_mut(&mut item.block);
    let is_changed = sums.is_changed || !sums.found.is_empty();
    is_changed.then_some((item, sums.found))
}

/// Whether something is called `sum` or `product`: most functions have neither, and all their names are of no interest
/// then.
struct Named(bool);

impl<'ast> Visit<'ast> for Named {
    fn visit_ident(&mut self, ident: &'ast Ident) {
        self.0 |= matches!(ident.to_string().as_str(), "sum" | "product");
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let mut names = HashSet::default();
        super::collect(mac.tokens.clone(), &mut names);
        self.0 |= names.contains("sum") || names.contains("product");
    }
}

impl Lowerer<'_> {
    /// Generated code checks that the text was that of this type.
    pub(super) fn note_sum(&mut self, sum: &Written) {
        let Written { ty, marker } = sum;
        self.note_nonlocal(&ty.path);
        let harmless = quote_spanned!(marker.span()=> let _ = <#ty>::#marker;);
        let mut function = ty.path.clone();
        function.segments.push(marker.clone().into());
        self.note_item(function, harmless);
    }
}

/// The function beside an `impl`, by what it sums up and its body.
pub(crate) fn sum_marker(
    function: &syn::Signature,
    body: &syn::Block,
    by_reference: bool,
) -> Ident {
    let number = number_of(function, body);
    let of = if by_reference { "references" } else { "values" };
    format_ident!("__{}_of_{of}_{number}", function.ident)
}

/// Whether the items of an `impl` are references to its type; none if they are something else.
pub(crate) fn items_are_references(block: &syn::ItemImpl) -> Option<bool> {
    let (_, path, _) = block.trait_.as_ref()?;
    let itself = block.self_ty.to_token_stream().to_string();
    let is_it = |ty: &syn::Type| {
        let ty = ty.to_token_stream().to_string();
        ty == itself || ty == "Self"
    };
    let syn::PathArguments::AngleBracketed(arguments) = &path.segments.last()?.arguments else {
        return Some(false);
    };
    match arguments.args.first()? {
        syn::GenericArgument::Type(syn::Type::Reference(to)) => is_it(&to.elem).then_some(true),
        syn::GenericArgument::Type(ty) => is_it(ty).then_some(false),
        _ => None,
    }
}

struct Sums {
    /// The type parameters of the function.
    parameters: Vec<Ident>,
    /// The names in the function.
    names: HashSet<String>,
    /// What the function returns.
    returned: Option<syn::Type>,
    found: Vec<Written>,
    is_changed: bool,
    /// Sums within bodies of sums.
    depth: usize,
}

/// References whose copies are summed up, and no deeper: a body may call itself.
const DEPTH: usize = 2;

impl Sums {
    /// A value of this type.
    fn value(&mut self, e: &mut syn::Expr, ty: &syn::Type) {
        match e {
            syn::Expr::MethodCall(call) if is_sum(call) && call.turbofish.is_none() => {
                match self.sum(call, ty) {
                    Some(written) => *e = written,
                    // What is refused then names it.
                    None if is_summed(ty, &call.method) => {
                        call.turbofish = Some(syn::parse_quote!(::<#ty>));
                        self.is_changed = true;
                    }
                    None => {}
                }
            }
            syn::Expr::Paren(inner) => self.value(&mut inner.expr, ty),
            syn::Expr::Block(block) => self.end(&mut block.block, ty),
            syn::Expr::If(branch) => {
                self.end(&mut branch.then_branch, ty);
                if let Some((_, other)) = &mut branch.else_branch {
                    self.value(other, ty);
                }
            }
            _ => {}
        }
    }

    /// The value of a block.
    fn end(&mut self, block: &mut syn::Block, ty: &syn::Type) {
        if let Some(syn::Stmt::Expr(e, None)) = block.stmts.last_mut() {
            self.value(e, ty);
        }
    }

    /// The body of the `impl`, around the chain.
    fn sum(&mut self, call: &syn::ExprMethodCall, ty: &syn::Type) -> Option<syn::Expr> {
        let syn::Type::Path(path) = ty else {
            return None;
        };
        let name = &path.path.segments.last()?.ident;
        let text = name.unraw().to_string();
        let of_others = is_primitive(&text) || is_of_std(&text) || self.parameters.contains(name);
        if path.qself.is_some() || of_others {
            return None;
        }
        if self.depth == DEPTH {
            return None;
        }
        let all = sums(name.span(), name, &call.method.to_string());
        let (mut written, marker) = self.chosen(all, call, path)?;
        self.depth += 1;
        self.visit_expr_mut(&mut written);
        self.depth -= 1;
        let ty = path.clone();
        self.found.push(Written { ty, marker });
        Some(written)
    }

    /// The body of the one that is meant, and what tells that it is that one.
    fn chosen(
        &self,
        all: Vec<SumOf>,
        call: &syn::ExprMethodCall,
        ty: &syn::TypePath,
    ) -> Option<(syn::Expr, Ident)> {
        let all: Vec<(bool, SumOf)> = all
            .into_iter()
            .filter_map(|sum| Some((items_are_references(&sum.block)?, sum)))
            .collect();
        let by_reference = match all.as_slice() {
            [(only, _)] => *only,
            _ => yields_references(&call.receiver)?,
        };
        let mut fits = all.into_iter().filter(|(of, _)| *of == by_reference);
        let ((_, sum), None) = (fits.next()?, fits.next()) else {
            return None;
        };
        if !sum.is_marked {
            return None;
        }
        let mut marker = sum_marker(&sum.function.sig, &sum.function.block, by_reference);
        marker.set_span(call.method.span());
        Some((
            around(&sum, &call.receiver, ty, (call.method.span(), &self.names))?,
            marker,
        ))
    }
}

/// Whether the package has an `impl` of the sum or product, `function`, for a type.
pub(super) fn is_summed(ty: &syn::Type, function: &Ident) -> bool {
    let syn::Type::Path(path) = ty else {
        return false;
    };
    path.path.segments.last().is_some_and(|last| {
        let name = last.ident.unraw().to_string();
        let of_others = is_primitive(&name) || is_of_std(&name);
        !of_others && !sums(function.span(), &last.ident, &function.to_string()).is_empty()
    })
}

fn is_sum(call: &syn::ExprMethodCall) -> bool {
    (call.method == "sum" || call.method == "product") && call.args.is_empty()
}

/// Whether a chain yields references, where its text shows that.
fn yields_references(chain: &syn::Expr) -> Option<bool> {
    let syn::Expr::MethodCall(call) = chain else {
        return match chain {
            syn::Expr::Paren(inner) => yields_references(&inner.expr),
            _ => None,
        };
    };
    match call.method.to_string().as_str() {
        "iter" => Some(true),
        "copied" | "cloned" => Some(false),
        "map" => match call.args.first()? {
            syn::Expr::Closure(closure) => match &*closure.body {
                syn::Expr::Reference(_) => Some(true),
                syn::Expr::Binary(_)
                | syn::Expr::Struct(_)
                | syn::Expr::Call(_)
                | syn::Expr::Unary(_) => Some(false),
                _ => None,
            },
            _ => None,
        },
        "filter" | "rev" | "skip" | "take" | "step_by" | "chain" | "skip_while" | "take_while"
        | "inspect" => yields_references(&call.receiver),
        _ => None,
    }
}

impl VisitMut for Sums {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if let syn::Pat::Type(pat) = &local.pat
            && let Some(init) = &mut local.init
        {
            let ty = (*pat.ty).clone();
            self.value(&mut init.expr, &ty);
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_expr_return_mut(&mut self, e: &mut syn::ExprReturn) {
        if let (Some(value), Some(ty)) = (&mut e.expr, self.returned.clone()) {
            self.value(value, &ty);
        }
        visit_mut::visit_expr_return_mut(self, e);
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::MethodCall(call) = &*e
            && is_sum(call)
            && let Some(turbofish) = &call.turbofish
            && let Some(syn::GenericArgument::Type(ty)) = turbofish.args.first()
            && let Some(written) = self.sum(call, ty)
        {
            *e = written;
            return;
        }
        visit_mut::visit_expr_mut(self, e);
    }

    /// A closure returns values of its own.
    fn visit_expr_closure_mut(&mut self, e: &mut syn::ExprClosure) {
        let returned = self.returned.take();
        visit_mut::visit_expr_closure_mut(self, e);
        self.returned = returned;
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
