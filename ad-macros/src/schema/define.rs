//! What `#[derive(Differentiable)]` defines: the macro that answers with the schema of a type.

use std::path::Path;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

use super::ask::{is_a_macro_too, limited};
use super::{FORMAT, answering, defined, defined_at, group, known};
use crate::aliases;
use crate::hash::hash;
use crate::ir::{Written, parameter_names, path_text};
use crate::lower::{field_type, own_types};
use crate::surroundings::{Place, module_at};
use crate::{emit, interface};

/// The schema of a struct, where one can be found by its name.
pub(crate) fn define(input: &syn::DeriveInput, krate: &syn::Path) -> TokenStream {
    let mut input = input.clone();
    let of_aliases = aliases::written_out_in_fields(&mut input);
    let input = &input;
    let syn::Data::Struct(data) = &input.data else {
        return TokenStream::new();
    };
    let packed = input
        .attrs
        .iter()
        .any(|a| a.path().is_ident("repr") && a.to_token_stream().to_string().contains("packed"));
    let named = input.ident.to_token_stream();
    let path: syn::Path = syn::parse_quote!(#named);
    let text = input.to_token_stream().to_string();
    if packed || is_a_macro_too(&path) || text.contains('$') || data.fields.is_empty() {
        return TokenStream::new();
    }
    let Some(place) = module_at(input.ident.span()) else {
        return TokenStream::new();
    };
    let id = number(&text, &place);
    let name = macro_name(&input.ident, id);
    let (generics, arguments, clause) = input.generics.split_for_impl();
    let (ty, vis) = (&input.ident, &input.vis);
    let allow = interface::allowed();
    let of_aliases = of_aliases.map(|check| quote!(#allow #check));
    let witness = quote! {
        #of_aliases
        #allow
        #[automatically_derived]
        impl #generics #krate::__rt::Known<#id> for #ty #arguments #clause {}
    };
    let nested = nested(input);
    let asked = nested.iter().filter_map(|path| defined_at(&place, path));
    let asked: Vec<Ident> = asked.collect();
    let hidden = name.to_string();
    defined().insert((place, ty.to_string()), hidden);
    let [first, rest @ ..] = asked.as_slice() else {
        let definition = definition(input, &name, id, &[], &[]);
        let check = check(input, &krate.to_token_stream(), &[], &[]);
        return quote! {
            #witness
            #definition
            #[doc(hidden)]
            #allow
            #vis use #name as #ty;
            #check
        };
    };
    quote! {
        #witness
        #first! { [#krate::__rt::__define_schema] [#(#rest)*] {} {{#id} {#name} {#krate} {#(#nested)*} {#input}} }
    }
}

/// The schema, now that those of the fields' types are known.
pub(crate) fn answered_for_fields(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.into_iter();
    let (answers, payload) = (group(trees.next()), group(trees.next()));
    let mut parts = payload.into_iter().map(|tree| group(Some(tree)));
    let mut next = || parts.next().unwrap_or_default();
    let (id, name, krate, asked, item) = (next(), next(), next(), next(), next());
    let (Ok(id), Ok(name), Ok(input)) = (
        syn::parse2::<syn::LitInt>(id).and_then(|id| id.base10_parse::<u64>()),
        syn::parse2::<Ident>(name),
        syn::parse2::<syn::DeriveInput>(item),
    ) else {
        return TokenStream::new();
    };
    let asked = asked
        .into_iter()
        .filter_map(|name| syn::parse2(name.into()).ok());
    let paths: Vec<syn::Path> = asked.collect();
    let answers: Vec<TokenStream> = answers.into_iter().map(|tree| group(Some(tree))).collect();
    let definition = definition(&input, &name, id, &paths, &answers);
    let check = check(&input, &krate, &paths, &answers);
    let (vis, ty) = (&input.vis, &input.ident);
    let allow = interface::allowed();
    quote! {
        #definition
        #[doc(hidden)]
        #allow
        #vis use #name as #ty;
        #check
    }
}

fn macro_name(ty: &Ident, id: u64) -> Ident {
    let ty = syn::ext::IdentExt::unraw(ty);
    format_ident!(
        "__retrograde_schema_of_{ty}_{id:x}",
        span = Span::call_site()
    )
}

/// The number of a definition: of its text, and of its place in the package.
fn number(text: &str, (file, begins): &Place) -> u64 {
    let package = |name: &str| std::env::var(name).unwrap_or_default();
    let of_package = |folder: &&Path| folder.join("Cargo.toml").exists();
    let folder = file.ancestors().skip(1).find(of_package);
    // Who compiles without a package has files all the same.
    let file = folder.map_or(Some(file.as_path()), |folder| {
        file.strip_prefix(folder).ok()
    });
    let place = format!("{file:?} {begins:?}");
    let (name, version) = (package("CARGO_PKG_NAME"), package("CARGO_PKG_VERSION"));
    let bytes = [&name, &version, &place, text].map(str::bytes);
    hash(bytes.into_iter().flatten())
}

/// The types that fields have, or hold.
fn nested(input: &syn::DeriveInput) -> Vec<syn::Path> {
    let syn::Data::Struct(data) = &input.data else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for field in data.fields.iter().filter(|field| !is_constant(field)) {
        if !matches!(field.ty, syn::Type::Reference(_)) {
            own_types(&field.ty, &mut found);
        }
    }
    let generic = |path: &syn::Path| {
        input
            .generics
            .type_params()
            .any(|t| path.is_ident(&t.ident))
    };
    found.retain(|path| !generic(path) && !path.is_ident(&input.ident));
    let Some(place) = module_at(input.ident.span()) else {
        return Vec::new();
    };
    let here = |path: &syn::Path| defined_at(&place, path).is_some();
    limited(found).into_iter().filter(here).collect()
}

fn is_constant(field: &syn::Field) -> bool {
    field.attrs.iter().any(|a| a.path().is_ident("constant"))
}

/// The macro. `answers`: the schemas of `nested`.
fn definition(
    input: &syn::DeriveInput,
    name: &Ident,
    id: u64,
    nested: &[syn::Path],
    answers: &[TokenStream],
) -> TokenStream {
    let syn::Data::Struct(data) = &input.data else {
        return TokenStream::new();
    };
    let fields = data
        .fields
        .iter()
        .zip(data.fields.members())
        .map(|(field, member)| {
            let (constant, ty) = (is_constant(field), &field.ty);
            quote!((#constant #member: #ty))
        });
    let format = FORMAT;
    let known = nested
        .iter()
        .zip(answers)
        .filter(|(_, schema)| !schema.is_empty() && depth((*schema).clone()) < DEEPEST);
    let known = known.map(|(path, schema)| quote!(#path {#schema}));
    let parameters = parameter_names(&input.generics);
    let schema = quote!(#format #id [#(#fields)*] [#(#known)*] [#(#parameters)*]);
    let exported = matches!(input.vis, syn::Visibility::Public(_)).then(|| quote!(#[macro_export]));
    let allow = interface::allowed();
    let answering = answering(name, &schema);
    quote! {
        #[doc(hidden)]
        #allow
        #exported
        #answering
    }
}

/// Structs in structs in structs are known so far.
const DEEPEST: usize = 4;

fn depth(schema: TokenStream) -> usize {
    let inner = schema.into_iter().map(|tree| match tree {
        TokenTree::Group(group) => {
            let braces = group.delimiter() == proc_macro2::Delimiter::Brace;
            usize::from(braces) + depth(group.stream())
        }
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => 0,
    });
    inner.max().unwrap_or(0)
}

/// Compiles only if the definitions of the fields' types are theirs, and what is called like std's types is std's.
fn check(
    input: &syn::DeriveInput,
    krate: &TokenStream,
    nested: &[syn::Path],
    answers: &[TokenStream],
) -> TokenStream {
    let syn::Data::Struct(data) = &input.data else {
        return TokenStream::new();
    };
    let answers = answers.iter().map(|schema| known(schema.clone(), &[]));
    let types = nested.iter().zip(answers);
    let types = types.filter_map(|(path, ty)| Some((path_text(path), ty?)));
    let structs = Written::with_structs(types.collect());
    let (mut checks, rt) = (TokenStream::new(), emit::Runtime::of(krate));
    for (field, member) in data.fields.iter().zip(data.fields.members()) {
        let (ty, value) = (field_type(&field.ty, &structs), quote!(value.#member));
        if !is_constant(field) {
            emit::known_type(&ty, &value, &rt, &mut checks);
        }
        emit::std_type(&ty, &value, &rt, &mut checks);
    }
    if checks.is_empty() {
        return checks;
    }
    let (generics, arguments, clause) = input.generics.split_for_impl();
    let ty = &input.ident;
    let allow = interface::allowed();
    quote!(#allow const _: () = { fn check #generics (value: &#ty #arguments) #clause { #checks } };)
}
