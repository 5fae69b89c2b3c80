//! The companion type of a function whose derivative the user writes: its sweeps call the function and the rule.

use std::cell::OnceCell;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::ir::{Func, Param, Passing, Ty};

use super::companion::given_bars;
use super::item::Portion;
use super::lints::allowed;
use super::shape::{Home, Shape};
use super::{Runtime, Sibling, adj, count, own};

/// What a rule is, and what it is for.
pub(crate) struct RuleSurface<'a> {
    /// The conditions under which it is compiled.
    pub(crate) attrs: Vec<&'a syn::Attribute>,
    pub(crate) vis: &'a syn::Visibility,
    /// The name of the rule.
    pub(crate) rule: &'a Ident,
    /// The function that it is for.
    pub(crate) target: &'a syn::Path,
    /// The name of the type that carries the sweeps.
    pub(crate) companion: &'a Ident,
    pub(crate) krate: &'a syn::Path,
    /// How the rule takes the result of the function, if it does.
    pub(crate) result: Option<RuleResult>,
    /// The argument in which the function leaves that result, if it does not return it.
    pub(crate) left: Option<usize>,
    pub(crate) seed: RuleSeed,
    /// A name that a crate can have but once.
    pub(crate) only: Option<Ident>,
}

/// How a rule takes the result of its function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleResult {
    Value,
    Reference,
}

/// How a rule takes the adjoint of the result.
#[derive(Clone)]
pub(crate) enum RuleSeed {
    /// There is no result.
    Unit,
    Float(syn::Type),
    Reference,
    /// Not at all: it returns as many partials of this type.
    Partials(syn::Type, usize),
}

/// The companion type.
pub(crate) fn rule(surface: &RuleSurface<'_>, function: &syn::ItemFn, func: &Func) -> TokenStream {
    let shape = Shape {
        compared: None,
        captures: None,
        definition: None,
        lends: None,
        item: function,
        turbofish: None,
        func,
        base: surface.companion,
        home: Home::Companion(surface.companion),
        of_trait: None,
        portion: Portion::Whole,
        report: "",
        attributes: OnceCell::new(),
        public_attributes: OnceCell::new(),
    };
    let (attrs, vis, name) = (&surface.attrs, surface.vis, surface.companion);
    let allowed = allowed();
    let derives = super::lints::companion(vis);
    let sweeps = Sweeps::of(surface, &shape);
    let (forward, reverse) = (sweeps.forward(), sweeps.reverse());
    let for_seeds = sweeps.for_seeds();
    let only = surface.only.as_ref().map(|only| {
        quote! {
            #(#attrs)*
            #allowed
            #[doc(hidden)]
            #[macro_export]
            macro_rules! #only { () => {} }
        }
    });
    quote! {
        #(#attrs)*
        #allowed
        #[doc(hidden)]
        #derives
        #vis enum #name {}

        #(#attrs)*
        #allowed
        #[automatically_derived]
        impl #name {
            #forward
            #reverse
            #for_seeds
        }

        #only
    }
}

/// What both sweeps are made of.
struct Sweeps<'a> {
    surface: &'a RuleSurface<'a>,
    shape: &'a Shape<'a>,
    rt: Runtime,
    /// The names and types of the arguments.
    names: Vec<Ident>,
    types: Vec<&'a syn::Type>,
}

impl<'a> Sweeps<'a> {
    fn of(surface: &'a RuleSurface<'a>, shape: &'a Shape<'a>) -> Self {
        let krate = surface.krate;
        let params = shape.func.signature();
        Sweeps {
            surface,
            shape,
            rt: Runtime::of(krate),
            names: (0..params.len())
                .map(|n| own(&format!("argument_{n}")))
                .collect(),
            types: params.iter().map(|p| &p.written).collect(),
        }
    }

    /// Whether the argument of this name is a slice.
    fn is_slice(&self, name: &Ident) -> bool {
        self.params()
            .any(|(other, param)| other == name && matches!(param.ty, Ty::Slice(_)))
    }

    fn params(&self) -> impl DoubleEndedIterator<Item = (&Ident, &Param)> {
        self.names.iter().zip(self.shape.func.signature())
    }

    /// What both sweeps take first, and the check of what is called.
    fn head(&self) -> (TokenStream, TokenStream, TokenStream) {
        let Sweeps {
            rt, types, surface, ..
        } = self;
        let (callee, tape, ret, target) =
            (own("callee"), own("tape"), self.shape.ret(), surface.target);
        let types_of = quote!(::core::ops::Fn(#(#types),*) -> #ret);
        let same = own("own_function");
        let own = quote_spanned!(target.span()=> #same(#target));
        (
            quote!(#callee: impl #types_of + 'static),
            quote!(#tape: &mut #rt::Tape),
            quote! {
                fn #same<OwnFunction: #types_of>(f: OwnFunction) -> OwnFunction { f }
                #rt::check_callee(&#callee, &#own);
            },
        )
    }

    fn forward(&self) -> TokenStream {
        let Sweeps {
            rt,
            names,
            types,
            surface,
            shape,
            ..
        } = self;
        let (accept, lent, check) = self.head();
        let (tape, value, ret, target) = (own("tape"), own("value"), shape.ret(), surface.target);
        let saved = self.params().filter_map(|(name, param)| {
            let saved = match (param.passing, &param.ty) {
                (Passing::Shared | Passing::Value, _) => return None,
                (Passing::InOut, Ty::Slice(_)) => quote!(push_slice(#rt::Site::new(), &*#name)),
                (Passing::InOut, _) => quote!(push(#rt::Site::new(), *#name)),
            };
            Some(quote!(#tape.#saved;))
        });
        let call = quote_spanned!(target.span()=> #target(#(#names),*));
        let kept = surface
            .result
            .map(|_| quote!(#tape.push(#rt::Site::<#ret>::new(), #rt::copy!(#value));));
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn forward(#accept, _: impl ::core::marker::Sized, #lent #(, #names: #types)*) -> #ret {
                #check
                #(#saved)*
                let #value = #call;
                #kept
                #value
            }
        }
    }

    fn reverse(&self) -> TokenStream {
        let Sweeps {
            rt,
            names,
            types,
            shape,
            ..
        } = self;
        let (accept, lent, check) = self.head();
        let (seed, restored, run) = (own("seed"), self.restored(), self.run());
        let bars = given_bars(shape, rt, &|ty| quote!(&mut #ty));
        let seed_ty = shape.seed_ty(rt);
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn reverse(
                #accept, _: impl ::core::marker::Sized, #lent #(, #names: #types)* #(, #bars)*,
                #seed: ::core::option::Option<&#seed_ty>,
            ) {
                #check
                #restored
                #run
            }
        }
    }

    /// The same for several seeds: the rule runs once for each.
    fn for_seeds(&self) -> TokenStream {
        let Sweeps {
            rt,
            names,
            types,
            shape,
            ..
        } = self;
        let (accept, lent, check) = self.head();
        let (tape, seed, count, turn) = (own("tape"), own("seed"), count(), own("turn"));
        let (ret, seed_ty, restored, run) =
            (shape.ret(), shape.seed_ty(rt), self.restored(), self.run());
        let callee = own("callee");
        let bars = given_bars(shape, rt, &|ty| quote!(impl #rt::seeds::Lend<#ty, #count>));
        let all: Vec<Ident> = shape.differentiable().map(adj).collect();
        let [forward, reverse] = [Sibling::ForwardForSeeds, Sibling::ReverseForSeeds]
            .map(|sibling| sibling.of_companion(Span::mixed_site()));
        quote! {
            #[doc(hidden)]
            #[inline]
            pub fn #forward(#accept, #lent #(, #names: #types)*) -> #ret {
                Self::forward(#callee, #rt::outputs::Returned::<true>, #tape #(, #names)*)
            }

            #[doc(hidden)]
            #[inline]
            pub fn #reverse<const #count: usize>(
                #accept, #lent #(, #names: #types)* #(, #bars)*, #seed: ::core::option::Option<[&#seed_ty; #count]>,
            ) {
                #check
                #restored
                #(let mut #all = #all; let #all = #rt::seeds::Lend::lend(&mut #all);)*
                for #turn in 0..#count {
                    #(let #all = &mut *#all[#turn];)*
                    let #seed = #seed.map(|seeds| seeds[#turn]);
                    #run
                }
            }
        }
    }

    /// Takes off the tape what the forward sweep left there.
    fn restored(&self) -> TokenStream {
        let Sweeps {
            rt, surface, shape, ..
        } = self;
        let (tape, value, ret) = (own("tape"), own("value"), shape.ret());
        let kept = surface
            .result
            .map(|_| match surface.left.map(|at| &self.names[at]) {
                None => quote!(let #value = #tape.pop(#rt::Site::<#ret>::new());),
                Some(name) if self.is_slice(name) => quote!(let #value = #name.to_vec();),
                Some(name) => quote!(let #value = *#name;),
            });
        let restored =
            self.params()
                .rev()
                .filter_map(|(name, param)| match (param.passing, &param.ty) {
                    (Passing::Shared | Passing::Value, _) => None,
                    (Passing::InOut, Ty::Slice(_)) => {
                        Some(quote!(#tape.pop_slice(#rt::Site::new(), &mut *#name);))
                    }
                    (Passing::InOut, _) => Some(quote!(*#name = #tape.pop(#rt::Site::new());)),
                });
        quote!(#kept #(#restored)*)
    }

    /// The call of the rule, where the seed is not zero for certain.
    fn run(&self) -> TokenStream {
        let Sweeps { surface, .. } = self;
        let (seed, value, rule) = (own("seed"), own("value"), surface.rule);
        let arguments = self.params().map(|(name, param)| match param.passing {
            Passing::InOut => quote!(&*#name),
            Passing::Shared | Passing::Value => quote!(#name),
        });
        let result = surface.result.map(|result| match result {
            RuleResult::Value => quote!(#value,),
            RuleResult::Reference => quote!(&#value,),
        });
        let given = quote!(#(#arguments,)* #result);
        let bars: Vec<Ident> = self.shape.differentiable().map(adj).collect();
        let in_out = self
            .params()
            .any(|(_, param)| param.passing == Passing::InOut);
        let call =
            |seed: TokenStream| quote_spanned!(rule.span()=> #rule(#given #seed, #(#bars),*););
        match &surface.seed {
            RuleSeed::Unit => call(quote!(())),
            RuleSeed::Float(ty) if in_out => {
                let call = call(quote!(#seed));
                let some = own("__s");
                quote!(let #seed: #ty = match #seed { ::core::option::Option::Some(#some) => *#some, _ => 0.0 }; #call)
            }
            RuleSeed::Float(_) => {
                let call = call(quote!(*#seed));
                quote!(if let ::core::option::Option::Some(#seed) = #seed { #call })
            }
            RuleSeed::Reference => {
                let call = call(quote!(#seed));
                quote!(if let ::core::option::Option::Some(#seed) = #seed { #call })
            }
            RuleSeed::Partials(ty, count) => {
                let partials: Vec<Ident> =
                    (0..*count).map(|n| own(&format!("partial_{n}"))).collect();
                let (pattern, of) = match &*partials {
                    [one] => (quote!(#one), quote!(#ty)),
                    several => (quote!((#(#several),*)), {
                        let types = several.iter().map(|_| ty);
                        quote!((#(#types),*))
                    }),
                };
                quote_spanned! {rule.span()=>
                    if let ::core::option::Option::Some(#seed) = #seed {
                        // A singular partial gives nothing where nothing is asked of it.
                        if *#seed != 0.0 {
                            let #pattern: #of = #rule(#given);
                            #(*#bars += *#seed * #partials;)*
                        }
                    }
                }
            }
        }
    }
}
