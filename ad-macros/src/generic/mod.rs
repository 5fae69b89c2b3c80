//! Functions that are generic over a float: `fn f<T: Float>(x: T) -> T`.
//!
//! Such a function is differentiated twice, with `f32` and with `f64` in place of the parameter, so every analysis and
//! every pass sees plain numbers. A hidden trait, which `f32` and `f64` implement, chooses between the two; what the
//! user calls is generic as their function is.

mod merge;
mod rewrite;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::{self, VisitMut};

use crate::diag::{Diagnostics, catalog};
use merge::{Function, Widths};

/// The widths for which a generic function is differentiated. Messages come from the first.
const FLOATS: [&str; 2] = ["f64", "f32"];

/// Traits whose bound says that a type parameter stands for a float or, at least, a number.
const NUMERIC: [&str; 28] = [
    "Float",
    "FloatConst",
    "FloatCore",
    "Real",
    "RealField",
    "ComplexField",
    "Num",
    "NumAssign",
    "NumOps",
    "NumAssignOps",
    "NumCast",
    "NumRef",
    "Signed",
    "Zero",
    "One",
    "FromPrimitive",
    "ToPrimitive",
    "AsPrimitive",
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Neg",
    "Rem",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
];

/// A type parameter that stands for a float.
pub(crate) struct Generic<'a> {
    function: &'a syn::ItemFn,
    parameter: &'a Ident,
    bounds: Vec<&'a syn::Path>,
}

/// The function as one that is generic over a float, if it is: its only type parameter is bound by a trait of numbers,
/// or, bound by other traits, is what the function returns.
pub(crate) fn generic(function: &syn::ItemFn) -> Option<Generic<'_>> {
    let generics = &function.sig.generics;
    let mut parameters = generics.type_params();
    let parameter = parameters.next().filter(|_| parameters.next().is_none())?;
    let bounds: Vec<&syn::Path> = bounds_of(generics, parameter).collect();
    let numeric = bounds.iter().any(|path| {
        let last = path.segments.last();
        last.is_some_and(|last| NUMERIC.iter().any(|known| last.ident == known))
    });
    let returned = match &function.sig.output {
        syn::ReturnType::Type(_, ty) => rewrite::names(ty, &parameter.ident),
        syn::ReturnType::Default => false,
    };
    (numeric || (returned && !bounds.is_empty())).then_some(Generic {
        function,
        parameter: &parameter.ident,
        bounds,
    })
}

/// Traits of std and of ours, whose methods have no derivatives.
const OF_STD: [&str; 31] = [
    "Fn",
    "FnMut",
    "FnOnce",
    "Iterator",
    "IntoIterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Into",
    "From",
    "AsRef",
    "AsMut",
    "Borrow",
    "Deref",
    "DerefMut",
    "Index",
    "IndexMut",
    "Clone",
    "Copy",
    "Debug",
    "Display",
    "Default",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sync",
    "Sum",
    "Differentiable",
    "FixedShape",
    "Flat",
    "Record",
    "Tangent",
];

/// Whether a type parameter is bound by a trait that may have methods with derivatives: by another one than those of
/// std and of numbers.
pub(crate) fn has_methods(generics: &syn::Generics, parameter: &syn::TypeParam) -> bool {
    bounds_of(generics, parameter).any(|path| {
        let last = path.segments.last();
        last.is_some_and(|last| !is_of_std(&last.ident))
    })
}

/// The trait of std, or of numbers, that is first in a list of bounds.
pub(crate) fn of_std<'b>(
    bounds: impl IntoIterator<Item = &'b syn::TypeParamBound>,
) -> Option<&'b Ident> {
    let mut bounds = bounds.into_iter();
    let last = bounds.find_map(|bound| {
        if let syn::TypeParamBound::Trait(bound) = bound {
            bound.path.segments.last()
        } else {
            None
        }
    })?;
    is_of_std(&last.ident).then_some(&last.ident)
}

/// Whether a trait of this name is one of std, or of numbers.
pub(crate) fn is_of_std(name: &Ident) -> bool {
    let mut known = OF_STD.iter().chain(&NUMERIC);
    known.any(|known| name == known)
}

/// The function with a type parameter for each `impl Trait` among its arguments whose methods may have derivatives.
pub(crate) fn named(function: &syn::ItemFn) -> syn::ItemFn {
    let mut function = function.clone();
    let mut found = Named::default();
    for input in &mut function.sig.inputs {
        if let syn::FnArg::Typed(typed) = input {
            found.visit_type_mut(&mut typed.ty);
        }
    }
    function.sig.generics.params.extend(found.parameters);
    function
}

#[derive(Default)]
struct Named {
    parameters: Vec<syn::GenericParam>,
}

impl VisitMut for Named {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::ImplTrait(written) = ty
            && of_std(&written.bounds).is_none()
        {
            let name = crate::ir::of_impl(self.parameters.len());
            let bounds = &written.bounds;
            self.parameters.push(syn::parse_quote!(#name: #bounds));
            *ty = syn::parse_quote!(#name);
            return;
        }
        visit_mut::visit_type_mut(self, ty);
    }
}

/// The function with what its sweeps ask of those type parameters that may carry a derivative.
pub(crate) fn bounded(function: &syn::ItemFn, krate: &syn::Path) -> syn::ItemFn {
    let mut function = function.clone();
    let sig = &function.sig;
    let carries = |input: &&syn::FnArg| match input {
        syn::FnArg::Receiver(_) => false,
        syn::FnArg::Typed(typed) => !typed.attrs.iter().any(|a| a.path().is_ident("constant")),
    };
    let types: Vec<&syn::Type> = sig
        .inputs
        .iter()
        .filter(carries)
        .filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(&*typed.ty),
            syn::FnArg::Receiver(_) => None,
        })
        .chain(match &sig.output {
            syn::ReturnType::Type(_, ty) => Some(&**ty),
            syn::ReturnType::Default => None,
        })
        .collect();
    let named = |name: &&Ident| types.iter().any(|ty| rewrite::names(ty, name));
    let parameters = sig.generics.type_params().map(|t| &t.ident);
    let names: Vec<Ident> = parameters.filter(named).cloned().collect();
    if names.is_empty() {
        return function;
    }
    let clause = function.sig.generics.make_where_clause();
    for name in names {
        let bound = syn::parse_quote!(#name: #krate::__rt::Differentiable);
        clause.predicates.push(bound);
    }
    function
}

/// The traits that a type parameter is bound by, in the list and in the `where` clause.
pub(crate) fn bounds_of<'a>(
    generics: &'a syn::Generics,
    parameter: &'a syn::TypeParam,
) -> impl Iterator<Item = &'a syn::Path> {
    let clauses = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let in_clauses = clauses.filter_map(|predicate| {
        if let syn::WherePredicate::Type(bound) = predicate {
            if let syn::Type::Path(ty) = &bound.bounded_ty
                && ty.path.is_ident(&parameter.ident)
            {
                Some(&bound.bounds)
            } else {
                None
            }
        } else {
            None
        }
    });
    let bounds = std::iter::once(&parameter.bounds).chain(in_clauses);
    bounds.flatten().filter_map(|bound| {
        if let syn::TypeParamBound::Trait(bound) = bound
            && matches!(bound.modifier, syn::TraitBoundModifier::None)
        {
            Some(&bound.path)
        } else {
            None
        }
    })
}

impl Generic<'_> {
    /// What `#[gradient]` generates: `differentiate` gives it for a function without the parameter, whose turbofish is
    /// the second argument.
    pub(crate) fn differentiate(
        &self,
        diags: &mut Diagnostics,
        differentiate: &mut dyn FnMut(&syn::ItemFn, &TokenStream, &mut Diagnostics) -> TokenStream,
    ) -> TokenStream {
        let instances = FLOATS.map(|float| {
            let instance = rewrite::instance(self.function, self.parameter, &self.bounds, float);
            // After a mistake, the same ones once more.
            let mut again = Diagnostics::new();
            let first = diags.is_empty();
            let found = if first { &mut *diags } else { &mut again };
            let items = differentiate(&instance, &self.turbofish(float), found);
            let _reported_already = again.is_empty();
            items
        });
        let widths = Widths::read(&instances, self.parameter);
        if widths.is_none() && diags.is_empty() {
            let reason = "what is generated for `f64` and for `f32` differs in form";
            diags.at(self.function.sig.ident.span(), catalog::internal(reason));
        }
        widths.map_or_else(TokenStream::new, |widths| self.items(&instances, &widths))
    }

    /// The turbofish of the user's function at this width.
    fn turbofish(&self, float: &str) -> TokenStream {
        let float = format_ident!("{float}");
        let arguments = self
            .function
            .sig
            .generics
            .params
            .iter()
            .filter_map(|param| match param {
                syn::GenericParam::Type(_) => Some(quote!(#float)),
                syn::GenericParam::Const(c) => Some(c.ident.to_token_stream()),
                syn::GenericParam::Lifetime(_) => None,
            });
        quote!(#(#arguments),*)
    }

    fn items(&self, instances: &[TokenStream], widths: &Widths) -> TokenStream {
        let (vis, name) = (&self.function.vis, &self.function.sig.ident);
        let hidden = format_ident!("__{}_at_width", name.to_string().trim_start_matches("r#"));
        let attributes = &widths.attributes;
        let required = widths.functions.iter().map(Function::required);
        // Methods that the bounds bring are found on the floats themselves.
        let bounds = self
            .bounds
            .iter()
            .map(|path| rewrite::without_arguments(path));
        let bounds: Vec<syn::Path> = bounds.collect();
        let implementations = FLOATS.iter().zip(instances).map(|(float, items)| {
            let float = format_ident!("{float}");
            let provided = widths.functions.iter().map(Function::provided);
            quote! {
                #(#attributes)*
                const _: () = {
                    #(use #bounds as _;)*
                    #items
                    impl #hidden for #float { #(#provided)* }
                };
            }
        });
        let public = widths
            .functions
            .iter()
            .filter(|f| f.companion.is_none())
            .map(|f| f.public(self.function, self.parameter, &hidden));
        let companion = widths.companion().map(|companion| {
            let sweeps = widths
                .functions
                .iter()
                .filter(|f| f.companion.is_some())
                .map(|f| f.public(self.function, self.parameter, &hidden));
            quote! {
                #(#attributes)*
                #[doc(hidden)]
                #vis enum #companion {}

                #(#attributes)*
                #[automatically_derived]
                impl #companion { #(#sweeps)* }
            }
        });
        quote! {
            #(#attributes)*
            #[doc(hidden)]
            #vis trait #hidden: ::core::marker::Sized { #(#required)* }
            #(#implementations)*
            #companion
            #(#public)*
        }
    }
}
