//! Results under a name: `StatsResult<f64>` of a `pub type StatsResult<T> = Result<T, StatsError>;`.
//!
//! The text of the package shows the alias and which of its parameters the value is. What the error is called there
//! may mean something else here, so it is written as that of the alias, `<StatsResult<f64> as Outcome>::Error`. Where
//! the name means another type than the text of the package shows, that is an error of rustc.
//!
//! What another crate calls so (`use units::UnitResult;`) is taken for one as well where a function returns it, it ends
//! so, and it has one argument, the type of the value; rustc checks that, too.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

use super::is_known;
use crate::input::Target;
use crate::ir::parameter_names;
use crate::surroundings::{Declared, declared, is_of_other_crate, is_of_package};

/// Aliases of aliases: as deep as one looks.
const DEPTH: usize = 4;

/// The item with such names written out.
pub(crate) fn written_out(target: &mut Target, krate: &syn::Path) {
    match target {
        Target::Function(function) => {
            let at = function.sig.ident.span();
            let mut writer = Writer::new(krate, at, &function.sig.generics);
            writer.visit_item_fn_mut(function);
        }
        Target::Impl(block)
        | Target::Operator(block)
        | Target::Trait(block)
        | Target::OfLanguage(block) => {
            let at = block.impl_token.span();
            let mut writer = Writer::new(krate, at, &block.generics);
            block
                .items
                .iter_mut()
                .for_each(|item| writer.visit_impl_item_mut(item));
        }
        Target::Definition(definition) => {
            let at = definition.ident.span();
            written_out_in_trait(definition, at, krate);
        }
    }
}

/// The same of a trait that the text shows, for what stands in this place.
pub(crate) fn written_out_in_trait(definition: &mut syn::ItemTrait, at: Span, krate: &syn::Path) {
    let mut writer = Writer::new(krate, at, &definition.generics);
    let items = definition.items.iter_mut();
    items.for_each(|item| writer.visit_trait_item_mut(item));
}

/// The trait as written, but for what was added to what `with` says of it.
pub(crate) fn restored(
    mut defined: syn::ItemTrait,
    with: &syn::ItemTrait,
    as_written: TokenStream,
) -> syn::ItemTrait {
    let Ok(as_written) = syn::parse2::<syn::ItemTrait>(as_written) else {
        return defined;
    };
    for (before, original) in with.items.iter().zip(&as_written.items) {
        let (syn::TraitItem::Fn(before), syn::TraitItem::Fn(original)) = (before, original) else {
            continue;
        };
        for item in &mut defined.items {
            if let syn::TraitItem::Fn(item) = item
                && item.sig.ident == before.sig.ident
            {
                if item.sig == before.sig {
                    item.sig = original.sig.clone();
                }
                if item.default == before.default {
                    item.default.clone_from(&original.default);
                }
            }
        }
    }
    defined
}

/// What a type of the package's text is, for who asks for that of the value, or for an error that is a number.
pub(crate) fn written_out_in_output(output: &mut syn::ReturnType, at: Span) {
    let known = |ty| parts(ty, at, DEPTH).or_else(|| Some((of_other_crate(ty, at)?.1, None)));
    if let syn::ReturnType::Type(_, ty) = output
        && let Some((value, error)) = known(ty)
    {
        let error = error.unwrap_or_else(|| syn::parse_quote!(_));
        **ty = syn::parse_quote!(Result<#value, #error>);
    }
}

struct Writer<'k> {
    krate: &'k syn::Path,
    at: Span,
    /// Parameters around, whose names come in front.
    hidden: Vec<Ident>,
    /// The type that is returned by the function whose types are looked at, if another crate has its name.
    returned: Option<Ident>,
}

impl<'k> Writer<'k> {
    fn new(krate: &'k syn::Path, at: Span, generics: &syn::Generics) -> Self {
        let hidden = parameter_names(generics).cloned().collect();
        Writer {
            krate,
            at,
            hidden,
            returned: None,
        }
    }

    fn returned_by(&self, sig: &syn::Signature) -> Option<Ident> {
        let syn::ReturnType::Type(_, ty) = &sig.output else {
            return None;
        };
        of_other_crate(ty, self.at).map(|(name, _)| name.clone())
    }

    /// The types of a value and its error, where a type is a `Result` under a name of the package or another crate.
    fn shown(&self, ty: &syn::Type) -> Option<(syn::Type, Option<syn::Type>)> {
        if let Some(found) = shown(ty, self.at) {
            return Some(found);
        }
        let (name, value) = of_other_crate(ty, self.at)?;
        (self.returned.as_ref() == Some(name)).then(|| (value, None))
    }
}

/// The name that another crate gives to what may be a `Result`, and the type of its value.
fn of_other_crate(ty: &syn::Type, at: Span) -> Option<(&Ident, syn::Type)> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    let name = last.ident.unraw().to_string();
    let [value] = <[syn::Type; 1]>::try_from(arguments(last)?).ok()?;
    let named = name.ends_with("Result") && name != "Result" && path.qself.is_none();
    (named && is_of_other_crate(&path.path, at)).then_some((&last.ident, value))
}

impl VisitMut for Writer<'_> {
    fn visit_item_fn_mut(&mut self, function: &mut syn::ItemFn) {
        self.returned = self.returned_by(&function.sig);
        visit_mut::visit_item_fn_mut(self, function);
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut syn::ImplItemFn) {
        self.returned = self.returned_by(&function.sig);
        visit_mut::visit_impl_item_fn_mut(self, function);
    }

    fn visit_trait_item_fn_mut(&mut self, function: &mut syn::TraitItemFn) {
        self.returned = self.returned_by(&function.sig);
        visit_mut::visit_trait_item_fn_mut(self, function);
    }

    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        visit_mut::visit_type_mut(self, ty);
        let hidden = match &*ty {
            syn::Type::Path(path) => {
                let alone = path.path.get_ident();
                alone.is_some_and(|name| self.hidden.contains(name))
            }
            _ => return,
        };
        let span = ty.span();
        if !hidden && let Some((value, error)) = self.shown(ty) {
            let krate = self.krate;
            let error = error.unwrap_or_else(
                || syn::parse_quote_spanned!(span=> <#ty as #krate::__rt::Outcome>::Error),
            );
            *ty = syn::parse_quote_spanned!(span=> ::core::result::Result<#value, #error>);
        }
    }

    // Their names may be others.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The types of the value and, if it is a number, of the error, where the name is one of the package's.
fn shown(ty: &syn::Type, at: Span) -> Option<(syn::Type, Option<syn::Type>)> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let own = path.qself.is_none() && is_of_package(&path.path, at);
    own.then(|| parts(ty, at, DEPTH)).flatten()
}

/// The same of a name that the package declares.
fn parts(ty: &syn::Type, at: Span, depth: usize) -> Option<(syn::Type, Option<syn::Type>)> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    let name = last.ident.unraw().to_string();
    if depth == 0 || path.qself.is_some() || is_known(&name) {
        return None;
    }
    let mut ident = last.ident.clone();
    ident.set_span(at);
    let Some(Declared::Alias(alias)) = declared(at, &ident) else {
        return None;
    };
    let given = arguments(last)?;
    let mut of = (*alias.ty).clone();
    Given::of(&alias.generics, &given)?.visit_type_mut(&mut of);
    let (value, error) = match parts(&of, at, depth - 1) {
        Some((value, error)) => (value, error),
        None => of_std(&of)?,
    };
    // Other names mean something in the place of the alias.
    let plain = |ty: &syn::Type| is_plain(ty, &given);
    plain(&value).then(|| (value, error.filter(plain)))
}

/// Those of std's.
fn of_std(ty: &syn::Type) -> Option<(syn::Type, Option<syn::Type>)> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    let mut before = path.path.segments.iter().rev().skip(1);
    let of_std = before.next().is_none_or(|module| module.ident == "result");
    let mut arguments = arguments(last)?.into_iter();
    let (value, error) = (arguments.next()?, arguments.next()?);
    (last.ident == "Result" && of_std && path.qself.is_none()).then_some((value, Some(error)))
}

/// The types behind a name, if there is nothing else.
fn arguments(segment: &syn::PathSegment) -> Option<Vec<syn::Type>> {
    let syn::PathArguments::AngleBracketed(args) = &segment.arguments else {
        return segment.arguments.is_none().then(Vec::new);
    };
    let types = args.args.iter().map(|arg| match arg {
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    });
    types.collect()
}

/// Numbers, what is given, and what the language and std make of them.
fn is_plain(ty: &syn::Type, given: &[syn::Type]) -> bool {
    if given.contains(ty) {
        return true;
    }
    match ty {
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(|ty| is_plain(ty, given)),
        syn::Type::Array(array) => {
            matches!(array.len, syn::Expr::Lit(_)) && is_plain(&array.elem, given)
        }
        syn::Type::Path(path) => {
            let Some(segment) = path.path.segments.first() else {
                return false;
            };
            let name = segment.ident.to_string();
            let holds = matches!(name.as_str(), "Vec" | "Option" | "Box");
            let alone = path.qself.is_none() && path.path.segments.len() == 1;
            let inside =
                || arguments(segment).is_some_and(|args| args.iter().all(|ty| is_plain(ty, given)));
            alone && (crate::lower::is_primitive(&name) || holds && inside())
        }
        _ => false,
    }
}

/// What is given for the parameters of an alias.
struct Given(Vec<(Ident, syn::Type)>);

impl Given {
    fn of(generics: &syn::Generics, given: &[syn::Type]) -> Option<Self> {
        let mut given = given.iter();
        let types = generics.params.iter().map(|param| match param {
            syn::GenericParam::Type(param) => {
                let ty = given.next().cloned().or_else(|| param.default.clone());
                Some((param.ident.clone(), ty?))
            }
            _ => None,
        });
        let types: Vec<_> = types.collect::<Option<_>>()?;
        given.next().is_none().then_some(Given(types))
    }
}

impl VisitMut for Given {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        let name = match &*ty {
            syn::Type::Path(path) if path.qself.is_none() => path.path.get_ident(),
            _ => None,
        };
        let given = name.and_then(|name| self.0.iter().find(|(param, _)| param == name));
        match given {
            Some((_, given)) => *ty = given.clone(),
            None => visit_mut::visit_type_mut(self, ty),
        }
    }
}
