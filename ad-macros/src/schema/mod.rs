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

use std::rc::Rc;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::visit_mut::{self, VisitMut};

use crate::ir::hash::HashMap;
use crate::ir::{
    Struct, StructField, Ty, Written, exact_text, is_float_type, is_type_named, path_text,
};
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
/// type, lifetimes apart, as far as they are written.
fn known(schema: TokenStream, arguments: &[&syn::GenericArgument]) -> Option<Ty> {
    let Written2 {
        id,
        mut fields,
        nested,
        parameters,
    } = syn::parse2(schema).ok()?;
    let mut given = Given(parameters.iter().zip(arguments.iter().copied()).collect());
    for (_, _, ty) in &mut fields {
        given.visit_type_mut(ty);
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

/// What is given for the parameters of a type, in the types of its fields: floats, and lengths of arrays. The name of
/// any other type or constant might mean another one where the definition stands.
struct Given<'a>(Vec<(&'a Ident, &'a syn::GenericArgument)>);

impl VisitMut for Given<'_> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::Array(array) = ty {
            self.visit_type_mut(&mut array.elem);
            if !is_number(&array.len) {
                array.len = self
                    .length(&array.len)
                    .unwrap_or_else(|| syn::parse_quote!(_));
            }
            return;
        }
        let mut given = self.0.iter();
        let argument = given.find(|(name, _)| is_type_named(ty, *name));
        match argument {
            Some((_, syn::GenericArgument::Type(argument))) if is_float_type(argument) => {
                *ty = argument.clone();
            }
            _ => visit_mut::visit_type_mut(self, ty),
        }
    }
}

impl Given<'_> {
    /// What is given for a length that is a parameter.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is neither a name nor a number is not looked into"
    )]
    fn length(&self, len: &syn::Expr) -> Option<syn::Expr> {
        let syn::Expr::Path(path) = len else {
            return None;
        };
        let mut given = self.0.iter();
        let (_, argument) = given.find(|(name, _)| path.path.is_ident(*name))?;
        match argument {
            syn::GenericArgument::Const(number) if is_number(number) => Some(number.clone()),
            // `Matrix<N>` may name a type by its looks.
            syn::GenericArgument::Type(syn::Type::Path(name)) if name.qself.is_none() => {
                let name = name.path.get_ident()?;
                Some(syn::parse_quote!(#name))
            }
            _ => None,
        }
    }
}

fn is_number(len: &syn::Expr) -> bool {
    matches!(len, syn::Expr::Lit(len) if matches!(len.lit, syn::Lit::Int(_)))
}

/// The type of a block, by the schema of what it is named by.
pub(crate) fn of_itself(schema: &TokenStream, itself: &syn::Type) -> Option<Ty> {
    let syn::Type::Path(path) = itself else {
        return None;
    };
    known(schema.clone(), &arguments_of(&path.path))
}

/// The arguments of a type, lifetimes apart.
fn arguments_of(path: &syn::Path) -> Vec<&syn::GenericArgument> {
    let last = path.segments.last().map(|last| &last.arguments);
    let Some(syn::PathArguments::AngleBracketed(arguments)) = last else {
        return Vec::new();
    };
    let of_value = |one: &&syn::GenericArgument| !matches!(one, syn::GenericArgument::Lifetime(_));
    arguments.args.iter().filter(of_value).collect()
}

/// The answers, each a group, by the paths that were asked for, and by those in `written` with their arguments.
fn by_path(
    paths: &[syn::Path],
    written: &[syn::Path],
    answers: TokenStream,
) -> HashMap<String, Ty> {
    let answers = answers.into_iter().map(|tree| match tree {
        TokenTree::Group(group) => group.stream(),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => TokenStream::new(),
    });
    let mut types = HashMap::default();
    for (path, schema) in paths.iter().zip(answers) {
        let name = path_text(path);
        let same = written.iter().filter(|one| path_text(one) == name);
        let with_arguments = same.filter_map(|one| {
            let ty = known(schema.clone(), &arguments_of(one))?;
            Some((exact_text(one)?, ty))
        });
        types.extend(with_arguments);
        types.extend(known(schema.clone(), &[]).map(|ty| (name, ty)));
    }
    types
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
