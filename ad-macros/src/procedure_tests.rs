//! Regions in regions: what runs in several procedures is generated once.

use proc_macro2::{TokenStream, TokenTree};

use crate::diag::Diagnostics;
use crate::ir::Transforms;
use crate::pipeline;

/// A function with regions in regions, `depth` of them.
fn nested(depth: usize) -> String {
    let mut body = "s += u[0] * y;".to_owned();
    for level in (1..=depth).rev() {
        body = format!(
            "#[checkpoint]
            for t{level} in 0..n {{
                u[0] = u[0].sin() * x[t{level}] + s;
                s *= 0.9 + u[1];
                {body}
            }}"
        );
    }
    format!(
        "fn f(x: &[f64], y: f64, n: usize) -> f64 {{
            let mut u = vec![y; 3];
            let mut s = y;
            {body}
            s * u[0]
        }}"
    )
}

/// How many tokens there are, those in groups included.
fn count(tokens: TokenStream) -> usize {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => 1 + count(group.stream()),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => 1,
        })
        .sum()
}

fn generated(source: &str) -> TokenStream {
    let item = source.parse().expect("tokens");
    let generated = pipeline::expand(TokenStream::new(), item);
    assert!(!generated.to_string().contains("compile_error"), "{source}");
    generated
}

#[test]
fn code_grows_with_the_depth_of_regions_and_not_with_its_square() {
    let sizes: Vec<usize> = (1..=9)
        .map(|depth| count(generated(&nested(depth))))
        .collect();
    let growth: Vec<usize> = sizes.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // From the fourth level on, each is a procedure, two calls of it, its recorded form and its reverse.
    let settled = &growth[3..];
    let (least, most) = settled
        .iter()
        .fold((usize::MAX, 0), |(a, b), n| (a.min(*n), b.max(*n)));
    assert!(most - least <= most / 50, "{sizes:?}: {growth:?}");
}

/// The procedures of a function, as text.
fn procedures(source: &str) -> Vec<String> {
    let item: syn::ItemFn = syn::parse_str(source).expect("a function");
    let mut diags = Diagnostics::new();
    let sweeps = pipeline::structured(&item, &mut diags)
        .and_then(|primal| pipeline::unrolled(primal, Transforms::ON, &mut diags))
        .and_then(|primal| pipeline::sweeps(primal, Transforms::ON, &mut diags));
    let Ok((sweeps, _)) = sweeps else {
        panic!("{source}: {}", diags.into_tokens());
    };
    let text = sweeps.text();
    let heads = text.lines().filter(|line| line.starts_with("procedure"));
    let found: Vec<String> = heads
        .map(|line| line.trim_end_matches(" {").to_owned())
        .collect();
    assert_eq!(found.len(), sweeps.procs.len(), "{text}");
    found
}

fn check(source: &str, expected: &[&str]) {
    assert_eq!(procedures(source), expected, "{source}");
}

/// A function whose body stands in two regions.
fn within(signature: &str, before: &str, body: &str, result: &str) -> String {
    let body = format!("#[checkpoint] {{ #[checkpoint] {{ {body} }} }}");
    format!("fn f{signature} {{ {before} {body} {result} }}")
}

/// Enough for a procedure.
const WORK: &str = "for k in 0..n { s = s.sin() * 0.9; s += 0.1; }";

#[test]
fn a_region_in_one_other_stays_where_it_is() {
    check(
        &format!(
            "fn f(x: f64, n: usize) -> f64 {{
                let mut s = x;
                #[checkpoint]
                for _ in 0..n {{ #[checkpoint] {{ {WORK} }} }}
                #[checkpoint]
                {{ s = s.sin() * s; }}
                s
            }}"
        ),
        &[],
    );
}

#[test]
fn a_light_region_stays_where_it_is() {
    let source = |work: &str| {
        let region = format!("#[checkpoint] {{ {work} }}");
        within("(x: f64, n: usize) -> f64", "let mut s = x;", &region, "s")
    };
    check(&source("s = s.sin();"), &[]);
    check(&source(WORK), &["procedure 0 (n, s)"]);
}

#[test]
fn a_procedure_borrows_arrays_and_returns_numbers() {
    let body = "#[checkpoint]
        for i in 0..n {
            let mut s = v[0];
            for j in 0..n { s += u[j] * x[i] * c; v[1] = s; }
            u[i] = s;
        }
        #[checkpoint]
        for i in 0..n { u[i] *= v[1]; s += u[i]; u[0] = s; }";
    let before = "let mut v = vec![x[0]; 3]; let c = x[1]; let mut s = c;";
    check(
        &within("(x: &[f64], u: &mut [f64], n: usize)", before, body, ""),
        &["procedure 0 (&x, &mut u, n, &mut v, c, i)"],
    );
}

#[test]
fn a_procedure_begins_what_the_region_gives_a_value() {
    let procedures = |value: &str| {
        let body = format!("let late: f64; #[checkpoint] {{ {WORK} {value} }} s *= s;");
        let source = within("(x: f64, n: usize) -> f64", "let mut s = x;", &body, "s");
        procedures(&source).len()
    };
    assert_eq!(procedures("late = s.sin(); s = late * s;"), 1);
    assert_eq!(
        procedures("if n > 1 { late = s; } else { late = x; } s = late * s;"),
        1
    );
    // A path through the region leaves it without a value.
    assert_eq!(procedures("if n > 1 { late = s.sin(); s = late * s; }"), 0);
}

#[test]
fn what_has_a_type_that_the_text_does_not_show_is_written_out() {
    let procedures = |parameter: &str, state: &str, gain: &str| {
        let body = format!("#[checkpoint] {{ {WORK} s *= p.gain + {gain}; }}");
        let signature = format!("(x: f64, p: {parameter}, n: usize) -> f64");
        let before = format!("let mut s = x; let state = {state};");
        procedures(&within(&signature, &before, &body, "s")).len()
    };
    assert_eq!(procedures("P", "P::new()", "state.gain"), 0);
    assert_eq!(procedures("P", "x * x", "state"), 1);
    assert_eq!(procedures("&'static P<'_>", "x * x", "state"), 1);
}
