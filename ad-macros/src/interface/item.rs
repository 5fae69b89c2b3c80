//! The generated items: the companion type with its sweeps, and the public functions.

use std::cell::OnceCell;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;

use crate::ir::hash::HashSet;
use crate::ir::{Func, Param, Sweeps};

use super::companion::companion;
use super::docs;
use super::gradient::{forwarded, gradient};
use super::lints::{allowed, allowed_of_callers};
use super::outputs::Leaving;
use super::shape::{Home, Shape, Turbofish};
use super::sweeps::joint_call;
use super::witness::OfTrait;
use super::{Emitter, own, seeds};

/// What the generated items belong to, and what they are called.
#[derive(Clone, Copy)]
pub(crate) struct Surface<'a> {
    /// The function as written.
    pub(crate) item: &'a syn::ItemFn,
    /// The generic arguments that make the function as written this one, if it is an instance.
    pub(crate) turbofish: Option<&'a Turbofish>,
    /// Path of the facade crate.
    pub(crate) krate: &'a syn::Path,
    /// Prefix of the names of generated functions.
    pub(crate) base: &'a Ident,
    /// Where the sweeps stand.
    pub(crate) home: Home<'a>,
    /// The trait whose method it is.
    pub(crate) of_trait: Option<OfTrait<'a>>,
    /// Whether there is more than the sweeps.
    pub(crate) public: bool,
    /// Which of it stands here.
    pub(crate) portion: Portion,
    /// The types of arguments that a callee is compared by, where they are not those of the sweeps.
    pub(crate) compared: Option<&'a [syn::Type]>,
    /// It is a closure, whose first parameters, so many, are what it has captured.
    pub(crate) captures: Option<usize>,
    /// A number for its text, if callers may inline it.
    pub(crate) definition: Option<u64>,
    /// What the function returns as written, where the sweeps return what that leads to.
    pub(crate) lends: Option<&'a syn::Type>,
    /// Whether there are sweeps for several seeds.
    pub(crate) seeds: bool,
}

/// What of a function's items stands in one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Portion {
    /// All of it.
    Whole,
    /// What its signature alone decides; the functions call those of the companion type.
    Outside,
    /// The rest: the companion type has the sweeps, and functions that do what is called outside.
    Inside,
}

impl<'a> Surface<'a> {
    fn shape(self, func: &'a Func, report: &'a str) -> Shape<'a> {
        let Surface {
            item,
            turbofish,
            base,
            home,
            of_trait,
            portion,
            compared,
            captures,
            definition,
            lends,
            ..
        } = self;
        Shape {
            item,
            turbofish,
            func,
            base,
            home,
            of_trait,
            portion,
            compared,
            captures,
            definition,
            lends,
            report,
            attributes: OnceCell::new(),
            public_attributes: OnceCell::new(),
        }
    }
}

/// The items of a function that compiled. `for_seeds`: its sweeps for several seeds, if it has some. `leaving`: those
/// that leave their outputs. `report`: a section of the documentation, what the sweeps do.
pub(crate) fn items(
    surface: Surface<'_>,
    sweeps: &Sweeps,
    for_seeds: Option<(&Sweeps, &Emitter<'_>)>,
    leaving: Option<&Sweeps>,
    report: &str,
) -> TokenStream {
    let emitter = Emitter::new(&sweeps.func, &sweeps.owned, surface.krate, surface.public);
    let shape = surface.shape(&sweeps.func, report);
    let leaving = leaving.map(|sweeps| Leaving {
        shape: surface.shape(&sweeps.func, ""),
        emitter: Emitter::leaving(sweeps, surface.krate),
        sweeps,
    });
    let one = all(
        &shape,
        &emitter,
        Some(sweeps),
        (leaving.as_ref(), surface.public),
    );
    let several = for_seeds.map(|(sweeps, emitter)| {
        seeds::for_seeds(&surface.shape(&sweeps.func, ""), emitter, Some(sweeps))
    });
    quote!(#one #several)
}

/// The same items without bodies, so that callers of a function with errors get none of their own.
pub(crate) fn stubs(surface: Surface<'_>, func: &Func) -> TokenStream {
    let owned = HashSet::default();
    let emitter = Emitter::new(func, &owned, surface.krate, surface.public);
    let shape = surface.shape(func, "");
    let one = all(&shape, &emitter, None, (None, surface.public));
    let several = surface
        .seeds
        .then(|| seeds::for_seeds(&shape, &emitter, None));
    quote!(#one #several)
}

fn all(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    sweeps: Option<&Sweeps>,
    (leaving, public): (Option<&Leaving<'_>>, bool),
) -> TokenStream {
    let companion = companion(shape, e, sweeps, leaving);
    if !public {
        return companion;
    }
    let adjoint = adjoint(shape, e, sweeps);
    let named = shape.has_gradient() || shape.may_have_gradient();
    let gradient = named.then(|| gradient(shape, e, sweeps));
    match (shape.portion, shape.home) {
        (Portion::Inside, Home::Companion(name)) => {
            let attributes = attributes(shape);
            quote!(#companion #attributes impl #name { #adjoint #gradient })
        }
        _ => quote!(#companion #adjoint #gradient),
    }
}

/// The items that do not depend on the definitions of types, which call those that do.
pub(crate) fn outside(surface: Surface<'_>, func: &Func) -> TokenStream {
    stubs(surface, func)
}

/// The call of the function of this name of the companion type.
pub(super) fn forward(shape: &Shape<'_>, name: &Ident, arguments: &[TokenStream]) -> TokenStream {
    let (Home::Companion(companion), turbofish) = (shape.home, shape.generic_names()) else {
        return quote!(::core::unreachable!());
    };
    quote!(<#companion>::#name::<#(#turbofish),*>(#(#arguments),*))
}

/// `x_bar` for `x`: the buffer of an adjoint in a public signature.
pub(super) fn bar_name(param: &Param, what: &str) -> Ident {
    own(&format!("{}_{what}", param.ident.unraw()))
}

/// `dx` for `x`; `d_o` where `do` would be a keyword.
pub(super) fn gradient_name(param: &Ident) -> Ident {
    let plain = param.unraw();
    let name = format!("d{plain}");
    if syn::parse_str::<Ident>(&name).is_ok() {
        own(&name)
    } else {
        own(&format!("d_{plain}"))
    }
}

/// Attributes of items that hold sweeps.
pub(super) fn attributes<'s>(shape: &'s Shape<'_>) -> &'s TokenStream {
    shape
        .attributes
        .get_or_init(|| with_cfgs(shape, &allowed()))
}

/// Attributes of the public functions.
pub(super) fn public_attributes<'s>(shape: &'s Shape<'_>) -> &'s TokenStream {
    shape
        .public_attributes
        .get_or_init(|| with_cfgs(shape, &allowed_of_callers()))
}

fn with_cfgs(shape: &Shape<'_>, allowed: &TokenStream) -> TokenStream {
    let cfgs = shape.item.attrs.iter().filter(|a| a.path().is_ident("cfg"));
    quote!(#(#cfgs)* #allowed)
}

/// The parameters of a public function with buffers: the receiver, the tape, and each argument followed by its buffer.
pub(super) fn args_with_buffers(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    buffer_name: &dyn Fn(&Param) -> Ident,
) -> Vec<TokenStream> {
    let (rt, tape) = (e.rt(), own("tape"));
    let receiver = shape.receiver(e).map(|(receiver, _)| receiver);
    let named = usize::from(receiver.is_some());
    let mut args: Vec<TokenStream> = receiver.into_iter().collect();
    args.push(quote!(#tape: &mut #rt::Tape));
    for (n, param) in shape.func.signature().iter().enumerate() {
        let (name, ty) = (e.name(param.var), &param.written);
        if n >= named {
            args.push(quote!(#name: #ty));
        }
        if param.differentiable() && !param.function {
            let (buffer, ty) = (buffer_name(param), shape.buffer(param, rt));
            args.push(quote!(#buffer: &mut #ty));
        }
    }
    args
}

/// Checks that buffers have the shapes of their arguments.
pub(super) fn shape_checks(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    kind: &str,
    buffer_name: &dyn Fn(&Param) -> Ident,
    overwritten: &dyn Fn(&Param) -> bool,
) -> TokenStream {
    let params = shape.with_gradients();
    let check = |param: &Param| {
        let compared = param.buffer_compared(overwritten(param));
        e.shape_check(compared, param, kind, &buffer_name(param))
    };
    params.map(check).collect()
}

fn adjoint(shape: &Shape<'_>, e: &Emitter<'_>, sweeps: Option<&Sweeps>) -> TokenStream {
    let (attributes, vis, rt) = (public_attributes(shape), &shape.item.vis, e.rt());
    let (generics, where_clause) = shape.public_generics(rt);
    let (name, try_name) = (
        format_ident!("{}_adjoint", shape.base()),
        format_ident!("{}_try_adjoint", shape.base()),
    );
    let (tape, seed, guard, value) = (own("tape"), own("seed"), own("guard"), own("value"));
    let bar_name = |p: &Param| bar_name(p, "bar");
    let args = args_with_buffers(shape, e, &bar_name);
    let (ret, seed_ty) = (shape.ret(), shape.public_seed_ty(rt));
    let whole = shape
        .func
        .failure
        .map(|_| quote!(let #seed = ::core::option::Option::Some(#seed);));
    let checks = shape_checks(shape, e, "adjoint", &bar_name, &|_| false);
    let bars: Vec<TokenStream> = shape
        .with_gradients()
        .map(|p| {
            let b = bar_name(p);
            quote!(#b)
        })
        .collect();
    let prologue = shape.receiver(e).map(|(_, prologue)| prologue);
    let (body, try_body) = match sweeps {
        None if shape.portion == Portion::Outside => {
            let mut arguments = forwarded(shape, e, &bar_name);
            arguments.push(quote!(#seed));
            (
                forward(shape, &name, &arguments),
                forward(shape, &try_name, &arguments),
            )
        }
        None => (
            quote!(::core::unreachable!()),
            quote!(::core::unreachable!()),
        ),
        Some(s) => {
            let call = joint_call(
                shape,
                e,
                s,
                quote!(#guard.tape()),
                &bars,
                quote!(#seed),
                quote!(JOINT),
            );
            let forwarded = forwarded(shape, e, &bar_name);
            let (arguments, path) = (shape.public_arguments(), shape.path_to(&name));
            (
                quote! {
                    #prologue
                    #checks
                    #whole
                    let mut #guard = #rt::Rewind::new(#tape);
                    let #value = #call;
                    #guard.disarm();
                    #value
                },
                quote!(#prologue #rt::catch_tape_error(move || #path #arguments(#(#forwarded,)* #seed))),
            )
        }
    };
    let (doc, try_doc) = (docs::adjoint(shape), docs::fallible(shape, &name));
    // `inline`: compiled where somebody calls them, since their sweeps, which add instead of overwrite, are others than
    // those of the gradient.
    quote! {
        #attributes
        #[doc = #doc]
        #[inline]
        #[track_caller]
        #vis fn #name #generics (#(#args,)* #seed: #seed_ty) -> #ret #where_clause { #body }

        #attributes
        #[doc = #try_doc]
        #[inline]
        #[track_caller]
        #vis fn #try_name #generics (#(#args,)* #seed: #seed_ty)
            -> ::core::result::Result<#ret, #rt::TapeError> #where_clause { #try_body }
    }
}
