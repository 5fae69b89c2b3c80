//! Conversions whose target a `let` writes: `let a: [f64; 3] = x[..3].try_into().unwrap();`, `let y: f64 = x.into();`,
//! and ends of chains whose type it writes: `let n: usize = shape.iter().product();`,
//! `let set: HashSet<usize> = rows.iter().copied().collect();`.

use syn::Type;

use super::Lowerer;
use super::infer::Kind;
use super::opaque::Builder;
use super::operator::strip;
use super::rearrange::Elements;
use super::types::{PathType, path_type, primitive};
use super::value::{Value, span_of};
use crate::ir::{Expr, ExprKind, OpaqueKind, Proj, Ty};

/// The initialiser with the conversion written out, if it is one of these.
pub(super) fn written_out(init: &syn::Expr, target: &Type) -> Option<syn::Expr> {
    match target {
        Type::Array(array) => array_of(init, array),
        Type::Path(path) => {
            if let Some(collected) = method(init, "collect").filter(|end| end.turbofish.is_none()) {
                return is_written_in_full(path).then(|| typed_end(collected, target));
            }
            if let (PathType::Vec(_), Some(made)) = (path_type(path), method(init, "into")) {
                let receiver = &made.receiver;
                return Some(syn::parse_quote!(::std::vec::Vec::from(#receiver)));
            }
            let float = primitive(&path.path.get_ident()?.to_string());
            if let Some(sum) = method(init, "sum").or_else(|| method(init, "product")) {
                return (float.is_some() && sum.turbofish.is_none())
                    .then(|| typed_end(sum, target));
            }
            let from = method(init, "into")?;
            float.filter(Ty::is_float)?;
            let receiver = &from.receiver;
            Some(syn::parse_quote!(#path::from(#receiver)))
        }
        _ => None,
    }
}

/// Whether a type is one that nothing but its text tells: the variable that a chain is collected into has no other.
fn is_written_in_full(path: &syn::TypePath) -> bool {
    matches!(path_type(path), PathType::Collection(_) | PathType::Other)
}

/// The end of a chain with the type of its result.
fn typed_end(end: &syn::ExprMethodCall, target: &Type) -> syn::Expr {
    let mut end = end.clone();
    end.turbofish = Some(syn::parse_quote!(::<#target>));
    syn::Expr::MethodCall(end)
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

impl Lowerer<'_> {
    /// `Vec::from(x)` of an array, a slice, a vector or a queue.
    pub(super) fn vector_from(&mut self, call: &syn::ExprCall) -> Option<Value> {
        let arg = call.args.first().filter(|_| call.args.len() == 1)?;
        if self.lenient > 0 || matches!(strip(arg), syn::Expr::Closure(_)) {
            return None;
        }
        let span = span_of(call);
        let value = self.pointee(arg);
        let ty = self.type_of(&value);
        let Some(element) = self.types.element(&ty) else {
            let mut builder = Builder::default();
            let func = builder.verbatim(self, &call.func);
            let value = match value {
                value @ Value::Opaque(..) => Value::Expr(self.stored_raw(value, span)),
                value => value,
            };
            let from = builder.operand(self, value, span);
            let code = syn::parse_quote!(#func(#from));
            let kind = OpaqueKind::Call("Vec::from".to_owned());
            let ty = self.types.fresh(Kind::General);
            return Some(builder.value_of(self, code, kind, ty, span, false));
        };
        if let syn::Expr::Path(path) = &*call.func {
            let mut of = path.path.clone();
            of.segments.pop();
            of.segments.pop_punct();
            let of = super::std_items::without_arguments(&of);
            self.note_std_type(&syn::parse_quote!(#of<()>));
        }
        let (place, _) = self.place_of(value, span)?;
        let place = self.freeze_place(place);
        let vec = Elements {
            place,
            element,
            span,
        };
        let len = self.count_of(&vec);
        let zero = Expr::usize_literal(0, span);
        let ty = Ty::Vec(Box::new(vec.element.clone()));
        if let Ty::Queue(_) = self.list_of(&vec) {
            let taken = self.collecting_into(ty.clone(), vec.element.clone(), span);
            self.over((zero, len), false, span, |l, k| {
                let item = Value::Place(vec.place.then(Proj::index(k)), vec.element.clone());
                l.push_item(&taken, item, span);
            });
            return Some(Value::Expr(Expr::read_var(taken.0, ty, span)));
        }
        let taken = Expr::new(ExprKind::ToVec(vec.place), ty, span);
        Some(Value::Expr(self.settle(taken)))
    }
}

/// A call of a method without arguments.
fn method<'e>(e: &'e syn::Expr, name: &str) -> Option<&'e syn::ExprMethodCall> {
    match strip(e) {
        syn::Expr::MethodCall(call) if call.method == name && call.args.is_empty() => Some(call),
        _ => None,
    }
}
