//! Conversions whose target a `let` writes: `let a: [f64; 3] = x[..3].try_into().unwrap();`, `let y: f64 = x.into();`,
//! and sums whose type it writes: `let n: usize = shape.iter().product();`.

use syn::Type;

use super::operator::strip;
use super::types::primitive;

/// The initialiser with the conversion written out, if it is one of these.
pub(super) fn written_out(init: &syn::Expr, target: &Type) -> Option<syn::Expr> {
    match target {
        Type::Array(array) => array_of(init, array),
        Type::Path(path) => {
            let float = primitive(&path.path.get_ident()?.to_string());
            if let Some(sum) = method(init, "sum").or_else(|| method(init, "product")) {
                return (float.is_some() && sum.turbofish.is_none())
                    .then(|| typed_sum(sum, target));
            }
            let from = method(init, "into")?;
            float.filter(crate::ir::Ty::is_float)?;
            let receiver = &from.receiver;
            Some(syn::parse_quote!(#path::from(#receiver)))
        }
        _ => None,
    }
}

/// The call with the type of its result.
fn typed_sum(sum: &syn::ExprMethodCall, target: &Type) -> syn::Expr {
    let mut sum = sum.clone();
    sum.turbofish = Some(syn::parse_quote!(::<#target>));
    syn::Expr::MethodCall(sum)
}

/// A call of a function of a float, with what its arguments become by `into` written out: `f64::powf(x.into(), y)`.
pub(super) fn of_arguments(
    call: &syn::ExprCall,
    float: &str,
    function: &str,
) -> Option<syn::ExprCall> {
    let is_into = |arg: &syn::Expr| method(arg, "into").is_some();
    let takes_floats =
        super::method_names::is_float_function(function, call.args.len().checked_sub(1)?);
    if !takes_floats || !call.args.iter().any(is_into) {
        return None;
    }
    let target: Type = syn::parse_str(float).ok()?;
    let mut call = call.clone();
    for (at, arg) in call.args.iter_mut().enumerate() {
        let is_exponent = function == "powi" && at == 1;
        if let Some(written) = written_out(arg, &target).filter(|_| !is_exponent) {
            *arg = written;
        }
    }
    Some(call)
}

/// `slice.try_into().unwrap()`: the elements, if there are as many.
fn array_of(init: &syn::Expr, target: &syn::TypeArray) -> Option<syn::Expr> {
    let end = match strip(init) {
        syn::Expr::MethodCall(end) if end.method == "unwrap" || end.method == "expect" => end,
        _ => return None,
    };
    let slice = &method(&end.receiver, "try_into")?.receiver;
    let (element, len) = (&target.elem, &target.len);
    let text = "TryFromSliceError(())";
    let panics: syn::Expr = match end.args.first() {
        None => syn::parse_quote!(
            ::core::panic!("called `Result::unwrap()` on an `Err` value: {}", #text)
        ),
        Some(message) => syn::parse_quote!(::core::panic!("{}: {}", #message, #text)),
    };
    Some(syn::parse_quote!({
        let __retrograde_slice = &(#slice)[..];
        if __retrograde_slice.len() != #len {
            #panics
        }
        ::core::array::from_fn::<#element, { #len }, _>(|__retrograde_at| __retrograde_slice[__retrograde_at])
    }))
}

/// `let best: Option<&S> = None;` with the type of the user's that the option may hold, or refer to.
pub(super) fn typed_none(init: &syn::Expr, target: &Type) -> Option<syn::Expr> {
    let none = match strip(init) {
        syn::Expr::Path(path) => path.qself.is_none() && path.path.is_ident("None"),
        _ => false,
    };
    let Type::Path(option) = super::signature::ungroup(target) else {
        return None;
    };
    let last = option.path.segments.last()?;
    if !none || option.qself.is_some() || last.ident != "Option" {
        return None;
    }
    let held = match super::types::first_argument(target)? {
        Type::Reference(to) if to.mutability.is_none() => &*to.elem,
        held => held,
    };
    let (mut own, text) = (
        Vec::new(),
        quote::ToTokens::to_token_stream(held).to_string(),
    );
    super::own_types(held, &mut own);
    let written = !text.contains(['&', '\'', '_']);
    let default = || syn::parse_quote!(<::core::option::Option<#held> as ::core::default::Default>::default());
    (written && !own.is_empty()).then(default)
}

/// A call of a method without arguments.
fn method<'e>(e: &'e syn::Expr, name: &str) -> Option<&'e syn::ExprMethodCall> {
    match strip(e) {
        syn::Expr::MethodCall(call) if call.method == name && call.args.is_empty() => Some(call),
        _ => None,
    }
}
