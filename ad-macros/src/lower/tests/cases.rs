//! The case catalogue: what must lower, and what must be refused by which message.

use super::lowered_item;
use crate::ir;

const CASES: &str = include_str!("data/cases.rs");

/// Functions of the catalogue that are refused, each with its message.
const REFUSED: &[(&str, &str)] = &[
    ("larger", "returned-reference"),
    ("reference_to_larger_returned", "dereference dereference"),
    ("apply", "generic-type call-of-local"),
    ("boxed_linked_list", "option-method"),
];

#[test]
fn cases_lower_or_are_refused_by_name() {
    let file: syn::File = syn::parse_str(CASES).expect("the cases parse");
    let mut wrong = Vec::new();
    for item in &file.items {
        let syn::Item::Fn(item) = item else { continue };
        let name = item.sig.ident.to_string();
        let expected: Vec<&str> = REFUSED
            .iter()
            .filter(|(n, _)| *n == name)
            .flat_map(|(_, m)| m.split(' '))
            .collect();
        match lowered_item(item) {
            Ok(mut func) => {
                let lowered = ir::text(&func);
                super::super::exits::structure(&mut func);
                if let Err(reason) = ir::verify(&func) {
                    wrong.push(format!("{name}: {reason}\n{lowered}"));
                }
                if !expected.is_empty() {
                    wrong.push(format!("{name}: lowered"));
                }
                #[expect(clippy::print_stdout, reason = "on request only")]
                if std::env::var("SHOW").is_ok_and(|s| s == name || s == "all") {
                    println!("{lowered}\n------\n{}", ir::text(&func));
                }
            }
            Err(names) if names == expected => {}
            Err(names) => wrong.push(format!("{name}: {names:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
