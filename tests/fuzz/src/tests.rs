//! The generator's own tests; the comparison with the macro is the program itself.

use std::collections::{BTreeMap, BTreeSet};

use crate::accept::{Kind, evaluate};
use crate::generate::{FORMS, Numbers, Program, Ty, array_program, in_place, program};
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
        "array-program".to_string(),
        "index-loop".to_string(),
        "second-write".to_string(),
        "view-lengths".to_string(),
        "own-types".to_string(),
        "chain".to_string(),
        "container".to_string(),
        "fn-rule".to_string(),
        "fn-float".to_string(),
        "fn-taking".to_string(),
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

/// Enough for the rarest of the constructs below.
const PROGRAMS: u32 = 900;

/// The constructs of loops over longer arrays.
const ARRAY_FORMS: &str = "\
     index-plain index-bits index-wrapping index-saturating index-checked index-narrow index-signed \
     index-range index-rev index-inclusive index-step index-while index-signed-counter index-nest index-array \
     index-conditional index-update index-inline index-square index-scatter index-gather index-stored \
     index-two index-exchange index-scaled search-twice sum-twice element-twice row-twice counter-after \
     view-windows view-chunks view-range view-nested view-length-weight neighbour-ring neighbour-held \
     neighbour-mirrored neighbour-asked next-kept next-zeros next-copied next-pushed next-collected \
     down-convolution down-recurrence down-mirror down-steps list-numbers list-points list-pairs list-rows \
     list-moved list-straight list-anew push-counted push-nest push-last push-until part-split part-chosen \
     part-short part-exits part-steps small-element small-whole small-copy small-declared small-shadowed \
     small-exit small-branch small-loop small-while small-call small-closure small-region small-exchanged \
     small-apart small-indices small-counts small-items small-rows small-counted small-best small-viewed \
     small-kept small-matched small-region-value small-generic small-endless small-flags small-flagged \
     small-late small-list small-pushed small-stored grid-rows grid-ragged grid-fixed grid-lent grid-given \
     grid-empty grid-two-rows grid-elimination grid-stencil grid-whole-rows grid-until quotients row-ring \
     row-held row-mirrored row-listed row-fixed turn-made turn-gone turn-beside turn-through turn-struct \
     turn-until turn-checkpoint";

/// Each construct of the loops over longer arrays is in some of the first programs.
#[test]
fn loops_over_longer_arrays_are_written_in_all_their_forms() {
    let none = BTreeSet::new();
    let mut used: BTreeMap<&str, u32> = BTreeMap::new();
    let mut texts = String::new();
    for k in 0..PROGRAMS {
        let p = array_program(3, k, &none);
        for name in p.used.keys() {
            *used.entry(name).or_default() += 1;
        }
        texts.push_str(&p.text());
    }
    for name in ARRAY_FORMS.split_whitespace() {
        let n = used.get(name).copied().unwrap_or(0);
        assert!(n >= 5, "{name} is in {n} of {PROGRAMS} programs");
    }
    for text in [
        ".saturating_add(usize::MAX - ",
        "18446744073709551615usize * ",
        ".wrapping_mul(",
        ".checked_sub(",
        " as u8 as usize",
        ".rem_euclid(4) as usize",
        ".unsigned_abs()",
        ".abs_diff(",
        ".step_by(2)",
        "&& ",
        ".len().saturating_sub(1)",
        ".len().pow(2)",
        ".windows(2)",
        "std::mem::swap(&mut ",
        ".unwrap_or(n",
        ".min(n",
        ".last().unwrap()",
        "Vec::with_capacity(",
    ] {
        assert!(texts.contains(text), "no program has {text}");
    }
}

/// The oracle's numbers are no built-in type: what is added to an element is read first.
#[test]
fn elements_are_changed_in_place_in_both_forms() {
    let text = in_place("if a { x[i] -= f * x[k]; }\n*v /= d;\nlet y: ƒ = x[0];\nx[j] *= y;");
    assert_eq!(
        render(&text, Form::Gradient),
        "if a { x[i] -= f * x[k]; }\n*v /= d;\nlet y: f64 = x[0];\nx[j] *= y;"
    );
    assert_eq!(
        render(&text, Form::Oracle),
        "if a { x[i] = x[i] - (f * x[k]); }\n*v /= d;\nlet y: D = x[0];\nx[j] = x[j] * (y);"
    );
}

/// Chains, containers, own types, options and rules are in a good share of the programs, in all their forms.
#[test]
fn what_people_lean_on_is_written_in_all_its_forms() {
    let none = BTreeSet::new();
    let mut used: BTreeMap<&str, u32> = BTreeMap::new();
    for k in 0..2_000 {
        for name in program(3, k, &none).used.keys() {
            *used.entry(name).or_default() += 1;
        }
    }
    let groups = [
        "chain",
        "chain-value",
        "container",
        "own",
        "own-types",
        "option-method",
    ];
    let forms = "chain-chain chain-chunks chain-chunks-exact chain-collect chain-enumerate chain-filter \
         chain-filter-map chain-flat-map chain-for chain-inspect chain-into-iter chain-map chain-map-while \
         chain-own chain-partition chain-range chain-rev chain-rows chain-scan chain-skip chain-skip-while \
         chain-step-by chain-take chain-take-while chain-unzip chain-windows chain-zip end-extreme end-find \
         end-find-map end-fold end-last end-min-max-by end-passive end-product end-reduce end-sum extend \
         extend_from_slice resize insert remove swap_remove retain split_off concat reverse rotate \
         split_at_mut sort_by get own-base own-borrow own-chosen own-const-generic own-copied own-enum \
         own-for own-let-vec own-machine own-match own-methods own-operator own-assign-operator own-parameter \
         own-pattern own-push own-result own-returned own-struct own-swap own-trait own-tuple-struct \
         own-type-parameter own-vector method-call trait-dyn trait-static trait-mut fn-float main-own \
         fn-fallible fn-option main-fallible result-question result-match result-if-let result-unwrap_or \
         option-and_then option-filter option-map option-map_or option-map_or_else option-or option-zip \
         rule-adjoint rule-array rule-in-out rule-integer rule-partial rule-partials rule-result \
         search-method search-if search-select search-carried search-index search-fold search-min-max-by \
         search-position search-rows triangle passive-power passive-sign passive-generator passive-table \
         passive-exchange passive-condition called";
    let least = |name: &str| if groups.contains(&name) { 400 } else { 3 };
    let missing: Vec<String> = forms
        .split_whitespace()
        .chain(groups)
        .map(|name| (name, used.get(name).copied().unwrap_or(0)))
        .filter(|(name, n)| *n < least(name))
        .map(|(name, n)| format!("{name} {n}"))
        .collect();
    assert!(missing.is_empty(), "of 2000 programs: {missing:?}");
}

/// What the generator takes an index for is what the machine makes of it.
#[test]
fn indices_are_what_release_builds_compute() {
    let at = Numbers {
        i: 3,
        j: 2,
        n: 5,
        m: 4,
        p: u64::MAX - 3,
        b: u64::MAX - 10,
        c: 3,
        d: 10,
    };
    let value = |text: &str| {
        let form = FORMS.iter().find(|f| f.text == text).expect(text);
        (form.value)(at.i, &at)
    };
    assert_eq!(value("{a} + {p} - {b}"), 10);
    assert_eq!(value("{a}.saturating_add({p}) - {b}"), 10);
    assert_eq!(
        value("{a}.saturating_add(usize::MAX - {c}) - (usize::MAX - {d})"),
        10
    );
    assert_eq!(value("{p} * {a} + {b}"), u64::MAX - 22);
    assert_eq!(
        value("{b} + 18446744073709551615usize * {a}"),
        u64::MAX - 13
    );
    assert_eq!(value("({a} * 96) as u8 as usize"), 32);
    assert_eq!(value("({a} as i32 - {d}).rem_euclid(4) as usize"), 1);
    assert_eq!(value("({a} as isize - {d}).unsigned_abs()"), 7);
}

/// Programs of loops over longer arrays compile in both forms, and stay within their arrays.
#[test]
fn loops_over_longer_arrays_are_valid_in_both_forms() {
    let none = BTreeSet::new();
    let programs: BTreeMap<u32, _> = (0..60).map(|k| (k, array_program(7, k, &none))).collect();
    let project = Project::new("self-test-arrays", Settings::default()).expect("a scratch project");
    let outcome = evaluate(&project, &programs, 30).expect("cargo runs");
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);
}

/// Primal and oracle have the same values, bit for bit; a wrong oracle is noticed.
#[test]
fn generated_programs_are_valid_in_both_forms() {
    let none = BTreeSet::new();
    let programs: BTreeMap<u32, _> = (0..40).map(|k| (k, program(7, k, &none))).collect();
    let project = Project::new("self-test", Settings::default()).expect("a scratch project");
    let outcome = evaluate(&project, &programs, 40).expect("cargo runs");
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);

    let plain = |p: &&Program| p.ret == Ty::Float && !p.single;
    let mut different = programs.values().find(plain).expect("a float").clone();
    let wrong = line("⟨│return num(123.0);⟩");
    different.main.body.insert(0, wrong);
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
