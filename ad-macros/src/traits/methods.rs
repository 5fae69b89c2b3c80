//! Traits that are no operators: `#[gradient] impl System for X { … }`.
//!
//! What is generated stands beside the type's own methods, so it is found wherever a method is called on the type. A
//! check sees to it that the type has no function of the same name, which calls would mean.

use std::borrow::Cow;

use proc_macro2::TokenStream;
use quote::quote;

use super::carrier::{self, Carrier, peeled};
use super::functions;
use super::inherited::{self, Inherited};
use super::method::{self, Method};
use super::overridden;
use super::parameters;
use super::private;
use super::provided;
use crate::block;
use crate::diag::{Diagnostics, catalog};
use crate::generic;
use crate::interface::{self, MethodTypes};
use crate::ir::Passing;
use crate::lower::{Derivative, Member, Owner};
use crate::options::Options;

/// Whether what the `impl` is of can have functions of its own.
pub(crate) fn is_of_a_type(block: &syn::ItemImpl) -> bool {
    let name = match peeled(&block.self_ty) {
        syn::Type::Path(ty) if ty.qself.is_none() => ty.path.segments.last(),
        _ => None,
    };
    name.is_some_and(|name| {
        let name = name.ident.to_string();
        !crate::lower::is_primitive(&name) && !crate::lower::is_of_std(&name)
    })
}

/// The block that stands beside the `impl`.
pub(crate) fn beside(
    block: &syn::ItemImpl,
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    if refuses_parameters(block, diags) {
        return TokenStream::new();
    }
    let inherited = inherited::of(block, &options.krate);
    if !inherited.is_empty() {
        // What is wrong with a body in the trait is told there.
        let mut unread = Diagnostics::new();
        let generated = beside_with(block, &inherited, options, &mut unread);
        if unread.is_empty() {
            return generated;
        }
    }
    beside_with(block, &[], options, diags)
}

/// Whether what is generated cannot name a type parameter, which is told: it stands in a block of the type.
fn refuses_parameters(block: &syn::ItemImpl, diags: &mut Diagnostics) -> bool {
    let is = |t: &syn::TypeParam| matches!(&*block.self_ty, syn::Type::Path(ty) if ty.path.is_ident(&t.ident));
    if let Some(parameter) = block.generics.type_params().find(|t| is(t)) {
        let name = parameter.ident.to_string();
        diags.at(parameter.ident.span(), catalog::impl_for_all(&name));
        return true;
    }
    let unsupported = parameters::unsupported(block);
    if let Some(parameter) = &unsupported {
        diags.at(
            parameter.span(),
            catalog::impl_parameter(&parameter.to_string()),
        );
    }
    unsupported.is_some()
}

/// The same, with the methods that are left to the trait.
fn beside_with(
    block: &syn::ItemImpl,
    inherited: &[Inherited],
    options: &Options,
    diags: &mut Diagnostics,
) -> TokenStream {
    let mut own = block.clone();
    let methods = inherited.iter().map(|of| of.method.clone());
    own.items.extend(methods.map(syn::ImplItem::Fn));
    for item in &mut own.items {
        if let syn::ImplItem::Fn(method) = item {
            // Whoever sees the type and the trait calls it.
            method.vis = syn::parse_quote!(pub);
            *method = carrier::with_types(block, method);
        }
    }
    let own = parameters::on_functions(&own).unwrap_or(own);
    let beside = block::differentiate(&own, options, diags);
    let through = generic::each_instance(block, &options.krate, diags, |block, _| {
        through_the_trait(block, inherited, options)
    });
    let private = match parameters::on_functions(block) {
        Some(own) => private::has_none(&own),
        None => private::has_none(block),
    };
    quote!(#beside #through #private)
}

/// The sweeps of the methods for callers that know the trait alone.
fn through_the_trait(
    block: &syn::ItemImpl,
    inherited: &[Inherited],
    options: &Options,
) -> TokenStream {
    let Some((_, path, _)) = &block.trait_ else {
        return TokenStream::new();
    };
    let krate = &options.krate;
    let Some(name) = path.segments.last().map(|last| &last.ident) else {
        return TokenStream::new();
    };
    let carrier = Carrier::of(block);
    let owner = Owner {
        stands_in_block: true,
        generics: block.generics.clone(),
        ..Owner::default()
    };
    let functions = block.items.iter().filter_map(|item| match item {
        syn::ImplItem::Fn(function) => Some(function),
        _ => None,
    });
    let (rt, ty) = (quote!(#krate::__rt), &block.self_ty);
    let block = &*with_derivatives(block, &rt);
    let (generics, _, where_clause) = block.generics.split_for_impl();
    let (cfgs, allow) = (block::cfgs(&block.attrs), interface::allowed());
    let again = overridden::names(block, krate);
    let checks = functions
        .clone()
        .filter(|f| !again.contains(&f.sig.ident))
        .map(|f| provided::is_required(&f.sig.ident, path, &rt));
    let means = functions.clone().filter(|f| is_left_zero(f)).map(|f| {
        let (name, import) = (&f.sig.ident, interface::import(path));
        quote! {{
            #import
            #rt::same_method(&<Self>::#name, &<Self as #path>::#name);
        }}
    });
    let of_the_trait = inherited::checks(inherited, path, &rt);
    let key = method::number(&name.to_string());
    let of = interface::arguments_of_trait(path);
    let marked = quote! {
        #(#cfgs)*
        #allow
        #[automatically_derived]
        impl #generics #rt::HasGradient<#key, #of> for #ty #where_clause {
            fn __checks() {
                #(#checks)*
                #(#means)*
                #of_the_trait
            }

            #rt::erased! {}
        }
    };
    let implemented = functions.map(|function| {
        let mut sig = function.sig.clone();
        for ty in method::types_mut(&mut sig) {
            if let Ok(written) = syn::parse2(carrier.written_out(ty)) {
                *ty = written;
            }
        }
        let by_reference = Method::of(&sig, &function.attrs, (name, &of), &owner, options)
            .map(|method| implement(&method, block, path, &rt));
        let of_all = functions::may_be_one(&function.sig, block).then(|| {
            Method::function(&sig, &function.attrs, (name, &of), &owner, options)
                .map(|method| functions::implement(&method, block, path, &rt))
        });
        let of_all = of_all.flatten();
        quote!(#by_reference #of_all)
    });
    let implemented: TokenStream = implemented.collect();
    quote!(#marked #implemented)
}

/// The block, which asks for the derivatives of parameters that its type does not name, as its functions do.
fn with_derivatives<'b>(block: &'b syn::ItemImpl, rt: &TokenStream) -> Cow<'b, syn::ItemImpl> {
    let names = parameters::unnamed(block);
    if names.is_empty() {
        return Cow::Borrowed(block);
    }
    let mut block = block.clone();
    let clause = block.generics.make_where_clause();
    for name in names {
        clause
            .predicates
            .push(syn::parse_quote!(#name: #rt::Differentiable));
    }
    Cow::Owned(block)
}

/// Whether the trait gives sweeps to what this `impl` leaves as it is. A function of the type of that name, which calls
/// mean, would get them.
fn is_left_zero(function: &syn::ImplItemFn) -> bool {
    let left = Member::of(&function.sig, method::is_left(&function.attrs)).derivative;
    let zero = Member::of(&function.sig, false);
    left == Derivative::Left
        && zero.derivative == Derivative::Zero
        && zero.receiver == Some(Passing::Shared)
}

/// The sweeps of one method.
fn implement(
    method: &Method<'_>,
    block: &syn::ItemImpl,
    of: &syn::Path,
    rt: &TokenStream,
) -> TokenStream {
    let MethodTypes {
        args,
        bars,
        result,
        seed,
        ..
    } = &method.types;
    let [names, of_bars] = method.names();
    let [forward, reverse] = method::sweep_names(&method.sig.ident);
    let (this, ty) = (method.this(), &block.self_ty);
    let sweeps = quote! {
        #[inline]
        fn __forward(#this, (#(#names,)*): (#(#args,)*), tape: &mut #rt::Tape) -> #result {
            <#ty>::#forward(self, #(#names,)* &mut #rt::Called::new(tape))
        }

        #[inline]
        fn __reverse(
            #this,
            (#(#names,)*): (#(#args,)*),
            bar: &mut <Self as #rt::Differentiable>::Tangent,
            (#(#of_bars,)*): (#(#bars,)*),
            seed: ::core::option::Option<&#seed>,
            tape: &mut #rt::Tape,
        ) {
            <#ty>::#reverse(self, #(#names,)* bar, #(#of_bars,)* seed, tape);
        }

        fn __reverse_erased(
            #this,
            (#(#names,)*): (#(#args,)*),
            bar: &mut #rt::dynamic::DynTangent,
            (#(#of_bars,)*): (#(#bars,)*),
            seed: ::core::option::Option<&#seed>,
            tape: &mut #rt::Tape,
        ) {
            #rt::through_numbers!(self, bar, |own| {
                <#ty>::#reverse(self, #(#names,)* own, #(#of_bars,)* seed, tape)
            });
        }
    };
    method.implementation(block, of, rt, &sweeps)
}
