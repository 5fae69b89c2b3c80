//! Which types are known by their names, and what is written for them.

use quote::ToTokens;

use super::*;

fn checked(ty: &str) -> Option<Vec<String>> {
    let mut checks = Vec::new();
    let ty: syn::Type = syn::parse_str(ty).expect("a type");
    let known = known(&ty, &[], &mut checks);
    let meant = checks.iter().map(|check| {
        let (Check::Type(_, meant) | Check::Trait(_, meant)) = check;
        meant.to_string().replace(' ', "")
    });
    known.then(|| meant.collect())
}

#[test]
fn types_are_known_by_their_path() {
    let one = |ty: &str| Some(vec![ty.to_owned()]);
    assert_eq!(
        checked("&chrono::DateTime<Tz>"),
        one("::chrono::DateTime<::chrono::Utc>")
    );
    assert_eq!(checked("&[chrono::NaiveDate]"), one("::chrono::NaiveDate"));
    assert_eq!(
        checked("std::num::NonZeroU32"),
        one("::std::num::NonZeroU32")
    );
    let map = "std::collections::HashMap<String, Vec<usize>>";
    assert_eq!(checked(map), one("::std::collections::HashMap<u8,u8>"));
    assert_eq!(checked("std::collections::HashMap<String, f64>"), None);
    assert_eq!(checked("&mut std::collections::HashMap<u8, u8>"), None);
    assert_eq!(checked("own::DateTime<Tz>"), None);
    assert_eq!(
        checked("DateTime<Tz>"),
        None,
        "nothing shows where it is from"
    );
    assert_eq!(checked("(chrono::NaiveDate, f64)"), None);
    assert_eq!(checked("usize"), Some(Vec::new()));
}

#[test]
fn parameters_are_marked_and_checked() {
    let mut function: syn::ItemFn = syn::parse_quote! {
        fn f<R: rand::Rng + ?Sized>(x: f64, rng: &mut R, at: chrono::NaiveDate, n: usize) -> f64 { x }
    };
    marked(&mut function, &syn::parse_quote!(::retrograde));
    let text = function.to_token_stream().to_string().replace(' ', "");
    assert!(
        text.contains("#[constant(__generator)]rng:&mutR,#[constant]at:chrono::NaiveDate,n:usize")
    );
    assert!(text.contains("written:&chrono::NaiveDate){let_:&::chrono::NaiveDate=written;}"));
    assert!(text.contains("written<__T:rand::Rng+?::core::marker::Sized>(){of::<__T>()}"));
}
