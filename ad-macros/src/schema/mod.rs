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

use crate::ir::{Struct, StructField, Ty, Written, path_text};
use crate::lower::field_type;
use crate::surroundings::Place;

pub(crate) use ask::{answered, asks, question};
pub(crate) use define::{answered_for_fields, define};

/// The form of a schema. Another one counts as none.
const FORMAT: u64 = 1;

/// A schema as it is written: `{ 1 id [ (constant name: type) … ] [ path { … } … ] }`. Behind the fields come the
/// schemas of the types that they name.
struct Written1 {
    id: u64,
    fields: Vec<(bool, syn::Member, syn::Type)>,
    nested: Vec<(syn::Path, Option<Ty>)>,
}

impl Parse for Written1 {
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
            nested.push((path, known(group.stream())));
        }
        Ok(Written1 { id, fields, nested })
    }
}

/// The type that a schema shows; `None` if there is none, or one that is not understood.
fn known(schema: TokenStream) -> Option<Ty> {
    let Written1 { id, fields, nested } = syn::parse2(schema).ok()?;
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

/// The answers, each a group, by the paths that were asked for.
fn by_path(paths: &[syn::Path], answers: TokenStream) -> HashMap<String, Ty> {
    let answers = answers.into_iter().map(|tree| match tree {
        TokenTree::Group(group) => known(group.stream()),
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
