//! `#[derivative_of(path::g)]`: a derivative that the user writes for a function whose text the macro does not see.
//!
//! A call `g(x)` in a differentiated function runs the sweeps of the type `g` (`interface/companion.rs`). The rule
//! declares that type, under the last name of the path, where the rule stands: so names find a rule as they find any
//! item, a second one of that name in the same scope is an error of rustc, and two that globs bring are ambiguous. The
//! sweeps compare the function that is called with the one that the rule is for, as all sweeps do.

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the user's syntax has more forms than are asked for"
)]
mod read;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, Path, Token};

use crate::diag::{Diagnostics, catalog};
use crate::interface::{self, RuleSurface};
use crate::ir::{Passing, Ty};
use crate::lower::{self, Owner};
use crate::surroundings::{Surroundings, surroundings};

/// The helper attributes on parameters of a rule.
const HELPERS: [&str; 3] = ["constant", "in_out", "result"];

/// What the attribute says.
struct Arguments {
    /// The function that the rule is for.
    target: Path,
    /// `companion = name`: the name of the type that carries the sweeps.
    companion: Option<Ident>,
    /// `crate = path`: where the facade crate is found.
    krate: Path,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut arguments = Arguments {
            target: input.parse()?,
            companion: None,
            krate: syn::parse_quote!(::retrograde),
        };
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            if input.peek(Token![crate]) {
                input.parse::<Token![crate]>()?;
                input.parse::<Token![=]>()?;
                arguments.krate = input.call(Path::parse_mod_style)?;
                continue;
            }
            let key: Ident = input.parse()?;
            if key != "companion" {
                return Err(syn::Error::new(key.span(), format!("unknown `{key}`")));
            }
            input.parse::<Token![=]>()?;
            arguments.companion = Some(input.parse()?);
        }
        Ok(arguments)
    }
}

/// The rule as written, and the sweeps that call it.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut diags = Diagnostics::new();
    let written = crate::input::without(item.clone(), &HELPERS);
    let generated = generated(arguments, &item, &mut diags);
    let generated = generated.filter(|_| diags.is_empty());
    let errors = diags.into_tokens();
    quote!(#written #generated #errors)
}

fn generated(
    arguments: TokenStream,
    item: &TokenStream,
    diags: &mut Diagnostics,
) -> Option<TokenStream> {
    let arguments = match syn::parse2::<Arguments>(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            diags.at(error.span(), catalog::rule_syntax(&error.to_string()));
            return None;
        }
    };
    let Ok(rule) = syn::parse2::<syn::ItemFn>(item.clone()) else {
        diags.over(item, catalog::rule_item("this is no function with a body"));
        return None;
    };
    if !stands_well(&rule, &arguments.target, diags) || !names_a_function(&arguments.target, diags)
    {
        return None;
    }
    let name = &arguments.target.segments.last()?.ident;
    let form = match read::read(&rule, name) {
        Ok(form) => form,
        Err((span, message)) => {
            diags.at(span, message);
            return None;
        }
    };
    let reported = diags.len();
    let Some(func) = lower::lower(&form.function, &Owner::default(), diags) else {
        debug_assert!(
            diags.len() > reported,
            "a signature is refused with a message"
        );
        return None;
    };
    if func.failure.is_some() {
        let reason = "is for a function that returns a `Result`";
        diags.at(rule.sig.ident.span(), catalog::rule_signature(reason));
        return None;
    }
    let active = func.signature().iter().filter(|p| p.differentiable());
    let active = active.count();
    if let Some((span, message)) = read::disagreement(&form, active, &rule) {
        diags.at(span, message);
        return None;
    }
    for (param, span) in func.signature().iter().zip(&form.places) {
        if param.passing == Passing::InOut && !can_be_saved(&param.ty) {
            diags.at(*span, catalog::rule_in_out("a value of this type"));
            return None;
        }
    }
    let surface = RuleSurface {
        attrs: rule
            .attrs
            .iter()
            .filter(|a| a.path().is_ident("cfg"))
            .collect(),
        vis: &rule.vis,
        rule: &rule.sig.ident,
        target: &arguments.target,
        companion: arguments.companion.as_ref().unwrap_or(name),
        krate: &arguments.krate,
        result: form.result,
        left: form.left,
        seed: form.seed,
        only: only_rule(&arguments.target),
    };
    Some(interface::rule(&surface, &form.function, &func))
}

/// Whether the rule is a plain function in a module or a body, and does not hide its function.
fn stands_well(rule: &syn::ItemFn, target: &Path, diags: &mut Diagnostics) -> bool {
    let sig = &rule.sig;
    let refused = if crate::input::is_associated(rule)
        || matches!(
            surroundings(sig.ident.span()),
            Surroundings::Impl | Surroundings::Trait
        ) {
        "it stands in an `impl` or a trait"
    } else if target.segments.last().is_some_and(|s| s.ident == sig.ident) {
        "it has the name of the function, which would then mean the rule"
    } else if !sig.generics.params.is_empty() {
        "it has generic parameters"
    } else if sig.asyncness.is_some() || sig.unsafety.is_some() || sig.variadic.is_some() {
        "it is `async`, `unsafe` or variadic"
    } else {
        return true;
    };
    diags.at(sig.ident.span(), catalog::rule_item(refused));
    false
}

/// Whether the path can be that of a free function: nothing in front of its name begins with a capital.
fn names_a_function(target: &Path, diags: &mut Diagnostics) -> bool {
    let before = target.segments.iter().rev().nth(1);
    let of_type = before.is_some_and(|s| {
        let name = s.ident.unraw().to_string();
        name.starts_with(char::is_uppercase) || lower::is_primitive(&name)
    });
    if of_type {
        diags.over(target, catalog::rule_of_method());
        return false;
    }
    match target.segments.last().map(|s| s.ident.unraw().to_string()) {
        Some(name) if lower::is_primitive(&name) => {
            diags.over(target, catalog::primitive_name(&name));
            false
        }
        _ => true,
    }
}

/// Whether the sweeps can keep what the function overwrites: numbers, and arrays and slices of them.
fn can_be_saved(ty: &Ty) -> bool {
    match ty {
        Ty::F32 | Ty::F64 | Ty::Int(_) | Ty::Index | Ty::Bool | Ty::Char => true,
        Ty::Array(t, _) | Ty::Slice(t) => can_be_saved(t) && !matches!(**t, Ty::Slice(_)),
        Ty::Float
        | Ty::Four(_)
        | Ty::Mirrored(_)
        | Ty::Unit
        | Ty::Str
        | Ty::Passive
        | Ty::Unknown
        | Ty::Struct(_)
        | Ty::Infer(_)
        | Ty::Vec(_)
        | Ty::Queue(_)
        | Ty::Option(_)
        | Ty::Ref(..)
        | Ty::Tuple(_) => false,
    }
}

/// The name of an item that a crate can have but once: a second rule for the same path anywhere in it is an error. None
/// for a path that may mean something else in another module.
fn only_rule(target: &Path) -> Option<Ident> {
    let names: Vec<String> = target
        .segments
        .iter()
        .map(|s| s.ident.unraw().to_string())
        .collect();
    let (first, last) = (names.first()?, target.segments.last()?);
    let from_a_root = names.len() > 1
        && (target.leading_colon.is_some() || first == "crate" || names_a_crate(first));
    from_a_root.then(|| {
        let text = format!("the_only_rule_of_{}", names.join("_"));
        Ident::new(&text, last.ident.span())
    })
}

/// Whether rustc was told of a crate of this name. Where the compiler is not rustc, none is known.
fn names_a_crate(name: &str) -> bool {
    let mut behind_extern = false;
    std::env::args_os().any(|argument| {
        let argument = argument.to_string_lossy();
        let told = argument.strip_prefix("--extern=");
        let told = told.or_else(|| behind_extern.then_some(&*argument));
        // `options:name=path`.
        let found = told.is_some_and(|told| {
            let told = told.split_once('=').map_or(told, |(told, _)| told);
            told.rsplit_once(':').map_or(told, |(_, told)| told) == name
        });
        behind_extern = argument == "--extern";
        found
    })
}
