//! Functions without an attribute, called with a value that has a derivative: `check_len(x)?`, `t[level(x)]`.
//!
//! | the text of the file shows | the call |
//! |---|---|
//! | that what comes out counts, or names a variant, and that no float is in its bits | is taken as it is |
//! | that the function has no attribute | a message, where a derivative goes in |
//! | neither | is one of a function with sweeps |
//!
//! What comes out could hold a float in its bits, which the caller makes one of again, and a cell could hold what goes
//! in. So the body, and those of what it calls, may not speak of bits, and may call nothing that cannot be read but
//! what std has for numbers, options and containers. What a `Result` says beside its value has no derivative anyway.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

use super::Lowerer;
use super::callee::segment_names;
use super::plain_bodies::has_no_bits;
use super::scope::plain_ident;
use super::types::result_of;
use crate::edition::is_2015;
use crate::generic::{bounds_of, is_of_std};
use crate::ir::hash::HashSet;
use crate::ir::{Answer, Callee, CalleeKind, IntTy, Ty, Without, path_of_libm, spells};
use crate::surroundings::{
    Elsewhere, elsewhere, function_of_module, is_fieldless, is_plain_method, is_plain_trait,
    with_text,
};

impl Lowerer<'_> {
    /// Notes what the text shows of a function that is called by its name. A variant has no type in the call.
    pub(super) fn note_plain(&mut self, callee: &mut Callee) -> Option<Ty> {
        if self.is_of_trait_alone(callee) {
            callee.without = Some(Without::OfTrait);
            return None;
        }
        if callee.without.is_none() && self.is_plain_method(callee) {
            callee.without = Some(Without::Plain);
            return None;
        }
        let key = segment_names(&callee.path.path).join("::");
        let sweeps = self.func.beside_modules.get(&key);
        let of_module = callee.kind == CalleeKind::Function && callee.path.qself.is_none();
        if of_module && sweeps.is_none() && self.note_unseen(&callee.path) == Elsewhere::Plain {
            callee.without = Some(Without::Plain);
            return None;
        }
        let name = plain_ident(&callee.path).filter(|_| callee.kind == CalleeKind::Function)?;
        if self.func.items.iter().any(|item| may_declare(item, name)) {
            return None;
        }
        let at = self.func.name.span();
        let function = function_of_module(at, name).filter(|f| f.attrs.iter().all(is_inert))?;
        let outcome = is_discrete(&function, at, &mut HashSet::default());
        if outcome {
            callee.answer = Some(Answer::Discrete);
        } else if with_text(at, brings_no_rule) == Some(true) {
            callee.without = Some(Without::Plain);
        }
        let syn::ReturnType::Type(_, output) = &function.sig.output else {
            return None;
        };
        let value = result_of(&function.sig.output).unwrap_or(output);
        (outcome && names_a_variant(value, at)).then_some(Ty::Passive)
    }
}

impl Lowerer<'_> {
    /// Notes that the text does not show whether a function has sweeps. An item of the body may be what is meant.
    fn note_unseen(&mut self, path: &syn::ExprPath) -> Elsewhere {
        let found = elsewhere(&path.path, is_inert);
        if found == Elsewhere::Unclear {
            self.note_unshown(path);
        }
        found
    }

    /// The same of one that is given to another function, which may have no use for its derivative.
    pub(super) fn note_given(&mut self, path: &syn::ExprPath) {
        if elsewhere(&path.path, is_inert) != Elsewhere::Unknown {
            self.note_unshown(path);
        }
    }

    fn note_unshown(&mut self, path: &syn::ExprPath) {
        let name = path.path.segments.first().map(|first| &first.ident);
        let inside = |name| self.func.items.iter().any(|item| may_declare(item, name));
        if !name.is_none_or(inside) && path_of_libm(path).is_none() && !is_2015() {
            self.func
                .unseen
                .insert(segment_names(&path.path).join("::"));
        }
    }

    /// Whether it is a method, or a function of a type, that has no attribute wherever the text has one.
    fn is_plain_method(&self, callee: &Callee) -> bool {
        let mut segments = callee.path.path.segments.iter().rev();
        let (Some(name), of) = (segments.next(), segments.next()) else {
            return false;
        };
        let ty = match (callee.kind, of) {
            (CalleeKind::Method, _) => None,
            (CalleeKind::Associated, Some(of)) if callee.path.qself.is_none() => Some(&of.ident),
            _ => return false,
        };
        let of_self = ty.is_some_and(|ty| ty == "Self");
        // A method of this name may be that of a number.
        let word = name.ident.to_string();
        let of_float = (0..3).any(|args| super::is_float_function(&word, args));
        !of_self && !of_float && is_plain_method(&name.ident, ty, is_inert)
    }

    /// `Trait::f(x)`, where the function has no parameters that such a trait could be a bound of.
    fn is_of_trait_alone(&self, callee: &Callee) -> bool {
        let path = &callee.path.path;
        let mut of = path.clone();
        let method = of.segments.pop();
        of.segments.pop_punct();
        callee.kind == CalleeKind::Associated
            && callee.path.qself.is_none()
            && method.is_some()
            && match of.get_ident().and_then(|name| self.type_parameter(name)) {
                Some(parameter) => self.has_plain_bounds(parameter),
                None => self.generics.params.is_empty() && is_plain_trait(&of),
            }
    }

    fn type_parameter(&self, name: &syn::Ident) -> Option<&syn::TypeParam> {
        let mut parameters = self.generics.type_params();
        parameters.find(|parameter| parameter.ident == *name)
    }

    /// Whether all traits that bind a parameter, those of std apart, are ones of the package without `#[gradient]`.
    fn has_plain_bounds(&self, parameter: &syn::TypeParam) -> bool {
        let bounds = bounds_of(&self.generics, parameter);
        let mut own = bounds
            .filter(|bound| {
                !bound
                    .segments
                    .last()
                    .is_none_or(|last| is_of_std(&last.ident))
            })
            .peekable();
        own.peek().is_some() && own.all(is_plain_trait)
    }
}

/// Whether an item of the body may be what the name means there.
fn may_declare(item: &syn::Item, name: &syn::Ident) -> bool {
    match item {
        syn::Item::Fn(item) => item.sig.ident == *name,
        syn::Item::Const(item) => item.ident == *name,
        syn::Item::Static(item) => item.ident == *name,
        syn::Item::Struct(item) => item.ident == *name,
        syn::Item::Enum(_) | syn::Item::Type(_) | syn::Item::Impl(_) | syn::Item::Trait(_) => false,
        // Imports, and what macros make.
        _ => true,
    }
}

/// Whether nothing in a file can be, or bring from elsewhere, a rule for a function that is declared there.
fn brings_no_rule(text: &str) -> bool {
    let of_std = |line: &str| ["std::", "core::"].iter().any(|name| line.contains(name));
    let globs = text
        .lines()
        .any(|line| line.contains("::*") && !of_std(line));
    !globs && !text.contains("derivative_of")
}

/// Attributes that leave a function as it is.
fn is_inert(attribute: &syn::Attribute) -> bool {
    const NAMES: [&str; 9] = [
        "doc",
        "inline",
        "must_use",
        "allow",
        "expect",
        "warn",
        "cold",
        "deprecated",
        "track_caller",
    ];
    let path = attribute.path();
    NAMES.iter().any(|name| path.is_ident(name))
        || path
            .segments
            .first()
            .is_some_and(|first| first.ident == "clippy")
}

/// Whether what comes out is discrete, and made of no bits of floats.
fn is_discrete(function: &syn::ItemFn, at: Span, seen: &mut HashSet<String>) -> bool {
    let sig = &function.sig;
    let syn::ReturnType::Type(_, output) = &sig.output else {
        return false;
    };
    let value = result_of(&sig.output).unwrap_or(output);
    let writes = sig.inputs.iter().any(|input| {
        matches!(input, syn::FnArg::Typed(input) if spells_mut(&input.ty.to_token_stream()))
    });
    let plain = sig.asyncness.is_none() && sig.unsafety.is_none() && sig.abi.is_none();
    plain
        && !writes
        && sig.generics.type_params().next().is_none()
        && is_discrete_type(value, at)
        && has_no_bits(function, at, seen)
}

fn is_discrete_type(ty: &syn::Type, at: Span) -> bool {
    match super::signature::ungroup(ty) {
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(|ty| is_discrete_type(ty, at)),
        syn::Type::Path(path) if path.qself.is_none() => {
            let Some(last) = path.path.segments.last() else {
                return false;
            };
            let name = last.ident.to_string();
            match &last.arguments {
                syn::PathArguments::None => is_count(&name) || names_a_variant(ty, at),
                syn::PathArguments::AngleBracketed(arguments) => {
                    matches!(name.as_str(), "Option" | "Vec")
                        && arguments.args.iter().all(|argument| match argument {
                            syn::GenericArgument::Type(ty) => {
                                is_discrete_type(ty, at) && !names_a_variant(ty, at)
                            }
                            _ => false,
                        })
                }
                syn::PathArguments::Parenthesized(_) => false,
            }
        }
        _ => false,
    }
}

fn is_count(name: &str) -> bool {
    IntTy::from_name(name).is_some() || matches!(name, "bool" | "char")
}

/// Whether the type is an enum of the same module whose variants hold nothing.
fn names_a_variant(ty: &syn::Type, at: Span) -> bool {
    let syn::Type::Path(path) = super::signature::ungroup(ty) else {
        return false;
    };
    let name = path.path.get_ident();
    name.is_some_and(|name| !is_count(&name.to_string()) && is_fieldless(at, name))
}

/// Whether something can be written through a type.
fn spells_mut(ty: &TokenStream) -> bool {
    ["mut", "Cell", "RefCell"]
        .iter()
        .any(|name| spells(ty.clone(), name))
}
