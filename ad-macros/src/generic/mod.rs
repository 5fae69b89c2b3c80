//! Functions and blocks that are generic over a float: `fn f<T: Float>(x: T) -> T`, `impl<T: Float> Line<T> { … }`.
//!
//! They are differentiated twice, with `f32` and with `f64` in place of the parameter, so every analysis and every pass
//! sees plain numbers. A hidden trait chooses between the two; what the user calls is generic as their function is.
//!
//! | generic | the hidden trait |
//! |---|---|
//! | a function | is implemented for `f32` and `f64` (this file) |
//! | a block, or a method | has the parameter, and is implemented for the block's type with each float (`block`) |
//!
//! A method with the attribute of its own is a block with this method alone, by the text in front of it.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

mod agree;
mod block;
mod bounds;
mod casts;
mod head;
mod held;
mod hoisted;
mod instance;
mod into;
mod merge;
mod numbers;
mod opaque;
mod operands;
mod own;
mod rewrite;
mod united;
mod unnamed;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use crate::diag::{Diagnostics, catalog};
use crate::interface::{Turbofish, placed};
pub(crate) use agree::further_arguments;
pub(crate) use block::{Part, each_instance, expand_block};
use bounds::{FloatParam, floats};
pub(crate) use bounds::{bounds_of, into_target, is_of_std, is_supported, of_std};
pub(crate) use head::{block_at, block_of_head};
pub(crate) use into::{is_into, target as into_of};
use merge::{Function, Widths};
pub(crate) use opaque::as_opaque;
pub(crate) use operands::with_operands;
pub(crate) use rewrite::names as names_parameter;
pub(crate) use united::united_function;
pub(crate) use unnamed::{name_numbers, named};

/// The widths for which a generic function is differentiated. Messages come from the first.
const FLOATS: [&str; 2] = ["f64", "f32"];

/// A function with a type parameter that stands for a float.
pub(crate) struct Generic<'a> {
    function: &'a syn::ItemFn,
    /// The parameters that it is written with, and which of them stand for floats.
    written: (&'a syn::Generics, Vec<FloatParam<'a>>),
    /// The same as callers see its sweeps: without the parameters that these have no use for.
    seen: syn::ItemFn,
    parameter: FloatParam<'a>,
    /// Path of the facade crate.
    krate: &'a syn::Path,
}

/// The function as one that is generic over a float, if it is. `written`: the same before its parameters for floats
/// were united.
pub(crate) fn generic<'a>(
    function: &'a syn::ItemFn,
    written: &'a syn::ItemFn,
    krate: &'a syn::Path,
    diags: &mut Diagnostics,
) -> Option<Generic<'a>> {
    let parameters = of_function(&function.sig, &function.block);
    let parameter = one(&parameters, diags)?;
    // `A: Mul<B>` says nothing of the other parameter that holds for floats.
    let depends = function.sig.generics.type_params().any(|other| {
        let mut bounds = parameter.bounds().into_iter();
        other.ident != *parameter.ident
            && bounds.any(|bound| rewrite::mentions(bound.to_token_stream(), &other.ident))
    });
    let iterated = crate::iterated::prepare(function);
    let seen = iterated.map_or_else(|| function.clone(), |of| of.function);
    (!depends).then_some(Generic {
        function,
        written: (
            &written.sig.generics,
            of_function(&written.sig, &written.block),
        ),
        seen,
        parameter,
        krate,
    })
}

/// The block of a method with the attribute of its own, with this method alone, if one of the two has a parameter for a
/// float, or the sweeps ask something of those of the block.
pub(crate) fn block_of(method: &syn::ItemFn) -> Option<syn::ItemImpl> {
    let sig = &method.sig;
    let mut block = block_at(sig.ident.span())?;
    let none = syn::ReturnType::Default;
    let plain =
        floats(&block.generics, &none).is_empty() && of_function(sig, &method.block).is_empty();
    let method = syn::ImplItemFn {
        attrs: method.attrs.clone(),
        vis: method.vis.clone(),
        defaultness: None,
        sig: sig.clone(),
        block: (*method.block).clone(),
    };
    let hoisted = plain.then(|| hoisted::hoisted(&block, &method)).flatten();
    if hoisted.is_some() {
        return hoisted;
    }
    block.items = vec![syn::ImplItem::Fn(method)];
    let asks = !plain || operands::has_operands(&block.generics) || held::asks(&block);
    asks.then_some(block)
}

/// Whether a parameter of a block stands for a float.
pub(crate) fn stands_for_float(of_block: &syn::Generics, parameter: &Ident) -> bool {
    let floats = floats(of_block, &syn::ReturnType::Default);
    floats.iter().any(|of| of.ident == parameter)
}

/// The parameters of a function that stand for floats.
fn of_function<'a>(sig: &'a syn::Signature, body: &syn::Block) -> Vec<FloatParam<'a>> {
    let mut parameters = floats(&sig.generics, &sig.output);
    parameters.retain(|of| {
        let parameter = sig.generics.type_params().find(|t| t.ident == *of.ident);
        parameter.is_none_or(|t| {
            !own::has_no_values(sig, body, t)
                && (bounds::is_bound_by_numbers(&sig.generics, t)
                    || !own::is_left_to_its_trait(sig, body, t))
        })
    });
    parameters
}

/// The only parameter that stands for a float.
fn one<'a>(parameters: &[FloatParam<'a>], diags: &mut Diagnostics) -> Option<FloatParam<'a>> {
    let (first, others) = parameters.split_first()?;
    for other in others {
        let name = other.ident.to_string();
        diags.at(other.ident.span(), catalog::several_floats(&name));
    }
    Some(*first)
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
    let is_function = |name: &Ident| crate::functions::is_function(&sig.generics, name);
    let named =
        |name: &&Ident| !is_function(name) && types.iter().any(|ty| rewrite::names(ty, name));
    let parameters = sig.generics.type_params().map(|t| &t.ident);
    let names: Vec<Ident> = parameters.filter(named).cloned().collect();
    let associated = associated(&types, &names);
    let kept = sig.generics.type_params().find(|t| {
        let returned = match &sig.output {
            syn::ReturnType::Type(_, ty) => {
                matches!(&**ty, syn::Type::Path(path) if path.path.is_ident(&t.ident))
            }
            syn::ReturnType::Default => false,
        };
        returned && names.contains(&t.ident) && bounds::has_methods(&sig.generics, t)
    });
    // What is returned was made here, as a rule, and lies on the tape.
    let mut kept: Vec<Ident> = kept.map(|t| t.ident.clone()).into_iter().collect();
    let changed = sig.generics.type_params();
    let changed = changed.filter(|t| names.contains(&t.ident) && held::is_kept(&function, t));
    kept.extend(changed.map(|t| t.ident.clone()));
    operands::ask(&mut function.sig.generics, krate);
    into::ask(&mut function.sig, krate);
    if names.is_empty() {
        return function;
    }
    let clause = function.sig.generics.make_where_clause();
    for name in kept {
        let bound = syn::parse_quote!(#name: #krate::__rt::Record);
        clause.predicates.push(bound);
    }
    for ty in associated {
        let bound = syn::parse_quote!(#ty: #krate::__rt::Differentiable);
        clause.predicates.push(bound);
    }
    for name in names {
        let bound = syn::parse_quote!(#name: #krate::__rt::Differentiable);
        clause.predicates.push(bound);
    }
    function
}

/// The associated types of parameters that types name, `T::Scalar`.
fn associated(types: &[&syn::Type], parameters: &[Ident]) -> Vec<syn::TypePath> {
    struct Found<'p> {
        parameters: &'p [Ident],
        types: Vec<syn::TypePath>,
    }
    impl<'ast> syn::visit::Visit<'ast> for Found<'_> {
        fn visit_type_path(&mut self, ty: &'ast syn::TypePath) {
            let mut segments = ty.path.segments.iter();
            let of_parameter = segments
                .next()
                .is_some_and(|first| self.parameters.contains(&first.ident));
            let alone = ty.qself.is_none() && ty.path.segments.len() == 2;
            if of_parameter && alone && !self.types.contains(ty) {
                self.types.push(ty.clone());
            }
            syn::visit::visit_type_path(self, ty);
        }
    }
    let mut found = Found {
        parameters,
        types: Vec::new(),
    };
    for ty in types {
        syn::visit::Visit::visit_type(&mut found, ty);
    }
    found.types
}

/// Runs `expand` for each width; what it reports is kept of the first.
fn at_each_width<R>(
    diags: &mut Diagnostics,
    mut expand: impl FnMut(&str, &mut Diagnostics) -> R,
) -> [R; 2] {
    FLOATS.map(|float| {
        // After a mistake, the same ones once more.
        let mut again = Diagnostics::new();
        let first = diags.is_empty();
        let found = if first { &mut *diags } else { &mut again };
        let expanded = expand(float, found);
        let _reported_already = again.is_empty();
        expanded
    })
}

/// Reports that what is generated for both widths cannot be made one.
fn report_difference(of: &Ident, diags: &mut Diagnostics) {
    if diags.is_empty() {
        let reason = "what is generated for `f64` and for `f32` differs in form";
        diags.at(of.span(), catalog::internal(reason));
    }
}

impl Generic<'_> {
    /// What `#[gradient]` generates: `differentiate` gives it for a function without the parameter, whose turbofish is
    /// the second argument.
    pub(crate) fn differentiate(
        &self,
        diags: &mut Diagnostics,
        differentiate: &mut dyn FnMut(&syn::ItemFn, &Turbofish, &mut Diagnostics) -> TokenStream,
    ) -> TokenStream {
        let [wide, narrow] = at_each_width(diags, |float, diags| {
            let (check, instance) =
                instance::function(self.function, self.parameter, float, self.krate);
            let instance = bounded(&instance, self.krate);
            let items = differentiate(&instance, &self.turbofish(float), diags);
            (check, items)
        });
        let (checks, instances) = ([wide.0, narrow.0], [wide.1, narrow.1]);
        let Some(widths) = Widths::read(&instances, self.parameter.ident) else {
            report_difference(&self.function.sig.ident, diags);
            return TokenStream::new();
        };
        self.items(&checks, &instances, &widths)
    }

    /// What the hidden trait has to ask of its `Self` where that stands among the arguments of types, as in
    /// `Roots<Self>`: these may have bounds of their own. Bounds that mention a parameter are left out.
    fn supertraits(&self, widths: &Widths) -> Vec<&syn::Path> {
        if !widths.functions.iter().any(Function::nests_the_float) {
            return Vec::new();
        }
        let generics = &self.function.sig.generics;
        let mut names: Vec<&Ident> = generics.type_params().map(|t| &t.ident).collect();
        names.extend(generics.const_params().map(|c| &c.ident));
        names.extend(generics.lifetimes().map(|l| &l.lifetime.ident));
        let plain = |path: &&syn::Path| {
            let mut names = names.iter();
            !names.any(|name| rewrite::mentions(path.to_token_stream(), name))
        };
        self.parameter.bounds().into_iter().filter(plain).collect()
    }

    /// The turbofish of the user's function at this width.
    fn turbofish(&self, float: &str) -> Turbofish {
        let (generics, floats) = &self.written;
        let floats: Vec<&Ident> = floats.iter().map(|of| of.ident).collect();
        turbofish(generics, &floats, float)
    }

    /// `checks`: what stands beside the instances.
    fn items(
        &self,
        checks: &[TokenStream],
        instances: &[TokenStream],
        widths: &Widths,
    ) -> TokenStream {
        let (vis, name) = (&self.function.vis, &self.function.sig.ident);
        let hidden = format_ident!("__{}_at_width", name.to_string().trim_start_matches("r#"));
        let attributes = &widths.attributes;
        let required = widths.functions.iter().map(Function::required);
        let imports = imports(self.parameter);
        let implementations =
            FLOATS
                .iter()
                .zip(checks)
                .zip(instances)
                .map(|((float, check), items)| {
                    let float = format_ident!("{float}");
                    let provided = widths.functions.iter().map(Function::provided);
                    quote! {
                        #(#attributes)*
                        const _: () = {
                            #imports
                            #check
                            #items
                            impl #hidden for #float { #(#provided)* }
                        };
                    }
                });
        let public = |f: &Function| f.public(&self.seen, self.parameter.ident, &hidden);
        let own = widths.functions.iter().filter(|f| f.companion.is_none());
        let own = own.map(public);
        let companion = widths.companion().map(|companion| {
            let sweeps = widths.functions.iter().filter(|f| f.companion.is_some());
            let sweeps = sweeps.map(public);
            let (krate, attributes) = (self.krate, quote!(#(#attributes)*));
            let placed = placed(&attributes, &quote!(#krate::__rt), companion, name);
            quote! {
                #placed

                #attributes
                #[doc(hidden)]
                #vis enum #companion {}

                #attributes
                #[automatically_derived]
                impl #companion { #(#sweeps)* }
            }
        });
        let (krate, missing) = (self.krate, at_widths_alone(name));
        let supertraits = self.supertraits(widths);
        quote! {
            #(#attributes)*
            #[doc(hidden)]
            #missing
            #vis trait #hidden: #krate::__rt::Width #(+ #supertraits)* { #(#required)* }
            #(#implementations)*
            #companion
            #(#own)*
        }
    }
}

/// What rustc says where a hidden trait is not there.
fn at_widths_alone(function: &Ident) -> TokenStream {
    let message =
        format!("the gradient of `{function}` is there for `f32` and `f64`, and not for any float");
    let note = format!(
        "in a function that is generic, put `#[gradient]` above it and call `{function}` itself"
    );
    quote! {
        #[diagnostic::on_unimplemented(
            message = #message,
            label = "the type has to be known here to be `f32` or `f64`",
            note = #note
        )]
    }
}

/// Methods that the bounds bring are found on the floats themselves.
fn imports(parameter: FloatParam<'_>) -> TokenStream {
    // Its `from` would stand beside that of `From`.
    let casts = |path: &&syn::Path| path.segments.last().is_some_and(|s| s.ident == "NumCast");
    let bounds = parameter.bounds().into_iter().filter(|path| !casts(path));
    let paths = bounds.map(rewrite::without_arguments);
    quote!(#(use #paths as _;)*)
}

/// The turbofish with the parameters themselves.
fn others(generics: &syn::Generics) -> TokenStream {
    let names = generics.params.iter().filter_map(instance::named);
    let names: Vec<_> = names.collect();
    if names.is_empty() {
        TokenStream::new()
    } else {
        quote!(::<#(#names),*>)
    }
}

/// The generic arguments that make something generic an instance.
fn turbofish(generics: &syn::Generics, parameters: &[&Ident], float: &str) -> Turbofish {
    let float = format_ident!("{float}");
    let arguments = generics.params.iter().filter_map(|param| match param {
        syn::GenericParam::Type(t) if parameters.contains(&&t.ident) => {
            Some((quote!(#float), crate::ir::is_of_impl(&t.ident)))
        }
        syn::GenericParam::Type(t) => {
            Some((t.ident.to_token_stream(), crate::ir::is_of_impl(&t.ident)))
        }
        syn::GenericParam::Const(c) => Some((c.ident.to_token_stream(), false)),
        syn::GenericParam::Lifetime(_) => None,
    });
    let arguments: Vec<(TokenStream, bool)> = arguments.collect();
    let all = arguments.iter().map(|(argument, _)| argument);
    let given = arguments.iter().filter(|(_, of_impl)| !of_impl);
    let given = given.map(|(argument, _)| argument);
    Turbofish {
        all: quote!(#(#all),*),
        given: quote!(#(#given),*),
        infers: arguments.iter().any(|(_, of_impl)| *of_impl),
    }
}
