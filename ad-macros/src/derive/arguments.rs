//! `#[differentiable(…)]` above a type, and `#[constant]` above a field.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Path, Token};

use crate::diag::{Diagnostics, catalog};

/// What the user asked for.
pub(super) struct Arguments {
    /// `crate = path`: where the facade lives.
    pub(super) krate: Path,
    /// `tangent = …`.
    pub(super) tangent: Option<Asked>,
    /// `flat = false`: without `Flat`.
    pub(super) flat: bool,
    /// `schema = false`: without the macro by which functions find the definition.
    pub(super) schema: bool,
}

/// Which type the tangent is.
pub(super) enum Asked {
    /// The type itself.
    Own(Token![Self]),
    Named(Ident),
}

enum Argument {
    Crate(Path),
    Tangent(Asked),
    Flat(bool),
    Schema(bool),
    Unknown(TokenTree),
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            return Ok(Argument::Crate(input.call(Path::parse_mod_style)?));
        }
        let key: TokenTree = input.parse()?;
        if matches!(&key, TokenTree::Ident(ident) if ident == "tangent") {
            input.parse::<Token![=]>()?;
            let asked = if input.peek(Token![Self]) {
                Asked::Own(input.parse()?)
            } else {
                Asked::Named(input.parse()?)
            };
            return Ok(Argument::Tangent(asked));
        }
        if matches!(&key, TokenTree::Ident(ident) if ident == "flat") {
            input.parse::<Token![=]>()?;
            return Ok(Argument::Flat(input.parse::<syn::LitBool>()?.value));
        }
        if matches!(&key, TokenTree::Ident(ident) if ident == "schema") {
            input.parse::<Token![=]>()?;
            return Ok(Argument::Schema(input.parse::<syn::LitBool>()?.value));
        }
        // Skip the value so that the next argument is read as well.
        while !input.is_empty() && !input.peek(Token![,]) {
            input.parse::<TokenTree>()?;
        }
        Ok(Argument::Unknown(key))
    }
}

impl Arguments {
    pub(super) fn of(attrs: &[Attribute], diags: &mut Diagnostics) -> Self {
        let mut arguments = Arguments {
            krate: syn::parse_quote!(::retrograde),
            tangent: None,
            flat: true,
            schema: true,
        };
        for attr in attrs {
            if attr.path().is_ident("constant") {
                diags.over(attr, catalog::derive_constant());
            }
            if !attr.path().is_ident("differentiable") {
                continue;
            }
            let list =
                match attr.parse_args_with(Punctuated::<Argument, Token![,]>::parse_terminated) {
                    Ok(list) => list,
                    Err(error) => {
                        diags.at(error.span(), catalog::derive_syntax(&error.to_string()));
                        continue;
                    }
                };
            for argument in list {
                match argument {
                    Argument::Crate(path) => arguments.krate = path,
                    Argument::Tangent(asked) => arguments.tangent = Some(asked),
                    Argument::Flat(flat) => arguments.flat = flat,
                    Argument::Schema(schema) => arguments.schema = schema,
                    Argument::Unknown(key) => {
                        let message = catalog::derive_argument(&key.to_string());
                        diags.at(key.span(), message);
                    }
                }
            }
        }
        arguments
    }
}

/// Whether a field is marked `#[constant]`.
pub(super) fn is_constant(attrs: &[Attribute], diags: &mut Diagnostics) -> bool {
    let mut constant = false;
    for attr in attrs {
        if attr.path().is_ident("constant") {
            constant = true;
            if attr.meta.require_path_only().is_err() {
                diags.over(attr, catalog::derive_constant());
            }
        }
        refuse_helper(attr, diags);
    }
    constant
}

/// Neither helper has a meaning above a variant.
pub(super) fn above_variant(attrs: &[Attribute], diags: &mut Diagnostics) {
    for attr in attrs {
        if attr.path().is_ident("constant") {
            diags.over(attr, catalog::derive_constant());
        }
        refuse_helper(attr, diags);
    }
}

/// `#[differentiable(…)]` stands above the type.
fn refuse_helper(attr: &Attribute, diags: &mut Diagnostics) {
    if attr.path().is_ident("differentiable") {
        diags.over(attr, catalog::derive_place());
    }
}

/// What lints the user allows for the type or a field is allowed in the tangent too.
pub(super) fn allowed(attrs: &[Attribute]) -> Vec<TokenStream> {
    let lists = attrs.iter().filter(|a| a.path().is_ident("allow"));
    lists
        .filter_map(|a| a.meta.require_list().ok())
        .map(|list| list.tokens.clone())
        .collect()
}
