//! The table is whole: operations have a term for each operand, and its rules are those of the runtime.

use std::collections::BTreeMap;
use std::path::Path;

use quote::ToTokens;

use crate::ir::rules::{Map, Value};
use crate::ir::{BinOp, MathFn, Rule, UnOp};

use super::interpreter;

/// The operations: name, operands, terms.
fn operations() -> Vec<(String, usize, &'static [Option<Map>])> {
    let functions = MathFn::ALL.iter().map(|f| {
        let arguments = interpreter::arguments(*f);
        (f.name().to_owned(), arguments, f.entry().terms)
    });
    let operators = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div, BinOp::Rem];
    let operators = operators.map(|op| {
        let entry = op.entry().expect("an operator on floats");
        (format!("{op:?}"), 2, entry.terms)
    });
    let neg = UnOp::Neg.entry().expect("an operator on floats");
    let neg = ("Neg".to_owned(), 1, neg.terms);
    functions.chain(operators).chain([neg]).collect()
}

#[test]
fn operations_have_a_term_for_each_operand() {
    for (name, operands, terms) in operations() {
        assert_eq!(terms.len(), operands, "{name}");
        for map in terms.iter().flatten() {
            let values = match map {
                Map::Identity | Map::Negate => Vec::new(),
                Map::Times(value) => vec![*value],
                Map::Rule(rule, values) => {
                    assert_eq!(rule.parameters(), 1 + values.len(), "{name}: {rule:?}");
                    values.to_vec()
                }
                Map::Convert => panic!("{name} converts"),
            };
            let own = |value: &Value| match value {
                Value::Operand(k) => *k < operands,
                Value::Result => true,
            };
            assert!(values.iter().all(own), "{name}: {values:?}");
        }
    }
}

/// The public functions of some files, with their numbers of parameters.
fn functions(text: &str, found: &mut BTreeMap<String, usize>) {
    for item in syn::parse_file(text).expect("a Rust file").items {
        if let syn::Item::Fn(f) = item
            && matches!(f.vis, syn::Visibility::Public(_))
        {
            found.insert(f.sig.ident.to_string(), f.sig.inputs.len());
        }
    }
}

/// Those that the runtime calls rules.
fn rules_of_the_runtime() -> BTreeMap<String, usize> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ad-runtime/src/rules");
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("the rules") {
        let path = entry.expect("a readable entry").path();
        functions(
            &std::fs::read_to_string(path).expect("a readable file"),
            &mut found,
        );
    }
    found
}

/// What generated code needs beside them, from the facade.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test that stops at, or skips, what it is not about"
)]
fn rules_of_the_facade() -> String {
    let facade = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/__rt.rs");
    let file = syn::parse_file(&std::fs::read_to_string(facade).expect("the facade"));
    let items = file.expect("a Rust file").items.into_iter();
    let mut modules = items.filter_map(|item| {
        if let syn::Item::Mod(m) = item
            && m.ident == "rules"
        {
            m.content
        } else {
            None
        }
    });
    let (_, items) = modules
        .next()
        .expect("the module that generated code names");
    let names = |item: &syn::Item| match item {
        syn::Item::Fn(f) => f.sig.ident.to_string(),
        syn::Item::Use(u) => u.tree.to_token_stream().to_string(),
        _ => String::new(),
    };
    items.iter().map(names).collect::<Vec<_>>().join(" ")
}

#[test]
fn rules_are_those_of_the_runtime() {
    let (mut runtime, facade) = (rules_of_the_runtime(), rules_of_the_facade());
    for rule in Rule::ALL {
        let name = rule.name();
        assert_eq!(
            interpreter::parameters(*rule),
            rule.parameters(),
            "{rule:?}"
        );
        match runtime.remove(name) {
            Some(parameters) => assert_eq!(parameters, rule.parameters(), "{rule:?}"),
            None => assert!(
                facade.split(' ').any(|word| word == name),
                "`{name}` in {facade}"
            ),
        }
    }
    assert!(runtime.is_empty(), "without a name: {runtime:?}");
}

/// A rule is guarded if its partial derivative can be infinite or NaN, and a zero seed gives zero there and everywhere
/// else.
#[test]
fn guards_are_where_the_table_says() {
    let values = [
        0.0,
        -0.0,
        0.5,
        1.0,
        -1.0,
        3.0,
        f64::INFINITY,
        -f64::INFINITY,
        f64::NAN,
    ];
    let arithmetic = |rule: &&Rule| **rule != Rule::Workers;
    for &rule in Rule::ALL.iter().filter(arithmetic) {
        let mut points = vec![Vec::new()];
        for _ in 1..rule.parameters() {
            let more = |point: &Vec<f64>| values.map(|value| [&point[..], &[value]].concat());
            points = points.iter().flat_map(more).collect();
        }
        let at =
            |seed: f64, point: &Vec<f64>| interpreter::rule(rule, &[&[seed], &point[..]].concat());
        let singular = points.iter().any(|point| !at(1.0, point).is_finite());
        let poisoned = points.iter().find(|point| at(0.0, point) != 0.0);
        if rule.is_guarded() {
            assert!(singular, "{rule:?} is nowhere singular");
            assert_eq!(poisoned, None, "{rule:?} of a zero seed");
        } else {
            assert!(!singular || poisoned.is_some(), "{rule:?} is guarded");
        }
    }
}
