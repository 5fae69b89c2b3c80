//! Methods with a body in the trait that an `impl` writes again.
//!
//! Whoever has the trait alone runs the sweeps of the body (`provided`). They begin with a function of the trait that
//! goes on to them, and that an `impl` with a body of its own writes, too: it goes on to those of the type. The `impl`
//! has to see the trait for that, in the text of its module; elsewhere such an `impl` is an error, as no other thing
//! than the text tells it that the trait has a body.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::inherited::declaration_of_any;
use super::method::{self, Kind, Method};
use super::objects;
use crate::block;
use crate::diag::Diagnostics;
use crate::emit::Sibling;
use crate::interface::{self, MethodTypes};
use crate::lower::{Derivative, Member, Owner};
use crate::options::Options;

/// The function of the trait that leads to the sweeps.
fn chosen(method: &Ident) -> Ident {
    format_ident!("__chosen_{method}", span = method.span())
}

/// The same for objects: forward and reverse.
pub(super) fn chosen_of_object(method: &Ident) -> [Ident; 2] {
    ["forward", "reverse"]
        .map(|sweep| format_ident!("__chosen_{method}_{sweep}", span = method.span()))
}

/// Whether an `impl` may write the method again: with `&self`, and without other types of the implementor.
pub(super) fn may_be(sig: &syn::Signature) -> bool {
    let shared = sig.receiver().and_then(crate::lower::passing) == Some(crate::ir::Passing::Shared);
    let others = sig.inputs.iter().skip(1);
    shared
        && method::is_plain(sig)
        && !others.into_iter().any(super::definition::mentions_self)
        && !super::definition::mentions_self(&sig.output)
}

/// How the body in the trait is differentiated: what users call clears all that is added to, as it does not know which
/// of it the sweeps of another body begin.
pub(super) fn options(sig: &syn::Signature, options: &Options) -> Options {
    let mut options = options.clone();
    if may_be(sig) {
        options.transforms.switch_off("assign");
    }
    options
}

/// Lets the sweeps of a body begin with a function that stands in the trait, which comes back. `of`: the trait, with
/// its arguments; `provided`: where the items stand.
pub(super) fn begin_with(
    items: &mut Vec<syn::TraitItem>,
    method: &Ident,
    of: &TokenStream,
    provided: &TokenStream,
    rt: &TokenStream,
) -> Option<syn::TraitItem> {
    let functions = || {
        items.iter().filter_map(|item| match item {
            syn::TraitItem::Fn(function) => Some(function),
            _ => None,
        })
    };
    let known = [Sibling::Sweeps, Sibling::Joint].map(|sibling| sibling.name(method));
    let others = [
        Sibling::Leaving,
        Sibling::SweepsForSeeds,
        Sibling::JointForSeeds,
    ];
    let others = others.map(|sibling| sibling.name(method));
    if functions().any(|function| others.contains(&function.sig.ident)) {
        return None;
    }
    let chosen = chosen(method);
    let kept = known.each_ref().map(|name| {
        let mut found = functions()
            .find(|function| function.sig.ident == *name)?
            .clone();
        found.sig.ident = format_ident!("{name}_of_the_body");
        Some(found)
    });
    let [sweeps, joint] = &kept;
    let sweeps = sweeps.as_ref()?;
    let mut leads = sweeps.clone();
    leads.sig.ident = chosen.clone();
    let sigs = [Some(&sweeps.sig), joint.as_ref().map(|joint| &joint.sig)];
    leads.default = Some(leads_on(
        &mut leads.sig,
        sigs,
        &quote!(<Self as #provided>),
        rt,
    )?);
    for item in items.iter_mut() {
        if let syn::TraitItem::Fn(function) = item
            && known.contains(&function.sig.ident)
        {
            function.default = Some(goes_on(&function.sig, &quote!(<Self as #of>::#chosen), rt)?);
        }
    }
    items.extend(kept.into_iter().flatten().map(syn::TraitItem::Fn));
    Some(leads.into())
}

/// A body that calls the function of the trait with the same arguments: that takes a tape if there is one.
fn goes_on(sig: &syn::Signature, to: &TokenStream, rt: &TokenStream) -> Option<syn::Block> {
    let (tape, rest) = arguments(sig);
    let tape = if may_lack_tape(sig, rt)? {
        quote!(#tape)
    } else {
        quote!(::core::option::Option::Some(#tape))
    };
    let modes = modes(sig);
    Some(syn::parse_quote!({ #to::<#(#modes),*>(#tape, #(#rest),*) }))
}

/// A body that calls sweeps, or the function in which both run, of one that takes a tape if there is one.
fn leads_on(
    sig: &mut syn::Signature,
    [sweeps, joint]: [Option<&syn::Signature>; 2],
    of: &TokenStream,
    rt: &TokenStream,
) -> Option<syn::Block> {
    let (tape, rest) = arguments(sig);
    let modes = modes(sig);
    let call = |to: &syn::Signature| {
        let name = &to.ident;
        Some(if may_lack_tape(to, rt)? {
            quote!(#of::#name::<#(#modes),*>(#tape, #(#rest),*))
        } else {
            quote! {
                match #tape {
                    ::core::option::Option::Some(tape) => #of::#name::<#(#modes),*>(tape, #(#rest),*),
                    ::core::option::Option::None => {
                        #rt::with_tape(|tape| #of::#name::<#(#modes),*>(tape, #(#rest),*))
                    }
                }
            }
        })
    };
    let (sweeps, mode) = (call(sweeps?)?, modes.last());
    let body = match joint {
        Some(joint) => {
            let joint = call(joint)?;
            syn::parse_quote!({
                if #mode == #rt::FORWARD || #mode == #rt::REVERSE {
                    #sweeps
                } else {
                    #joint
                }
            })
        }
        None => syn::parse_quote!({ #sweeps }),
    };
    if let Some(syn::FnArg::Typed(tape)) = sig.inputs.first_mut() {
        *tape.ty = syn::parse_quote!(::core::option::Option<&mut #rt::Tape>);
    }
    Some(body)
}

/// Whether the first parameter of the sweeps, the tape, is an option; `None` if it is something else.
fn may_lack_tape(sig: &syn::Signature, rt: &TokenStream) -> Option<bool> {
    let syn::FnArg::Typed(first) = sig.inputs.first()? else {
        return None;
    };
    let is = |ty: TokenStream| first.ty.to_token_stream().to_string() == ty.to_string();
    if is(quote!(&mut #rt::Tape)) {
        Some(false)
    } else {
        is(quote!(::core::option::Option<&mut #rt::Tape>)).then_some(true)
    }
}

/// The tape, and what else is passed on.
fn arguments(sig: &syn::Signature) -> (TokenStream, Vec<TokenStream>) {
    let mut names = sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(input) => Some(input.pat.to_token_stream()),
        syn::FnArg::Receiver(_) => None,
    });
    (names.next().unwrap_or_default(), names.collect())
}

/// What selects the sweep.
fn modes(sig: &syn::Signature) -> Vec<Ident> {
    sig.generics
        .const_params()
        .map(|p| p.ident.clone())
        .collect()
}

/// What an `impl` adds for the methods that it writes again, if it sees the trait.
pub(crate) fn written_again(block: &syn::ItemImpl, options: &Options) -> TokenStream {
    let Some((declared, path)) = declaration_of_any(block, &options.krate) else {
        return TokenStream::new();
    };
    let rt = {
        let krate = &options.krate;
        quote!(#krate::__rt)
    };
    let owner = Owner {
        stands_in_block: true,
        generics: block.generics.clone(),
        ..Owner::default()
    };
    let is_object = objects::can_be_object(&declared, false);
    let items = again(&declared, block).map(|method| {
        let begin = beginning(block, method, options);
        let of_object = is_object
            .then(|| {
                Method::of(
                    &method.sig,
                    &method.attrs,
                    (&declared.ident, &interface::arguments_of_trait(path)),
                    &owner,
                    options,
                )
            })
            .flatten()
            .map(|method| of_object(&method, block, &rt));
        quote!(#begin #of_object)
    });
    items.collect()
}

/// The methods of the `impl` for which this is so.
pub(super) fn names(block: &syn::ItemImpl, krate: &syn::Path) -> Vec<Ident> {
    let Some((declared, _)) = declaration_of_any(block, krate) else {
        return Vec::new();
    };
    again(&declared, block)
        .map(|method| method.sig.ident.clone())
        .collect()
}

/// The methods of the `impl` that have a body in the trait as well.
fn again<'b>(
    declared: &'b syn::ItemTrait,
    block: &'b syn::ItemImpl,
) -> impl Iterator<Item = &'b syn::ImplItemFn> {
    block.items.iter().filter_map(|item| match item {
        syn::ImplItem::Fn(method) if is_again(declared, method) => Some(method),
        _ => None,
    })
}

fn is_again(declared: &syn::ItemTrait, method: &syn::ImplItemFn) -> bool {
    let of_the_trait = method::functions_of(declared)
        .find(|function| function.sig.ident == method.sig.ident && function.default.is_some());
    let own = |sig: &syn::Signature, attrs: &[syn::Attribute]| {
        Member::of(sig, method::is_left(attrs)).derivative == Derivative::Own
    };
    of_the_trait.is_some_and(|function| {
        may_be(&function.sig)
            && may_be(&method.sig)
            && own(&function.sig, &function.attrs)
            && own(&method.sig, &method.attrs)
    })
}

/// The function that leads to the sweeps of the type: with the signature of these.
fn beginning(block: &syn::ItemImpl, method: &syn::ImplItemFn, options: &Options) -> TokenStream {
    let rt = {
        let krate = &options.krate;
        quote!(#krate::__rt)
    };
    let mut alone = block.clone();
    alone.trait_ = None;
    alone.items = vec![syn::ImplItem::Fn(super::carrier::with_types(block, method))];
    // What is wrong with the body is told where it is differentiated.
    let mut unread = Diagnostics::new();
    let generated = block::sweeps_only(&alone, options, &mut unread);
    let _ = unread.is_empty();
    let blocks = syn::parse2::<syn::File>(generated).map(|file| file.items);
    let functions: Vec<syn::ImplItemFn> = blocks
        .into_iter()
        .flatten()
        .filter_map(|item| match item {
            syn::Item::Impl(block) => Some(block.items),
            _ => None,
        })
        .flatten()
        .filter_map(|item| match item {
            syn::ImplItem::Fn(function) => Some(function),
            _ => None,
        })
        .collect();
    let [sweeps, joint] = [Sibling::Sweeps, Sibling::Joint].map(|sibling| {
        let name = sibling.name(&method.sig.ident);
        functions.iter().find(|function| function.sig.ident == name)
    });
    let Some(mut function) = sweeps.cloned() else {
        return TokenStream::new();
    };
    function.vis = syn::Visibility::Inherited;
    function.sig.ident = chosen(&method.sig.ident);
    let sigs = [sweeps, joint].map(|function| function.map(|function| &function.sig));
    match leads_on(&mut function.sig, sigs, &quote!(<Self>), &rt) {
        Some(block) => function.block = block,
        None => return TokenStream::new(),
    }
    quote!(#function)
}

/// The functions of a method for objects, in a trait or an `impl`, with these bodies.
pub(super) fn functions_of_object(
    method: &Method<'_>,
    [forward, reverse]: [TokenStream; 2],
    rt: &TokenStream,
) -> TokenStream {
    let MethodTypes {
        args,
        bars,
        result,
        seed,
        lifetimes,
        ..
    } = &method.types;
    let [names, of_bars] = method.names();
    let [of_forward, of_reverse] = chosen_of_object(&method.sig.ident);
    let (allow, this) = (interface::allowed(), method.this());
    quote! {
        #allow
        #[doc(hidden)]
        fn #of_forward<#(#lifetimes),*>(#this, #(#names: #args,)* tape: &mut #rt::Tape) -> #result {
            #forward
        }

        #allow
        #[doc(hidden)]
        fn #of_reverse<#(#lifetimes),*>(
            #this,
            #(#names: #args,)*
            bar: &mut #rt::dynamic::DynTangent,
            #(#of_bars: #bars,)*
            seed: ::core::option::Option<&#seed>,
            tape: &mut #rt::Tape,
        ) {
            #reverse
        }
    }
}

fn of_object(method: &Method<'_>, block: &syn::ItemImpl, rt: &TokenStream) -> TokenStream {
    debug_assert!(method.kind == Kind::Shared, "only such are written again");
    let [names, of_bars] = method.names();
    let [forward, reverse] = method::sweep_names(&method.sig.ident);
    let ty = &block.self_ty;
    let forward = quote!(<#ty>::#forward(self, #(#names,)* &mut #rt::Called::new(tape)));
    let reverse = quote! {
        #rt::through_numbers!(self, bar, |own| {
            <#ty>::#reverse(self, #(#names,)* own, #(#of_bars,)* seed, tape)
        });
    };
    functions_of_object(method, [forward, reverse], rt)
}
