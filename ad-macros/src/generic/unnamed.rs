//! Type parameters for arguments that have none: `fn f(x: impl Float, model: &impl Model)`.

use syn::visit_mut::{self, VisitMut};

use super::bounds::{is_numeric, of_std};
use super::into::is_into;

/// The function with a type parameter for each `impl Trait` among its arguments whose methods may have derivatives.
pub(crate) fn named(function: &syn::ItemFn) -> syn::ItemFn {
    let mut function = function.clone();
    name(&mut function.sig, |constant, bounds| {
        constant || of_std(bounds).is_none() || is_into(bounds)
    });
    function
}

/// Gives each argument that is some number, `impl Float`, a type parameter.
pub(crate) fn name_numbers(sig: &mut syn::Signature) {
    name(sig, |constant, bounds| {
        let paths = bounds.iter().filter_map(|bound| match bound {
            syn::TypeParamBound::Trait(bound) => Some(&bound.path),
            _ => None,
        });
        !constant && !is_into(bounds) && paths.into_iter().any(is_numeric)
    });
}

/// The bounds of an `impl Trait`.
type Bounds = syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>;

/// Type parameters for those `impl Trait` of which the answer is yes, given whether the argument is marked as constant.
fn name(sig: &mut syn::Signature, wanted: impl Fn(bool, &Bounds) -> bool) {
    let there = sig.generics.type_params();
    let mut found = Named {
        wanted,
        constant: false,
        there: there.filter(|t| crate::ir::is_of_impl(&t.ident)).count(),
        parameters: Vec::new(),
    };
    for input in &mut sig.inputs {
        if let syn::FnArg::Typed(typed) = input {
            found.constant = typed.attrs.iter().any(|a| a.path().is_ident("constant"));
            found.visit_type_mut(&mut typed.ty);
        }
    }
    sig.generics.params.extend(found.parameters);
}

struct Named<W> {
    wanted: W,
    /// The argument has no derivative, whatever it is.
    constant: bool,
    /// How many have been named before.
    there: usize,
    parameters: Vec<syn::GenericParam>,
}

impl<W: Fn(bool, &Bounds) -> bool> VisitMut for Named<W> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::ImplTrait(written) = ty
            && (self.wanted)(self.constant, &written.bounds)
        {
            let name = crate::ir::of_impl(self.there + self.parameters.len());
            let bounds = &written.bounds;
            self.parameters.push(syn::parse_quote!(#name: #bounds));
            *ty = syn::parse_quote!(#name);
            return;
        }
        visit_mut::visit_type_mut(self, ty);
    }
}
