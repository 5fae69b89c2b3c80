//! `f_grad`, `f_grad_into` and its fallible form.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::ir::Sweeps;
use crate::ir::{Param, Ty};

use super::item::{
    Portion, args_with_buffers, forward, gradient_name, public_attributes, shape_checks,
};
use super::shape::Shape;
use super::sweeps::joint_call;
use super::{Emitter, docs, own, types};

/// `f_grad`, `f_grad_into` and its fallible form.
pub(super) fn gradient(shape: &Shape<'_>, e: &Emitter<'_>, sweeps: Option<&Sweeps>) -> TokenStream {
    let (attributes, vis, rt) = (public_attributes(shape), &shape.item.vis, e.rt());
    let (generics, where_clause) = shape.generics_of_gradient(rt);
    let base = shape.base();
    let (grad, into, try_into) = (
        format_ident!("{base}_grad"),
        format_ident!("{base}_grad_into"),
        format_ident!("{base}_try_grad_into"),
    );
    let buffer_name = |p: &Param| gradient_name(&p.ident);
    let args = args_with_buffers(shape, e, &buffer_name);
    let receiver = shape.receiver(e).map(|(receiver, _)| receiver);
    let named = usize::from(receiver.is_some());
    let others = shape.func.signature().iter().skip(named).map(|p| {
        let (name, ty) = (e.name(p.var), &p.written);
        quote!(#name: #ty)
    });
    let plain_args: Vec<TokenStream> = receiver.into_iter().chain(others).collect();
    let ret = shape.ret();
    let tangents: Vec<TokenStream> = shape
        .with_gradients()
        .map(|p| types::tangent(&p.written, &p.ty, &shape.func.written, rt))
        .collect();
    let buffers: Vec<Ident> = shape.with_gradients().map(buffer_name).collect();
    let gradient_ty = match tangents.as_slice() {
        [one] => quote!(#one),
        many => quote!((#(#many),*)),
    };
    let gradient_value = match buffers.as_slice() {
        [one] => quote!(#one),
        many => quote!((#(#many),*)),
    };
    let both = match shape.func.failure {
        None => quote!((#ret, #gradient_ty)),
        Some(_) => {
            let (value, error) = (types::inner(ret), types::error(ret, rt));
            quote!(::core::result::Result<(#value, #gradient_ty), #error>)
        }
    };
    let [body, into_body, try_body] = match sweeps {
        None if shape.portion == Portion::Outside => {
            let names = shape.func.signature().iter().map(|p| e.name(p.var));
            let names: Vec<TokenStream> = names.map(|name| quote!(#name)).collect();
            let with_buffers = forwarded(shape, e, &buffer_name);
            [
                forward(shape, &grad, &names),
                forward(shape, &into, &with_buffers),
                forward(shape, &try_into, &with_buffers),
            ]
        }
        None => std::array::from_fn(|_| quote!(::core::unreachable!())),
        Some(s) => gradient_bodies(shape, e, s, &into, &gradient_value),
    };
    let (doc, into_doc, try_doc) = (
        docs::gradient(shape, sweeps),
        docs::gradient_into(shape),
        docs::fallible(shape, &into),
    );
    // Only the first two are compiled where they are declared. The others are compiled where somebody calls them, as
    // `inline` has it: a library of many functions would otherwise optimize sweeps that nobody asks for.
    quote! {
        #attributes
        #[doc = #doc]
        #vis fn #grad #generics (#(#plain_args),*) -> #both #where_clause { #body }

        #attributes
        #[doc = #into_doc]
        #[track_caller]
        #vis fn #into #generics (#(#args),*) -> #ret #where_clause { #into_body }

        #attributes
        #[doc = #try_doc]
        #[inline]
        #[track_caller]
        #vis fn #try_into #generics (#(#args),*)
            -> ::core::result::Result<#ret, #rt::TapeError> #where_clause { #try_body }
    }
}

/// The bodies of `f_grad`, `f_grad_into` and `f_try_grad_into`.
fn gradient_bodies(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    s: &Sweeps,
    into: &Ident,
    gradient: &TokenStream,
) -> [TokenStream; 3] {
    let rt = e.rt();
    let (tape, guard, value) = (own("tape"), own("guard"), own("value"));
    let buffer_name = |p: &Param| gradient_name(&p.ident);
    let buffers: Vec<Ident> = shape.with_gradients().map(buffer_name).collect();
    let one = if *shape.func.value_ty() == Ty::F32 {
        quote!(1.0f32)
    } else if shape.has_gradient() {
        quote!(1.0f64)
    } else {
        let (ret, seed) = (shape.ret(), shape.seed_ty(rt));
        quote!(<#ret as #rt::Seed<#seed>>::one())
    };
    let one = match shape.func.failure {
        Some(_) => quote!(::core::option::Option::Some(#one)),
        None => one,
    };
    let zeros = shape
        .with_gradients()
        .zip(&buffers)
        .map(|(p, b)| zero_of(p, b, e));
    let lent: Vec<TokenStream> = buffers.iter().map(|b| quote!(&mut #b)).collect();
    let mode = if s.begun.is_empty() {
        quote!(JOINT)
    } else {
        quote!(GRADIENT)
    };
    let direct = joint_call(shape, e, s, quote!(#tape), &lent, one.clone(), mode.clone());
    let call = if s.joint_uses_tape() {
        quote!(#rt::with_tape(|#tape| #direct))
    } else {
        direct
    };
    let overwritten = |p: &Param| p.ty.shape_varies();
    let checks = shape_checks(shape, e, "gradient", &buffer_name, &overwritten);
    let begun = |var| s.begun.iter().any(|k| shape.func.params[*k].var == var);
    let clears = shape
        .with_gradients()
        .zip(&buffers)
        .filter(|(p, _)| !begun(p.var))
        .map(|(p, b)| {
            e.clear_fields(p, b, &begun)
                .unwrap_or_else(|| clear(p, b, e))
        });
    let bars: Vec<TokenStream> = buffers.iter().map(|b| quote!(#b)).collect();
    let into_call = joint_call(shape, e, s, quote!(#guard.tape()), &bars, one, mode);
    let forwarded = forwarded(shape, e, &buffer_name);
    let (arguments, into) = (shape.public_arguments(), shape.path_to(into));
    let prologue = shape.receiver(e).map(|(_, prologue)| prologue);
    [
        match shape.func.failure {
            None => quote!(#prologue #(#zeros)* let #value = #call; (#value, #gradient)),
            Some(_) => quote! {
                #prologue #(#zeros)*
                match #call {
                    ::core::result::Result::Ok(#value) => ::core::result::Result::Ok((#value, #gradient)),
                    ::core::result::Result::Err(error) => ::core::result::Result::Err(error),
                }
            },
        },
        quote! {
            #prologue
            #checks
            #(#clears)*
            let mut #guard = #rt::Rewind::new(#tape);
            let #value = #into_call;
            #guard.disarm();
            #value
        },
        quote!(#prologue #rt::catch_tape_error(move || #into #arguments(#(#forwarded),*))),
    ]
}

/// The tape behind the receiver, and each argument followed by its buffer, passed on under the same names.
pub(super) fn forwarded(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    buffer_name: &dyn Fn(&Param) -> Ident,
) -> Vec<TokenStream> {
    let tape = own("tape");
    let pass = |p: &Param| {
        let name = e.name(p.var);
        if p.differentiable() && !p.function {
            let buffer = buffer_name(p);
            vec![quote!(#name), quote!(#buffer)]
        } else {
            vec![quote!(#name)]
        }
    };
    let mut all: Vec<TokenStream> = shape.func.signature().iter().flat_map(pass).collect();
    let at = usize::from(shape.item.sig.receiver().is_some());
    all.insert(at, quote!(#tape));
    all
}

/// `let mut dx = zero;`
fn zero_of(param: &Param, buffer: &Ident, e: &Emitter<'_>) -> TokenStream {
    let (rt, place) = (e.rt(), e.behind(param));
    if param.ty.is_float() {
        let zero = e.zero(&param.ty);
        return quote!(let mut #buffer = #zero;);
    }
    quote_spanned!(param.written.span()=> let mut #buffer = #rt::zero(&#place);)
}

/// Sets a buffer to zero, in the shape of the argument.
fn clear(param: &Param, buffer: &Ident, e: &Emitter<'_>) -> TokenStream {
    let rt = e.rt();
    if param.ty.shape_varies() {
        let value = e.behind(param);
        return quote!(*#buffer = #rt::zero(&#value););
    }
    if param.ty.is_float() {
        let zero = e.zero(&param.ty);
        quote!(*#buffer = #zero;)
    } else {
        quote!(#rt::Tangent::set_zero(&mut *#buffer);)
    }
}
