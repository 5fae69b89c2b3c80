use proc_macro2::Span;

use super::{Diagnostics, catalog};
use crate::ir::hash::HashSet;

#[test]
fn names_are_unique_and_kebab_case() {
    let mut seen = HashSet::default();
    for name in catalog::ALL {
        assert!(seen.insert(*name), "`{name}` is there twice");
        assert!(
            name.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
            "`{name}` is not kebab-case"
        );
    }
}

#[test]
fn every_mistake_is_one_compile_error() {
    let mut diags = Diagnostics::new();
    diags.at(Span::call_site(), catalog::closure());
    diags.at(Span::call_site(), catalog::question_mark());
    let text = diags.into_tokens().to_string();
    assert_eq!(text.matches("compile_error").count(), 2);
    assert!(text.contains("help: "));
}
