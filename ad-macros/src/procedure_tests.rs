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
fn each_level_of_regions_adds_as_much_code_as_the_last() {
    let sizes: Vec<usize> = (1..=6)
        .map(|depth| count(generated(&nested(depth))))
        .collect();
    let growth: Vec<usize> = sizes.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // From the second level on, a level is a procedure, two calls of it, and its own reverse.
    let settled = &growth[1..];
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

#[test]
fn a_region_in_no_other_stays_where_it_is() {
    check(
        "fn f(x: f64, n: usize) -> f64 {
            let mut s = x;
            #[checkpoint]
            for _ in 0..n { s = s.sin() * x; }
            #[checkpoint]
            { s = s.sin() * s; }
            s
        }",
        &[],
    );
}

#[test]
fn a_procedure_borrows_arrays_and_returns_numbers() {
    check(
        "fn f(x: &[f64], u: &mut [f64], n: usize) {
            let mut v = vec![x[0]; 3];
            let c = x[1];
            #[checkpoint]
            for i in 0..n {
                let mut s = v[0];
                #[checkpoint]
                for j in 0..n { s += u[j] * x[i] * c; v[1] = s; }
                u[i] = s;
                #[checkpoint]
                { u[0] *= v[1]; }
            }
        }",
        &[
            "procedure 0 (&x, &u, &mut v, c, i, s, j)",
            "procedure 1 (&mut u, &v)",
        ],
    );
}

#[test]
fn a_procedure_begins_what_the_region_gives_a_value() {
    let source = |value: &str| {
        format!(
            "fn f(x: f64, n: usize) -> f64 {{
                let mut s = x;
                #[checkpoint]
                for _ in 0..n {{
                    let late: f64;
                    #[checkpoint]
                    {{ {value} }}
                    s *= s;
                }}
                s
            }}"
        )
    };
    let procedures = |value: &str| procedures(&source(value)).len();
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
    let source = |state: &str, parameter: &str| {
        format!(
            "fn f(x: f64, p: {parameter}, n: usize) -> f64 {{
                let mut s = x;
                let state = {state};
                #[checkpoint]
                for _ in 0..n {{
                    #[checkpoint]
                    for _ in 0..n {{ s = s.sin() * p.gain + state.gain; }}
                }}
                s
            }}"
        )
    };
    let procedures = |state: &str, parameter: &str| procedures(&source(state, parameter)).len();
    assert_eq!(procedures("P::new()", "P"), 0);
    let inner = |parameter: &str| {
        let source = source("0.0", parameter).replace("state.gain", "state");
        self::procedures(&source).len()
    };
    assert_eq!(inner("P"), 1);
    assert_eq!(inner("&'static P<'_>"), 1);
}
