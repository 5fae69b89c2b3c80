//! The generator's own tests; the comparison with the macro is the program itself.

use std::collections::{BTreeMap, BTreeSet};

use crate::accept::{Kind, evaluate};
use crate::generate::program;
use crate::project::{Project, Settings};
use crate::text::{Form, Item, line, print, render};

#[test]
fn programs_depend_on_seed_and_number_alone() {
    let none = BTreeSet::new();
    let text = |seed, k| program(seed, k, &none).text();
    assert_eq!(text(1, 17), text(1, 17));
    assert_ne!(text(1, 17), text(1, 18));
    assert_ne!(text(1, 17), text(2, 17));
}

#[test]
fn constructs_can_be_left_out() {
    let without = BTreeSet::from([
        "for".to_string(),
        "for-slice".to_string(),
        "kernel".to_string(),
        "checkpoint".to_string(),
        "checkpoint-value".to_string(),
    ]);
    for k in 0..200 {
        let text = program(3, k, &without).text();
        assert!(
            !text.contains("for ") && !text.contains('§'),
            "program {k}:\n{text}"
        );
    }
}

#[test]
fn forms_differ_where_they_are_marked() {
    let text = "let x: ƒ = ⟨1.5│num(1.5)⟩ + ⟨(│num(⟩n as f64); § {}";
    assert_eq!(
        render(text, Form::Gradient),
        "let x: f64 = 1.5 + (n as f64); #[checkpoint] {}"
    );
    assert_eq!(
        render(text, Form::Plain),
        "let x: f64 = 1.5 + (n as f64);  {}"
    );
    assert_eq!(
        render(text, Form::Oracle),
        "let x: D = num(1.5) + num(n as f64);  {}"
    );
}

#[test]
fn nested_items_print_as_rust() {
    let items = [Item::Nest {
        parts: vec![("if c".into(), vec![line("a();")]), ("else".into(), vec![])],
        tail: ";".into(),
    }];
    let mut out = String::new();
    print(&items, 0, &mut out);
    assert_eq!(out, "if c {\n    a();\n} else {\n};\n");
}

/// Primal and oracle have the same values, bit for bit; a wrong oracle is noticed.
#[test]
fn generated_programs_are_valid_in_both_forms() {
    let none = BTreeSet::new();
    let programs: BTreeMap<u32, _> = (0..40).map(|k| (k, program(7, k, &none))).collect();
    let project = Project::new("self-test", Settings::default()).expect("a scratch project");
    let outcome = evaluate(&project, &programs, 40).expect("cargo runs");
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);

    let mut different = programs[&1].clone();
    if let Some(Item::Line(tail)) = different.main.body.last_mut() {
        *tail = format!("⟨│return num(123.0);⟩\n{tail}");
    }
    let programs = BTreeMap::from([(1, different)]);
    let outcome = evaluate(&project, &programs, 1).expect("cargo runs");
    assert!(
        outcome
            .failures
            .get(&1)
            .is_some_and(|f| f[0].kind == Kind::Generator),
        "{:?}",
        outcome.failures
    );
}
