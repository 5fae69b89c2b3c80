//! Functions that are arguments, and calls of them.
//!
//! A path is `<bell>::argument(bell)`; a closure `<closure>::argument(…)` of what it has captured, and where the
//! adjoints of that are, `<closure>::adjoints(…)`. Both are functions, so that references to vectors become such to
//! slices.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use crate::ir::{Arg, Callee, FunctionArg, FunctionKind, GivenArg};

use super::Emitter;
use super::calls::turbofish as turbofish_of;

impl Emitter<'_> {
    /// The arguments as sweeps take them.
    pub(super) fn arguments(&self, callee: &Callee, args: &[Arg]) -> Vec<TokenStream> {
        let given = callee.given(args.len()).into_iter();
        given
            .map(|given| match given {
                GivenArg::Plain(at) => self.arg(&args[at]),
                GivenArg::Function(function) => self.function_argument(function, args),
            })
            .collect()
    }

    /// The adjoints as the reverse sweep takes them, from those of all arguments.
    pub(super) fn adjoint_arguments(
        &self,
        callee: &Callee,
        adjoints: Vec<TokenStream>,
    ) -> Vec<TokenStream> {
        let given = callee.given(adjoints.len()).into_iter();
        given
            .map(|given| match given {
                GivenArg::Plain(at) => adjoints[at].clone(),
                GivenArg::Function(function) => self.adjoint_of_function(function, &adjoints),
            })
            .collect()
    }

    /// The arguments as the function itself takes them.
    pub(super) fn plain_arguments(&self, callee: &Callee, args: &[Arg]) -> Vec<TokenStream> {
        let given = callee.given(args.len()).into_iter();
        given
            .map(|given| match given {
                GivenArg::Plain(at) => self.arg(&args[at]),
                GivenArg::Function(function) => {
                    let borrowed = function.behind.iter().map(|mutable| match mutable {
                        true => quote!(&mut),
                        false => quote!(&),
                    });
                    let value = match &function.kind {
                        FunctionKind::Named(path) => path.to_token_stream(),
                        FunctionKind::Parameter | FunctionKind::Closure(..) => {
                            self.as_closure(function, args)
                        }
                    };
                    quote!(#(#borrowed)* #value)
                }
            })
            .collect()
    }

    /// Something with the value of the function alone. Its types are written: behind a reference, rustc does not infer
    /// that it takes slices of any lifetime.
    fn as_closure(&self, function: &FunctionArg, args: &[Arg]) -> TokenStream {
        let rt = self.rt();
        let names: Vec<_> = (0..function.inputs.len())
            .map(|n| super::own(&format!("a{n}")))
            .collect();
        let types = &function.inputs;
        let value = self.function_argument(function, args);
        quote!(|#(#names: #types),*| #rt::functions::Function::value(#value, (#(#names,)*)))
    }

    /// The function as sweeps take it.
    fn function_argument(&self, function: &FunctionArg, args: &[Arg]) -> TokenStream {
        let captured = &args[function.at..function.at + function.captures];
        match &function.kind {
            FunctionKind::Parameter => captured.iter().map(|arg| self.arg(arg)).collect(),
            FunctionKind::Named(path) => {
                let turbofish = turbofish_of(path);
                let span = syn::spanned::Spanned::span(path);
                let argument = Ident::new("argument", span);
                self.with_companion(
                    path,
                    (&argument, 1),
                    span,
                    |target| quote_spanned!(span=> <#target>::argument #turbofish(#path)),
                )
            }
            FunctionKind::Closure(name, generics) => {
                let captured = captured.iter().map(|arg| self.arg(arg));
                let turbofish = turbofish(generics);
                quote_spanned!(name.span()=> <#name>::argument #turbofish(#(#captured),*))
            }
        }
    }

    fn adjoint_of_function(&self, function: &FunctionArg, adjoints: &[TokenStream]) -> TokenStream {
        let captured = &adjoints[function.at..function.at + function.captures];
        match &function.kind {
            FunctionKind::Parameter => captured.iter().cloned().collect(),
            FunctionKind::Named(_) => quote!(&mut ()),
            FunctionKind::Closure(name, generics) => {
                let turbofish = turbofish(generics);
                quote_spanned!(name.span()=> &mut <#name>::adjoints #turbofish(#(#captured),*))
            }
        }
    }

    /// The value of a call of a function that is an argument.
    pub(super) fn argument_value(&self, callee: &Callee, args: &[Arg], span: Span) -> TokenStream {
        if let Some(closure) = closure_of(callee, "value") {
            let args = args.iter().map(|arg| self.arg(arg));
            return quote_spanned!(span=> #closure(#(#args),*));
        }
        let (called, function, args) = self.called(callee, args, span);
        quote_spanned!(span=> #called::value(#function, (#(#args,)*)))
    }

    pub(super) fn argument_forward(
        &self,
        callee: &Callee,
        args: &[Arg],
        span: Span,
    ) -> TokenStream {
        let tape = super::own("__tape");
        if let Some(closure) = closure_of(callee, "forward") {
            let args = args.iter().map(|arg| self.arg(arg));
            let rt = self.rt();
            return quote_spanned!(span=> #closure(#rt::outputs::Returned::<true>, &mut *#tape #(, #args)*));
        }
        let (called, function, args) = self.called(callee, args, span);
        quote_spanned!(span=> #called::forward(#function, &mut *#tape, (#(#args,)*)))
    }

    pub(super) fn argument_reverse(
        &self,
        callee: &Callee,
        args: &[Arg],
        adjoints: &[TokenStream],
        seed: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let tape = super::own("__tape");
        if let Some(closure) = closure_of(callee, "reverse") {
            let args = args.iter().map(|arg| self.arg(arg));
            let rt = self.rt();
            return quote_spanned!(span=>
                #closure(#rt::outputs::Returned::<true>, &mut *#tape #(, #args)* #(, #adjoints)*, #seed););
        }
        let (called, function, args) = self.called(callee, args, span);
        let mut adjoints = self
            .adjoint_arguments(callee, adjoints.to_vec())
            .into_iter();
        let (own, tape) = (adjoints.next(), super::own("__tape"));
        quote_spanned!(span=>
            #called::reverse(#function, &mut *#tape, (#(#args,)*), #own, (#(#adjoints,)*), #seed);)
    }

    /// The trait by which the function is called, the function, and its arguments.
    fn called(
        &self,
        callee: &Callee,
        args: &[Arg],
        span: Span,
    ) -> (TokenStream, TokenStream, Vec<TokenStream>) {
        let mut all = self.arguments(callee, args).into_iter();
        let function = all.next().unwrap_or_default();
        let bound = callee.functions.first().and_then(|f| f.bound.as_ref());
        (
            quote_spanned!(span=> <_ as #bound>),
            function,
            all.collect(),
        )
    }
}

/// A function of what carries the sweeps of the closure that is called: it takes what that has captured in front of the
/// arguments.
fn closure_of(callee: &Callee, name: &str) -> Option<TokenStream> {
    let FunctionKind::Closure(closure, generics) = &callee.functions.first()?.kind else {
        return None;
    };
    let (name, turbofish) = (Ident::new(name, closure.span()), turbofish(generics));
    Some(quote!(<#closure>::#name #turbofish))
}

fn turbofish(generics: &[Ident]) -> TokenStream {
    if generics.is_empty() {
        TokenStream::new()
    } else {
        quote!(::<#(#generics),*>)
    }
}

/// What carries the sweeps of a closure, as the trait that calls them is implemented for it.
pub(crate) fn carrier(closure: &Ident) -> Ident {
    format_ident!("{closure}_of", span = closure.span())
}
