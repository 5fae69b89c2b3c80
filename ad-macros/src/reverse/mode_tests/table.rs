//! The table is whole: operations have a term for each operand, and its rules are those of the runtime.

use std::collections::BTreeMap;
use std::path::Path;

use crate::ir::rules::{Map, Rule, Value};
use crate::ir::{BinOp, MathFn, UnOp};

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
        match item {
            syn::Item::Fn(f) if matches!(f.vis, syn::Visibility::Public(_)) => {
                found.insert(f.sig.ident.to_string(), f.sig.inputs.len());
            }
            _ => {}
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

#[test]
fn the_rules_of_terms_are_rules_of_the_runtime() {
    let runtime = rules_of_the_runtime();
    let mut compared = 0;
    for (name, _, terms) in operations() {
        for map in terms.iter().flatten() {
            if let Map::Rule(rule, _) = map {
                let parameters = runtime.get(rule.name());
                assert_eq!(parameters, Some(&rule.parameters()), "{name}: {rule:?}");
                assert_eq!(
                    interpreter::parameters(*rule),
                    rule.parameters(),
                    "{rule:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared >= 46, "{compared} terms are rules");
}

/// A rule is guarded if its partial derivative can be infinite or NaN, and a zero seed gives zero there and everywhere else.
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
    for &rule in Rule::ALL {
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
