//! What the user calls a variable, and what we call what has no name.

use proc_macro2::Ident;
use quote::format_ident;

use super::{Func, Place, Proj, VarId};

/// The name that the user wrote: that in the IR can have a number behind it.
pub(crate) fn name(func: &Func, var: VarId) -> String {
    if let Some((whole, number)) = func.part_of.get(&var) {
        return name(func, *whole) + number;
    }
    written(func, var).unwrap_or_else(|| func.var(var).name.to_string())
}

/// The region of a place in messages and names: the variable and its fields.
pub(crate) fn region_name(func: &Func, place: &Place) -> String {
    let fields = place
        .whole_region()
        .proj
        .into_iter()
        .filter_map(|proj| match proj {
            Proj::Field(field) => Some(format!(".{field}")),
            Proj::Deref
            | Proj::Index(_)
            | Proj::Range { .. }
            | Proj::Payload
            | Proj::Variant(_)
            | Proj::Unbox => None,
        });
    name(func, place.root) + &fields.collect::<String>()
}

/// The identifier in the source that the variable stands for, if there is one. Where no source is at hand, its name.
pub(crate) fn written(func: &Func, var: VarId) -> Option<String> {
    let name = &func.var(var).name;
    match name.span().source_text() {
        None => Some(name.to_string()),
        Some(text) if *name == text => Some(text),
        Some(text) => syn::parse_str::<Ident>(&text).is_ok().then_some(text),
    }
}

/// What the type parameter for an `impl Trait` is called.
const IMPL: &str = "__Impl";

/// The name of the type parameter for the `n`-th `impl Trait` among the arguments.
pub(crate) fn of_impl(n: usize) -> Ident {
    format_ident!("{IMPL}{n}")
}

/// The name of the type parameter for a function that is the `n`-th argument.
pub(crate) fn of_function(n: usize) -> Ident {
    format_ident!("{IMPL}Function{n}")
}

/// Whether a type parameter stands for an `impl Trait`.
pub(crate) fn is_of_impl(parameter: &Ident) -> bool {
    parameter.to_string().starts_with(IMPL)
}
