//! What is done to one field says nothing of the others: what the forward sweep saves for the reverse sweep, what the
//! reverse sweep computes again, and what is active, field by field.

use crate::diag::Diagnostics;
use crate::explain::Explain;
use crate::ir::{Sweeps, Transforms};
use crate::pipeline;

/// With parts of tuples as fields, and not as variables.
fn in_fields() -> Transforms {
    let mut transforms = Transforms::ON;
    assert!(transforms.switch_off("scalars"));
    transforms
}

/// The sweeps of a function, with their report.
fn compiled(source: &str) -> (Sweeps, Explain) {
    let item: syn::ItemFn = syn::parse_str(source).expect("a function");
    let mut diags = Diagnostics::new();
    pipeline::structured(&item, &mut diags)
        .and_then(|primal| pipeline::unrolled(primal, in_fields(), &mut diags))
        .and_then(|primal| pipeline::sweeps(primal, in_fields(), &mut diags))
        .expect("it compiles")
}

/// The places whose old values the forward sweep saves, in its order.
fn saved(source: &str) -> Vec<String> {
    let (sweeps, _) = compiled(source);
    let text = sweeps.text();
    let forward = text.split("reverse").next().unwrap_or_default().to_owned();
    let place = |line: &str| {
        let line = line.trim().trim_end_matches(';');
        let old = line.strip_prefix("let old")?;
        let (_, place) = old.split_once(" = ")?;
        Some(place.to_owned())
    };
    forward.lines().filter_map(place).collect()
}

fn check(source: &str, saves: &[&str]) {
    assert_eq!(saved(source), saves, "{source}");
}

#[test]
fn an_overwrite_of_one_field_saves_nothing_for_another() {
    // The reverse sweep reads `t.1` alone.
    check(
        "fn f(x: f64, y: f64) -> f64 {
            let mut t = (x, y);
            let s = t.1 * t.1;
            t.0 = t.0 + s;
            s + t.0 + t.1
        }",
        &[],
    );
    check(
        "fn f(x: f64, y: f64) -> f64 {
            let mut t = (x, y);
            let s = t.1 * t.1;
            t.1 = t.0 + s;
            s + t.0 + t.1
        }",
        &["t.1"],
    );
}

#[test]
fn an_overwrite_of_all_fields_saves_all_of_them_once() {
    check(
        "fn f(x: f64, y: f64) -> f64 {
            let mut t = (x, y);
            let s = t.1 * t.1;
            t = (s, x);
            t.1 = t.0 + s;
            t.0 = s - t.1;
            s + t.0 + t.1
        }",
        &["t"],
    );
}

#[test]
fn an_overwrite_of_one_field_leaves_the_others_to_be_saved() {
    check(
        "fn f(x: f64, y: f64) -> f64 {
            let mut t = (x, y);
            let s = t.0 * t.1;
            t.0 = s + 1.0;
            t.0 = s + 2.0;
            t.1 = s + t.0;
            s + t.0 + t.1
        }",
        &["t.0", "t.1"],
    );
}

#[test]
fn an_overwrite_of_a_part_of_a_field_leaves_the_rest_to_be_saved() {
    check(
        "fn f(x: f64, y: f64) -> f64 {
            let mut t = ([x, y], (x, y));
            let s = t.0[0] * t.0[1] * t.1.0;
            t.0[0] = s + 1.0;
            t.0[1] = s + 2.0;
            t.1.1 = s + t.0[0];
            t.1.0 = s;
            s + t.0[0] + t.0[1] + t.1.0 + t.1.1
        }",
        &["t.0[0]", "t.0[1]", "t.1.0"],
    );
}

#[test]
fn what_is_in_an_option_is_saved_with_all_of_it() {
    check(
        "fn f(x: f64, y: f64) -> f64 {
            let mut t = (Some((x, y)), y);
            let mut s = 0.0;
            if let Some(v) = &mut t.0 {
                s = v.0 * v.0;
                v.1 = s;
            }
            t.1 = s + t.1;
            s + t.1
        }",
        &["t.0.some.1"],
    );
}

#[test]
fn a_field_of_a_type_that_is_not_seen_is_all_of_it() {
    check(
        "fn f(#[constant] g: &mut Grid, x: &[f64]) -> f64 {
            let s = x[g.k] * x[g.k];
            g.inner.k = 3;
            s * x[g.k]
        }",
        &["(*g).inner.k"],
    );
}

#[test]
fn what_is_computed_from_one_field_is_computed_again_while_another_changes() {
    let (_, report) = compiled(
        "fn f(x: f64, y: f64, n: usize) -> f64 {
            let mut t = (x, y);
            let mut s = 0.0;
            for _ in 0..n {
                let d = t.0 * t.0 + 1.0;
                t.1 = t.1 + d * d;
                s += d * d;
            }
            s * t.1
        }",
    );
    let text = report.text();
    assert!(text.contains("recomputes `d`"), "{text}");
}

#[test]
fn a_field_is_saved_once_in_front_of_a_loop() {
    let (_, report) = compiled(
        "fn f(x: f64, y: f64, n: usize) -> f64 {
            let mut t = (x, vec![y; n], 0.5);
            let mut s = 0.0;
            for k in 0..3 {
                let q = t.0 * t.0;
                for i in 0..n {
                    s += q * t.2 * x;
                    t.0 += x * i as f64;
                    t.1[i] = x + t.2;
                }
                t.2 = q.sin();
                s += t.1[0] * t.1[0];
            }
            s * t.1[0]
        }",
    );
    let text = report.text();
    assert!(
        text.contains("`t.0` is saved once, before the loop"),
        "{text}"
    );
    assert!(
        text.contains("the range of `t.1` that the loop writes"),
        "{text}"
    );
}

#[test]
fn a_region_that_runs_again_saves_the_fields_that_it_overwrites() {
    check(
        "fn f(x: f64, y: f64) -> f64 {
            let mut t = (x, y, vec![x]);
            #[checkpoint]
            {
                let d = t.0 * t.1;
                t.0 = d.sin();
            }
            t.0 * t.1 * t.2[0]
        }",
        &["t.0"],
    );
}

/// The varied and the useful regions of a function.
fn activity(source: &str) -> String {
    let item: syn::ItemFn = syn::parse_str(source).expect("a function");
    let mut diags = Diagnostics::new();
    let primal = pipeline::structured(&item, &mut diags).expect("an IR");
    let primal = pipeline::unrolled(primal, in_fields(), &mut diags).expect("an unrolled IR");
    primal.activity.text(&primal.func)
}

#[test]
fn fields_are_active_each_by_itself() {
    let found = activity(
        "fn f(x: f64, y: f64, n: usize) -> f64 {
            let mut t = (x, 2.0, y);
            for _ in 0..n { t.1 = t.1 + 1.0; }
            t.2 = x * x;
            let u = t;
            u.0 * u.1
        }",
    );
    let want = "varied: result t.0 t.2 u.0 u.2 x y\nuseful: result t.0 t.1 u.0 u.1 x\n";
    assert_eq!(found, want);
}

#[test]
fn what_is_done_to_all_fields_makes_all_of_them_active() {
    let found = activity(
        "fn f(x: f64, y: f64, n: usize) -> f64 {
            let mut t = (1.0, 2.0);
            let mut u = (3.0, 4.0);
            for _ in 0..n { mix(&mut t, x); std::mem::swap(&mut u, &mut t); }
            let a = [t, u];
            let v = a[n];
            v.0
        }",
    );
    let want = "varied: a result t u v x y\nuseful: a result t u v.0 x\n";
    assert_eq!(found, want);
}
