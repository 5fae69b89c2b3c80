//! Schemas: how the definition of a type reaches the functions that use it.
//!
//! `#[derive(Differentiable)] struct S` also defines a hidden macro, and imports it as `S`. Types and macros have names
//! of their own, so whatever brings the type into scope brings the macro too. `#[gradient]` asks `S!`, in a block,
//! around which a macro of ours answers if there is none:
//!
//! ```text
//! const _: () = {
//!     macro_rules! none { … }
//!     use none as schema;
//!     const _: () = {
//!         use self::S as schema;                        // a type alone, or a macro too
//!         schema! { [callback] [] {} { the function } } // → callback! { {the schema} { the function } }
//!     };
//! };
//! ```
//!
//! The callback, a macro of this crate, generates the sweeps in that block, as an `impl`. The function itself never
//! passes through it.

mod ask;
mod define;
mod reasons;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::visit_mut::{self, VisitMut};

use crate::ir::{Struct, StructField, Ty, Written, is_float_type, is_type_named, path_text};
use crate::lower::field_type;
use crate::surroundings::Place;

pub(crate) use ask::{answered, asks, question};
pub(crate) use define::{answered_for_fields, define};

/// The form of a schema. Another one counts as none.
const FORMAT: u64 = 2;

/// A schema as it is written: `{ 2 id [ (constant name: type) … ] [ path { … } … ] [ parameter … ] }`. Behind the
/// fields come the schemas of the types that they name, and the parameters of the type.
struct Written2 {
    id: u64,
    fields: Vec<(bool, syn::Member, syn::Type)>,
    nested: Vec<(syn::Path, Option<Ty>)>,
    parameters: Vec<Ident>,
}

impl Parse for Written2 {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let number = |input: ParseStream<'_>| input.parse::<syn::LitInt>()?.base10_parse::<u64>();
        if number(input)? != FORMAT {
            return Err(input.error("another format"));
        }
        let id = number(input)?;
        let (mut fields, mut nested) = (Vec::new(), Vec::new());
        let list;
        syn::bracketed!(list in input);
        while !list.is_empty() {
            let field;
            syn::parenthesized!(field in list);
            let constant = field.parse::<syn::LitBool>()?.value;
            let member = field.parse()?;
            field.parse::<syn::Token![:]>()?;
            fields.push((constant, member, field.parse()?));
        }
        let list;
        syn::bracketed!(list in input);
        while !list.is_empty() {
            let path = list.call(syn::Path::parse_mod_style)?;
            let group: Group = list.parse()?;
            nested.push((path, known(group.stream(), &[])));
        }
        let list;
        syn::bracketed!(list in input);
        let mut parameters = Vec::new();
        while !list.is_empty() {
            parameters.push(list.parse()?);
        }
        Ok(Written2 {
            id,
            fields,
            nested,
            parameters,
        })
    }
}

/// The type that a schema shows; `None` if there is none, or one that is not understood. `arguments`: those of the
/// type, as far as they are written.
fn known(schema: TokenStream, arguments: &[&syn::Type]) -> Option<Ty> {
    let Written2 {
        id,
        mut fields,
        nested,
        parameters,
    } = syn::parse2(schema).ok()?;
    let mut floats = Floats(parameters.iter().zip(arguments).collect());
    for (_, _, ty) in &mut fields {
        floats.visit_type_mut(ty);
    }
    let nested = nested
        .into_iter()
        .filter_map(|(path, ty)| Some((path_text(&path), ty?)));
    let structs = Written::with_structs(nested.collect());
    let fields = fields.iter().map(|(constant, member, ty)| StructField {
        field: member.into(),
        ty: field_type(ty, &structs),
        constant: *constant,
    });
    Some(Ty::Struct(Rc::new(Struct {
        id,
        fields: fields.collect(),
    })))
}

/// Parameters of a type that stand for a float, in the types of its fields. The name of any other type might mean
/// another one where the definition stands.
struct Floats<'a>(Vec<(&'a Ident, &'a &'a syn::Type)>);

impl VisitMut for Floats<'_> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        let argument = self.0.iter().find(|(name, _)| is_type_named(ty, *name));
        match argument {
            Some((_, argument)) if is_float_type(argument) => *ty = (**argument).clone(),
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }
}

/// The type of a block, by the schema of what it is named by.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "arguments that are no types keep their place"
)]
pub(crate) fn of_itself(schema: &TokenStream, itself: &syn::Type) -> Option<Ty> {
    let syn::Type::Path(path) = itself else {
        return None;
    };
    let arguments = match &path.path.segments.last()?.arguments {
        syn::PathArguments::AngleBracketed(arguments) => arguments.args.iter(),
        syn::PathArguments::None | syn::PathArguments::Parenthesized(_) => {
            return known(schema.clone(), &[]);
        }
    };
    let number = syn::parse_quote!(());
    let arguments = arguments.filter_map(|argument| match argument {
        syn::GenericArgument::Lifetime(_) => None,
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => Some(&number),
    });
    known(schema.clone(), &arguments.collect::<Vec<_>>())
}

/// The answers, each a group, by the paths that were asked for.
fn by_path(paths: &[syn::Path], answers: TokenStream) -> HashMap<String, Ty> {
    let answers = answers.into_iter().map(|tree| match tree {
        TokenTree::Group(group) => known(group.stream(), &[]),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
    });
    let known = paths.iter().zip(answers);
    known
        .filter_map(|(path, ty)| Some((path_text(path), ty?)))
        .collect()
}

/// The macro that answers with a schema, as `name`. `none`: where there is none.
fn answering(name: &Ident, schema: &TokenStream) -> TokenStream {
    quote! {
        #[allow(unused_macro_rules)]
        macro_rules! #name {
            ([$($callback:tt)*] [] {$($known:tt)*} {$($payload:tt)*}) => {
                $($callback)*! { {$($known)* {#schema}} {$($payload)*} }
            };
            ([$($callback:tt)*] [$next:ident $($rest:ident)*] {$($known:tt)*} {$($payload:tt)*}) => {
                $next! { [$($callback)*] [$($rest)*] {$($known)* {#schema}} {$($payload)*} }
            };
        }
    }
}

/// The macros of the structs that have been seen, by the modules in which they stand.
fn defined() -> MutexGuard<'static, HashMap<(Place, String), String>> {
    static DEFINED: LazyLock<Mutex<HashMap<(Place, String), String>>> =
        LazyLock::new(Mutex::default);
    DEFINED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The macro of a struct in this module, if it has been seen.
fn defined_at(place: &Place, path: &syn::Path) -> Option<Ident> {
    let key = (place.clone(), path.get_ident()?.to_string());
    let hidden = defined().get(&key).cloned()?;
    Some(Ident::new(&hidden, Span::call_site()))
}

/// More types than this are not asked for.
const MOST: usize = 12;

/// What asks for the schemas of some types, and hands them to `callback` with the payload.
fn questions(
    paths: &[syn::Path],
    callback: &TokenStream,
    payload: &TokenStream,
    place: &Place,
) -> Option<TokenStream> {
    let names: Vec<Ident> = (0..paths.len())
        .map(|n| format_ident!("__retrograde_schema_{n}", span = Span::call_site()))
        .collect();
    let (first, rest) = names.split_first()?;
    let none = format_ident!("__retrograde_no_schema", span = Span::call_site());
    let answer = answering(&none, &TokenStream::new());
    let allow = crate::interface::allowed();
    let paths = paths.iter().map(|path| importable(path, place));
    Some(quote! {
        #allow
        const _: () = {
            #answer
            #(use #none as #names;)*
            const _: () = {
                #(use #paths as #names;)*
                #first! { [#callback] [#(#rest)*] {} {#payload} }
            };
        };
    })
}

/// A path as a block imports it. A name alone might be one of the block's, as far as rustc knows. That of a struct
/// which stands beside the function may hide another one, of what is imported by `*`: its macro is called by its own
/// name.
fn importable(path: &syn::Path, place: &Place) -> TokenStream {
    match path.get_ident() {
        Some(_) if let Some(hidden) = defined_at(place, path) => quote!(#hidden),
        Some(name) => quote!(self::#name),
        None => quote!(#path),
    }
}

fn group(tree: Option<TokenTree>) -> TokenStream {
    match tree {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => group.stream(),
        _ => TokenStream::new(),
    }
}
