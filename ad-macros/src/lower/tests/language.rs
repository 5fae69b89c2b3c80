//! Functions of one language feature each lower to IR that verifies.

use quote::ToTokens;

use super::structured;

const LANGUAGE: &str = include_str!("data/language.rs");

#[test]
fn every_feature_lowers_and_verifies() {
    let file: syn::File = syn::parse_str(LANGUAGE).expect("the functions parse");
    let mut functions = 0;
    for item in file.items {
        if let syn::Item::Fn(item) = item {
            structured(&item.to_token_stream().to_string());
            functions += 1;
        }
    }
    assert!(functions > 100, "only {functions} functions");
}
