//! `differentiable!(…)`: a function that plain code gives to one with `#[gradient]`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;

use super::primitive;
use crate::diag::{Diagnostics, catalog};
use crate::interface;
use crate::ir::MathFn;
use crate::lower::{self, Owner};
use crate::options::Options;

/// What stands in the macro: `path` or a closure, behind `crate = path;` where the facade has another name.
struct Given {
    krate: syn::Path,
    function: syn::Expr,
}

impl Parse for Given {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut krate = syn::parse_quote!(::retrograde);
        if input.peek(syn::Token![crate]) && input.peek2(syn::Token![=]) {
            input.parse::<syn::Token![crate]>()?;
            input.parse::<syn::Token![=]>()?;
            krate = input.call(syn::Path::parse_mod_style)?;
            input.parse::<syn::Token![;]>()?;
        }
        let function = input.parse()?;
        input.parse::<Option<syn::Token![,]>>()?;
        Ok(Given { krate, function })
    }
}

/// The argument.
pub(crate) fn literal(tokens: TokenStream) -> TokenStream {
    let mut diags = Diagnostics::new();
    let argument = match syn::parse2::<Given>(tokens) {
        Ok(given) => argument(&given, &mut diags),
        Err(error) => {
            diags.at(error.span(), catalog::literal_syntax(&error.to_string()));
            None
        }
    };
    if diags.is_empty()
        && let Some(argument) = argument
    {
        return argument;
    }
    let errors = diags.into_tokens();
    quote!({ #errors })
}

fn argument(given: &Given, diags: &mut Diagnostics) -> Option<TokenStream> {
    match stripped(&given.function) {
        syn::Expr::Closure(closure) => of_closure(closure, &given.krate, diags),
        syn::Expr::Path(path) => match of_primitive(path) {
            Some(closure) => of_closure(&closure, &given.krate, diags),
            None => {
                let mut companion = path.clone();
                if let Some(last) = companion.path.segments.last_mut() {
                    last.arguments = syn::PathArguments::None;
                }
                let span = path.span();
                Some(quote::quote_spanned!(span=> <#companion>::argument(#path)))
            }
        },
        other => {
            let reason = "this is neither a path nor a closure";
            diags.over(other, catalog::literal_syntax(reason));
            None
        }
    }
}

fn stripped(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(p) => stripped(&p.expr),
        syn::Expr::Group(g) => stripped(&g.expr),
        other => other,
    }
}

/// `f64::sin`
fn of_primitive(path: &syn::ExprPath) -> Option<syn::ExprClosure> {
    let mut segments = path.path.segments.iter();
    let (ty, name) = (segments.next()?, segments.next()?);
    if segments.next().is_some() || (ty.ident != "f64" && ty.ident != "f32") {
        return None;
    }
    let function = MathFn::from_name(&name.ident.to_string())?;
    Some(primitive(path, &ty.ident, function))
}

fn of_closure(
    closure: &syn::ExprClosure,
    krate: &syn::Path,
    diags: &mut Diagnostics,
) -> Option<TokenStream> {
    let name = format_ident!(
        "closure",
        span = Span::mixed_site().located_at(closure.or1_token.span())
    );
    let function = lower::closure_function(&name, closure, diags)?;
    // It obeys the environment.
    let (mut options, _) = Options::parse(TokenStream::new()).ok()?;
    options.krate = krate.clone();
    let sweeps = super::sweeps_of_closure(&function, &Owner::default(), &options, diags)?;
    Some(interface::literal(
        &function,
        &sweeps,
        krate,
        closure.capture,
    ))
}
