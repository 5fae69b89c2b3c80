//! Types through which no derivative flows, known by name: times and dates, generators of random numbers, integers
//! that are not zero, paths, and maps of what carries none.
//!
//! A parameter or field of such a type is taken as one under `#[constant]`. Which crate a name comes from is told by
//! the text of the file, or by the path. Generated code has a check: a reference to the type that is written is given
//! to a variable for one to the type that is meant, which is an error of rustc (E0308) for any other.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::edition::may_be_crate;
use crate::generic::{bounds_of, into_target};
use crate::lower::{imported_from_crate, is_primitive, segment_names};
use crate::surroundings::{is_of_package, with_text};

/// What stands for the arguments of a type in a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arguments {
    None,
    /// A time zone.
    Zone,
    /// Types without a derivative.
    Discrete(usize),
}

/// A crate, the module in it, and the types there.
type Known = (
    &'static str,
    &'static str,
    &'static [(&'static str, Arguments)],
);

use Arguments::{Discrete, None as Plain, Zone};

const TYPES: &[Known] = &[
    (
        "chrono",
        "",
        &[
            ("DateTime", Zone),
            ("NaiveDate", Plain),
            ("NaiveDateTime", Plain),
            ("NaiveTime", Plain),
            ("TimeDelta", Plain),
            ("Duration", Plain),
            ("Utc", Plain),
            ("FixedOffset", Plain),
            ("Weekday", Plain),
            ("Month", Plain),
        ],
    ),
    (
        "time",
        "",
        &[
            ("OffsetDateTime", Plain),
            ("PrimitiveDateTime", Plain),
            ("Date", Plain),
            ("Time", Plain),
            ("UtcOffset", Plain),
            ("Duration", Plain),
            ("Weekday", Plain),
            ("Month", Plain),
        ],
    ),
    ("uuid", "", &[("Uuid", Plain)]),
    (
        "rand",
        "rngs",
        &[("SmallRng", Plain), ("StdRng", Plain), ("ThreadRng", Plain)],
    ),
    (
        "std",
        "time",
        &[
            ("Duration", Plain),
            ("Instant", Plain),
            ("SystemTime", Plain),
        ],
    ),
    ("std", "path", &[("Path", Plain), ("PathBuf", Plain)]),
    (
        "std",
        "num",
        &[
            ("NonZeroU8", Plain),
            ("NonZeroU16", Plain),
            ("NonZeroU32", Plain),
            ("NonZeroU64", Plain),
            ("NonZeroUsize", Plain),
            ("NonZeroI32", Plain),
            ("NonZeroI64", Plain),
            ("NonZeroIsize", Plain),
        ],
    ),
    (
        "std",
        "collections",
        &[
            ("HashMap", Discrete(2)),
            ("BTreeMap", Discrete(2)),
            ("HashSet", Discrete(1)),
            ("BTreeSet", Discrete(1)),
        ],
    ),
];

/// Traits of type parameters whose values are no numbers, or integers.
const TRAITS: &[(&str, &str)] = &[
    ("rand", "Rng"),
    ("rand", "RngCore"),
    ("chrono", "TimeZone"),
    ("num_traits", "Unsigned"),
    ("num_traits", "PrimInt"),
    ("num", "Unsigned"),
    ("num", "PrimInt"),
    ("num", "Integer"),
    ("num_integer", "Integer"),
];

/// The names of the types.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let all = TYPES.iter().flat_map(|(.., types)| types.iter());
    all.map(|(name, _)| *name)
}

/// A check that a name means what it is taken for.
#[derive(Clone)]
enum Check {
    /// The type as it is written, and the one that is meant.
    Type(TokenStream, TokenStream),
    /// The same of a trait that a parameter is bound by.
    Trait(syn::Path, TokenStream),
}

impl Check {
    fn is_of_generator(&self) -> bool {
        let (Check::Type(_, meant) | Check::Trait(_, meant)) = self;
        let text = meant.to_string().replace(' ', "");
        text.starts_with("::rand::")
    }
}

/// Whether no derivative flows through a type, and by which checks.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
fn known(ty: &syn::Type, parameters: &[Parameter], checks: &mut Vec<Check>) -> bool {
    match ty {
        syn::Type::Paren(t) => known(&t.elem, parameters, checks),
        syn::Type::Group(t) => known(&t.elem, parameters, checks),
        // What is written through it would have to be put back.
        syn::Type::Reference(t) if t.mutability.is_some() && is_collection(&t.elem) => false,
        syn::Type::Reference(t) => known(&t.elem, parameters, checks),
        syn::Type::Slice(t) => known(&t.elem, parameters, checks),
        syn::Type::Array(t) => known(&t.elem, parameters, checks),
        syn::Type::Tuple(t) => t.elems.iter().all(|t| known(t, parameters, checks)),
        syn::Type::ImplTrait(t) => {
            let check = t
                .bounds
                .iter()
                .filter_map(trait_of)
                .find_map(without_derivative);
            let is_known = check.is_some();
            checks.extend(check);
            is_known
        }
        syn::Type::Path(t) if t.qself.is_none() => {
            if let Some(name) = t.path.get_ident() {
                if is_discrete(&name.to_string()) {
                    return true;
                }
                if let Some(parameter) = parameters.iter().find(|p| p.name == *name) {
                    checks.extend(parameter.check.clone());
                    return parameter.check.is_some();
                }
            }
            path(&t.path, parameters, checks)
        }
        _ => false,
    }
}

fn trait_of(bound: &syn::TypeParamBound) -> Option<&syn::Path> {
    if let syn::TypeParamBound::Trait(bound) = bound {
        Some(&bound.path)
    } else {
        None
    }
}

fn is_collection(ty: &syn::Type) -> bool {
    let syn::Type::Path(ty) = ty else {
        return false;
    };
    let last = ty.path.segments.last();
    last.is_some_and(|last| {
        ["Map", "Set"]
            .iter()
            .any(|end| last.ident.to_string().ends_with(end))
    })
}

fn is_discrete(name: &str) -> bool {
    name == "String" || is_primitive(name) && !matches!(name, "f32" | "f64")
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
fn path(written: &syn::Path, parameters: &[Parameter], checks: &mut Vec<Check>) -> bool {
    let Some(last) = written.segments.last() else {
        return false;
    };
    let inner: Vec<&syn::Type> = match &last.arguments {
        syn::PathArguments::None => Vec::new(),
        syn::PathArguments::AngleBracketed(list) => {
            let types = list.args.iter().filter_map(|arg| match arg {
                syn::GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            types.collect()
        }
        syn::PathArguments::Parenthesized(_) => return false,
    };
    let name = last.ident.to_string();
    if matches!(name.as_str(), "Vec" | "Option") && written.segments.len() == 1 && inner.len() == 1
    {
        return known(inner[0], parameters, checks);
    }
    let Some((krate, module, arguments)) = meant(written, &name) else {
        return false;
    };
    let substitutes = match arguments {
        Plain if inner.is_empty() => quote!(),
        Zone if inner.len() == 1 => quote!(<::chrono::Utc>),
        Discrete(count)
            if inner.len() == count && inner.iter().all(|ty| known(ty, parameters, checks)) =>
        {
            let units = std::iter::repeat_n(quote!(u8), count);
            quote!(<#(#units),*>)
        }
        Plain | Zone | Discrete(_) => return false,
    };
    let mut name = written.clone();
    if let Some(last) = name.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    let of = syn::Ident::new(krate, Span::call_site());
    let module = (!module.is_empty()).then(|| syn::Ident::new(module, Span::call_site()));
    let module = module.iter();
    let last = &last.ident;
    checks.push(Check::Type(
        quote!(#name #substitutes),
        quote!(::#of #(::#module)*::#last #substitutes),
    ));
    true
}

/// The crate, the module and the arguments of the type that a path means, as far as the text tells.
fn meant(written: &syn::Path, name: &str) -> Option<(&'static str, &'static str, Arguments)> {
    let at = written.span();
    let names = segment_names(written);
    let of_name = TYPES.iter().filter_map(|(krate, module, types)| {
        let (_, arguments) = types.iter().find(|(known, _)| *known == name)?;
        Some((*krate, *module, *arguments))
    });
    let mut all = of_name.peekable();
    // The text is searched for no other name: that takes long in a long file.
    all.peek()?;
    if names.len() > 1 {
        // `use crate::{coord, time};`: a module of the package.
        if is_of_package(written, at) || !may_be_crate(&names[0]) {
            return None;
        }
        let first = if names[0] == "core" { "std" } else { &names[0] };
        return all.find(|(krate, ..)| *krate == first);
    }
    if written.leading_colon.is_some() || declares(name, at) {
        return None;
    }
    let from = |krate: &str| {
        may_be_crate(krate) && imported_from_crate(name, krate, at)
            || krate == "std" && imported_from_crate(name, "core", at)
    };
    let mut all = all.filter(|(krate, ..)| from(krate));
    let one = all.next();
    one.filter(|_| all.next().is_none())
}

/// Whether the text declares something of this name.
fn declares(name: &str, at: Span) -> bool {
    let of = |text: &str| {
        ["struct", "enum", "type", "trait"]
            .iter()
            .any(|keyword| text.contains(&format!("{keyword} {name}")))
    };
    with_text(at, of).unwrap_or(false)
}

/// A type parameter, with the check of a bound that says that its values carry no derivative, if there is one.
struct Parameter {
    name: syn::Ident,
    check: Option<Check>,
}

fn parameters(generics: &[&syn::Generics]) -> Vec<Parameter> {
    let of = |generics: &syn::Generics| {
        let all = generics.type_params().map(|parameter| Parameter {
            name: parameter.ident.clone(),
            check: bounds_of(generics, parameter).find_map(without_derivative),
        });
        all.collect::<Vec<_>>()
    };
    generics.iter().flat_map(|generics| of(generics)).collect()
}

fn without_derivative(bound: &syn::Path) -> Option<Check> {
    if let Some(target) = into_discrete(bound) {
        let meant = quote!(::core::convert::Into<#target>);
        return Some(Check::Trait(bound.clone(), meant));
    }
    let last = bound.segments.last()?;
    let last = Some(last).filter(|last| last.arguments.is_none())?;
    let name = last.ident.to_string();
    let (krate, _) = TRAITS.iter().find(|(_, known)| *known == name)?;
    let from = match bound.segments.len() {
        1 => {
            let at = bound.span();
            imported_from_crate(&name, krate, at) && !declares(&name, at)
        }
        _ => bound.segments[0].ident == *krate,
    };
    let (krate, last) = (syn::Ident::new(krate, Span::call_site()), &last.ident);
    from.then(|| Check::Trait(bound.clone(), quote!(::#krate::#last)))
}

/// `usize` of the bound `Into<usize>`.
fn into_discrete(bound: &syn::Path) -> Option<&syn::Ident> {
    let syn::Type::Path(target) = into_target(bound)? else {
        return None;
    };
    let name = target.path.get_ident()?;
    is_discrete(&name.to_string()).then_some(name)
}

/// A check of each, as items.
fn items(checks: &[Check]) -> Option<syn::Item> {
    if checks.is_empty() {
        return None;
    }
    let mut seen = crate::ir::hash::HashSet::default();
    let checks = checks
        .iter()
        .map(|check| match check {
            Check::Trait(written, meant) => quote! {{
                fn of<__T: #meant + ?::core::marker::Sized>() {}
                fn written<__T: #written + ?::core::marker::Sized>() { of::<__T>() }
            }},
            Check::Type(written, meant) => {
                quote!({ fn names(written: &#written) { let _: &#meant = written; } })
            }
        })
        .filter(|check| seen.insert(check.to_string()));
    Some(syn::parse_quote!(const _: () = { #(#checks)* };))
}

/// Marks a parameter or field, and adds the checks, if its type carries no derivative and has to be marked for it.
fn mark(
    attrs: &mut Vec<syn::Attribute>,
    ty: &syn::Type,
    parameters: &[Parameter],
    checks: &mut Vec<Check>,
) {
    let mut of = Vec::new();
    if !attrs.iter().any(|a| a.path().is_ident("constant"))
        && known(ty, parameters, &mut of)
        && !of.is_empty()
    {
        // Behind `&mut` alone, whatever else is in the type.
        let lent = matches!(ty, syn::Type::Reference(of) if of.mutability.is_some());
        attrs.push(match lent && of.iter().all(Check::is_of_generator) {
            true => syn::parse_quote!(#[constant(__generator)]),
            false => syn::parse_quote!(#[constant]),
        });
        checks.extend(of);
    }
}

/// Whether the parameter was found to be a generator of random numbers.
pub(crate) fn is_generator(attrs: &[syn::Attribute]) -> bool {
    let mut lists = attrs.iter().filter_map(|a| a.meta.require_list().ok());
    lists.any(|list| list.path.is_ident("constant") && list.tokens.to_string() == "__generator")
}

/// Marks the parameters of a function; what checks them.
fn mark_parameters(sig: &mut syn::Signature, outer: Option<&syn::Generics>) -> Option<syn::Item> {
    let generics: Vec<&syn::Generics> = outer.into_iter().chain([&sig.generics]).collect();
    let parameters = parameters(&generics);
    let mut checks = Vec::new();
    for input in &mut sig.inputs {
        if let syn::FnArg::Typed(typed) = input {
            mark(&mut typed.attrs, &typed.ty, &parameters, &mut checks);
        }
    }
    items(&checks)
}

/// The same of a function with a body, which gets the checks.
fn mark_function(
    (sig, body): (&mut syn::Signature, &mut syn::Block),
    outer: Option<&syn::Generics>,
    krate: &syn::Path,
) {
    let check = mark_parameters(sig, outer).map(syn::Stmt::Item);
    // Of which type a generator is, only who calls the function knows.
    let asked = sig.inputs.iter().filter_map(|input| {
        if let syn::FnArg::Typed(typed) = input
            && is_generator(&typed.attrs)
            && let syn::Pat::Ident(name) = &*typed.pat
        {
            Some(&name.ident)
        } else {
            None
        }
    });
    let asked = asked.map(|name| -> syn::Stmt {
        let check = quote_spanned!(name.span()=> #krate::__rt::check_generator(&mut *#name););
        syn::parse_quote!(#check)
    });
    body.stmts.splice(0..0, check.into_iter().chain(asked));
}

/// Marks the parameters of a function through which no derivative flows, and adds the checks to its body.
pub(crate) fn marked(function: &mut syn::ItemFn, krate: &syn::Path) {
    mark_function((&mut function.sig, &mut function.block), None, krate);
}

/// Those of the functions of a block.
pub(crate) fn marked_in_block(block: &mut syn::ItemImpl, krate: &syn::Path) {
    let generics = block.generics.clone();
    for item in &mut block.items {
        if let syn::ImplItem::Fn(function) = item {
            let of = (&mut function.sig, &mut function.block);
            mark_function(of, Some(&generics), krate);
        }
    }
}

/// Those of the methods that a trait declares. What has a body may be another one in each `impl`: the state of a
/// generator is brought back.
pub(crate) fn marked_in_trait(definition: &mut syn::ItemTrait) {
    let generics = definition.generics.clone();
    for item in &mut definition.items {
        if let syn::TraitItem::Fn(function) = item {
            let _checked_in_each_impl = mark_parameters(&mut function.sig, Some(&generics));
            for input in &mut function.sig.inputs {
                if let syn::FnArg::Typed(typed) = input {
                    let attrs = typed.attrs.iter_mut();
                    attrs
                        .filter(|attr| is_generator(std::slice::from_ref(*attr)))
                        .for_each(|attr| *attr = syn::parse_quote!(#[constant]));
                }
            }
        }
    }
}

/// Marks the fields of a type; what checks them.
pub(crate) fn marked_fields(input: &mut syn::DeriveInput) -> Option<syn::Item> {
    let parameters = parameters(&[&input.generics]);
    let fields: Vec<&mut syn::Field> = match &mut input.data {
        syn::Data::Struct(data) => data.fields.iter_mut().collect(),
        syn::Data::Enum(data) => data
            .variants
            .iter_mut()
            .flat_map(|v| v.fields.iter_mut())
            .collect(),
        syn::Data::Union(_) => return None,
    };
    let mut checks = Vec::new();
    for field in fields {
        mark(&mut field.attrs, &field.ty, &parameters, &mut checks);
    }
    items(&checks)
}

#[cfg(test)]
#[path = "known_types_tests.rs"]
mod tests;
