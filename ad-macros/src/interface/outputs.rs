//! Sweeps that leave their outputs, beside those that put them back: callers say by a type which they call.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{ARGUMENTS, Param, Passing, Sweeps};

use super::companion::argument_names;
use super::item::Surface;
use super::shape::{Home, Shape};
use super::sweeps::calls;
use super::{Emitter, Runtime, adj, own};

/// The sweeps that leave their outputs.
pub(super) struct Leaving<'a> {
    pub(super) shape: Shape<'a>,
    pub(super) emitter: Emitter<'a>,
    pub(super) sweeps: &'a Sweeps,
}

/// Whether callers may choose: they reach the sweeps by the name of the function alone.
pub(crate) fn may_leave(surface: &Surface<'_>, params: &[Param]) -> bool {
    matches!(surface.home, Home::Companion(_))
        && surface.turbofish.is_none()
        && surface.compared.is_none()
        && surface.captures.is_none()
        && params.iter().all(|p| !p.function && !p.is_object())
}

/// What a companion type says of its sweeps.
#[derive(Default)]
pub(super) struct Constants {
    /// Callers may compute the result again.
    repeatable: bool,
    /// The arguments that the reverse sweep reads, if there are outputs that it does not.
    reads: Option<u64>,
    /// There are two forms: which arguments one of them leaves.
    leaves: Option<u64>,
}

impl Constants {
    pub(super) fn of(sweeps: Option<&Sweeps>, leaving: Option<&Leaving<'_>>) -> Self {
        let Some(sweeps) = sweeps else {
            return Constants::default();
        };
        let reads = sweeps.reads | leaving.map_or(0, |leaving| leaving.sweeps.reads);
        let params = sweeps.func.signature().iter().enumerate();
        let says = params
            .take(ARGUMENTS)
            .any(|(at, p)| p.passing == Passing::InOut && reads >> at & 1 == 0);
        Constants {
            repeatable: sweeps.repeatable,
            reads: says.then_some(reads),
            leaves: leaving.map(|leaving| leaving.sweeps.outputs),
        }
    }

    /// The constants. Of an instance for one type, nothing is known of others.
    pub(super) fn constants(&self, shape: &Shape<'_>) -> TokenStream {
        let generic = shape.item.sig.generics.type_params().next().is_some();
        if generic || shape.turbofish.is_some() {
            return TokenStream::new();
        }
        let repeatable = self.repeatable.then(|| {
            quote! {
                #[doc(hidden)]
                pub const REPEATABLE: bool = true;
            }
        });
        let reads = self.reads.map(|reads| {
            quote! {
                #[doc(hidden)]
                pub const READS: u64 = #reads;
            }
        });
        let leaves = self.leaves.map(|leaves| {
            quote! {
                #[doc(hidden)]
                pub const LEAVES: u64 = #leaves;
            }
        });
        quote!(#repeatable #reads #leaves)
    }

    /// The parameter that says which form is called.
    pub(super) fn how(&self, rt: &Runtime) -> TokenStream {
        if self.leaves.is_some() {
            let how = own("how");
            quote!(#how: impl #rt::outputs::Choose)
        } else {
            quote!(_: impl ::core::marker::Sized)
        }
    }
}

/// Calls of one of both forms.
pub(super) fn either(
    shape: &Shape<'_>,
    e: &Emitter<'_>,
    [forward, reverse]: [&TokenStream; 2],
    leaving: &Leaving<'_>,
) -> [TokenStream; 2] {
    let rt = e.rt();
    let (how, tape, seed) = (own("how"), own("tape"), own("seed"));
    let mut given = vec![tape];
    given.extend(argument_names(shape, e));
    let mut given_back = given.clone();
    given_back.extend(shape.differentiable().map(adj));
    given_back.push(seed);
    let (leave_forward, leave_reverse) = calls(&leaving.shape, &leaving.emitter, leaving.sweeps);
    [
        quote! {
            #rt::outputs::Choose::choose(
                #how,
                (#(#given,)*),
                |(#(#given,)*)| #forward,
                |(#(#given,)*)| #leave_forward.unwrap(),
            )
        },
        quote! {
            #rt::outputs::Choose::choose(
                #how,
                (#(#given_back,)*),
                |(#(#given_back,)*)| { #reverse },
                |(#(#given_back,)*)| { #leave_reverse; },
            );
        },
    ]
}
