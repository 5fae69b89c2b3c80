//! The arguments of `#[gradient(…)]`.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, Path, Token};

/// What the user asked for.
#[derive(Debug)]
pub(crate) struct Options {
    /// `crate = path`: where the facade lives.
    pub(crate) krate: Path,
    /// `name = g`: prefix of the generated functions instead of the function's own name.
    pub(crate) name: Option<Ident>,
    /// `companion = g`: name of the companion type.
    pub(crate) companion: Option<Ident>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            krate: syn::parse_quote!(::retrograde),
            name: None,
            companion: None,
        }
    }
}

enum Argument {
    Crate(Path),
    Name(Ident),
    Companion(Ident),
    Unknown(Ident),
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            return Ok(Argument::Crate(input.call(Path::parse_mod_style)?));
        }
        let key: Ident = input.parse()?;
        if key == "name" || key == "companion" {
            input.parse::<Token![=]>()?;
            let value = input.parse()?;
            return Ok(if key == "name" {
                Argument::Name(value)
            } else {
                Argument::Companion(value)
            });
        }
        // Skip the value so that the next argument is read as well.
        while !input.is_empty() && !input.peek(Token![,]) {
            input.parse::<proc_macro2::TokenTree>()?;
        }
        Ok(Argument::Unknown(key))
    }
}

impl Options {
    /// Reads the attribute's arguments; unknown ones are returned beside.
    pub(crate) fn parse(tokens: TokenStream) -> syn::Result<(Self, Vec<Ident>)> {
        let arguments = syn::parse::Parser::parse2(
            Punctuated::<Argument, Token![,]>::parse_terminated,
            tokens,
        )?;
        let (mut options, mut unknown) = (Options::default(), Vec::new());
        for argument in arguments {
            match argument {
                Argument::Crate(path) => options.krate = path,
                Argument::Name(name) => options.name = Some(name),
                Argument::Companion(name) => options.companion = Some(name),
                Argument::Unknown(key) => unknown.push(key),
            }
        }
        Ok((options, unknown))
    }
}
