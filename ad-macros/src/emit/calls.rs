//! Calls of other differentiated functions.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;

use crate::ir::{
    Answer, Arg, ArgMode, BarArg, Callee, CalleeKind, KEPT, MathFn, Opaque, OpaqueKind, Place,
    Unused,
};

use super::Emitter;
use super::expr::Use;
use super::ty::is_of_language;

impl Emitter<'_> {
    pub(super) fn arg(&self, arg: &Arg) -> TokenStream {
        match &arg.mode {
            ArgMode::Value(e) => self.bare(e).into(),
            ArgMode::Shared(p) if self.func.is_function(p.root) => self.place(p, Use::Read).into(),
            ArgMode::Shared(p) => {
                let p = self.place(p, Use::Read);
                quote_spanned!(arg.span=> &#p)
            }
            ArgMode::InOut(p) => {
                let p = self.place(p, Use::Write);
                quote_spanned!(arg.span=> &mut #p)
            }
        }
    }

    /// The call as the user wrote it.
    pub(super) fn call(&self, callee: &Callee, args: &[Arg], span: Span) -> TokenStream {
        let (args, error) = callee.split(args);
        let call = self.apart(self.whole_call(callee, args, span), error, span);
        let rt = self.rt();
        match callee.answer {
            Some(Answer::LentValue) => quote_spanned!(span=> #rt::copy!(*#call)),
            Some(Answer::LentSlice) => {
                quote_spanned!(span=> #call.iter().map(|part| #rt::copy!(*part)).collect::<::std::vec::Vec<_>>())
            }
            Some(Answer::Discrete) | None => call,
        }
    }

    /// The value of a `Result`, or an `Option`, whose error goes where the argument says.
    fn apart(&self, call: TokenStream, error: Option<&Arg>, span: Span) -> TokenStream {
        let rt = self.rt();
        match error.map(|error| self.arg(error)) {
            Some(error) => quote_spanned!(span=> #rt::fallible::apart(#call, #error)),
            None => call,
        }
    }

    fn whole_call(&self, callee: &Callee, args: &[Arg], span: Span) -> TokenStream {
        let path = &callee.path;
        match (callee.kind, args) {
            (CalleeKind::Method, [receiver, ..]) => {
                let shared = matches!(receiver.mode, ArgMode::Shared(_));
                let receiver = match &receiver.mode {
                    ArgMode::Value(e) => self.expr(e),
                    ArgMode::Shared(p) => self.place(p, Use::Read),
                    ArgMode::InOut(p) => self.place(p, Use::Write),
                };
                let rest = self.plain_arguments(callee, args).into_iter().skip(1);
                match callee.answer {
                    // A method of the name that changes its receiver is an error.
                    Some(Answer::LentValue | Answer::LentSlice) if shared => {
                        let lender = super::own("__lender");
                        quote_spanned!(span=> { let #lender = &#receiver; (*#lender).#path(#(#rest),*) })
                    }
                    Some(Answer::LentValue | Answer::LentSlice | Answer::Discrete) | None => {
                        quote_spanned!(span=> #receiver.#path(#(#rest),*))
                    }
                }
            }
            (CalleeKind::Argument, _) => self.argument_value(callee, args, span),
            (CalleeKind::Conversion, _) if path.qself.is_some() => {
                self.conversion_value(callee, args, span)
            }
            _ => {
                let args = self.plain_arguments(callee, args);
                quote_spanned!(span=> #path(#(#args),*))
            }
        }
    }

    /// What the forward sweep keeps of the result of a call, or the result in the reverse sweep. The companion says
    /// whether that is the result of another call: a constant, so that nothing is recorded then.
    pub(super) fn of_call(&self, o: &Opaque, span: Span) -> TokenStream {
        let syn::Expr::Path(callee) = &o.code else {
            return self.opaque(o);
        };
        let (rt, target) = (self.rt(), self.companion_path(callee));
        let mut args = o.args.iter().map(|(_, arg)| self.opaque_arg(arg));
        let first = args.next();
        // A type that is missing is what the call itself is about.
        let repeatable = match self.is_unshown(callee) {
            true => quote!(false),
            false => quote!({ use #rt::again::Recorded as _; <#target>::REPEATABLE }),
        };
        if matches!(o.kind, OpaqueKind::Other(KEPT)) {
            quote_spanned!(span=> #rt::again::keep::<#repeatable, _>(#first))
        } else {
            quote_spanned!(span=> #rt::again::again::<#repeatable, _, _>(#first, || #callee(#(#args),*)))
        }
    }

    /// A compile error if the callee has no sweeps.
    pub(super) fn require_companion(
        &self,
        callee: &Callee,
        args: &[Arg],
        span: Span,
    ) -> TokenStream {
        let (args, _) = callee.split(args);
        match callee.kind {
            CalleeKind::Function => {
                let (rt, required) = (self.rt(), Ident::new("__required", span));
                let is_unseen = self.is_unshown(&callee.path);
                self.with_companion(&callee.path, (&required, 0), span, |target| match is_unseen {
                    true => quote_spanned!(span=> { use #rt::Required as _; <#target>::#required() }),
                    false => quote_spanned!(span=> let _: fn(#target);),
                })
            }
            CalleeKind::Associated => {
                let witness = Sibling::Witness.path(&callee.path);
                self.with_floats(&callee.path, quote_spanned!(span=> let _ = #witness;))
            }
            // Its reverse sweep is all that it has.
            CalleeKind::Operator | CalleeKind::Argument | CalleeKind::Conversion => {
                TokenStream::new()
            }
            CalleeKind::Method => {
                let (before, receiver) = (
                    self.before_forward(callee, args, span),
                    self.receiver(args, span),
                );
                quote_spanned!(span=> #before let _ = #receiver;)
            }
        }
    }

    pub(super) fn call_forward(&self, callee: &Callee, args: &[Arg], span: Span) -> TokenStream {
        let (args, error) = callee.split(args);
        self.apart(self.forward_of(callee, args, span), error, span)
    }

    fn forward_of(&self, callee: &Callee, args: &[Arg], span: Span) -> TokenStream {
        let (tape, path) = (super::own("__tape"), &callee.path);
        match callee.kind {
            CalleeKind::Function => {
                let turbofish = turbofish(path);
                let args = self.arguments(callee, args);
                let forward = self.sibling(Sibling::Forward).of_companion(span);
                let how = self.returning(callee);
                let count = 2 + usize::from(!how.is_empty()) + args.len();
                self.with_companion(path, (&forward, count), span, |target| {
                    quote_spanned!(span=> <#target>::#forward #turbofish(#path, #how &mut *#tape #(, #args)*))
                })
            }
            CalleeKind::Associated => {
                let (target, whole) = (self.sibling(Sibling::Forward).path(path), args);
                let args = self.arguments(callee, args);
                let (rt, called) = (self.rt(), super::own("__called"));
                // The type may have the sweeps of a function of this name, but of another trait, or of its own.
                if path.qself.is_some() {
                    let name = Sibling::Name.path(path);
                    return quote_spanned!(span=> {
                        #rt::check_method(#rt::name_of(&#path), #name());
                        #target(#(#args,)* &mut #rt::Called::new(&mut *#tape))
                    });
                }
                // What the path leaves to be found out, its arguments say.
                let plain = self.plain_arguments(callee, whole);
                let call = quote_spanned!(span=> {
                    let #called = #path;
                    if false {
                        let _ = #called(#(#plain),*);
                    }
                    #target(#(#args,)* &mut #rt::Called::by_path(&mut *#tape, &#called))
                });
                self.with_floats(path, call)
            }
            CalleeKind::Conversion => self.conversion_forward(callee, args, span),
            CalleeKind::Operator => self.whole_call(callee, args, span),
            CalleeKind::Argument => self.argument_forward(callee, args, span),
            CalleeKind::Method => {
                let (receiver, target) = (
                    self.receiver(args, span),
                    self.sibling(Sibling::Forward).path(path),
                );
                let rest = self.arguments(callee, args).into_iter().skip(1);
                let rt = self.rt();
                quote_spanned!(span=> #receiver.#target(#(#rest,)* &mut #rt::Called::new(&mut *#tape)))
            }
        }
    }

    /// The code with the sweeps of functions of floats in scope, where `Real::sqrt` may be one: by another name of the
    /// type.
    fn with_floats(&self, path: &syn::ExprPath, code: TokenStream) -> TokenStream {
        let name = path.path.segments.last().map(|last| last.ident.to_string());
        if path.qself.is_some() || name.and_then(|name| MathFn::from_name(&name)).is_none() {
            return code;
        }
        let rt = self.rt();
        quote!({ #[allow(unused_imports)] use #rt::FloatFunctions as _; #code })
    }

    pub(super) fn call_reverse(
        &self,
        callee: &Callee,
        args: &[Arg],
        bars: &[BarArg],
        seed: Option<&Place>,
        span: Span,
    ) -> TokenStream {
        // Adjoints that nobody wants are made before the arguments are borrowed.
        let (before, adjoints, seed) = if self.seed_count().is_some() {
            let unused = |k: usize| match &bars[k] {
                BarArg::Unused(zero) => self.unused(zero, &args[k]),
                BarArg::Place(_) => TokenStream::new(),
            };
            self.bars_for_seeds(bars, &unused, seed)
        } else {
            self.bars(args, bars, seed)
        };
        let (tape, path) = (super::own("__tape"), &callee.path);
        let call = match callee.kind {
            CalleeKind::Function => {
                let path_for_all = self.path_for_seeds(path);
                let turbofish = turbofish(&path_for_all);
                let values = self.arguments(callee, args);
                let adjoints = self.adjoint_arguments(callee, adjoints);
                let reverse = self.sibling(Sibling::Reverse).of_companion(span);
                let how = self.returning(callee);
                let taken = values.len() + adjoints.len();
                let count = 3 + usize::from(!how.is_empty()) + taken;
                self.with_companion(path, (&reverse, count), span, |target| {
                    quote_spanned!(span=>
                        <#target>::#reverse #turbofish(
                            #path, #how &mut *#tape #(, #values)* #(, #adjoints)*, #seed);)
                })
            }
            CalleeKind::Associated => {
                let (target, values) = (
                    self.sibling(Sibling::Reverse)
                        .path(&self.path_for_seeds(path)),
                    self.arguments(callee, args),
                );
                let adjoints = self.adjoint_arguments(callee, adjoints);
                let call =
                    quote_spanned!(span=> #target(#(#values,)* #(#adjoints,)* #seed, &mut *#tape););
                self.with_floats(path, call)
            }
            CalleeKind::Conversion => self.conversion_reverse(callee, args, adjoints, &seed, span),
            CalleeKind::Operator => {
                let (rt, values) = (self.rt(), args.iter().map(|a| self.arg(a)));
                let reverse = match args {
                    [_] => quote_spanned!(span=> reverse_unary::<#rt::operators::#path, _>),
                    _ => quote_spanned!(span=> reverse::<#rt::operators::#path, _, _>),
                };
                quote_spanned!(span=>
                    #rt::operators::#reverse(#(#values,)* #(#adjoints,)* #seed, &mut *#tape);)
            }
            CalleeKind::Argument => self.argument_reverse(callee, args, &adjoints, &seed, span),
            CalleeKind::Method => {
                let (receiver, target) = (
                    self.receiver(args, span),
                    self.sibling(Sibling::Reverse)
                        .path(&self.path_for_seeds(path)),
                );
                let rest = self.arguments(callee, args).into_iter().skip(1);
                let adjoints = self.adjoint_arguments(callee, adjoints);
                let witness = self.witness(&super::own("__witness"), callee, args, span);
                quote_spanned!(span=> #witness #receiver.#target(#(#rest,)* #(#adjoints,)* #seed, &mut *#tape);)
            }
        };
        if before.is_empty() {
            call
        } else {
            quote!({ #before #call })
        }
    }

    /// The adjoints and the seed that a reverse sweep is called with: declarations in front, and each of them.
    fn bars(
        &self,
        args: &[Arg],
        bars: &[BarArg],
        seed: Option<&Place>,
    ) -> (TokenStream, Vec<TokenStream>, TokenStream) {
        let mut before = TokenStream::new();
        let mut adjoints = Vec::new();
        for (k, (bar, arg)) in bars.iter().zip(args).enumerate() {
            adjoints.push(match bar {
                BarArg::Place(p) => {
                    let p = self.place(p, Use::Write);
                    quote!(&mut #p)
                }
                BarArg::Unused(zero) => {
                    let name = super::own(&format!("__unused_{k}"));
                    let zero = self.unused(zero, arg);
                    before.extend(quote!(let mut #name = #zero;));
                    quote!(&mut #name)
                }
            });
        }
        let seed = match seed {
            Some(p) => {
                let p = self.place(p, Use::Read);
                quote!(::core::option::Option::Some(&#p))
            }
            None => quote!(::core::option::Option::None),
        };
        (before, adjoints, seed)
    }

    /// The adjoint of an argument that carries no derivative.
    fn unused(&self, zero: &Unused, arg: &Arg) -> TokenStream {
        let rt = self.rt();
        let value = || match &arg.mode {
            ArgMode::Value(e) => {
                let value = self.bare(e);
                quote!(&(#value))
            }
            ArgMode::Shared(p) | ArgMode::InOut(p) => {
                let p = self.place(p, Use::Read);
                quote!(&#p)
            }
        };
        match zero {
            Unused::Nothing => quote!(::core::option::Option::None),
            Unused::Zero(ty) => self.zero(ty),
            Unused::Like => {
                let value = value();
                quote!(#rt::zero(#value))
            }
            Unused::OfUnseen => {
                let value = value();
                quote!({
                    use #rt::unwanted::{OfConstant as _, OfReference as _, OfValue as _};
                    (&&&#rt::unwanted::Unwanted(#value)).adjoint()
                })
            }
        }
    }
}

/// What stands beside an associated function in its `impl`, hidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sibling {
    /// Says that there are sweeps, of which type, and how they take the receiver.
    Witness,
    /// The name of the function of the trait whose sweeps they are.
    Name,
    /// Says that a trait with `#[gradient]` is in scope.
    InScope,
    Forward,
    Reverse,
    /// The body that both sweeps share.
    Sweeps,
    /// The same where it leaves the outputs.
    Leaving,
    /// Both sweeps at once.
    Joint,
    /// The same for several seeds.
    ForwardForSeeds,
    ReverseForSeeds,
    SweepsForSeeds,
    JointForSeeds,
}

impl Sibling {
    /// Its name beside a function of this name. rustc shows that of the witness to who calls a method without sweeps.
    pub(crate) fn name(self, function: &Ident) -> Ident {
        let (text, span) = (function.unraw(), function.span());
        match self {
            Sibling::Witness => format_ident!("__derivative_of_{text}", span = span),
            Sibling::Name => format_ident!("__derivative_of_{text}_name", span = span),
            Sibling::InScope => {
                format_ident!("__retrograde_has_found_the_trait_with_{text}", span = span)
            }
            Sibling::Forward => format_ident!("__derivative_of_{text}_forward", span = span),
            Sibling::Reverse => format_ident!("__derivative_of_{text}_reverse", span = span),
            Sibling::Sweeps => format_ident!("__{text}_sweeps", span = span),
            Sibling::Leaving => format_ident!("__{text}_leaving", span = span),
            Sibling::Joint => format_ident!("__{text}_joint", span = span),
            Sibling::ForwardForSeeds => {
                format_ident!("__derivative_of_{text}_with_gradient_seeds", span = span)
            }
            Sibling::ReverseForSeeds => {
                format_ident!("__derivative_of_{text}_reverse_for_seeds", span = span)
            }
            Sibling::SweepsForSeeds => format_ident!("__{text}_sweeps_for_seeds", span = span),
            Sibling::JointForSeeds => format_ident!("__{text}_joint_for_seeds", span = span),
        }
    }

    /// Its name in the companion type of a function. rustc shows that of the forward sweep for several seeds to who
    /// calls a function without.
    pub(crate) fn of_companion(self, span: Span) -> Ident {
        let name = match self {
            Sibling::Witness | Sibling::Name | Sibling::InScope => "name",
            Sibling::Forward => "forward",
            Sibling::Reverse => "reverse",
            Sibling::Sweeps => "sweeps",
            Sibling::Leaving => "leaving",
            Sibling::Joint => "joint",
            Sibling::ForwardForSeeds => "forward_with_gradient_seeds",
            Sibling::ReverseForSeeds => "reverse_with_gradient_seeds",
            Sibling::SweepsForSeeds => "sweeps_for_seeds",
            Sibling::JointForSeeds => "joint_for_seeds",
        };
        Ident::new(name, Span::mixed_site().located_at(span))
    }

    /// The same for several seeds.
    pub(crate) fn for_seeds(self) -> Self {
        match self {
            Sibling::Forward => Sibling::ForwardForSeeds,
            Sibling::Reverse => Sibling::ReverseForSeeds,
            Sibling::Sweeps => Sibling::SweepsForSeeds,
            Sibling::Joint => Sibling::JointForSeeds,
            Sibling::Witness
            | Sibling::Name
            | Sibling::InScope
            | Sibling::Leaving
            | Sibling::ForwardForSeeds
            | Sibling::ReverseForSeeds
            | Sibling::SweepsForSeeds
            | Sibling::JointForSeeds => self,
        }
    }

    /// Its path, by that of the function.
    pub(super) fn path(self, function: &syn::ExprPath) -> syn::ExprPath {
        let mut path = function.clone();
        if let Some(last) = path.path.segments.last_mut() {
            last.ident = self.name(&last.ident);
            if matches!(self, Sibling::Witness | Sibling::Name) {
                last.arguments = syn::PathArguments::None;
            }
        }
        // The sweeps stand beside the type's own functions; of what has none, or the trait alone, in the trait.
        let of_type = |qself: &&mut syn::QSelf| qself.position > 0 && !is_of_language(&qself.ty);
        if let Some(qself) = path.qself.as_mut().filter(of_type) {
            let last = path
                .path
                .segments
                .pop()
                .map(syn::punctuated::Pair::into_value);
            qself.position = 0;
            qself.as_token = None;
            path.path = syn::Path {
                leading_colon: Some(Default::default()),
                segments: last.into_iter().collect(),
            };
        }
        path
    }
}

/// The turbofish for the sweeps in the companion type of a function.
pub(super) fn turbofish(callee: &syn::ExprPath) -> TokenStream {
    match callee.path.segments.last().map(|last| &last.arguments) {
        Some(syn::PathArguments::AngleBracketed(args)) => {
            let list = &args.args;
            quote!(::<#list>)
        }
        _ => TokenStream::new(),
    }
}
