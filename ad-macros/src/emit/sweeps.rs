//! The body that both sweeps share.
//!
//! ```text
//! fn sweeps<…, const MODE>(tape, args…, adjoints…, seed) -> Option<R> {
//!     let (result, record) = if MODE != REVERSE { forward sweep } else { pop the record };
//!     if MODE == FORWARD { push the record; return result }
//!     reverse sweep
//! }
//! ```
//!
//! Where an iteration can run forward and in reverse at once (`optimize::loops::fuse`), JOINT and GRADIENT have
//! a body of their own:
//!
//! ```text
//! fn joint<…, const MODE>(tape, args…, adjoints…, seed) -> Option<R> { both sweeps; result }
//! ```
//!
//! One body, because the type of a record holds types that the macro cannot name: the two arms of the first
//! `if` give it by inference. In JOINT mode the record stays in locals.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use crate::ir::{
    Compared, Inlined, Joint, Param, Passing, Stmt, Sweeps, Ty, has_local_accumulator,
    has_static_zero, sites, starts_from_caller,
};

use super::Emitter;

impl Emitter<'_> {
    /// The body of `fn sweeps`.
    pub(crate) fn body(&self, sweeps: &Sweeps) -> TokenStream {
        let rt = self.rt();
        let (mode, tape) = (super::mode(), super::own("__tape"));
        let (result, record, site) = (
            super::own("__outcome"),
            super::own("__record"),
            super::own("__record_site"),
        );
        let items = &self.func.items;
        let sites = self.sites([&sweeps.forward, &sweeps.reverse]);
        let open_types = self.open_types(sweeps, [&sweeps.forward, &sweeps.reverse]);
        let procs = self.procs(sweeps, [&sweeps.forward, &sweeps.reverse]);
        let forward = self.stmts(&sweeps.forward);
        let value = match self.func.result {
            None => quote!(()),
            Some(var) if self.func.var(var).ty.is_copy() || !sweeps.yields.contains(&var) => {
                self.name(var).to_token_stream()
            }
            Some(var) => {
                let name = self.name(var).to_token_stream();
                self.copy(&name, &self.func.var(var).ty, name.span())
            }
        };
        let value = match self.func.failure.map(|failure| self.name(failure)) {
            Some(failure) => quote!(#rt::fallible::together(#value, #failure)),
            None => value,
        };
        let (outputs, put_back) = self.outputs(&mode, sweeps);
        let (before, after) = self.adjoint_borders(sweeps);
        let reverse = self.stmts(&sweeps.reverse);
        let reverse = self.keeping_objects(sweeps, quote!(#before #reverse #after));
        let tape_use = if sweeps.use_tape() {
            quote!(#tape)
        } else {
            quote!(#tape.as_deref_mut().unwrap())
        };
        let recorded = if sweeps.yields.is_empty() {
            quote! {
                let #result = if #mode != #rt::REVERSE { #forward ::core::option::Option::Some(#value) } else {
                    ::core::option::Option::None };
                if #mode == #rt::FORWARD { return #result; }
            }
        } else {
            let (values, pattern) = (
                self.record(&sweeps.yields),
                self.record_pattern(&sweeps.yields),
            );
            let here = quote_spanned!(self.func.name.span()=> here());
            quote! {
                let #site = #rt::Site::new().#here;
                let (#result, #record) = if #mode != #rt::REVERSE {
                    #forward
                    (::core::option::Option::Some(#value), #values)
                } else {
                    (::core::option::Option::None, #tape_use.pop(#site))
                };
                if #mode == #rt::FORWARD {
                    #tape_use.push(#site, #record);
                    return #result;
                }
                let #pattern = #record;
            }
        };
        let tape_again = if sweeps.use_tape() {
            TokenStream::new()
        } else {
            quote!(let mut #tape = #tape;)
        };
        let tape_use_fix = if sweeps.use_tape() || sweeps.yields.is_empty() {
            TokenStream::new()
        } else {
            tape_again
        };
        let (std_macros, cuts) = (self.std_macros(), self.cuts());
        let (references, std_methods) = (self.behind_references(), self.std_methods());
        let (inlined, lent_parts) = (self.inlined(), self.lent_parts());
        quote! {
            #std_macros
            #lent_parts
            #inlined
            #(#items)*
            #cuts
            #references
            #std_methods
            #sites
            #open_types
            #procs
            #tape_use_fix
            #recorded
            #outputs
            #reverse
            #put_back
            #result
        }
    }

    /// The body of `fn joint`: both sweeps in one list.
    pub(crate) fn joint_body(&self, sweeps: &Sweeps, joint: &Joint) -> TokenStream {
        let items = &self.func.items;
        let sites = self.sites([&joint.stmts]);
        let open_types = self.open_types(sweeps, [&joint.stmts]);
        let procs = self.procs(sweeps, [&joint.stmts]);
        let (before, after) = self.adjoint_borders(sweeps);
        let (stmts, outcome) = (self.stmts(&joint.stmts), self.name(joint.outcome));
        let (inlined, cuts, references) = (self.inlined(), self.cuts(), self.behind_references());
        quote! {
            #inlined
            #(#items)*
            #cuts
            #references
            #sites
            #open_types
            #procs
            #before
            #stmts
            #after
            ::core::option::Option::Some(#outcome)
        }
    }

    /// The sites of the records in some lists of statements.
    fn sites<'s>(&self, lists: impl IntoIterator<Item = &'s Vec<Stmt>>) -> TokenStream {
        let rt = self.rt();
        let sites = sites(lists).into_iter().map(|(site, span)| {
            let site = self.site(site);
            // A site knows its line, so that reports can name it.
            let here = quote_spanned!(span=> here());
            quote!(let #site = #rt::Site::new().#here;)
        });
        sites.collect()
    }

    /// A compile error where a macro of the user's has the name of a std macro that the body uses: beside a glob
    /// import of the std macros such a name is ambiguous (E0659).
    fn std_macros(&self) -> TokenStream {
        let (rt, macros) = (self.rt(), &self.func.std_macros);
        let known = self.func.known_macros.iter().map(|known| {
            let (krate, harmless) = (known.krate.iter(), &known.harmless);
            let prefix = known.prefix.iter();
            quote! {
                {
                    #(use ::#krate::*;)*
                    #(use #prefix::*;)*
                    fn names() { #harmless }
                }
            }
        });
        let known: TokenStream = known.collect();
        if macros.is_empty() {
            return known;
        }
        quote! {
            #known
            {
                use #rt::std_macros::*;
                fn names() { #(let _ = #macros;)* }
            }
        }
    }

    /// Checks that functions whose bodies stand in this one are those that their names mean.
    fn inlined(&self) -> TokenStream {
        let rt = self.rt();
        let check = |inlined: &Inlined| {
            let (name, number) = (&inlined.name, inlined.definition);
            quote_spanned! {name.span()=>
                const _: () = #rt::check_definition(<#name>::DEFINITION, ::core::module_path!(), #number);
                <#name>::is_called(#name);
            }
        };
        self.func.inlined.iter().map(check).collect()
    }

    /// Checks that what the body calls `no_gradient` is retrograde's, and not a function of that name.
    fn cuts(&self) -> TokenStream {
        let rt = self.rt();
        let mut seen = crate::ir::hash::HashSet::default();
        let mut checks = TokenStream::new();
        for path in &self.func.cuts {
            let mut path = path.clone();
            if let Some(last) = path.segments.last_mut() {
                last.arguments = syn::PathArguments::None;
            }
            if seen.insert(path.to_token_stream().to_string()) {
                checks.extend(quote!(#rt::check_callee(&#path::<f64>, &#rt::no_gradient::<f64>);));
            }
        }
        checks
    }

    /// Methods of floats behind references, each once.
    fn behind_references(&self) -> TokenStream {
        let rt = self.rt();
        let mut seen = crate::ir::hash::HashSet::default();
        let asked = self.func.behind_references.iter().filter_map(|of| {
            let float = if of.ty == Ty::F32 {
                quote!(f32)
            } else {
                quote!(f64)
            };
            let reference = if of.mutable { quote!(&mut) } else { quote!(&) };
            let count = match of.others {
                Some(0) => quote!(none),
                Some(1) => quote!(one),
                Some(_) => quote!(two),
                None => quote!(integer),
            };
            let name = &of.method;
            let once = format!("{float} {reference} {name}");
            seen.insert(once).then(
                || quote!(#rt::agree::behind_a_reference! { #float [#reference] #name #count }),
            )
        });
        asked.collect()
    }

    /// Keeps the outputs that the reverse sweep is about to undo, and puts them back.
    fn outputs(&self, mode: &Ident, sweeps: &Sweeps) -> (TokenStream, TokenStream) {
        let rt = self.rt();
        let (mut keep, mut put_back) = (TokenStream::new(), TokenStream::new());
        if !self.public {
            return (keep, put_back);
        }
        for param in sweeps.undone().filter(|p| !p.is_object()) {
            let (name, out) = (
                self.name(param.var),
                super::own(&format!("__{}_out", param.ident.unraw())),
            );
            let (copy, restore) = if let Ty::Slice(element) = &param.ty
                && element.may_be_own()
            {
                let copy = self.copy(&quote!(*value), element, name.span());
                (
                    quote!(#name.iter().map(|value| #copy).collect::<::std::vec::Vec<_>>()),
                    quote!(for (to, from) in ::core::iter::Iterator::zip(#name.iter_mut(), #out) {
                        *to = from;
                    }),
                )
            } else if let Ty::Slice(_) = &param.ty {
                (
                    quote!(#name.to_vec()),
                    quote!(#name.clone_from_slice(&#out)),
                )
            } else {
                (
                    self.copy(&quote!(*#name), param.ty.peel(), name.span()),
                    quote!(*#name = #out),
                )
            };
            keep.extend(quote! {
                let #out = if #mode == #rt::JOINT { ::core::option::Option::Some(#copy) } else {
                    ::core::option::Option::None };
            });
            put_back.extend(quote!(if let ::core::option::Option::Some(#out) = #out { #restore; }));
        }
        (keep, put_back)
    }

    /// The reverse sweep where outputs of a `dyn` type are put back behind it: their type, which can copy them, is
    /// known behind a call alone.
    fn keeping_objects(&self, sweeps: &Sweeps, reverse: TokenStream) -> TokenStream {
        if !self.public {
            return reverse;
        }
        let (rt, mode) = (self.rt(), super::mode());
        let objects = sweeps.undone().filter(|p| p.is_object());
        objects.fold(reverse, |reverse, param| {
            let (name, once) = (self.name(param.var), super::own("__once"));
            let object = &param.written;
            quote! {
                let mut #once = ::core::option::Option::Some(|#name: #object| { #reverse });
                if #mode == #rt::JOINT {
                    #rt::dynamic::Keep::keep(&mut *#name, &mut |#name| (#once.take().unwrap())(#name));
                } else {
                    (#once.take().unwrap())(&mut *#name);
                }
            }
        })
    }

    /// The adjoints of parameters and result at the start of the reverse sweep, and what goes back to the caller.
    fn adjoint_borders(&self, sweeps: &Sweeps) -> (TokenStream, TokenStream) {
        let (rt, mode) = (self.rt(), super::mode());
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        for (k, bar_of) in &sweeps.param_bars {
            let param = &self.func.params[*k];
            let (adjoint, bar) = (adj(param), self.name(*bar_of));
            let exclusive = self.seeds.as_ref().map(|_| quote!(mut));
            before.extend(quote!(let #exclusive #adjoint = #adjoint.unwrap();));
            let check = self.output_check(param, &adjoint);
            before.extend(self.for_each_seed(&adjoint, &check));
            if self.seeds.is_some() {
                let (begin, end) = self.wide_borders(param, *bar_of);
                before.extend(begin);
                after.extend(end);
            } else if !has_local_accumulator(param) {
                before.extend(quote!(let #bar = #adjoint;));
            } else if starts_from_caller(param) {
                before.extend(quote!(let mut #bar = *#adjoint;));
                after.extend(quote!(*#adjoint = #bar;));
            } else {
                let zero = self.zero(&param.ty);
                before.extend(quote!(let mut #bar = #zero;));
                after.extend(quote!(*#adjoint += #bar;));
            }
        }
        if let (Some(result_bar), Some(result)) = (sweeps.result_bar, self.func.result) {
            let (seed, bar, ty) = (
                super::own("__seed"),
                self.name(result_bar),
                &self.func.ret_ty,
            );
            let some = super::own("__s");
            let clone = if ty.may_be_own() {
                self.copy(&quote!(*#some), ty, self.func.ret_written.span())
            } else {
                quote!(::core::clone::Clone::clone(#some))
            };
            let (zero, given) = if has_static_zero(ty) {
                (self.zero(ty), clone)
            } else if self.func.seeded {
                (quote!(::core::unreachable!()), clone)
            } else {
                let function = self.func.name.to_string();
                let span = self.func.ret_written.span();
                let (result, zero) = match &sweeps.result_length {
                    Some(length) => {
                        let (of, length) = (self.zero(&ty.element()), self.expr(length));
                        let zeros = quote!(::std::vec![#of; #length]);
                        (zeros.clone(), zeros)
                    }
                    None => {
                        let result = self.name(result);
                        (quote!(#result), quote_spanned!(span=> #rt::zero(&#result)))
                    }
                };
                let nones = without_result(ty, &result, &quote!(given));
                let given = quote!({
                    let mut given = #clone;
                    if #mode != #rt::REVERSE {
                        #nones
                        #rt::check_seed(#function, &#result, &given);
                    }
                    given
                });
                (zero, given)
            };
            if self.seeds.is_some() {
                before.extend(self.wide_seed(result_bar, &GivenSeed { given, zero }));
                return (before, after);
            }
            before.extend(quote! {
                let mut #bar = match #seed { ::core::option::Option::Some(#some) => #given,
                    ::core::option::Option::None => #zero };
            });
        }
        (before, after)
    }

    /// Compares the shape of the output of an in-out argument with that of its adjoint: the length always, and what is
    /// inside where a caller of ours gave it.
    fn output_check(&self, param: &Param, adjoint: &Ident) -> TokenStream {
        let (rt, mode) = (self.rt(), super::mode());
        let in_out = param.passing == Passing::InOut || self.is_of_in_out(param.var);
        let compared = param.output_compared(in_out);
        let check = self.shape_check(compared, param, "adjoint", adjoint);
        match compared {
            Compared::Nothing | Compared::Lengths => check,
            Compared::Elements | Compared::Whole => quote!(if #mode != #rt::REVERSE { #check }),
        }
    }

    /// Compares a buffer with the value that it belongs to.
    pub(crate) fn shape_check(
        &self,
        compared: Compared,
        param: &Param,
        kind: &str,
        buffer: &Ident,
    ) -> TokenStream {
        let (rt, name) = (self.rt(), self.name(param.var));
        let text = self.func.shown_name(param.var);
        match compared {
            Compared::Nothing => TokenStream::new(),
            Compared::Lengths => quote!(#rt::check_len(#text, #kind, #name.len(), #buffer.len());),
            Compared::Elements if matches!(param.ty, Ty::Queue(_)) => {
                quote!(#rt::check_queue(#text, #kind, &#name, &#buffer[..]);)
            }
            Compared::Elements => {
                quote!(#rt::check_slice(#text, #kind, &#name[..], &#buffer[..]);)
            }
            Compared::Whole => {
                let value = self.behind(param);
                quote!(#rt::check_shape(#text, #kind, &#value, &*#buffer);)
            }
        }
    }

    /// A parameter without the reference that it may be.
    pub(crate) fn behind(&self, param: &Param) -> TokenStream {
        let name = self.name(param.var);
        if param.passing == Passing::Value {
            quote!(#name)
        } else {
            quote!(*#name)
        }
    }
}

/// The adjoint of the result: of the seed `s` that is given, and where none is.
pub(super) struct GivenSeed {
    pub(super) given: TokenStream,
    pub(super) zero: TokenStream,
}

/// Takes the seed of a result that is `None`, alone or in a tuple, for `None`: who gives it cannot know whether there
/// will be a result.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "types that are not named are treated alike"
)]
fn without_result(ty: &Ty, result: &TokenStream, seed: &TokenStream) -> TokenStream {
    match ty {
        Ty::Option(_) => quote!(if #result.is_none() { #seed = ::core::option::Option::None; }),
        Ty::Tuple(parts) => {
            let parts = parts.iter().enumerate().map(|(k, part)| {
                let at = syn::Index::from(k);
                without_result(part, &quote!(#result.#at), &quote!(#seed.#at))
            });
            parts.collect()
        }
        _ => TokenStream::new(),
    }
}

/// The name under which the caller's adjoint of a parameter arrives.
pub(crate) fn adj(param: &Param) -> Ident {
    adjoint_name(&param.ident)
}

/// The name under which the adjoint of a parameter of this name arrives.
pub(super) fn adjoint_name(param: &Ident) -> Ident {
    super::own(&format!("__{}_adj", param.unraw()))
}
