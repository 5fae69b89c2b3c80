//! Methods of an `impl` of a trait as associated functions of a hidden type: `self` is a parameter like any other, and
//! `Self` is written out.

use std::borrow::Cow;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use crate::block;
use crate::diag::Diagnostics;
use crate::emit;
use crate::interface;
use crate::ir::regroup;
use crate::lower::collect;
use crate::options::Options;

/// The hidden type.
pub(super) struct Carrier<'b> {
    block: &'b syn::ItemImpl,
    name: Ident,
}

impl<'b> Carrier<'b> {
    pub(super) fn of(block: &'b syn::ItemImpl) -> Self {
        Self::named(block, emit::own("Carrier"))
    }

    /// The same under another name.
    pub(super) fn named(block: &'b syn::ItemImpl, name: Ident) -> Self {
        Carrier { block, name }
    }

    /// Its declaration, and the sweeps of one method.
    pub(super) fn sweeps(
        &self,
        method: &syn::ImplItemFn,
        options: &Options,
        diags: &mut Diagnostics,
    ) -> TokenStream {
        let (generics, name) = (&self.block.generics, &self.name);
        let (params, names, where_clause) = generics.split_for_impl();
        let declared = generics.params.iter().map(|param| match param {
            syn::GenericParam::Lifetime(p) => p.lifetime.to_token_stream(),
            syn::GenericParam::Type(p) => {
                let name = &p.ident;
                quote!(#name: ?::core::marker::Sized)
            }
            syn::GenericParam::Const(p) => {
                let (name, ty) = (&p.ident, &p.ty);
                quote!(const #name: #ty)
            }
        });
        let held = generics.params.iter().filter_map(|param| match param {
            syn::GenericParam::Lifetime(p) => {
                let lifetime = &p.lifetime;
                Some(quote!(&#lifetime ()))
            }
            syn::GenericParam::Type(p) => {
                let name = &p.ident;
                Some(quote!(::core::marker::PhantomData<#name>))
            }
            syn::GenericParam::Const(_) => None,
        });
        let function = self.associated(method);
        let inherent = syn::parse_quote! {
            impl #params #name #names #where_clause { #function }
        };
        let sweeps = block::sweeps_only(&inherent, options, diags);
        let allow = interface::allowed();
        quote! {
            #allow
            struct #name<#(#declared),*>(::core::marker::PhantomData<(#(#held,)*)>);
            #sweeps
        }
    }

    /// The path of the hidden type, as an expression begins with it.
    pub(super) fn path(&self) -> TokenStream {
        let (_, names, _) = self.block.generics.split_for_impl();
        let (name, names) = (&self.name, names.as_turbofish());
        quote!(#name #names)
    }

    /// The type that the `impl` is of.
    pub(super) fn self_ty(&self) -> &syn::Type {
        peeled(&self.block.self_ty)
    }

    /// A type of the `impl` without `Self` in it.
    pub(super) fn written_out(&self, ty: &syn::Type) -> TokenStream {
        self.without_self(ty.to_token_stream(), &emit::own("this"))
    }

    /// The method as an associated function.
    fn associated(&self, method: &syn::ImplItemFn) -> syn::ImplItemFn {
        let mut names = crate::ir::hash::HashSet::default();
        collect(method.to_token_stream(), &mut names);
        let this = (0..)
            .map(|n| match n {
                0 => "this".to_owned(),
                n => format!("this_{n}"),
            })
            .find(|name| !names.contains(name))
            .unwrap_or_default();
        let this = format_ident!("{this}");
        let mut method = method.clone();
        method.vis = syn::Visibility::Inherited;
        if let Some(syn::FnArg::Receiver(receiver)) = method.sig.inputs.first() {
            let syn::Receiver { attrs, ty, .. } = receiver;
            let mutability = receiver.mutability.filter(|_| receiver.reference.is_none());
            let name = Ident::new(&this.to_string(), receiver.self_token.span);
            method.sig.inputs[0] = syn::parse_quote!(#(#attrs)* #mutability #name: #ty);
        }
        let tokens = self.without_self(method.to_token_stream(), &this);
        syn::parse2(tokens).unwrap_or(method)
    }

    /// An associated type of the block.
    fn associated_type(&self, name: &Ident) -> Option<TokenStream> {
        let ty = self.block.items.iter().find_map(|item| match item {
            syn::ImplItem::Type(item) if item.ident == *name => Some(&item.ty),
            _ => None,
        });
        ty.map(|ty| self.written_out(ty))
    }

    /// The tokens with associated types written out.
    fn with_types(&self, tokens: TokenStream) -> TokenStream {
        let mut out = TokenStream::new();
        let mut tokens = tokens.into_iter().peekable();
        while let Some(tree) = tokens.next() {
            match tree {
                TokenTree::Ident(ident) if ident == "Self" => {
                    let mut ahead = tokens.clone().skip(2);
                    let name = match (is_colon(tokens.peek()), ahead.next()) {
                        (true, Some(TokenTree::Ident(name))) => self.associated_type(&name),
                        _ => None,
                    };
                    match name {
                        Some(ty) => {
                            out.extend(ty);
                            tokens = ahead.collect::<TokenStream>().into_iter().peekable();
                        }
                        None => out.extend([TokenTree::Ident(ident)]),
                    }
                }
                TokenTree::Group(group) => {
                    let inner = self.with_types(group.stream());
                    out.extend([TokenTree::Group(regroup(&group, inner))]);
                }
                other => out.extend([other]),
            }
        }
        out
    }

    /// The tokens without `Self` and `self`.
    fn without_self(&self, tokens: TokenStream, this: &Ident) -> TokenStream {
        let mut out = TokenStream::new();
        let mut tokens = self.with_types(tokens).into_iter().peekable();
        while let Some(tree) = tokens.next() {
            match tree {
                TokenTree::Ident(ident) if ident == "self" && !is_colon(tokens.peek()) => {
                    out.extend([TokenTree::Ident(Ident::new(
                        &this.to_string(),
                        ident.span(),
                    ))]);
                }
                TokenTree::Ident(ident) if ident == "Self" => {
                    let (ty, is_path) = (self.self_ty(), is_colon(tokens.peek()));
                    out.extend(match ty {
                        syn::Type::Path(ty) => turbofish(ty).into_token_stream(),
                        ty if is_path => quote_spanned!(ident.span()=> <#ty>),
                        ty => ty.to_token_stream(),
                    });
                }
                TokenTree::Group(group) => {
                    let inner = self.without_self(group.stream(), this);
                    out.extend([TokenTree::Group(regroup(&group, inner))]);
                }
                other => out.extend([other]),
            }
        }
        out
    }
}

/// The method with the associated types of the block written out: beside the `impl`, `Self` has none.
pub(super) fn with_types(block: &syn::ItemImpl, method: &syn::ImplItemFn) -> syn::ImplItemFn {
    let carrier = Carrier::of(block);
    let tokens = carrier.with_types(method.to_token_stream());
    syn::parse2(tokens).unwrap_or_else(|_| method.clone())
}

/// The block with its associated types written out in its functions.
pub(crate) fn without_associated(block: &syn::ItemImpl) -> Cow<'_, syn::ItemImpl> {
    let has_types = |item: &syn::ImplItem| matches!(item, syn::ImplItem::Type(_));
    if !block.items.iter().any(has_types) {
        return Cow::Borrowed(block);
    }
    let mut written = block.clone();
    for item in &mut written.items {
        if let syn::ImplItem::Fn(method) = item {
            *method = with_types(block, method);
        }
    }
    Cow::Owned(written)
}

/// A path with `::` in front of its arguments, as both types and expressions can have it.
fn turbofish(ty: &syn::TypePath) -> syn::TypePath {
    let mut ty = ty.clone();
    for segment in &mut ty.path.segments {
        if let syn::PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
            arguments.colon2_token.get_or_insert_with(Default::default);
        }
    }
    ty
}

/// The type without the groups and parentheses around it.
pub(crate) fn peeled(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Group(group) => peeled(&group.elem),
        syn::Type::Paren(paren) => peeled(&paren.elem),
        other => other,
    }
}

fn is_colon(tree: Option<&TokenTree>) -> bool {
    matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == ':')
}
