//! What the signature gives of the generated functions.

use std::cell::OnceCell;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::item::Portion;
use super::witness::OfTrait;
use super::{Emitter, Runtime, Sibling, mode, types};
use crate::ir::{Func, Param, Passing, parameter_names, spells};

/// The generic arguments that make something generic an instance.
pub(crate) struct Turbofish {
    pub(crate) all: TokenStream,
    /// Those that can be written: what an `impl Trait` stands for cannot.
    pub(crate) given: TokenStream,
    /// Whether there are others.
    pub(crate) infers: bool,
}

/// Everything about the shape of the generated functions that the signature gives.
pub(crate) struct Shape<'a> {
    pub(crate) item: &'a syn::ItemFn,
    /// The generic arguments that make the function as written this one, if it is an instance.
    pub(crate) turbofish: Option<&'a Turbofish>,
    pub(crate) func: &'a Func,
    /// Prefix of the names of generated functions.
    pub(crate) base: &'a Ident,
    /// Where the sweeps stand.
    pub(crate) home: Home<'a>,
    /// The trait whose method it is.
    pub(crate) of_trait: Option<OfTrait<'a>>,
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
    /// A section of the documentation: what the sweeps do.
    pub(crate) report: &'a str,
    /// The attributes of items, and those of public functions, once they are asked for.
    pub(crate) attributes: OnceCell<TokenStream>,
    pub(crate) public_attributes: OnceCell<TokenStream>,
}

/// Whether the arguments of a trait name a parameter of a function: it is one of the `impl` of the trait.
pub(super) fn is_given(of: &syn::Path, parameter: &Ident) -> bool {
    spells(of.to_token_stream(), &parameter.to_string())
}

impl Shape<'_> {
    /// The parameters that carry a derivative.
    pub(super) fn differentiable(&self) -> impl Iterator<Item = &Param> + Clone {
        self.func.signature().iter().filter(|p| p.differentiable())
    }

    /// Those whose adjoints users see: what a function has captured is none of them.
    pub(super) fn with_gradients(&self) -> impl Iterator<Item = &Param> + Clone {
        self.differentiable().filter(|p| !p.function)
    }

    /// The user's generics, and the const parameter that selects the sweep; in front of it the number of seeds, where
    /// there may be several.
    pub(crate) fn generics_with_mode(&self, e: &Emitter<'_>) -> (TokenStream, TokenStream) {
        let params = self.item.sig.generics.params.iter();
        let (mode, where_clause) = (mode(), &self.item.sig.generics.where_clause);
        let seeds = e.seed_count().map(|count| quote!(const #count: usize,));
        (
            quote!(<#(#params,)* #seeds const #mode: u8>),
            quote!(#where_clause),
        )
    }

    pub(super) fn generics(&self) -> (TokenStream, TokenStream) {
        let params = self.item.sig.generics.params.iter();
        let where_clause = &self.item.sig.generics.where_clause;
        let list = if self.item.sig.generics.params.is_empty() {
            TokenStream::new()
        } else {
            quote!(<#(#params),*>)
        };
        (list, quote!(#where_clause))
    }

    /// Those of a function that users call: nothing is done with the derivatives with respect to what functions that
    /// they give have captured, so that has none.
    pub(super) fn public_generics(&self, rt: &Runtime) -> (TokenStream, TokenStream) {
        let (list, clause) = self.generics();
        let mut functions = self
            .func
            .signature()
            .iter()
            .filter(|p| p.function)
            .peekable();
        if functions.peek().is_none() {
            return (list, clause);
        }
        let mut clause = self.item.sig.generics.where_clause.clone();
        let bounds = functions.map(|p| -> syn::WherePredicate {
            let ty = &p.written;
            syn::parse_quote!(#ty: #rt::functions::Captures<Adjoint = ()>)
        });
        let clause = clause.get_or_insert_with(|| syn::parse_quote!(where));
        clause.predicates.extend(bounds);
        (list, quote!(#clause))
    }

    /// Those of `f_grad`. Whether a type of the user's name is a float is asked where it is called: a bound with a
    /// lifetime is not looked at before.
    pub(super) fn generics_of_gradient(&self, rt: &Runtime) -> (TokenStream, TokenStream) {
        let (list, clause) = self.public_generics(rt);
        if self.has_gradient() {
            return (list, clause);
        }
        let (ret, seed) = (self.ret(), self.seed_ty(rt));
        let mut clause: Option<syn::WhereClause> = syn::parse2(clause).ok();
        let bound = syn::parse_quote!(for<'__alias> #ret: #rt::Seed<#seed>);
        let clause = clause.get_or_insert_with(|| syn::parse_quote!(where));
        clause.predicates.push(bound);
        (list, quote!(#clause))
    }

    /// The names of the generics that a turbofish can give.
    pub(super) fn generic_names(&self) -> Vec<&Ident> {
        parameter_names(&self.item.sig.generics).collect()
    }

    /// The turbofish of a public function of the surface: `::<…>`.
    pub(super) fn public_arguments(&self) -> TokenStream {
        match (self.home, self.turbofish) {
            // The one that is generic as the method is.
            (Home::Impl, Some(Turbofish { all, .. })) => quote!(::<#all>),
            (Home::Impl, None) | (Home::Companion(_), _) => {
                let names = self.generic_names();
                quote!(::<#(#names),*>)
            }
        }
    }

    /// The same of the trait's function, whose path has the parameters that the trait is given.
    pub(super) fn arguments_of_function(&self, of: &syn::Path) -> Option<TokenStream> {
        let names = self.generic_names();
        if self.turbofish.is_none() && names.iter().all(|name| is_given(of, name)) {
            return None;
        }
        if names.iter().any(|name| is_given(of, name)) {
            let own = names.iter().filter(|name| !is_given(of, name));
            return Some(quote!(::<#(#own),*>));
        }
        Some(self.public_arguments())
    }

    pub(crate) fn ret(&self) -> &syn::Type {
        &self.func.ret_written
    }

    /// What the function returns as written.
    pub(super) fn yields(&self) -> &syn::Type {
        self.lends.unwrap_or_else(|| self.ret())
    }

    /// The type of the adjoint of the result.
    pub(crate) fn seed_ty(&self, rt: &Runtime) -> TokenStream {
        let Func {
            ret_written,
            ret_ty,
            written,
            ..
        } = self.func;
        types::tangent(ret_written, ret_ty, written, rt)
    }

    /// The type of the adjoint that `f_adjoint` takes: that of the value, if there is one.
    pub(crate) fn public_seed_ty(&self, rt: &Runtime) -> TokenStream {
        let (func, value) = (self.func, types::inner(&self.func.ret_written));
        match (value, func.failure) {
            (Some(value), Some(_)) => types::tangent(value, func.value_ty(), &func.written, rt),
            _ => self.seed_ty(rt),
        }
    }

    pub(crate) fn buffer(&self, param: &Param, rt: &Runtime) -> TokenStream {
        if param.function {
            let ty = &param.written;
            return quote!(<#ty as #rt::functions::Captures>::Adjoint);
        }
        types::buffer(
            &param.written,
            &param.ty,
            param.passing != Passing::Shared,
            &self.func.written,
            rt,
        )
    }

    /// Prefix of the generated names.
    pub(super) fn base(&self) -> &Ident {
        self.base
    }

    pub(super) fn has_gradient(&self) -> bool {
        self.func.has_gradient()
    }

    /// Whether the result could be a float under a name of the user's: `type Real = f64;`. rustc decides.
    pub(super) fn may_have_gradient(&self) -> bool {
        let mut params = self.func.signature().iter();
        let in_out = params.any(|p| p.passing == Passing::InOut && p.differentiable());
        let named = if let syn::Type::Path(p) = &self.func.ret_written
            && p.qself.is_none()
        {
            p.path.get_ident()
        } else {
            None
        };
        !in_out
            && self.func.ret_ty.is_unseen()
            && named.is_some_and(|name| {
                self.item
                    .sig
                    .generics
                    .type_params()
                    .all(|t| t.ident != *name)
            })
            && named.is_some_and(names_a_float)
    }

    /// The path of a function of the sweeps.
    pub(super) fn sweeps_path(&self, which: Sibling) -> TokenStream {
        let name = self.sweeps_name(which);
        match self.home {
            Home::Companion(companion) => quote!(<#companion>::#name),
            Home::Impl => quote!(Self::#name),
        }
    }

    /// The name of a function of the sweeps, where it is declared.
    pub(super) fn sweeps_name(&self, which: Sibling) -> Ident {
        match self.home {
            Home::Impl => which.name(&self.item.sig.ident),
            Home::Companion(_) => which.of_companion(proc_macro2::Span::mixed_site()),
        }
    }

    /// Where a public function of this name is called.
    pub(super) fn path_to(&self, name: &Ident) -> TokenStream {
        match self.home {
            Home::Companion(_) if self.portion != Portion::Inside => quote!(#name),
            Home::Companion(_) | Home::Impl => quote!(Self::#name),
        }
    }

    /// How documentation names what stands beside the function.
    pub(super) fn link(&self, name: &Ident) -> String {
        match self.home {
            Home::Companion(_) => name.to_string(),
            Home::Impl => format!("Self::{name}"),
        }
    }

    /// The receiver, if the function has one, and what gives it a name like that of any other parameter.
    pub(super) fn receiver(&self, e: &Emitter<'_>) -> Option<(TokenStream, TokenStream)> {
        let receiver = self.item.sig.receiver()?;
        let name = e.name(self.func.signature().first()?.var);
        let this = receiver.self_token;
        let declared = match (&receiver.colon_token, &receiver.reference) {
            (None, Some((and, lifetime))) => {
                let mutability = receiver.mutability;
                quote!(#and #lifetime #mutability #this)
            }
            (None, None) => quote!(#this),
            (Some(_), _) => {
                let ty = &receiver.ty;
                quote!(#this: #ty)
            }
        };
        Some((declared, quote!(let #name = #this;)))
    }
}

/// Whether people call an alias of a float so.
fn names_a_float(name: &Ident) -> bool {
    let name = name.to_string().to_ascii_lowercase();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(name, "f" | "fp" | "flt" | "num" | "double" | "precision")
        || ["float", "real", "scalar", "number"]
            .iter()
            .any(|ending| name.ends_with(ending))
}

/// Where the sweeps of a function stand.
#[derive(Clone, Copy)]
pub(crate) enum Home<'a> {
    /// In a type beside it, which comes with its name wherever that is imported.
    Companion(&'a Ident),
    /// Beside it in its `impl`.
    Impl,
}
