//! Every form of `#[gradient]` in a crate whose lints are as strict as stable Rust has them: what the macro
//! generates must neither warn nor lack documentation.

#![forbid(unsafe_code, missing_docs, missing_copy_implementations, missing_debug_implementations)]
#![deny(warnings, unreachable_pub, clippy::all, clippy::pedantic)]
// Lints that are off by default, as some crates want them.
#![deny(
    absolute_paths_not_starting_with_crate,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    keyword_idents,
    let_underscore_drop,
    macro_use_extern_crate,
    meta_variable_misuse,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unsafe_op_in_unsafe_fn,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results,
    variant_size_differences,
    clippy::unwrap_used,
    clippy::print_stdout
)]
#![deny(rustdoc::broken_intra_doc_links, rustdoc::private_intra_doc_links)]

pub mod arguments;
pub mod attributes;
pub mod checkpoints;
pub mod floats;
pub mod generics;
pub mod macros;
pub mod names;
pub mod operators;
pub mod schemas;
pub mod own_types;
pub mod places;
pub mod records;
pub mod results;
pub mod rules;

/// Whether two numbers agree to rounding.
#[cfg(test)]
pub(crate) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-13 * (1.0 + a.abs().max(b.abs()))
}

/// As [`close`], element by element.
#[cfg(test)]
pub(crate) fn all_close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(*a, *b))
}
