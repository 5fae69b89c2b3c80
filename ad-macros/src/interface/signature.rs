//! The types of a method's arguments, and of what its sweeps take beside them, for who calls it through a trait.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::visit_mut::{self, VisitMut};

use crate::ir::{Func, Passing};

use super::Runtime;

/// What stands between a caller that knows a trait alone and the sweeps of a method.
pub(crate) struct MethodTypes {
    /// The lifetimes of references, each named.
    pub(crate) lifetimes: Vec<syn::Lifetime>,
    /// The types of the arguments behind the receiver, or of all.
    pub(crate) args: Vec<syn::Type>,
    /// The types of their adjoints, behind references.
    pub(crate) bars: Vec<TokenStream>,
    /// Both where rustc finds the lifetimes.
    pub(crate) here: (Vec<syn::Type>, Vec<TokenStream>),
    pub(crate) result: syn::Type,
    /// The type of the adjoint of the result.
    pub(crate) seed: TokenStream,
}

/// The types of a method, whose first parameter is the receiver. `all`: that one is an argument like the others.
pub(crate) fn method_types(func: &Func, all: bool, krate: &syn::Path) -> MethodTypes {
    let rt = Runtime::of(krate);
    let mut names = Lifetimes::called("__");
    let (mut args, mut bars) = (Vec::new(), Vec::new());
    let mut here = (Vec::new(), Vec::new());
    for param in func.signature().iter().skip(usize::from(!all)) {
        here.0.push(param.written.clone());
        let mut ty = param.written.clone();
        names.visit_type_mut(&mut ty);
        args.push(ty);
        let lifetime = names.fresh();
        let buffer = if param.constant {
            quote!(())
        } else {
            let owned = param.passing != Passing::Shared;
            super::types::buffer(&param.written, &param.ty, owned, &func.written, &rt)
        };
        bars.push(quote!(&#lifetime mut #buffer));
        here.1.push(quote!(&mut #buffer));
    }
    MethodTypes {
        lifetimes: names.given,
        args,
        bars,
        here,
        result: func.ret_written.clone(),
        seed: super::types::tangent(&func.ret_written, &func.ret_ty, &func.written, &rt),
    }
}

/// Gives each reference without a lifetime one of its own.
pub(super) struct Lifetimes {
    prefix: &'static str,
    pub(super) given: Vec<syn::Lifetime>,
}

impl Lifetimes {
    /// Those whose names begin so: what stands in a bound may not have the names of what stands around it.
    pub(super) fn called(prefix: &'static str) -> Self {
        Lifetimes {
            prefix,
            given: Vec::new(),
        }
    }

    pub(super) fn fresh(&mut self) -> syn::Lifetime {
        let name = format_ident!("{}{}", self.prefix, self.given.len());
        let lifetime = syn::Lifetime::new(&format!("'{name}"), proc_macro2::Span::call_site());
        self.given.push(lifetime.clone());
        lifetime
    }
}

impl VisitMut for Lifetimes {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(self.fresh());
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.fresh();
        }
    }
}

/// Gives each argument a plain name instead of its pattern, and takes its attributes away. Yields what a call passes
/// on.
pub(crate) fn name_arguments(
    inputs: &mut syn::punctuated::Punctuated<syn::FnArg, syn::Token![,]>,
) -> Vec<TokenStream> {
    let named = inputs.iter_mut().enumerate().map(|(n, input)| match input {
        syn::FnArg::Receiver(receiver) => {
            receiver.attrs.clear();
            receiver.mutability = receiver.reference.as_ref().and(receiver.mutability);
            let this = receiver.self_token;
            quote!(#this)
        }
        syn::FnArg::Typed(input) => {
            let name = format_ident!("arg{n}");
            input.attrs.clear();
            *input.pat = syn::parse_quote!(#name);
            quote!(#name)
        }
    });
    named.collect()
}
