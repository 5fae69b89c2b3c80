//! Code with a float in place of its type parameter.
//!
//! What the parameter's traits offer beside the methods of floats, constants and conversions, becomes what `f32` and
//! `f64` have: `T::zero()`, `T::from(2.0).unwrap()`, `n.to_f64().unwrap()`.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::visit_mut::{self, VisitMut};

use super::bounds::{FloatParam, is_of_std};
use super::numbers::{cast, constant, is_conversion, unwraps};
use super::{agree, casts, operands};
use crate::emit;
use crate::ir::spells;

/// Whether a type names the parameter.
pub(crate) fn names(ty: &syn::Type, parameter: &Ident) -> bool {
    mentions(ty.to_token_stream(), parameter)
}

pub(super) fn mentions(tokens: TokenStream, parameter: &Ident) -> bool {
    spells(tokens, &parameter.to_string())
}

/// Whether it is the function `Into::into`, which is given.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
fn is_path_of_into(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Path(path) if path.qself.is_none() => {
            let mut names = path.path.segments.iter().rev().map(|s| &s.ident);
            names.next().is_some_and(|name| name == "into")
                && names.next().is_some_and(|name| name == "Into")
        }
        _ => false,
    }
}

/// The path of a trait without generic arguments and associated types, as `use` takes it.
pub(super) fn without_arguments(path: &syn::Path) -> syn::Path {
    let mut path = path.clone();
    for segment in &mut path.segments {
        segment.arguments = syn::PathArguments::None;
    }
    path
}

pub(super) struct Rewriter<'a> {
    parameter: &'a Ident,
    bounds: Vec<&'a syn::Path>,
    float: &'a str,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(parameter: FloatParam<'a>, float: &'a str) -> Self {
        Rewriter {
            parameter: parameter.ident,
            bounds: parameter.bounds(),
            float,
        }
    }
}

impl VisitMut for Rewriter<'_> {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.leading_colon.is_none()
            && let Some(first) = path.segments.first_mut()
            && first.ident == *self.parameter
        {
            first.ident = Ident::new(self.float, first.ident.span());
        }
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::Path(path) = ty
            && let Some(written) = self.associated(path)
        {
            *ty = written;
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::Call(call) = e {
            self.of_trait(&mut call.func);
        }
        if is_path_of_into(e) && self.target_of_into().is_some() {
            let value = emit::own("value");
            *e = syn::parse_quote!(|#value| #value.into());
        }
        visit_mut::visit_expr_mut(self, e);
        if let Some(plain) = self.constant(e).or_else(|| self.conversion(e)) {
            *e = plain;
        }
    }

    /// Items inside the body cannot name the parameter; one of this name is their own.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = self.macro_tokens(mac.tokens.clone());
    }
}

impl Rewriter<'_> {
    /// `T::Output`, which of an operator is the float itself, and `T::Scalar` of the only trait that may have one: a
    /// float has no types by their names alone.
    fn associated(&self, path: &syn::TypePath) -> Option<syn::Type> {
        let mut segments = path.path.segments.iter();
        let (first, second) = (segments.next()?, segments.next()?);
        let alone = path.qself.is_none() && segments.next().is_none();
        if !alone || first.ident != *self.parameter {
            return None;
        }
        let float = Ident::new(self.float, first.ident.span());
        if second.ident == "Output" && self.bounds.iter().any(|bound| operands::is_operator(bound))
        {
            return Some(syn::parse_quote!(#float));
        }
        let is_other = |bound: &&&syn::Path| {
            bound
                .segments
                .last()
                .is_some_and(|last| !is_of_std(&last.ident))
        };
        let mut others = self.bounds.iter().filter(is_other);
        let of = others.next().filter(|_| others.next().is_none())?;
        Some(syn::parse_quote!(<#float as #of>::#second))
    }

    fn float(&self, e: &syn::Expr) -> Ident {
        Ident::new(self.float, syn::spanned::Spanned::span(e))
    }

    /// `Float::max(x, y)`, `<T as Float>::max(x, y)`: methods of the parameter's, if it is bound by the trait and
    /// floats have them.
    fn of_trait(&self, function: &mut syn::Expr) {
        let syn::Expr::Path(path) = function else {
            return;
        };
        let segments = &path.path.segments;
        let Some(last) = segments.last().cloned() else {
            return;
        };
        if segments.len() < 2 || !agree::is_of_floats(&last.ident.to_string()) {
            return;
        }
        let of_parameter = match &path.qself {
            Some(q) => {
                matches!(&*q.ty, syn::Type::Path(p) if p.path.is_ident(self.parameter))
            }
            None => {
                let name = &segments[segments.len() - 2].ident;
                let mut names = self.bounds.iter().filter_map(|bound| bound.segments.last());
                names.any(|bound| bound.ident == *name)
            }
        };
        if of_parameter {
            let parameter = self.parameter;
            *path = syn::parse_quote!(#parameter::#last);
        }
    }

    /// `T::zero()`, `T::epsilon()`, `T::PI()`
    fn constant(&self, e: &syn::Expr) -> Option<syn::Expr> {
        let syn::Expr::Call(call) = e else {
            return None;
        };
        let name = self.function_of_float(&call.func)?.to_string();
        if !call.args.is_empty() {
            return None;
        }
        let float = self.float(e);
        let constant = constant(&name, &float)?;
        Some(syn::parse_quote!((#constant as #float)))
    }

    /// `T::from(e).unwrap()`, `T::from_usize(n).unwrap()`, `n.to_f64().unwrap()`: casts. `T::from(e).ok_or(…)`: that of
    /// an option which has the number.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the user's syntax has more forms than are asked for"
    )]
    fn conversion(&self, e: &syn::Expr) -> Option<syn::Expr> {
        match e {
            // Floats have all numbers, if not each exactly: there is always one.
            syn::Expr::Try(asked) => self.converted(&asked.expr, &self.float(e)),
            syn::Expr::MethodCall(call) if call.method == "into" => self.into(call),
            syn::Expr::MethodCall(call) if unwraps(&call.method) => {
                self.converted(&call.receiver, &self.float(e))
            }
            // What floats do not have is asked of the option.
            syn::Expr::MethodCall(call)
                if call.method == "ok_or" || call.method == "ok_or_else" =>
            {
                let value = self.converted(&call.receiver, &self.float(e))?;
                let mut call = call.clone();
                *call.receiver = syn::parse_quote!(::core::option::Option::Some(#value));
                Some(syn::Expr::MethodCall(call))
            }
            _ => None,
        }
    }

    /// The number in the option that a conversion yields.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the user's syntax has more forms than are asked for"
    )]
    fn converted(&self, converted: &syn::Expr, float: &Ident) -> Option<syn::Expr> {
        match converted {
            syn::Expr::Call(call) if call.args.len() == 1 => {
                if let syn::Expr::Path(path) = &*call.func
                    && casts::names_the_target(path, &Ident::new(self.float, float.span()))
                {
                    return Some(cast(&call.args[0], float));
                }
                let name = self.function_of_float(&call.func)?.to_string();
                let from = name == "from" || is_conversion(&name);
                from.then(|| cast(&call.args[0], float))
            }
            syn::Expr::MethodCall(call) if call.args.is_empty() => {
                let name = call.method.to_string();
                let target = match name.as_str() {
                    "to_f64" => "f64",
                    "to_f32" => "f32",
                    _ => return None,
                };
                Some(cast(
                    &call.receiver,
                    &Ident::new(target, call.method.span()),
                ))
            }
            _ => None,
        }
    }

    /// `x.into()` where the parameter is bound by `Into<f64>`. A value that is converted to another type than this one
    /// makes an error of rustc.
    fn into(&self, call: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let (target, value) = (self.target_of_into()?, &call.receiver);
        Some(syn::parse_quote!(((#value) as #target)))
    }

    fn target_of_into(&self) -> Option<&syn::GenericArgument> {
        let last = self.bounds.iter().filter_map(|bound| bound.segments.last());
        let mut into = last.filter(|last| last.ident == "Into");
        match &into.next()?.arguments {
            syn::PathArguments::AngleBracketed(arguments) => arguments.args.first(),
            syn::PathArguments::None | syn::PathArguments::Parenthesized(_) => None,
        }
    }

    /// The name of a function of the float: `f64::zero`, `<f64 as Zero>::zero`.
    fn function_of_float<'e>(&self, function: &'e syn::Expr) -> Option<&'e Ident> {
        let syn::Expr::Path(path) = function else {
            return None;
        };
        let of_float = match &path.qself {
            Some(q) => matches!(&*q.ty, syn::Type::Path(p) if p.path.is_ident(self.float)),
            None => path.path.segments.len() == 2 && path.path.segments[0].ident == self.float,
        };
        path.path
            .segments
            .last()
            .filter(|_| of_float)
            .map(|s| &s.ident)
    }

    /// Arguments of a macro, as expressions where they are some.
    fn macro_tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let list = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(mut list) = list.parse2(tokens.clone()) {
            list.iter_mut().for_each(|e| self.visit_expr_mut(e));
            return list.into_token_stream();
        }
        let repeat = |input: syn::parse::ParseStream<'_>| {
            Ok((
                input.parse::<syn::Expr>()?,
                input.parse::<syn::Token![;]>()?,
                input.parse::<syn::Expr>()?,
            ))
        };
        if let Ok((mut value, semicolon, mut len)) = repeat.parse2(tokens.clone()) {
            self.visit_expr_mut(&mut value);
            self.visit_expr_mut(&mut len);
            return quote::quote!(#value #semicolon #len);
        }
        self.names_replaced(tokens)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other tokens stay as they are"
    )]
    fn names_replaced(&self, tokens: TokenStream) -> TokenStream {
        let replaced = |tree| match tree {
            TokenTree::Ident(ident) if ident == *self.parameter => {
                TokenTree::Ident(Ident::new(self.float, ident.span()))
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), self.names_replaced(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        };
        tokens.into_iter().map(replaced).collect()
    }
}
