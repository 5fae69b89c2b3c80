//! What a rule's signature says: the arguments of the function, what else the rule is given, and what it gives back.

use proc_macro2::Span;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{FnArg, Ident, PatType, ReturnType, Type};

use crate::diag::{Message, catalog};
use crate::interface::{RuleResult, RuleSeed};

/// A rule that can be read.
pub(super) struct Form {
    /// The function that the rule is for, as its own text could be: what the sweeps' signatures are made from.
    pub(super) function: syn::ItemFn,
    /// Where each of its arguments is written.
    pub(super) places: Vec<Span>,
    /// How the rule takes the result of the function, if it does.
    pub(super) result: Option<RuleResult>,
    /// The argument in which the function leaves what the rule takes as its result.
    pub(super) left: Option<usize>,
    pub(super) seed: RuleSeed,
    /// Where the adjoints stand, or the partials.
    given: Given,
}

enum Given {
    Adjoints(Vec<(Type, Span)>),
    /// How many floats the rule returns.
    Partials(usize),
}

type Mistake = (Span, Message);

/// Reads the rule of a function of this name.
pub(super) fn read(rule: &syn::ItemFn, name: &Ident) -> Result<Form, Mistake> {
    let inputs: Vec<&PatType> = rule
        .sig
        .inputs
        .iter()
        .filter_map(|input| match input {
            FnArg::Typed(input) => Some(input),
            FnArg::Receiver(_) => None,
        })
        .collect();
    match &rule.sig.output {
        ReturnType::Type(_, ty) if !is_unit(ty) => partials(name, &inputs, ty),
        ReturnType::Type(..) | ReturnType::Default => product(rule, name, &inputs),
    }
}

/// A vector–Jacobian product: arguments, the result if it is wanted, the seed, adjoints.
fn product(rule: &syn::ItemFn, name: &Ident, inputs: &[&PatType]) -> Result<Form, Mistake> {
    let Some(at) = inputs.iter().position(|input| is_seed(input)) else {
        let reason = "returns nothing and has no parameter `seed`";
        return Err((rule.sig.ident.span(), catalog::rule_signature(reason)));
    };
    let (before, adjoints) = (&inputs[..at], &inputs[at + 1..]);
    let (args, result) = split_result(before);
    let written = &*inputs[at].ty;
    let seed = if is_unit(written) {
        RuleSeed::Unit
    } else if is_float(written) {
        RuleSeed::Float(written.clone())
    } else if matches!(written, Type::Reference(r) if r.mutability.is_none()) {
        RuleSeed::Reference
    } else {
        let reason = "takes a seed that is no `f64`, `f32`, `()` and no reference";
        return Err((written.span(), catalog::rule_signature(reason)));
    };
    let mut in_out = args
        .iter()
        .enumerate()
        .filter(|(_, input)| has(input, "in_out"));
    let (first, second) = (in_out.next().map(|(at, _)| at), in_out.next());
    let in_out = first.is_some();
    let left = match (result, &seed) {
        (Some(_), RuleSeed::Unit) if second.is_none() => first,
        _ => None,
    };
    let ret = match (result, &seed) {
        (Some(input), RuleSeed::Unit) if left.is_none() => {
            let reason = "takes a result of a function that returns nothing and does not overwrite one argument";
            return Err((input.span(), catalog::rule_signature(reason)));
        }
        (Some(input), RuleSeed::Float(_) | RuleSeed::Reference | RuleSeed::Partials(..)) => {
            owned(&input.ty)
        }
        (Some(_), RuleSeed::Unit) | (None, _) => owned(written),
    };
    if in_out && matches!(seed, RuleSeed::Reference) {
        let what = "a result other than a float beside it";
        return Err((written.span(), catalog::rule_in_out(what)));
    }
    let adjoints = adjoints
        .iter()
        .map(|input| match &*input.ty {
            Type::Reference(r) if r.mutability.is_some() => Ok(((*r.elem).clone(), input.span())),
            other => {
                let reason = "has an adjoint that is not behind `&mut`";
                Err((other.span(), catalog::rule_signature(reason)))
            }
        })
        .collect::<Result<_, _>>()?;
    Ok(Form {
        function: function(name, args, &ret)?,
        places: args.iter().map(Spanned::span).collect(),
        result: result.map(|input| how(&input.ty)),
        left,
        seed,
        given: Given::Adjoints(adjoints),
    })
}

/// The partial derivatives of a function of floats.
fn partials(name: &Ident, inputs: &[&PatType], output: &Type) -> Result<Form, Mistake> {
    let refuse = |span: Span, reason: &str| Err((span, catalog::rule_signature(reason)));
    let (args, result) = split_result(inputs);
    let (float, count) = match output {
        ty if is_float(ty) => (ty.clone(), 1),
        Type::Tuple(tuple) if tuple.elems.iter().all(is_float) => {
            let first = tuple.elems.first().cloned();
            let same = tuple.elems.iter().all(|ty| Some(ty) == first.as_ref());
            match first {
                Some(first) if same => (first, tuple.elems.len()),
                _ => return refuse(output.span(), "returns floats of two types"),
            }
        }
        other => {
            return refuse(
                other.span(),
                "returns something other than a float or a tuple of floats",
            );
        }
    };
    if let Some(seed) = inputs.iter().find(|input| is_seed(input)) {
        return refuse(seed.span(), "returns partials and has a seed");
    }
    if let Some(input) = args.iter().find(|input| has(input, "in_out")) {
        return refuse(input.span(), "returns partials and has an in-out argument");
    }
    if let Some(result) = result.filter(|input| owned(&input.ty) != float) {
        return refuse(
            result.ty.span(),
            "takes a result of another type than its partials",
        );
    }
    let floats = args.iter().filter(|input| !has(input, "constant"));
    if let Some(input) = floats
        .clone()
        .find(|input| is_float(&input.ty) && *input.ty != float)
    {
        return refuse(input.ty.span(), "has partials and arguments of two types");
    }
    Ok(Form {
        function: function(name, args, &float)?,
        places: args.iter().map(Spanned::span).collect(),
        result: result.map(|input| how(&input.ty)),
        left: None,
        seed: RuleSeed::Partials(float, count),
        given: Given::Partials(count),
    })
}

/// Whether what the rule gives fits the arguments of which this many carry a derivative.
pub(super) fn disagreement(form: &Form, active: usize, rule: &syn::ItemFn) -> Option<Mistake> {
    let (count, what, span) = match &form.given {
        Given::Adjoints(adjoints) => {
            let last = adjoints
                .last()
                .map_or(rule.sig.ident.span(), |(_, span)| *span);
            (adjoints.len(), "adjoints", last)
        }
        Given::Partials(count) => (*count, "partials", rule.sig.output.span()),
    };
    if let Given::Partials(_) = form.given {
        // Each has to be a float by itself: there is one partial for each.
        let inputs = form.function.sig.inputs.iter();
        let compound = inputs.zip(&form.places).find(|(input, _)| match input {
            FnArg::Typed(input) => {
                !has(input, "constant") && !is_float(&input.ty) && may_hold_floats(&input.ty)
            }
            FnArg::Receiver(_) => true,
        });
        if let Some((_, span)) = compound {
            let reason = "returns partials, and an argument is no float";
            return Some((*span, catalog::rule_signature(reason)));
        }
    }
    (count != active).then(|| {
        let reason = format!("has {count} {what} for {active} arguments that carry a derivative");
        (span, catalog::rule_signature(&reason))
    })
}

/// Whether a type, as written, may be more than integers.
fn may_hold_floats(ty: &Type) -> bool {
    let Type::Path(path) = crate::ir::without_reference(ty) else {
        return true;
    };
    let name = path.path.get_ident().map(Ident::to_string);
    !name.is_some_and(|name| is_passive_primitive(&name))
}

fn is_passive_primitive(name: &str) -> bool {
    crate::lower::is_primitive(name) && !matches!(name, "f32" | "f64")
}

/// The arguments, and the parameter under `#[result]` behind them.
fn split_result<'a, 'b>(inputs: &'b [&'a PatType]) -> (&'b [&'a PatType], Option<&'a PatType>) {
    match inputs.split_last() {
        Some((last, args)) if has(last, "result") => (args, Some(last)),
        _ => (inputs, None),
    }
}

/// The function that a rule is for: its signature, and a body that says nothing.
fn function(name: &Ident, args: &[&PatType], ret: &Type) -> Result<syn::ItemFn, Mistake> {
    let mut inputs = Vec::new();
    for (n, input) in args.iter().enumerate() {
        if has(input, "result") {
            let reason = "has `#[result]` on a parameter that is not the one in front of the seed";
            return Err((input.span(), catalog::rule_signature(reason)));
        }
        let mut ty = (*input.ty).clone();
        match &mut ty {
            Type::Reference(r) if r.mutability.is_some() => {
                return Err((input.span(), catalog::rule_in_out("`&mut`")));
            }
            Type::Reference(r) if has(input, "in_out") => r.mutability = Some(Default::default()),
            _ if has(input, "in_out") => {
                return Err((input.span(), catalog::rule_in_out("a value")));
            }
            _ => {}
        }
        let name = format_ident!("arg{n}");
        let constant: Vec<_> = input
            .attrs
            .iter()
            .filter(|a| a.path().is_ident("constant"))
            .collect();
        inputs.push(quote::quote!(#(#constant)* #name: #ty));
    }
    Ok(syn::parse_quote! { fn #name(#(#inputs),*) -> #ret { ::core::panic!() } })
}

/// What a reference, or a slice, in the rule is a view of.
fn owned(ty: &Type) -> Type {
    match crate::ir::without_reference(ty) {
        Type::Slice(slice) => {
            let element = &slice.elem;
            syn::parse_quote!(::std::vec::Vec<#element>)
        }
        other => other.clone(),
    }
}

fn how(ty: &Type) -> RuleResult {
    if matches!(ty, Type::Reference(_)) {
        RuleResult::Reference
    } else {
        RuleResult::Value
    }
}

fn has(input: &PatType, attribute: &str) -> bool {
    input.attrs.iter().any(|a| a.path().is_ident(attribute))
}

fn is_seed(input: &PatType) -> bool {
    matches!(&*input.pat, syn::Pat::Ident(p) if p.ident.unraw() == "seed" || p.ident == "_seed")
}

fn is_unit(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty())
}

fn is_float(ty: &Type) -> bool {
    match ty {
        Type::Path(p) => p.path.is_ident("f64") || p.path.is_ident("f32"),
        Type::Group(g) => is_float(&g.elem),
        Type::Paren(p) => is_float(&p.elem),
        _ => false,
    }
}
