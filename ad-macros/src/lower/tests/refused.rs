//! What is refused, by which message, and how many messages at once.

use super::lowered;

/// The names of the messages for a function with this body (parameters `x: f64, mut v: Vec<f64>, s: S, n: usize`).
fn body(body: &str) -> Vec<&'static str> {
    item(&format!(
        "fn f(x: f64, mut v: Vec<f64>, s: S, n: usize) -> f64 {{ {body} }}"
    ))
}

fn item(source: &str) -> Vec<&'static str> {
    match lowered(source) {
        Ok(func) => panic!("lowered:\n{}", crate::ir::text(&func)),
        Err(names) => names,
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(code, expected)| {
            let got = body(code).join(" ");
            (got != *expected).then(|| format!("{code}\n    gave: {got}\n    not:  {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[track_caller]
fn check_items(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(code, expected)| {
            let got = item(code).join(" ");
            (got != *expected).then(|| format!("{code}\n    gave: {got}\n    not:  {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn qualifiers_and_signatures() {
    check_items(&[
        ("async fn f(x: f64) -> f64 { x }", "async-fn"),
        ("unsafe fn f(x: f64) -> f64 { x }", "unsafe-fn"),
        ("extern \"C\" fn f(x: f64) -> f64 { x }", "extern-fn"),
        (
            "fn f(self: Box<Self>, x: f64) -> f64 { x }",
            "receiver-type",
        ),
        ("fn f<T: Real>(x: T) -> f64 { 1.0 }", "generic-type"),
        ("fn f(x: impl Fn(f64) -> f64) -> f64 { 1.0 }", "impl-trait"),
        (
            "fn f(#[constant] x: impl Fn(f64) -> f64) -> f64 { 1.0 }",
            "impl-trait",
        ),
        ("fn f(x: &dyn Fn(f64) -> f64) -> f64 { 1.0 }", "dyn-trait"),
        ("fn f(x: *const f64) -> f64 { 1.0 }", "raw-pointer"),
        ("fn f(x: fn(f64) -> f64) -> f64 { 1.0 }", "function-pointer"),
        ("fn f(x: &[&mut [f64]]) -> f64 { 1.0 }", "nested-reference"),
        (
            "fn f(x: (&mut f64, f64)) -> f64 { 1.0 }",
            "nested-reference",
        ),
        (
            "fn f(x: HashMap<String, f64>) -> f64 { 1.0 }",
            "collection-parameter",
        ),
        (
            "fn f(x: &RefCell<f64>) -> f64 { 1.0 }",
            "collection-parameter",
        ),
        ("fn f(x: &f64) -> &f64 { x }", "returned-reference"),
        ("fn f(x: Result<f64, E>) -> f64 { g(x) }", "result-type"),
        ("fn f(x: f64) -> Result { g(x) }", "result-type"),
        ("fn f(x: f64) -> impl Shape { g(x) }", "impl-trait"),
        ("fn f(#[cfg(test)] x: f64) -> f64 { 1.0 }", "cfg"),
    ]);
}

#[test]
fn constant_parameters_may_have_any_type() {
    for ty in [
        "&dyn Shape",
        "&HashMap<String, f64>",
        "*const f64",
        "&[&[f64]]",
        "&mut Rng",
        "S",
    ] {
        lowered(&format!(
            "fn f(#[constant] p: {ty}, x: f64) -> f64 {{ x * 2.0 }}"
        ))
        .expect(ty);
    }
}

#[test]
fn expressions() {
    check(&[
        ("unsafe { g(x) }", "unsafe-block"),
        ("async { x }; x", "async-block"),
        ("g(x).await", "async-block"),
        ("let c = |a: f64| a * x; let d = [c]; x", "closure"),
        ("let c = (|a: f64| a * x, x); x", "closure"),
        ("let c = async |a: f64| a; x", "async-block"),
        ("g(x)? * x", "question-mark"),
        ("let r = (0..n, 1); x", "range-value"),
        ("&raw const x; x", "raw-borrow"),
        ("x.to_bits() as f64", "active-method"),
        ("x as Real", "cast-target"),
        ("(s.f)(x)", "call-of-field"),
        ("*g(x) += 1.0; x", "dereference"),
    ]);
}

#[test]
fn macros() {
    check(&[
        ("bail!(\"no\"); x", "unsupported-macro"),
        ("let a = my_max!(x, 1.0); a", "unsupported-macro"),
        ("dbg!(x)", "dbg-macro"),
        ("core::arch::asm!(\"nop\"); x", "inline-assembly"),
        ("assert!(my!(x)); x", "unsupported-macro"),
        ("println!(\"{}\", { n += 1; n }); x", "assignment-in-code"),
        ("println!(\"{}\", g(x)?); x", "question-mark"),
        ("assert!({ return x; }); x", "jump-in-code"),
        ("println!(\"{}\" x); x", "macro-arguments"),
    ]);
}

#[test]
fn items_and_attributes() {
    check(&[
        ("static A: [Cell<f64>; 1] = []; x * A", "static-in-body"),
        ("static mut A: f64 = 1.0; x", "static-in-body"),
        ("trait P {} x", "item-in-body"),
        ("union P { a: u8 } x", "item-in-body"),
        ("impl S {} x", "item-in-body"),
        ("{ struct P; } let p = P; x", "item-in-block"),
        ("macro_rules! m { () => {} } x", "macro-definition"),
        ("{ const K: f64 = 2.0; } x * K", "item-in-block"),
        ("{ use m::*; } x", "item-in-block"),
        ("#[cfg(test)] let a = x; x", "cfg"),
        ("#[cfg(test)] { x; } x", "cfg"),
        ("match n { #[cfg(test)] 0 => x, _ => x }", "cfg"),
        (
            "#[parallel] let a = x; a",
            if cfg!(feature = "rayon") {
                "parallel-target"
            } else {
                "parallel-feature"
            },
        ),
        ("#[constant] let a = x; a", "constant-on-code"),
        ("#[magic] let a = x; a", "unknown-attribute"),
    ]);
}

#[test]
fn checkpoints() {
    check(&[
        (
            "#[checkpoint(every = 3)] for i in 0..n { v[i] *= x; } x",
            "checkpoint-schedule",
        ),
        (
            "#[checkpoint] { println!(\"{x}\"); } x",
            "checkpoint-effect",
        ),
        ("let r = #[checkpoint] { &v }; r[0]", "checkpoint-reference"),
        ("#[checkpoint] let a = x; a", "checkpoint-target"),
    ]);
    // Jumps out of a region are jumps like others.
    let inner = "#[checkpoint] { if n > 9 { return x; } for i in 0..n { if v[i] > x { continue; } v[i] *= x; if i > 3 \
        { break; } } } x";
    assert!(
        lowered(&format!(
            "fn f(x: f64, v: &mut [f64], n: usize) -> f64 {{ {inner} }}"
        ))
        .is_ok()
    );
}

#[test]
fn containers_and_iterators() {
    check(&[
        ("v.extend_from_within(1..); x", "vec-method"),
        (
            "let mut w = vec![vec![x]]; w.sort_by(|a, b| a[0].total_cmp(&b[1])); x",
            "vec-method",
        ),
        ("v.drain(r); x", "vec-method"),
        (
            "let mut w = vec![(x, x)]; w.sort_unstable_by(|a, b| a.0.total_cmp(&b.0)); x",
            "vec-method",
        ),
        ("for e in v.iter().peekable() { } x", "unsupported-iterator"),
        (
            "for e in (0..n).flat_map(|k| 0..k).rev() { } x",
            "unsupported-iterator",
        ),
        (
            "let mut c = 0; v.iter().map(|e| { c += 1; *e }).zip(v.iter()).map(|(a, b)| a * b).sum::<f64>()",
            "closure-effect",
        ),
        (
            "let mut c = 0.0; \
             v.iter().zip(v.iter().filter_map(|e| { c += e; Some(c) })).map(|(a, b)| a * b).sum::<f64>()",
            "closure-effect",
        ),
        (
            "v.iter().flat_map(|e| return [*e]).sum::<f64>()",
            "closure-return",
        ),
        ("for e in s { } x", "iterate-unknown"),
        (
            "v.iter().zip((0..n).chain(0..)).map(|(a, k)| a * k as f64).sum::<f64>()",
            "unsupported-iterator",
        ),
        (
            "let a = std::array::from_fn(|k| x * k as f64); x",
            "array-from-fn",
        ),
        (
            "let mut c = 0.0; v.iter().map(|e| { c += e; c }).min_by(|a, b| { c += a; a.total_cmp(b) }).unwrap()",
            "closure-effect",
        ),
        (
            "v.iter().map(|e| g(g(*e)?)).sum::<f64>()",
            "closure-question",
        ),
        ("for (i, e) in (0..3).zip(&v) { } x", "range-type"),
        (
            "let mut o = Some(x); *o.get_or_insert_default()",
            "option-method",
        ),
    ]);
}

#[test]
fn patterns_and_references() {
    check(&[
        ("let &a = (x, n); a.0", "pattern-of-unknown"),
        ("let (.., a) = g(x); a", "pattern-of-unknown"),
        (
            "let mut w = v.clone(); let a = [&mut w]; x",
            "reference-in-value",
        ),
        ("let a = Some(&mut x); x", "reference-in-value"),
        (
            "let ((0, a) | (a, 0)) = (n, 1) else { return x; }; a as f64",
            "or-pattern",
        ),
        ("break 'a; x", "unknown-label"),
        ("f(v[0]) = s; x", "assignment-target"),
        ("no_gradient({ v[0] = x; x })", "no-gradient-effect"),
        ("no_gradient({ return x; })", "jump-in-code"),
        (
            "let mut a; for k in 0..n { a = g(x); g(a); } 1.0",
            "deferred-mut",
        ),
    ]);
}

#[test]
fn several_mistakes_are_reported_at_once() {
    let names = body(
        "let c = [|a: f64| a]; let y = my!(x); for e in q { } v.extend_from_within(1..); let z = y * q?; \
         unsafe { g(z) }",
    );
    assert_eq!(
        names,
        [
            "closure",
            "unsupported-macro",
            "iterate-unknown",
            "question-mark",
            "unsafe-block",
            "vec-method"
        ]
    );
}

#[test]
fn compound_assignment_needs_a_known_type_where_the_order_shows() {
    let source = "fn f(a: &mut [S], mut i: usize) { a[i] += { i = 2; g(i) }; }";
    assert_eq!(item(source), ["compound-order"]);
    lowered("fn f(a: &mut [f64], mut i: usize) { a[i] += { i = 2; g(i) }; }")
        .expect("the type is known");
}
