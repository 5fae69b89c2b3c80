//! The calls of what `#[gradient]` generates for a function of the library.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Expr, FnArg, Item, ItemFn, Lit, Meta, Pat, ReturnType, Type, Visibility};

/// The module of a function's calls, and its name.
pub(crate) struct Subject {
    pub(crate) name: Ident,
    pub(crate) code: TokenStream,
}

/// A parameter of a function of the library.
struct Parameter {
    name: Ident,
    /// The type of the value that is passed, or lent.
    owned: TokenStream,
    reference: Option<bool>,
    differentiable: bool,
}

impl Parameter {
    fn new(argument: &FnArg) -> Self {
        let FnArg::Typed(typed) = argument else {
            panic!("functions of the library are free")
        };
        let Pat::Ident(pattern) = &*typed.pat else {
            panic!("parameters of the library are names")
        };
        let (inner, reference) = match &*typed.ty {
            Type::Reference(r) => (&*r.elem, Some(r.mutability.is_some())),
            other => (other, None),
        };
        let owned = match inner {
            Type::Slice(slice) => {
                let element = &slice.elem;
                quote!(Vec<#element>)
            }
            other => quote!(#other),
        };
        let constant = typed.attrs.iter().any(|a| a.path().is_ident("constant"));
        let text = owned.to_string();
        Self {
            name: pattern.ident.clone(),
            differentiable: !constant && (text.contains("f64") || text.contains("f32")),
            owned,
            reference,
        }
    }

    fn in_out(&self) -> bool {
        self.reference == Some(true)
    }

    fn passed(&self, name: &Ident) -> TokenStream {
        match self.reference {
            Some(true) => quote!(&mut #name),
            Some(false) => quote!(&#name),
            None => quote!(#name.clone()),
        }
    }

    fn buffer(&self) -> Ident {
        format_ident!("{}_bar", self.name)
    }
}

/// The calls of `item`, if it is a public function under `#[gradient]`.
pub(crate) fn subject(module: &Ident, item: &Item) -> Option<Subject> {
    let Item::Fn(function) = item else {
        return None;
    };
    let under_gradient = function.attrs.iter().any(|a| a.path().is_ident("gradient"));
    if !under_gradient || matches!(function.vis, Visibility::Inherited) {
        return None;
    }
    let name = function.sig.ident.clone();
    let parameters: Vec<Parameter> = function.sig.inputs.iter().map(Parameter::new).collect();
    let result = match &function.sig.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) => quote!(#ty),
    };
    let scalar = ["f64", "f32"].contains(&result.to_string().as_str());
    let gradients = scalar && !parameters.iter().any(Parameter::in_out);
    let draws = draws(&parameters);
    let plain = plain(&name, &parameters);
    let dual = dual(module, &name, &parameters, &result);
    let library = quote!(crate::soak::library);
    let with = call(
        &quote!(#library::#module),
        &name,
        &parameters,
        &result,
        gradients,
    );
    let off = call(
        &quote!(#library::off::#module),
        &name,
        &parameters,
        &result,
        gradients,
    );
    let single = result.to_string().contains("f32");
    let (text, largest, panics) = (
        name.to_string(),
        largest(function),
        parameters.iter().any(|p| p.name == "at"),
    );
    let code = quote! {
        pub(crate) mod #name {
            use super::*;
            fn plain(input: &Input) -> Outcome {
                use #library::#module::*;
                #draws
                #plain
            }
            fn dual(input: &Input, marked: usize) -> (Outcome, f64) { #draws #dual }
            fn with(input: &Input, entry: Entry, tape: &mut Tape) -> Result<Outcome, TapeError> { #draws #with }
            fn off(input: &Input, entry: Entry, tape: &mut Tape) -> Result<Outcome, TapeError> { #draws #off }
            pub(crate) const SUBJECT: crate::soak::subject::Subject = crate::soak::subject::Subject {
                name: #text, single: #single, largest: #largest, gradients: #gradients, panics: #panics, plain, dual,
                    with, off,
            };
        }
    };
    Some(Subject { name, code })
}

/// The largest size to draw: `Sizes: up to 1_000.` in the documentation.
fn largest(function: &ItemFn) -> usize {
    for attribute in &function.attrs {
        let Meta::NameValue(pair) = &attribute.meta else {
            continue;
        };
        let Expr::Lit(literal) = &pair.value else {
            continue;
        };
        let Lit::Str(text) = &literal.lit else {
            continue;
        };
        let text = text.value();
        if let Some((_, number)) = text.split_once("Sizes: up to ") {
            let digits: String = number.chars().filter(char::is_ascii_digit).collect();
            return digits.parse().expect("a number");
        }
    }
    panic!("`{}` does not say its sizes", function.sig.ident)
}

fn draws(parameters: &[Parameter]) -> TokenStream {
    let draws = parameters.iter().map(|p| {
        let (name, owned, text) = (&p.name, &p.owned, p.name.to_string());
        quote!(let mut #name = <#owned as Argument>::draw(&mut input.named(#text));)
    });
    quote!(#(#draws)*)
}

/// What goes into the outcome as value: the result, and in-out arguments.
fn values(parameters: &[Parameter]) -> TokenStream {
    let outputs = parameters.iter().filter(|p| p.in_out()).map(|p| &p.name);
    quote! {
        outcome.value(&value);
        #(outcome.value(&#outputs);)*
    }
}

fn plain(name: &Ident, parameters: &[Parameter]) -> TokenStream {
    let arguments = parameters.iter().map(|p| p.passed(&p.name));
    let values = values(parameters);
    quote! {
        let mut outcome = Outcome::default();
        let value = #name(#(std::hint::black_box(#arguments)),*);
        #values
        outcome
    }
}

/// The value over dual numbers, and the derivative that is the entry `marked` of the gradient.
fn dual(
    module: &Ident,
    name: &Ident,
    parameters: &[Parameter],
    result: &TokenStream,
) -> TokenStream {
    let lifts = parameters.iter().map(|p| {
        let (name, differentiable) = (&p.name, p.differentiable);
        quote!(let mut #name = seeder.lift(&#name, #differentiable);)
    });
    let arguments = parameters.iter().map(|p| p.passed(&p.name));
    let outputs = parameters.iter().filter(|p| p.in_out()).map(|p| {
        let (name, owned, text) = (&p.name, &p.owned, p.name.to_string());
        quote!(seeder.collect::<#owned>(&#name, &mut input.weights(#text));)
    });
    quote! {
        let mut seeder = Seeder::new(marked);
        #(#lifts)*
        let value = crate::soak::library::dual::#module::#name(#(#arguments),*);
        seeder.collect::<#result>(&value, &mut input.weights("result"));
        #(#outputs)*
        seeder.finish()
    }
}

/// All entry points of the function in `path`.
fn call(
    path: &TokenStream,
    name: &Ident,
    parameters: &[Parameter],
    result: &TokenStream,
    gradients: bool,
) -> TokenStream {
    let values = values(parameters);
    let active: Vec<&Parameter> = parameters.iter().filter(|p| p.differentiable).collect();
    let buffers: Vec<Ident> = active.iter().map(|p| p.buffer()).collect();
    let names: Vec<&Ident> = active.iter().map(|p| &p.name).collect();
    let owned: Vec<&TokenStream> = active.iter().map(|p| &p.owned).collect();
    let zeros = active.iter().map(|p| {
        let (name, text) = (&p.name, p.name.to_string());
        if p.in_out() {
            quote!(#name.tangent(&mut input.weights(#text)))
        } else {
            quote!(#name.tangent(&mut || 0.0))
        }
    });
    let interleaved: Vec<TokenStream> = parameters
        .iter()
        .map(|p| {
            let (argument, buffer) = (p.passed(&p.name), p.buffer());
            if p.differentiable {
                quote!(#argument, &mut #buffer)
            } else {
                argument
            }
        })
        .collect();
    let arguments = parameters.iter().map(|p| p.passed(&p.name));
    let item = |suffix: &str| format_ident!("{name}_{suffix}");
    let (grad, into, try_into) = (item("grad"), item("grad_into"), item("try_grad_into"));
    let (adjoint, try_adjoint) = (item("adjoint"), item("try_adjoint"));
    let finish = quote! {
        #values
        #(outcome.gradient::<#owned>(&#buffers);)*
        Ok(outcome)
    };
    let garbage = quote!(#(let mut #buffers = #names.tangent(&mut || f64::NAN);)*);
    let zeros = quote!(#(let mut #buffers = #zeros;)*);
    let seed = quote!(<#result as Argument>::seed(&mut input.weights("result")));
    let float_forms = gradients.then(|| {
        quote! {
            Entry::Grad => {
                let (value, (#(#buffers),*)) = #path::#grad(#(#arguments),*);
                #finish
            }
            Entry::Into => {
                #garbage
                let value = #path::#into(tape, #(#interleaved),*);
                #finish
            }
            Entry::TryInto => {
                #garbage
                let value = #path::#try_into(tape, #(#interleaved),*)?;
                #finish
            }
        }
    });
    let others = (!gradients).then(
        || quote!(Entry::Grad | Entry::Into | Entry::TryInto => unreachable!("no such form"),),
    );
    quote! {
        let mut outcome = Outcome::default();
        match entry {
            #float_forms
            #others
            Entry::Adjoint => {
                #zeros
                let value = #path::#adjoint(tape, #(#interleaved,)* #seed);
                #finish
            }
            Entry::TryAdjoint => {
                #zeros
                let value = #path::#try_adjoint(tape, #(#interleaved,)* #seed)?;
                #finish
            }
        }
    }
}
