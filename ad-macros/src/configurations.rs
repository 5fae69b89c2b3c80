//! `#[cfg]` inside a function, a trait or its `impl`: one set of generated items for each configuration.
//!
//! An attribute macro gets the body before rustc configures it, and cannot ask which conditions hold. So what is
//! generated is generated for each way in which they can hold, under `#[cfg(all(…))]`, and rustc keeps one of them.
//! Of a trait and its `impl`s the written items are among what is generated: supertraits, impls and hidden methods
//! belong to a method, and there is no place for a `#[cfg]` at a supertrait.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};

use crate::ir::spells;

/// How many different conditions are followed: there are two to the power of that many configurations.
const MOST: usize = 3;

/// The function in each configuration, under a `#[cfg]` that says which it is; `None` if nothing in its body depends on
/// one, or too much.
pub(crate) fn configurations(function: &syn::ItemFn) -> Option<Vec<syn::ItemFn>> {
    let mut found = Conditions::default();
    found.visit_block(&function.block);
    let conditions = found.0;
    if conditions.is_empty() || conditions.len() > MOST {
        return None;
    }
    let configured = Configured::all(&conditions).map(|mut configured| {
        let mut function = function.clone();
        configured.visit_block_mut(&mut function.block);
        let cfg = configured.cfg();
        function.attrs.push(syn::parse_quote!(#cfg));
        function
    });
    Some(configured.collect())
}

/// A trait or an `impl` of one in each configuration of its items, with the `#[cfg]` that says which it is; `None` if
/// the item is something else, or its items depend on none.
///
/// # Errors
///
/// The first condition, if there are too many.
pub(crate) fn of_trait(
    item: &TokenStream,
) -> Option<Result<Vec<(TokenStream, TokenStream)>, TokenStream>> {
    // Spares most items to be parsed once more.
    if !spells(item.clone(), "cfg") {
        return None;
    }
    let item = syn::parse2::<syn::Item>(item.clone()).ok()?;
    let mut found = Conditions::default();
    if let syn::Item::Trait(definition) = &item {
        let attributes = definition.items.iter().filter_map(of_trait_item);
        attributes.for_each(|all| found.extend(all));
    } else if let syn::Item::Impl(block) = &item
        && block.trait_.is_some()
    {
        let attributes = block.items.iter().filter_map(of_impl_item);
        attributes.for_each(|all| found.extend(all));
    }
    let conditions = found.0;
    let first = conditions.first()?;
    if conditions.len() > MOST {
        return Some(Err(first.clone()));
    }
    let configured = Configured::all(&conditions).map(|configured| {
        let mut item = item.clone();
        if let syn::Item::Trait(definition) = &mut item {
            let is_there =
                |one: &mut _| of_trait_item_mut(one).is_none_or(|all| configured.is_there(all));
            definition.items.retain_mut(is_there);
        } else if let syn::Item::Impl(block) = &mut item {
            let is_there =
                |one: &mut _| of_impl_item_mut(one).is_none_or(|all| configured.is_there(all));
            block.items.retain_mut(is_there);
        }
        (configured.cfg(), item.to_token_stream())
    });
    Some(Ok(configured.collect()))
}

/// A condition, and whether it is asked for or for its opposite.
fn condition(attr: &syn::Attribute) -> Option<(TokenStream, bool)> {
    if !attr.path().is_ident("cfg") {
        return None;
    }
    let mut meta: syn::Meta = attr.parse_args().ok()?;
    let mut holds = true;
    while let syn::Meta::List(list) = &meta
        && list.path.is_ident("not")
    {
        holds = !holds;
        meta = list.parse_args().ok()?;
    }
    Some((meta.to_token_stream(), holds))
}

#[derive(Default)]
struct Conditions(Vec<TokenStream>);

impl Conditions {
    fn extend(&mut self, attrs: &[syn::Attribute]) {
        attrs.iter().for_each(|attr| self.visit_attribute(attr));
    }
}

impl<'ast> Visit<'ast> for Conditions {
    fn visit_attribute(&mut self, attr: &'ast syn::Attribute) {
        if let Some((condition, _)) = condition(attr) {
            let text = condition.to_string();
            if self.0.iter().all(|known| known.to_string() != text) {
                self.0.push(condition);
            }
        }
    }

    // rustc configures items where they stand.
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

struct Configured<'a> {
    conditions: &'a [TokenStream],
    /// Which of them hold.
    bits: usize,
}

impl<'a> Configured<'a> {
    fn all(conditions: &'a [TokenStream]) -> impl Iterator<Item = Self> {
        let all = 0..1_usize << conditions.len();
        all.map(move |bits| Configured { conditions, bits })
    }

    /// The attribute that says which configuration this is.
    fn cfg(&self) -> TokenStream {
        let terms = self.conditions.iter().enumerate().map(|(k, condition)| {
            if self.bits >> k & 1 == 1 {
                quote!(#condition)
            } else {
                quote!(not(#condition))
            }
        });
        quote!(#[cfg(all(#(#terms),*))])
    }

    /// Whether what stands under the attributes is there. Those that say so are gone.
    fn is_there(&self, attrs: &mut Vec<syn::Attribute>) -> bool {
        let mut there = true;
        attrs.retain(|attr| {
            let Some((condition, wanted)) = condition(attr) else {
                return true;
            };
            let text = condition.to_string();
            let at = self
                .conditions
                .iter()
                .position(|known| known.to_string() == text);
            match at {
                Some(at) => {
                    there &= (self.bits >> at & 1 == 1) == wanted;
                    false
                }
                None => true,
            }
        });
        there
    }

    fn keep<T, P: Default>(
        &self,
        list: &mut syn::punctuated::Punctuated<T, P>,
        attrs: fn(&mut T) -> Option<&mut Vec<syn::Attribute>>,
    ) {
        let all = std::mem::take(list);
        for mut one in all {
            if attrs(&mut one).is_none_or(|attrs| self.is_there(attrs)) {
                list.push(one);
            }
        }
    }
}

impl VisitMut for Configured<'_> {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain_mut(|stmt| match stmt {
            syn::Stmt::Local(local) => self.is_there(&mut local.attrs),
            syn::Stmt::Expr(e, _) => attributes(e).is_none_or(|attrs| self.is_there(attrs)),
            syn::Stmt::Macro(mac) => self.is_there(&mut mac.attrs),
            syn::Stmt::Item(_) => true,
        });
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_match_mut(&mut self, m: &mut syn::ExprMatch) {
        m.arms.retain_mut(|arm| self.is_there(&mut arm.attrs));
        visit_mut::visit_expr_match_mut(self, m);
    }

    fn visit_expr_struct_mut(&mut self, s: &mut syn::ExprStruct) {
        self.keep(&mut s.fields, |field| Some(&mut field.attrs));
        visit_mut::visit_expr_struct_mut(self, s);
    }

    fn visit_pat_struct_mut(&mut self, s: &mut syn::PatStruct) {
        self.keep(&mut s.fields, |field| Some(&mut field.attrs));
        visit_mut::visit_pat_struct_mut(self, s);
    }

    fn visit_expr_array_mut(&mut self, array: &mut syn::ExprArray) {
        self.keep(&mut array.elems, attributes);
        visit_mut::visit_expr_array_mut(self, array);
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        self.keep(&mut call.args, attributes);
        visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

// What else may stand there is kept as it is.
macro_rules! attributes_of_items {
    ($(#[$doc:meta] $name:ident $name_mut:ident $kind:ident),*) => {$(
        #[$doc]
        fn $name(item: &syn::$kind) -> Option<&[syn::Attribute]> {
            Some(match item {
                syn::$kind::Fn(item) => &item.attrs,
                syn::$kind::Const(item) => &item.attrs,
                syn::$kind::Type(item) => &item.attrs,
                _ => return None,
            })
        }

        #[$doc]
        fn $name_mut(item: &mut syn::$kind) -> Option<&mut Vec<syn::Attribute>> {
            Some(match item {
                syn::$kind::Fn(item) => &mut item.attrs,
                syn::$kind::Const(item) => &mut item.attrs,
                syn::$kind::Type(item) => &mut item.attrs,
                _ => return None,
            })
        }
    )*};
}

attributes_of_items!(
    /// The attributes of an item of a trait.
    of_trait_item of_trait_item_mut TraitItem,
    /// The attributes of an item of an `impl`.
    of_impl_item of_impl_item_mut ImplItem
);

/// The attributes of what can stand alone in a block.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "elsewhere the attribute is refused"
)]
fn attributes(e: &mut syn::Expr) -> Option<&mut Vec<syn::Attribute>> {
    Some(match e {
        syn::Expr::Array(e) => &mut e.attrs,
        syn::Expr::Assign(e) => &mut e.attrs,
        syn::Expr::Binary(e) => &mut e.attrs,
        syn::Expr::Block(e) => &mut e.attrs,
        syn::Expr::Break(e) => &mut e.attrs,
        syn::Expr::Call(e) => &mut e.attrs,
        syn::Expr::Cast(e) => &mut e.attrs,
        syn::Expr::Continue(e) => &mut e.attrs,
        syn::Expr::Field(e) => &mut e.attrs,
        syn::Expr::ForLoop(e) => &mut e.attrs,
        syn::Expr::If(e) => &mut e.attrs,
        syn::Expr::Index(e) => &mut e.attrs,
        syn::Expr::Lit(e) => &mut e.attrs,
        syn::Expr::Loop(e) => &mut e.attrs,
        syn::Expr::Macro(e) => &mut e.attrs,
        syn::Expr::Match(e) => &mut e.attrs,
        syn::Expr::MethodCall(e) => &mut e.attrs,
        syn::Expr::Paren(e) => &mut e.attrs,
        syn::Expr::Path(e) => &mut e.attrs,
        syn::Expr::Reference(e) => &mut e.attrs,
        syn::Expr::Repeat(e) => &mut e.attrs,
        syn::Expr::Return(e) => &mut e.attrs,
        syn::Expr::Struct(e) => &mut e.attrs,
        syn::Expr::Try(e) => &mut e.attrs,
        syn::Expr::Tuple(e) => &mut e.attrs,
        syn::Expr::Unary(e) => &mut e.attrs,
        syn::Expr::Unsafe(e) => &mut e.attrs,
        syn::Expr::While(e) => &mut e.attrs,
        _ => return None,
    })
}

/// Mistakes of one configuration.
pub(crate) fn under(function: &syn::ItemFn, errors: Vec<TokenStream>) -> TokenStream {
    let cfgs: Vec<_> = function
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("cfg"))
        .collect();
    let errors = errors.into_iter().map(|error| quote!(#(#cfgs)* #error));
    errors.collect()
}
