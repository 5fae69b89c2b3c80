//! A function with a float in place of its type parameter.
//!
//! What the parameter's traits offer beside the methods of floats, constants and conversions, becomes what `f32` and
//! `f64` have: `T::zero()`, `T::from(2.0).unwrap()`, `n.to_f64().unwrap()`.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::visit_mut::{self, VisitMut};

use super::agree;
use super::bounds::FloatParam;

/// The function at one width.
pub(super) fn instance(
    function: &syn::ItemFn,
    parameter: FloatParam<'_>,
    float: &str,
    krate: &syn::Path,
) -> (TokenStream, syn::ItemFn) {
    let syn::ItemFn { sig, block, .. } = function;
    let generics = [&sig.generics];
    let check = agree::check(&sig.ident, block, parameter, &generics, float, krate);
    let mut function = function.clone();
    fix(&mut function.sig.generics, parameter.ident);
    Rewriter::of(sig, parameter, float).visit_item_fn_mut(&mut function);
    (checked(check, &mut function.block), function)
}

/// Calls the check first; its item.
fn checked(check: Option<(TokenStream, syn::Stmt)>, body: &mut syn::Block) -> TokenStream {
    let Some((item, call)) = check else {
        return TokenStream::new();
    };
    body.stmts.insert(0, call);
    item
}

/// The block at one width.
pub(super) fn block(
    block: &syn::ItemImpl,
    parameter: FloatParam<'_>,
    float: &str,
    krate: &syn::Path,
) -> (TokenStream, syn::ItemImpl) {
    let checks = block.items.iter().map(|item| match item {
        syn::ImplItem::Fn(syn::ImplItemFn {
            sig, block: body, ..
        }) => {
            let generics = [&block.generics, &sig.generics];
            agree::check(&sig.ident, body, parameter, &generics, float, krate)
        }
        _ => None,
    });
    let checks: Vec<_> = checks.collect();
    let mut block = block.clone();
    fix(&mut block.generics, parameter.ident);
    Rewriter::new(parameter, float).visit_item_impl_mut(&mut block);
    let mut items = TokenStream::new();
    for (check, item) in checks.into_iter().zip(&mut block.items) {
        if let syn::ImplItem::Fn(method) = item {
            items.extend(checked(check, &mut method.block));
        }
    }
    (items, block)
}

/// The method at one width.
pub(super) fn method(
    method: &syn::ImplItemFn,
    of_block: &syn::Generics,
    parameter: FloatParam<'_>,
    float: &str,
    krate: &syn::Path,
) -> (TokenStream, syn::ImplItemFn) {
    let syn::ImplItemFn { sig, block, .. } = method;
    let generics = [of_block, &sig.generics];
    let check = agree::check(&sig.ident, block, parameter, &generics, float, krate);
    let mut method = method.clone();
    fix(&mut method.sig.generics, parameter.ident);
    Rewriter::of(sig, parameter, float).visit_impl_item_fn_mut(&mut method);
    (checked(check, &mut method.block), method)
}

/// An expression at one width.
pub(super) fn expression(mut e: syn::Expr, parameter: FloatParam<'_>, float: &str) -> syn::Expr {
    let mut rewriter = Rewriter::new(parameter, float);
    rewriter.arguments = vec![Ident::new("x", proc_macro2::Span::call_site())];
    rewriter.visit_expr_mut(&mut e);
    e
}

/// Generics at one width.
pub(super) fn generics(
    of: &syn::Generics,
    parameter: FloatParam<'_>,
    float: &str,
) -> syn::Generics {
    let mut generics = of.clone();
    fix(&mut generics, parameter.ident);
    Rewriter::new(parameter, float).visit_generics_mut(&mut generics);
    generics
}

/// Whether a method of a conversion's `Option` takes what is in it.
pub(super) fn unwraps(method: &Ident) -> bool {
    ["unwrap", "expect", "unwrap_or_else"]
        .iter()
        .any(|name| method == name)
}

/// Whether this is a conversion of `num_traits::FromPrimitive`.
pub(super) fn is_conversion(name: &str) -> bool {
    CONVERSIONS.contains(&name)
}

/// Takes the parameter out of the generics, with what is asked of it alone.
fn fix(generics: &mut syn::Generics, parameter: &Ident) {
    let params = std::mem::take(&mut generics.params);
    generics.params = params
        .into_iter()
        .filter(|p| !matches!(p, syn::GenericParam::Type(t) if t.ident == *parameter))
        .collect();
    if generics.params.is_empty() {
        (generics.lt_token, generics.gt_token) = (None, None);
    }
    let Some(clause) = &mut generics.where_clause else {
        return;
    };
    let others: Vec<&Ident> = generics.params.iter().filter_map(named).collect();
    let of_others = |predicate: &syn::WherePredicate| match predicate {
        syn::WherePredicate::Type(p) => {
            let ty = p.bounded_ty.to_token_stream();
            !mentions(ty.clone(), parameter)
                || others.iter().any(|other| mentions(ty.clone(), other))
        }
        _ => true,
    };
    let predicates = std::mem::take(&mut clause.predicates);
    clause.predicates = predicates.into_iter().filter(of_others).collect();
    if clause.predicates.is_empty() {
        generics.where_clause = None;
    }
}

/// The name of a type or const parameter.
pub(super) fn named(param: &syn::GenericParam) -> Option<&Ident> {
    match param {
        syn::GenericParam::Type(t) => Some(&t.ident),
        syn::GenericParam::Const(c) => Some(&c.ident),
        syn::GenericParam::Lifetime(_) => None,
    }
}

/// Whether a type names the parameter.
pub(super) fn names(ty: &syn::Type, parameter: &Ident) -> bool {
    mentions(ty.to_token_stream(), parameter)
}

pub(super) fn mentions(tokens: TokenStream, parameter: &Ident) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == *parameter,
        TokenTree::Group(group) => mentions(group.stream(), parameter),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The path of a trait without generic arguments and associated types, as `use` takes it.
pub(super) fn without_arguments(path: &syn::Path) -> syn::Path {
    let mut path = path.clone();
    for segment in &mut path.segments {
        segment.arguments = syn::PathArguments::None;
    }
    path
}

struct Rewriter<'a> {
    parameter: &'a Ident,
    bounds: Vec<&'a syn::Path>,
    float: &'a str,
    /// Arguments of the parameter's type.
    arguments: Vec<Ident>,
}

impl<'a> Rewriter<'a> {
    fn new(parameter: FloatParam<'a>, float: &'a str) -> Self {
        Rewriter {
            parameter: parameter.ident,
            bounds: parameter.bounds(),
            float,
            arguments: Vec::new(),
        }
    }

    /// For what has this signature.
    fn of(sig: &syn::Signature, parameter: FloatParam<'a>, float: &'a str) -> Self {
        let argument = |input: &syn::FnArg| match input {
            syn::FnArg::Typed(t) => match (&*t.pat, &*t.ty) {
                (syn::Pat::Ident(name), syn::Type::Path(ty))
                    if ty.path.is_ident(parameter.ident) =>
                {
                    Some(name.ident.clone())
                }
                _ => None,
            },
            syn::FnArg::Receiver(_) => None,
        };
        Rewriter {
            arguments: sig.inputs.iter().filter_map(argument).collect(),
            ..Rewriter::new(parameter, float)
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

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::Call(call) = e {
            self.of_trait(&mut call.func);
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
    fn float(&self, e: &syn::Expr) -> Ident {
        Ident::new(self.float, syn::spanned::Spanned::span(e))
    }

    /// `Float::max(x, y)`, `<T as Float>::max(x, y)`: methods of the parameter's, if it is bound by the trait and floats
    /// have them.
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

    /// `T::from(e).unwrap()`, `T::from_usize(n).unwrap()`, `n.to_f64().unwrap()`: casts.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the user's syntax has more forms than are asked for"
    )]
    fn conversion(&self, e: &syn::Expr) -> Option<syn::Expr> {
        let syn::Expr::MethodCall(unwrap) = e else {
            return None;
        };
        if unwrap.method == "into" {
            return self.into(unwrap);
        }
        if !unwraps(&unwrap.method) {
            return None;
        }
        match &*unwrap.receiver {
            syn::Expr::Call(call) if call.args.len() == 1 => {
                let name = self.function_of_float(&call.func)?.to_string();
                let from = name == "from" || CONVERSIONS.contains(&name.as_str());
                let float = self.float(e);
                from.then(|| cast(&call.args[0], &float))
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

    /// `x.into()` of an argument that is bound by `Into<f64>`.
    fn into(&self, call: &syn::ExprMethodCall) -> Option<syn::Expr> {
        let last = self.bounds.iter().filter_map(|bound| bound.segments.last());
        let into = last
            .filter(|last| last.ident == "Into")
            .map(|last| &last.arguments);
        let mut targets = into.filter_map(|arguments| match arguments {
            syn::PathArguments::AngleBracketed(a) => match a.args.first()? {
                syn::GenericArgument::Type(syn::Type::Path(p)) => p.path.get_ident(),
                _ => None,
            },
            _ => None,
        });
        let target = targets.next()?;
        let argument = match &*call.receiver {
            syn::Expr::Path(p) => p.path.get_ident()?,
            _ => return None,
        };
        let known = self.arguments.contains(argument);
        known.then(|| syn::parse_quote!((#argument as #target)))
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

/// What a function without arguments yields, of `num_traits` and of others who name them so.
fn constant(name: &str, float: &Ident) -> Option<syn::Expr> {
    Some(match name {
        "zero" | "default" => syn::parse_quote!(0.0),
        "one" => syn::parse_quote!(1.0),
        "epsilon" | "default_epsilon" => syn::parse_quote!(#float::EPSILON),
        "infinity" => syn::parse_quote!(#float::INFINITY),
        "neg_infinity" => syn::parse_quote!(#float::NEG_INFINITY),
        "nan" => syn::parse_quote!(#float::NAN),
        "max_value" => syn::parse_quote!(#float::MAX),
        "min_value" => syn::parse_quote!(#float::MIN),
        "min_positive_value" => syn::parse_quote!(#float::MIN_POSITIVE),
        "neg_zero" => syn::parse_quote!(-0.0),
        "pi" => syn::parse_quote!(::core::#float::consts::PI),
        "two_pi" => syn::parse_quote!(::core::#float::consts::TAU),
        name if CONSTS.contains(&name) => {
            let name = Ident::new(name, float.span());
            syn::parse_quote!(::core::#float::consts::#name)
        }
        _ => return None,
    })
}

/// Whether [`constant`] knows the name.
pub(super) fn is_constant(name: &str) -> bool {
    constant(name, &Ident::new("f64", proc_macro2::Span::call_site())).is_some()
}

/// Of `num_traits::FloatConst`.
const CONSTS: [&str; 19] = [
    "E",
    "FRAC_1_PI",
    "FRAC_1_SQRT_2",
    "FRAC_2_PI",
    "FRAC_2_SQRT_PI",
    "FRAC_PI_2",
    "FRAC_PI_3",
    "FRAC_PI_4",
    "FRAC_PI_6",
    "FRAC_PI_8",
    "LN_10",
    "LN_2",
    "LOG10_E",
    "LOG2_E",
    "PI",
    "SQRT_2",
    "TAU",
    "LOG10_2",
    "LOG2_10",
];

/// Of `num_traits::FromPrimitive`.
const CONVERSIONS: [&str; 14] = [
    "from_f64",
    "from_f32",
    "from_usize",
    "from_isize",
    "from_u8",
    "from_u16",
    "from_u32",
    "from_u64",
    "from_u128",
    "from_i8",
    "from_i16",
    "from_i32",
    "from_i64",
    "from_i128",
];

/// The conversion as a cast. A literal has the type that it has without one.
fn cast(e: &syn::Expr, float: &Ident) -> syn::Expr {
    let of_float = |lit: &syn::Lit| matches!(lit, syn::Lit::Float(l) if l.suffix().is_empty());
    if let syn::Expr::Lit(literal) = e
        && of_float(&literal.lit)
    {
        syn::parse_quote!(((#literal as f64) as #float))
    } else {
        syn::parse_quote!(((#e) as #float))
    }
}
