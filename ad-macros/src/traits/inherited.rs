//! Methods that an `impl` leaves to the body in its trait, where the module of the `impl` declares the trait: the type
//! has them as if they were written in the `impl`.
//!
//! The body has to mean the same there. Names of items do, as both stand in one module. What `self` and `Self` lead to
//! in a trait is what the trait declares, and in an `impl` what the type has of its own, too. So a body is taken only
//! if it calls nothing on `self` but methods of this trait, which generated code compares with those of the type, and
//! `Self::ITEM` is written `<Self as Trait>::ITEM`. The body is read from the text of the file; generated code compares
//! it with the one that the trait's attribute saw.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

use super::{definition, method, provided};
use crate::aliases;
use crate::block::has_plain_gradient;
use crate::inlining::number_of;
use crate::interface;
use crate::ir::spells;
use crate::lower::{Derivative, Member};
use crate::surroundings::{trait_beside, with_text};

/// A method that an `impl` does not write.
pub(super) struct Inherited {
    /// As the `impl` would write it.
    pub(super) method: syn::ImplItemFn,
    /// The number of signature and body in the trait.
    number: u64,
    /// The methods of the trait that it calls on `self`.
    calls: Vec<syn::Ident>,
}

/// The methods.
pub(super) fn of(block: &syn::ItemImpl, krate: &syn::Path) -> Vec<Inherited> {
    let Some((declared, path)) = declaration(block, krate) else {
        return Vec::new();
    };
    let functions = method::functions_of(&declared);
    let inherited = functions.filter_map(|f| inherited(f, block, &declared, path));
    inherited.collect()
}

/// Compiles only if the methods have these bodies in the trait, and what they call on `self` is the trait's.
pub(super) fn checks(methods: &[Inherited], of: &syn::Path, rt: &TokenStream) -> TokenStream {
    let bodies = methods
        .iter()
        .map(|m| provided::is_inherited(&m.method.sig.ident, m.number, of, rt));
    let calls = methods.iter().flat_map(|m| &m.calls).map(|name| {
        let import = interface::import(of);
        quote! {{
            #import
            #rt::same_method(&<Self>::#name, &<Self as #of>::#name);
        }}
    });
    quote!(#(#bodies)* #(#calls)*)
}

/// The trait, if it has `#[gradient]`, no parameters, and nothing else that could change it.
fn declaration<'b>(
    block: &'b syn::ItemImpl,
    krate: &syn::Path,
) -> Option<(syn::ItemTrait, &'b syn::Path)> {
    let (declared, path) = declaration_of_any(block, krate)?;
    let generics = &declared.generics;
    let is_plain = generics.params.is_empty() && generics.where_clause.is_none();
    is_plain.then_some((declared, path))
}

/// The same of a trait that may have parameters.
pub(super) fn declaration_of_any<'b>(
    block: &'b syn::ItemImpl,
    krate: &syn::Path,
) -> Option<(syn::ItemTrait, &'b syn::Path)> {
    let (_, path, _) = block.trait_.as_ref()?;
    let mut segments = path.segments.iter();
    let (Some(name), None) = (segments.next(), segments.next()) else {
        return None;
    };
    let mut declared = trait_beside(block.impl_token.span(), &name.ident)?;
    aliases::results_in_trait(&mut declared, block.impl_token.span(), krate);
    let is_taken =
        has_plain_gradient(&declared.attrs, is_inert) && definition::has_derivatives(&declared);
    is_taken.then_some((declared, path))
}

/// The method, if the `impl` leaves it to the trait, it has a derivative, and its body means the same here.
fn inherited(
    function: &syn::TraitItemFn,
    block: &syn::ItemImpl,
    declared: &syn::ItemTrait,
    path: &syn::Path,
) -> Option<Inherited> {
    let sig = &function.sig;
    let default = function.default.as_ref()?;
    let is_written = block.items.iter().any(|item| match item {
        syn::ImplItem::Fn(method) => method.sig.ident == sig.ident,
        // It may stand for anything.
        syn::ImplItem::Macro(_) | syn::ImplItem::Verbatim(_) => true,
        _ => false,
    });
    let member = Member::of(sig, method::is_left(&function.attrs));
    let is_taken = member.derivative == Derivative::Own
        && (method::takes_reference(sig) || sig.receiver().is_none())
        && method::is_plain(sig)
        && !names_itself(sig)
        && function.attrs.iter().all(is_inert);
    // Another one of the name may be the type's own.
    let name = format!("fn {}", sig.ident);
    let once = |text: &str| text.matches(&name).nth(1).is_none();
    if is_written || !is_taken || !with_text(block.impl_token.span(), once)? {
        return None;
    }
    let mut body = Body {
        declared,
        path,
        calls: Vec::new(),
        is_open: false,
    };
    let mut written = default.clone();
    body.visit_block_mut(&mut written);
    if body.is_open {
        return None;
    }
    Some(Inherited {
        number: number_of(sig, default),
        calls: body.calls,
        method: syn::ImplItemFn {
            attrs: Vec::new(),
            vis: syn::Visibility::Inherited,
            defaultness: None,
            sig: sig.clone(),
            block: written,
        },
    })
}

/// Whether a type in the signature is `Self`, and not one that the trait names.
fn names_itself(sig: &syn::Signature) -> bool {
    let mut sig = sig.clone();
    let mut is_named = false;
    for ty in method::types_mut(&mut sig) {
        is_named |= has_bare_self(ty.to_token_stream());
    }
    is_named
}

/// Whether there is a `Self` with no `::` behind it.
fn has_bare_self(tokens: TokenStream) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_bare = match token {
            TokenTree::Group(group) => has_bare_self(group.stream()),
            TokenTree::Ident(name) if name == "Self" => {
                !matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':')
            }
            _ => false,
        };
        if is_bare {
            return true;
        }
    }
    false
}

/// Whether the tokens have the receiver or its type among them.
fn has_self(tokens: &TokenStream) -> bool {
    ["self", "Self"]
        .iter()
        .any(|name| spells(tokens.clone(), name))
}

/// What a body makes of `self` and `Self`.
struct Body<'d> {
    declared: &'d syn::ItemTrait,
    path: &'d syn::Path,
    calls: Vec<syn::Ident>,
    /// Whether they may lead to something else than what the trait declares.
    is_open: bool,
}

impl Body<'_> {
    /// The method of the trait that has this name, if a function pointer can be made of it and it returns no `Self`.
    fn is_called(&self, name: &syn::Ident) -> bool {
        method::functions_of(self.declared)
            .filter(|function| function.sig.ident == *name)
            .any(|f| {
                method::is_plain(&f.sig) && method::takes_reference(&f.sig) && !names_itself(&f.sig)
            })
    }

    fn declares(&self, name: &syn::Ident) -> bool {
        self.declared.items.iter().any(|item| match item {
            syn::TraitItem::Const(item) => item.ident == *name,
            syn::TraitItem::Fn(item) => item.sig.ident == *name && !names_itself(&item.sig),
            _ => false,
        })
    }
}

impl VisitMut for Body<'_> {
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        let on_self = matches!(&*call.receiver, syn::Expr::Path(p) if p.path.is_ident("self"));
        if !on_self {
            visit_mut::visit_expr_method_call_mut(self, call);
            return;
        }
        if call.turbofish.is_some() || !self.is_called(&call.method) {
            self.is_open = true;
        } else if !self.calls.contains(&call.method) {
            self.calls.push(call.method.clone());
        }
        for argument in &mut call.args {
            self.visit_expr_mut(argument);
        }
    }

    fn visit_expr_path_mut(&mut self, expr: &mut syn::ExprPath) {
        let segments = &expr.path.segments;
        let first = segments.first().map(|first| &first.ident);
        if first.is_some_and(|first| first == "Self") {
            match segments.last() {
                Some(item) if segments.len() == 2 && self.declares(&item.ident) => {
                    let (of, item) = (self.path, item);
                    *expr = syn::parse_quote!(<Self as #of>::#item);
                }
                _ => self.is_open = true,
            }
            return;
        }
        // Whatever else is done with the receiver.
        self.is_open |= expr.path.is_ident("self");
        self.is_open |= has_self(&expr.qself.as_ref().map(|q| &q.ty).to_token_stream());
    }

    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        self.is_open |= has_self(&ty.to_token_stream());
    }

    fn visit_macro_mut(&mut self, of: &mut syn::Macro) {
        self.is_open |= has_self(&of.tokens);
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        // In patterns, and of structs that are made.
        self.is_open |= has_self(&path.to_token_stream());
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {
        // It has a `Self` of its own, and may hide names from what stands beside it.
        self.is_open = true;
    }
}

/// Whether an attribute leaves an item as it is.
fn is_inert(attribute: &syn::Attribute) -> bool {
    ["doc", "inline", "must_use", "allow", "expect", "warn"]
        .iter()
        .any(|name| attribute.path().is_ident(name))
}
