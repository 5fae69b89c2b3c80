//! The arguments of `#[gradient(…)]`.

use proc_macro2::{Span, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, Path, Token};

use crate::diag::{Diagnostics, Message, catalog};
use crate::ir::hash::HashMap;
use crate::ir::{Transform, Transforms, Ty};

/// What the user asked for.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// `crate = path`: where the facade lives.
    pub(crate) krate: Path,
    /// `name = g`: prefix of the generated functions instead of the function's own name.
    pub(crate) name: Option<Ident>,
    /// `companion = g`: name of the companion type.
    pub(crate) companion: Option<Ident>,
    /// `dyn`: the supertraits of the trait can be made into objects.
    pub(crate) objects: Option<Span>,
    /// `seeds`: there are sweeps for several seeds at once.
    pub(crate) seeds: Option<Span>,
    /// `no(a, b)` and the environment: which transformations are on.
    pub(crate) transforms: Transforms,
    /// A number for the text of the function, if callers may inline it.
    pub(crate) definition: Option<u64>,
    /// What the function returns as written, where its sweeps return what that leads to.
    pub(crate) lends: Option<syn::Type>,
    /// The user's types whose definitions are known, by the paths that the text names them by.
    pub(crate) structs: HashMap<String, Ty>,
    /// The schema of the type of the block.
    pub(crate) itself: Option<TokenStream>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            krate: syn::parse_quote!(::retrograde),
            name: None,
            companion: None,
            objects: None,
            seeds: None,
            transforms: Transforms::ON,
            definition: None,
            lends: None,
            structs: HashMap::default(),
            itself: None,
        }
    }
}

/// The environment variable that switches transformations off: names separated by commas, or `all`.
const VARIABLE: &str = "RETROGRADE_NO";

enum Argument {
    Crate(Path),
    Name(Ident),
    Companion(Ident),
    Dyn(Span),
    Seeds(Span),
    No(Vec<Ident>),
    Unknown(Ident),
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            return Ok(Argument::Crate(input.call(Path::parse_mod_style)?));
        }
        if input.peek(Token![dyn]) {
            let token = input.parse::<Token![dyn]>()?;
            return Ok(Argument::Dyn(token.span));
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
        if key == "seeds" {
            return Ok(Argument::Seeds(key.span()));
        }
        if key == "no" {
            let names;
            syn::parenthesized!(names in input);
            let names = names.call(Punctuated::<Ident, Token![,]>::parse_terminated)?;
            return Ok(Argument::No(names.into_iter().collect()));
        }
        // Skip the value so that the next argument is read as well.
        while !input.is_empty() && !input.peek(Token![,]) {
            input.parse::<proc_macro2::TokenTree>()?;
        }
        Ok(Argument::Unknown(key))
    }
}

/// What an argument has wrong, and where.
pub(crate) type Mistake = (Span, Message);

impl Options {
    /// Reads the attribute's arguments; what is unknown in them is returned beside.
    pub(crate) fn parse(tokens: TokenStream) -> syn::Result<(Self, Vec<Mistake>)> {
        let arguments = syn::parse::Parser::parse2(
            Punctuated::<Argument, Token![,]>::parse_terminated,
            tokens,
        )?;
        let mut options = Options::default();
        let mut mistakes = options.obey(arguments);
        let unknown = obey_environment(&mut options.transforms);
        mistakes.extend(unknown.into_iter().map(|m| (Span::call_site(), m)));
        Ok((options, mistakes))
    }

    /// Reads the arguments of an attribute on a method of a block: they add to those of the block.
    pub(crate) fn refine(&mut self, tokens: TokenStream, diags: &mut Diagnostics) {
        let arguments =
            syn::parse::Parser::parse2(Punctuated::<Argument, Token![,]>::parse_terminated, tokens);
        match arguments {
            Ok(arguments) => {
                for (span, message) in self.obey(arguments) {
                    diags.at(span, message);
                }
            }
            Err(error) => diags.at(error.span(), catalog::option_syntax(&error.to_string())),
        }
    }

    fn obey(&mut self, arguments: impl IntoIterator<Item = Argument>) -> Vec<Mistake> {
        let mut mistakes = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Crate(path) => self.krate = path,
                Argument::Name(name) => self.name = Some(name),
                Argument::Companion(name) => self.companion = Some(name),
                Argument::Dyn(span) => self.objects = Some(span),
                Argument::Seeds(span) => self.seeds = Some(span),
                Argument::No(names) => {
                    for name in names {
                        if !self.transforms.switch_off(&name.to_string()) {
                            let written = format!("no({name})");
                            mistakes.push((name.span(), unknown_transform(&written)));
                        }
                    }
                }
                Argument::Unknown(key) => {
                    let message = catalog::unknown_option(&key.to_string());
                    mistakes.push((key.span(), message));
                }
            }
        }
        mistakes
    }
}

/// Switches off what the environment variable names, and returns a message for each name that is unknown.
fn obey_environment(transforms: &mut Transforms) -> Vec<Message> {
    let Ok(names) = std::env::var(VARIABLE) else {
        return Vec::new();
    };
    let names = names.split(',').map(str::trim).filter(|n| !n.is_empty());
    names
        .filter(|name| !transforms.switch_off(name))
        .map(|name| unknown_transform(&format!("{VARIABLE}={name}")))
        .collect()
}

/// `written` names no transformation.
fn unknown_transform(written: &str) -> Message {
    let known: Vec<String> = Transform::ALL
        .iter()
        .map(|one| format!("`{}`", one.name()))
        .collect();
    catalog::unknown_transform(written, &known.join(", "))
}
