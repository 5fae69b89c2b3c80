//! The generated items: the companion type with its sweeps, and the public functions.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use crate::ir::{Func, Param, Passing, Ty};
use crate::options::Options;
use crate::reverse::Sweeps;

use super::Emitter;
use super::docs;
use super::sweeps::uses_tape;

/// Everything about the shape of the generated functions that the signature gives.
pub(crate) struct Shape<'a> {
    pub(crate) item: &'a syn::ItemFn,
    pub(crate) func: &'a Func,
    pub(crate) options: &'a Options,
}

impl Shape<'_> {
    pub(crate) fn mode(&self) -> Ident {
        Ident::new("__RETROGRADE_MODE", Span::mixed_site())
    }

    /// The user's generics, and the const parameter that selects the sweep.
    pub(crate) fn generics_with_mode(&self) -> (TokenStream, TokenStream) {
        let params = self.item.sig.generics.params.iter();
        let (mode, where_clause) = (self.mode(), &self.item.sig.generics.where_clause);
        (
            quote!(<#(#params,)* const #mode: u8>),
            quote!(#where_clause),
        )
    }

    fn generics(&self) -> (TokenStream, TokenStream) {
        let params = self.item.sig.generics.params.iter();
        let where_clause = &self.item.sig.generics.where_clause;
        let list = if self.item.sig.generics.params.is_empty() {
            TokenStream::new()
        } else {
            quote!(<#(#params),*>)
        };
        (list, quote!(#where_clause))
    }

    /// The names of the generics that a turbofish can give.
    fn generic_names(&self) -> Vec<&Ident> {
        self.item
            .sig
            .generics
            .params
            .iter()
            .filter_map(|p| match p {
                syn::GenericParam::Const(c) => Some(&c.ident),
                syn::GenericParam::Type(t) => Some(&t.ident),
                syn::GenericParam::Lifetime(_) => None,
            })
            .collect()
    }

    pub(crate) fn ret(&self) -> &syn::Type {
        &self.func.ret_written
    }

    /// The type of the adjoint of the result.
    pub(crate) fn seed_ty(&self, rt: &TokenStream) -> TokenStream {
        super::ty::tangent(&self.func.ret_written, &self.func.ret_ty, rt)
    }

    pub(crate) fn buffer(&self, param: &Param, rt: &TokenStream) -> TokenStream {
        super::ty::buffer(
            &param.written,
            &param.ty,
            param.passing != Passing::Shared,
            rt,
        )
    }

    /// Prefix of the generated names.
    fn base(&self) -> &Ident {
        self.options.name.as_ref().unwrap_or(&self.item.sig.ident)
    }

    fn has_gradient(&self) -> bool {
        self.func.ret_ty.is_float() && self.func.params.iter().all(|p| p.passing != Passing::InOut)
    }

    fn companion(&self) -> &Ident {
        self.options
            .companion
            .as_ref()
            .unwrap_or(&self.item.sig.ident)
    }
}

/// The items of a function that compiled.
pub(crate) fn items(item: &syn::ItemFn, options: &Options, sweeps: &Sweeps) -> TokenStream {
    let shape = Shape {
        item,
        func: &sweeps.func,
        options,
    };
    let emitter = Emitter {
        func: &sweeps.func,
        krate: &options.krate,
    };
    all(&shape, &emitter, Some(sweeps))
}

/// The same items without bodies, so that callers of a function with errors get none of their own.
pub(crate) fn stubs(item: &syn::ItemFn, options: &Options, func: &Func) -> TokenStream {
    let shape = Shape {
        item,
        func,
        options,
    };
    let emitter = Emitter {
        func,
        krate: &options.krate,
    };
    all(&shape, &emitter, None)
}

fn all(shape: &Shape<'_>, e: &Emitter<'_>, sweeps: Option<&Sweeps>) -> TokenStream {
    let companion = companion(shape, e, sweeps);
    let adjoint = adjoint(shape, e, sweeps);
    let gradient = shape.has_gradient().then(|| gradient(shape, e, sweeps));
    quote!(#companion #adjoint #gradient)
}

/// `dx` for `x`; `d_o` where `do` would be a keyword.
fn gradient_name(param: &Ident) -> Ident {
    let plain = param.to_string();
    let name = format!("d{}", plain.trim_start_matches("r#"));
    if syn::parse_str::<Ident>(&name).is_ok() {
        super::own(&name)
    } else {
        super::own(&format!("d_{}", plain.trim_start_matches("r#")))
    }
}

/// Attributes of every generated item.
fn attributes(shape: &Shape<'_>) -> TokenStream {
    let cfgs = shape.item.attrs.iter().filter(|a| a.path().is_ident("cfg"));
    quote! {
        #(#cfgs)*
        #[allow(
            warnings, unused, missing_docs, unreachable_pub, unused_qualifications, missing_copy_implementations,
            missing_debug_implementations, trivial_casts, trivial_numeric_casts, single_use_lifetimes, unused_results,
            variant_size_differences, unused_lifetimes, redundant_lifetimes, elided_lifetimes_in_paths,
            explicit_outlives_requirements, unit_bindings, let_underscore_drop, meta_variable_misuse,
            unused_import_braces, redundant_imports, private_interfaces, private_bounds,
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
    }
}

fn companion(shape: &Shape<'_>, e: &Emitter<'_>, sweeps: Option<&Sweeps>) -> TokenStream {
    let (attributes, vis, name) = (attributes(shape), &shape.item.vis, shape.companion());
    let (function, rt) = (&shape.item.sig.ident, e.rt());
    let (generics, where_clause) = shape.generics();
    let (tape, seed, callee) = (super::own("tape"), super::own("seed"), super::own("callee"));
    let (ret, seed_ty) = (shape.ret(), shape.seed_ty(&rt));
    let arg_types: Vec<_> = shape.func.params.iter().map(|p| &p.written).collect();
    let names: Vec<_> = shape.func.params.iter().map(|p| e.name(p.var)).collect();
    let formal_bars: Vec<TokenStream> = shape
        .func
        .params
        .iter()
        .map(|p| formal_bar(shape, p, &rt))
        .collect();
    let turbofish = shape.generic_names();
    let own = if turbofish.is_empty() {
        quote!(#function)
    } else {
        quote!(#function::<#(#turbofish),*>)
    };
    let check = quote!(#rt::check_callee(&#callee, &#own););
    let (forward, reverse, body) = match sweeps {
        None => (
            quote!(::core::unreachable!()),
            quote!(::core::unreachable!()),
            TokenStream::new(),
        ),
        Some(s) => {
            let nones = e
                .differentiable()
                .map(|_| quote!(::core::option::Option::None));
            let somes = e.differentiable().map(|p| {
                let adj = super::sweeps::adj(p);
                quote!(::core::option::Option::Some(#adj))
            });
            let lend = if uses_tape(s) {
                quote!(#tape)
            } else {
                quote!(::core::option::Option::Some(#tape))
            };
            let call = |mode: TokenStream, bars: TokenStream, seed: TokenStream| quote!(Self::sweeps::<#(#turbofish,)* {#rt::#mode}>(#lend #(, #names)* #bars, #seed));
            let forward = call(
                quote!(FORWARD),
                quote!(#(, #nones)*),
                quote!(::core::option::Option::None),
            );
            let reverse = call(quote!(REVERSE), quote!(#(, #somes)*), quote!(#seed));
            (
                quote!(#check #forward.unwrap()),
                quote!(#check #reverse;),
                e.sweeps(shape, s),
            )
        }
    };
    let accept = quote!(#callee: impl ::core::ops::Fn(#(#arg_types),*) -> #ret + 'static);
    quote! {
        #attributes
        #[doc(hidden)]
        #vis enum #name {}

        #attributes
        #[automatically_derived]
        impl #name {
            #[doc(hidden)]
            #[inline]
            pub fn forward #generics (#accept, #tape: &mut #rt::Tape #(, #names: #arg_types)*) -> #ret #where_clause {
                #forward
            }

            #[doc(hidden)]
            #[inline]
            pub fn reverse #generics (
                #accept, #tape: &mut #rt::Tape #(, #names: #arg_types)* #(, #formal_bars)*,
                #seed: ::core::option::Option<&#seed_ty>,
            ) #where_clause {
                #reverse
            }

            #body
        }
    }
}

/// What a caller passes as the adjoint of an argument.
fn formal_bar(shape: &Shape<'_>, param: &Param, rt: &TokenStream) -> TokenStream {
    if param.constant {
        return quote!(_: impl ::core::marker::Sized);
    }
    let buffer = shape.buffer(param, rt);
    if param.differentiable() {
        let name = super::sweeps::adj(param);
        quote!(#name: &mut #buffer)
    } else {
        quote!(_: &mut #buffer)
    }
}

/// The generic arguments of a call of `sweeps` in joint mode.
fn joint_call(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    sweeps: &Sweeps,
    tape: TokenStream,
    bars: &[TokenStream],
    seed: TokenStream,
) -> TokenStream {
    let (rt, companion, turbofish) = (e.rt(), shape.companion(), shape.generic_names());
    let names = shape.func.params.iter().map(|p| e.name(p.var));
    let lend = if uses_tape(sweeps) {
        tape
    } else {
        quote!(::core::option::Option::None)
    };
    quote! {
        <#companion>::sweeps::<#(#turbofish,)* {#rt::JOINT}>(
            #lend #(, #names)* #(, ::core::option::Option::Some(#bars))*, ::core::option::Option::Some(&#seed),
        ).unwrap()
    }
}

/// Each argument followed by its adjoint buffer.
fn args_with_buffers(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    buffer_name: &dyn Fn(&Param) -> Ident,
) -> Vec<TokenStream> {
    let rt = e.rt();
    let mut args = Vec::new();
    for param in &shape.func.params {
        let (name, ty) = (e.name(param.var), &param.written);
        args.push(quote!(#name: #ty));
        if param.differentiable() {
            let (buffer, ty) = (buffer_name(param), shape.buffer(param, &rt));
            args.push(quote!(#buffer: &mut #ty));
        }
    }
    args
}

/// Checks that buffers have the lengths of their arguments.
fn length_checks(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    kind: &str,
    buffer_name: &dyn Fn(&Param) -> Ident,
) -> TokenStream {
    let rt = e.rt();
    let mut checks = TokenStream::new();
    // The length of an in-out vector's output is known after the forward sweep only.
    let fixed = |p: &&Param| {
        p.differentiable() && !(p.passing == Passing::InOut && matches!(p.ty, Ty::Vec(_)))
    };
    for param in shape.func.params.iter().filter(fixed) {
        let (name, buffer, text) = (
            e.name(param.var),
            buffer_name(param),
            param.ident.to_string(),
        );
        if let Ty::Slice(element) | Ty::Vec(element) = &param.ty {
            checks.extend(quote!(#rt::check_len(#text, #kind, #name.len(), #buffer.len());));
            if matches!(**element, Ty::Vec(_)) {
                checks.extend(quote! {
                    for k in 0..#name.len() { #rt::check_len(#text, #kind, #name[k].len(), #buffer[k].len()); }
                });
            }
        }
    }
    checks
}

fn adjoint(shape: &Shape<'_>, e: &Emitter<'_>, sweeps: Option<&Sweeps>) -> TokenStream {
    let (attributes, vis, rt) = (attributes(shape), &shape.item.vis, e.rt());
    let (generics, where_clause) = shape.generics();
    let (name, try_name) = (
        format_ident!("{}_adjoint", shape.base()),
        format_ident!("{}_try_adjoint", shape.base()),
    );
    let (tape, seed, guard, value) = (
        super::own("tape"),
        super::own("seed"),
        super::own("guard"),
        super::own("value"),
    );
    let bar_name = |p: &Param| {
        super::own(&format!(
            "{}_bar",
            p.ident.to_string().trim_start_matches("r#")
        ))
    };
    let args = args_with_buffers(shape, e, &bar_name);
    let (ret, seed_ty) = (shape.ret(), shape.seed_ty(&rt));
    let checks = length_checks(shape, e, "adjoint", &bar_name);
    let bars: Vec<TokenStream> = e
        .differentiable()
        .map(|p| {
            let b = bar_name(p);
            quote!(#b)
        })
        .collect();
    let (body, try_body) = match sweeps {
        None => (
            quote!(::core::unreachable!()),
            quote!(::core::unreachable!()),
        ),
        Some(s) => {
            let call = joint_call(shape, e, s, quote!(#guard.tape()), &bars, quote!(#seed));
            let forwarded = forwarded(shape, e, &bar_name);
            let turbofish = shape.generic_names();
            (
                quote! {
                    #checks
                    let mut #guard = #rt::Rewind::new(#tape);
                    let #value = #call;
                    #guard.disarm();
                    #value
                },
                quote!(#rt::catch_tape_error(move || #name::<#(#turbofish),*>(#tape #(, #forwarded)*, #seed))),
            )
        }
    };
    let (doc, try_doc) = (docs::adjoint(shape), docs::fallible(shape, &name));
    quote! {
        #attributes
        #[doc = #doc]
        #[track_caller]
        #vis fn #name #generics (#tape: &mut #rt::Tape #(, #args)*, #seed: #seed_ty) -> #ret #where_clause { #body }

        #attributes
        #[doc = #try_doc]
        #[track_caller]
        #vis fn #try_name #generics (#tape: &mut #rt::Tape #(, #args)*, #seed: #seed_ty)
            -> ::core::result::Result<#ret, #rt::TapeError> #where_clause { #try_body }
    }
}

/// `f_grad`, `f_grad_into` and its fallible form.
fn gradient(shape: &Shape<'_>, e: &Emitter<'_>, sweeps: Option<&Sweeps>) -> TokenStream {
    let (attributes, vis, rt) = (attributes(shape), &shape.item.vis, e.rt());
    let (generics, where_clause) = shape.generics();
    let base = shape.base();
    let (grad, into, try_into) = (
        format_ident!("{base}_grad"),
        format_ident!("{base}_grad_into"),
        format_ident!("{base}_try_grad_into"),
    );
    let tape = super::own("tape");
    let buffer_name = |p: &Param| gradient_name(&p.ident);
    let args = args_with_buffers(shape, e, &buffer_name);
    let plain_args = shape.func.params.iter().map(|p| {
        let (name, ty) = (e.name(p.var), &p.written);
        quote!(#name: #ty)
    });
    let ret = shape.ret();
    let tangents: Vec<TokenStream> = e
        .differentiable()
        .map(|p| super::ty::tangent(&p.written, &p.ty, &rt))
        .collect();
    let buffers: Vec<Ident> = e.differentiable().map(buffer_name).collect();
    let gradient_ty = match tangents.as_slice() {
        [one] => quote!(#one),
        many => quote!((#(#many),*)),
    };
    let gradient_value = match buffers.as_slice() {
        [one] => quote!(#one),
        many => quote!((#(#many),*)),
    };
    let [body, into_body, try_body] = match sweeps {
        None => std::array::from_fn(|_| quote!(::core::unreachable!())),
        Some(s) => gradient_bodies(shape, e, s, &into, &gradient_value),
    };
    let (doc, into_doc, try_doc) = (
        docs::gradient(shape),
        docs::gradient_into(shape),
        docs::fallible(shape, &into),
    );
    quote! {
        #attributes
        #[doc = #doc]
        #vis fn #grad #generics (#(#plain_args),*) -> (#ret, #gradient_ty) #where_clause { #body }

        #attributes
        #[doc = #into_doc]
        #[track_caller]
        #vis fn #into #generics (#tape: &mut #rt::Tape #(, #args)*) -> #ret #where_clause { #into_body }

        #attributes
        #[doc = #try_doc]
        #[track_caller]
        #vis fn #try_into #generics (#tape: &mut #rt::Tape #(, #args)*)
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
    let (tape, guard, value) = (super::own("tape"), super::own("guard"), super::own("value"));
    let buffer_name = |p: &Param| gradient_name(&p.ident);
    let buffers: Vec<Ident> = e.differentiable().map(buffer_name).collect();
    let one = match shape.func.ret_ty {
        Ty::F32 => quote!(1.0f32),
        _ => quote!(1.0f64),
    };
    let zeros = e
        .differentiable()
        .zip(&buffers)
        .map(|(p, b)| zero_of(p, b, e));
    let lent: Vec<TokenStream> = buffers.iter().map(|b| quote!(&mut #b)).collect();
    let direct = joint_call(shape, e, s, quote!(#tape), &lent, one.clone());
    let call = if uses_tape(s) {
        quote!(#rt::with_tape(|#tape| #direct))
    } else {
        direct
    };
    let checks = length_checks(shape, e, "gradient", &buffer_name);
    let clears = e
        .differentiable()
        .zip(&buffers)
        .map(|(p, b)| clear(p, b, e));
    let bars: Vec<TokenStream> = buffers.iter().map(|b| quote!(#b)).collect();
    let into_call = joint_call(shape, e, s, quote!(#guard.tape()), &bars, one);
    let forwarded = forwarded(shape, e, &buffer_name);
    let turbofish = shape.generic_names();
    [
        quote!(#(#zeros)* let #value = #call; (#value, #gradient)),
        quote! {
            #checks
            #(#clears)*
            let mut #guard = #rt::Rewind::new(#tape);
            let #value = #into_call;
            #guard.disarm();
            #value
        },
        quote!(#rt::catch_tape_error(move || #into::<#(#turbofish),*>(#tape #(, #forwarded)*))),
    ]
}

/// Each argument followed by its buffer, passed on under the same names.
fn forwarded(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    buffer_name: &dyn Fn(&Param) -> Ident,
) -> Vec<TokenStream> {
    let pass = |p: &Param| {
        let name = e.name(p.var);
        if p.differentiable() {
            let buffer = buffer_name(p);
            quote!(#name, #buffer)
        } else {
            quote!(#name)
        }
    };
    shape.func.params.iter().map(pass).collect()
}

/// `let mut dx = zero;`
fn zero_of(param: &Param, buffer: &Ident, e: &Emitter<'_>) -> TokenStream {
    let (rt, name) = (e.rt(), e.name(param.var));
    if param.ty.is_float() {
        let zero = super::expr::zero(&param.ty);
        return quote!(let mut #buffer = #zero;);
    }
    let place = if param.passing == Passing::Value {
        quote!(#name)
    } else {
        quote!(*#name)
    };
    quote_spanned!(param.written.span()=> let mut #buffer = #rt::zero(&#place);)
}

/// Whether the shape of a value can differ from that of a buffer in more than a length.
fn shape_varies(ty: &Ty) -> bool {
    match ty {
        Ty::Option(_) => true,
        Ty::Tuple(parts) => parts.iter().any(shape_varies),
        Ty::Array(t, _) => shape_varies(t),
        _ => false,
    }
}

/// Sets a buffer to zero, in the shape of the argument.
fn clear(param: &Param, buffer: &Ident, e: &Emitter<'_>) -> TokenStream {
    let rt = e.rt();
    if shape_varies(&param.ty) {
        let name = e.name(param.var);
        let value = if param.passing == Passing::Value {
            quote!(#name)
        } else {
            quote!(*#name)
        };
        return quote!(*#buffer = #rt::zero(&#value););
    }
    if param.ty.is_float() {
        let zero = super::expr::zero(&param.ty);
        quote!(*#buffer = #zero;)
    } else {
        quote!(#rt::Tangent::set_zero(&mut *#buffer);)
    }
}
