use super::{primal, those};
use crate::analysis::purity::{Part, cheap_to_recompute, is_all_arithmetic, is_movable, repeats};
use crate::diag::Diagnostics;
use crate::ir::{Expr, ExprKind};
use crate::pipeline;

/// A variable for each kind of expression; `kept` is code that is kept as written.
const EXPRESSIONS: &str = "fn f(x: &[f64], a: f64, b: f64, n: usize, i: usize) -> f64 {
    let quotient = a / b;
    let root = a.sqrt();
    let sine = a.sin();
    let compared = a < b;
    let length = x.len();
    let constant = LIMIT;
    let float = n as f64;
    let smaller = n.min(i);
    let at_least_zero = n.saturating_sub(i);
    let sum = n + i;
    let within = n.min(n + i);
    let negative = -(n as i64);
    let element = x[i];
    let bounded = a.clamp(0.0, b);
    let pair = (a, b);
    let list = vec![a, b];
    let power = n.pow(2);
    a * quotient
}";

fn nothing(_: &Expr) -> Part {
    Part::Asked
}

#[test]
fn what_may_be_evaluated_where_the_program_does_not() {
    let func = primal(EXPRESSIONS);
    // Sums of integers overflow, an index is out of bounds, `clamp` looks at its bounds, a list is allocated.
    assert_eq!(
        those(&func, &|e| is_movable(e, &nothing)),
        "quotient root sine compared length constant float smaller at_least_zero"
    );
}

#[test]
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test that stops at, or skips, what it is not about"
)]
fn what_is_known_not_to_panic_may_move_if_it_repeats() {
    let func = primal(EXPRESSIONS);
    let known = |e: &Expr| match &e.kind {
        ExprKind::Read(place) if !place.is_var() => Part::Known,
        ExprKind::Opaque(_) => Part::Known,
        _ => Part::Asked,
    };
    // `element` may move, and `within`, which is not asked about its sum. `pow` is kept code: that it does not panic
    // here is not enough.
    assert_eq!(
        those(&func, &|e| is_movable(e, &known)),
        "quotient root sine compared length constant float smaller at_least_zero within element"
    );
}

#[test]
fn what_a_pass_leaves_stays_with_all_that_it_is_part_of() {
    let func = primal(EXPRESSIONS);
    let left = |e: &Expr| {
        if let ExprKind::Read(place) = &e.kind
            && func.var(place.root).name == "b"
        {
            Part::Left
        } else {
            Part::Asked
        }
    };
    assert_eq!(
        those(&func, &|e| is_movable(e, &left)),
        "root sine length constant float smaller at_least_zero"
    );
}

#[test]
fn what_gives_the_same_value_each_time() {
    let func = primal(EXPRESSIONS);
    assert_eq!(
        those(&func, &repeats),
        "quotient root sine compared length constant float smaller at_least_zero \
         sum within negative element bounded pair list"
    );
}

#[test]
fn what_makes_one_number_of_others() {
    let func = primal(EXPRESSIONS);
    assert_eq!(
        those(&func, &is_all_arithmetic),
        "quotient root sine compared constant float sum negative element bounded"
    );
}

#[test]
fn what_costs_less_than_a_record() {
    let func = primal(EXPRESSIONS);
    // A function of the math library, and what is allocated, are recorded.
    assert_eq!(
        those(&func, &cheap_to_recompute),
        "quotient root compared length constant float smaller at_least_zero \
         sum within negative element bounded pair power"
    );
}

/// Code that is kept as written, and whether a region may run it twice.
#[test]
fn what_a_region_may_run_twice() {
    let refused = |code: &str| {
        let source = format!(
            "fn f(a: f64, n: usize, v: &[usize], w: &[f64], own: Own) -> f64 {{
                #[checkpoint]
                {{
                    {code};
                }}
                a
            }}"
        );
        let item: syn::ItemFn = syn::parse_str(&source).expect("the source parses");
        let mut diags = Diagnostics::new();
        let refused = pipeline::structured(&item, &mut diags).is_err();
        let names = diags.names();
        assert!(
            names.iter().all(|name| *name == "checkpoint-effect"),
            "{code}: {names:?}"
        );
        refused
    };
    for code in [
        "let power = n.pow(2)",
        "let constant = LIMIT",
        "let at = w.iter().position(|x| *x > 0.5)",
        "let many = w.windows(2).filter(|p| p[0] > p[1]).map(|p| p.len()).count()",
        "let codes: Vec<usize> = v.iter().map(|i| i % 3).collect()",
        "let most = v.iter().map(|i| if *i > 2 { 2 } else { *i }).max()",
        "let total = v.iter().sum::<usize>()",
        "let least = v.iter().min_by_key(|i| (**i % 3, **i)).is_some()",
        "let nan = own.x.is_nan()",
        "let guarded = match own { Own::A if ({ let t: f64 = 2.0; t }).is_nan() => 1_u8, _ => 2_u8 }",
        "let all = w.iter().scan(0.5, |s, v| { *s += 0.5; if *s > 9.0 { None } else { \
            Some(std::f64::consts::PI + *s) } }).all(|v| v > 0.5)",
    ] {
        assert!(!refused(code), "{code}");
    }
    for code in [
        "let unknown = LIMITS.max(n)",
        "let printed = v.iter().inspect(|i| println!(\"{i}\")).count()",
        "let keyed = v.iter().max_by_key(|i| KEYS[**i]).is_some()",
        "let mapped = v.iter().map(|i| KEYS[*i]).max().is_some()",
        "let others = v.iter().zip(KEYS).count()",
        "let gathered = v.iter().collect::<Own>().count()",
        "let counted = own.iter().count()",
        "let called = v.iter().filter(|i| check(**i)).count()",
        "let tested = own.x.is_test()",
        "let guarded = match own { Own::A if ({ let t: Own = KEY; t }).is_nan() => 1_u8, _ => 2_u8 }",
        "let twice = match own { Own::A if ({ let t: f64 = 2.0; t }).is_nan() || ({ let t = KEY; t }).is_nan() \
            => 1_u8, _ => 2_u8 }",
        "let all = w.iter().scan(0.5, |s, v| { *s += 0.5; Some(KEYS[0]) }).all(|v| v > 0.5)",
    ] {
        assert!(refused(code), "{code}");
    }
}
