//! `retrograde::special`: values against 50 digits, derivatives against differences, edges.

#![allow(
    clippy::all,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "the functions are written as users write them; the oracles are shared"
)]

mod curve_fit;
#[path = "../../examples/fit/models.rs"]
mod models;
#[path = "../../examples/fit/plot.rs"]
mod plot;
#[path = "../../examples/fit/regression.rs"]
mod regression;
#[path = "../support/mod.rs"]
mod support;
#[path = "../../examples/fit/table.rs"]
mod table;

use retrograde::special::*;
use retrograde::{gradient, no_gradient};

use support::{assert_same_value, check};

/// Name, arguments and 50 digits, which `bc` computed by series with 260 digits.
const REFERENCE: &str = include_str!("reference.txt");

fn value(name: &str, p: &[f64]) -> f64 {
    let x = p[p.len() - 1];
    match name {
        "erf" => erf(x),
        "erfc" => erfc(x),
        "erf_inv" => erf_inv(x),
        "gamma" => gamma(x),
        "ln_gamma" => ln_gamma(x),
        "digamma" => digamma(x),
        "beta" => beta(p[0], x),
        "ln_beta" => ln_beta(p[0], x),
        "gamma_p" => gamma_p(p[0], x),
        "gamma_q" => gamma_q(p[0], x),
        "beta_inc" => beta_inc(p[0], p[1], x),
        "j0" => j0(x),
        "j1" => j1(x),
        "j3" => jn(3, x),
        "y0" => y0(x),
        "y1" => y1(x),
        "i0" => i0(x),
        "i1" => i1(x),
        "normal_cdf" => normal_cdf(x),
        "normal_pdf" => normal_pdf(x),
        "normal_quantile" => normal_quantile(x),
        "student_t_cdf" => student_t_cdf(p[0], p[1]),
        other => panic!("no function {other}"),
    }
}

#[test]
fn values_have_the_digits_of_the_reference() {
    let mut worst = 0.0_f64;
    for line in REFERENCE.lines() {
        let (head, digits) = line.rsplit_once(' ').unwrap();
        let (name, arguments) = head.split_once(' ').unwrap();
        let p: Vec<f64> = arguments.split(' ').map(|x| x.parse().unwrap()).collect();
        let (got, want): (f64, f64) = (value(name, &p), digits.parse().unwrap());
        // What the page on these functions says of each.
        let bound = match name {
            "gamma_p" | "gamma_q" | "beta_inc" | "student_t_cdf" | "normal_cdf" => 5e-14,
            "beta" | "ln_beta" | "ln_gamma" | "digamma" => 1e-14,
            _ => 2e-15,
        };
        let error = (got - want).abs() / want.abs().max(f64::MIN_POSITIVE);
        worst = worst.max(error / bound);
        assert!(
            got == want || error <= bound,
            "{line}: {got:e}, error {error:e}"
        );
    }
    assert!(worst > 1e-3);
}

#[gradient]
fn of_one(k: usize, x: f64) -> f64 {
    let y = match k {
        0 => erf(x),
        1 => erfc(x),
        2 => erf_inv(x),
        3 => gamma(x),
        4 => ln_gamma(x),
        5 => digamma(x),
        6 => j0(x),
        7 => j1(x),
        8 => jn(3, x),
        9 => y0(x),
        10 => y1(x),
        11 => yn(2, x),
        12 => i0(x),
        13 => i1(x),
        14 => normal_pdf(x),
        15 => normal_cdf(x),
        16 => normal_quantile(x),
        17 => softplus(x),
        18 => expit(x),
        19 => logit(x),
        20 => student_t_cdf(x, 3.5),
        21 => gamma_p(2.5, x),
        22 => gamma_q(30.0, 20.0 * x),
        23 => beta_inc(2.5, 0.75, x),
        _ => jn(0, x) + jn(-2, x),
    };
    y * x
}

/// On both sides of kinks in their code.
#[test]
fn derivatives_are_those_of_differences() {
    for k in 0..25 {
        let inputs: &[f64] = match k {
            2 | 16 | 19 | 23 => &[0.125, 0.4375, 0.5625, 0.875],
            3..=5 => &[0.25, 1.5, 4.75, -0.625, -2.375],
            9..=11 | 21 | 22 => &[0.375, 1.25, 2.0, 3.5],
            12 | 13 => &[-2.5, 0.25, 4.0, 31.0],
            _ => &[-2.5, -0.25, 0.375, 1.75, 4.5],
        };
        for x in inputs {
            check(|p| of_one(k, p[0]), |p| of_one_grad(k, p[0]), &[&[*x]]);
        }
    }
}

#[gradient]
fn of_two(a: f64, b: f64) -> f64 {
    beta(a, b) + ln_beta(b, a * b)
}

#[gradient]
fn of_slices(x: &[f64], k: f64) -> f64 {
    let mut y = vec![0.0; x.len()];
    for i in 0..x.len() {
        y[i] = k * x[i];
    }
    let all = logsumexp(&y);
    y[0] = all * x[1];
    all * logsumexp(&y[..2])
}

#[test]
fn several_arguments() {
    check(
        |p| of_two(p[0], p[1]),
        |p| of_two_grad(p[0], p[1]),
        &[&[0.75, 2.5], &[3.0, 0.5]],
    );
    check(
        |p| of_slices(&p[..3], p[3]),
        |p| of_slices_grad(&p[..3], p[3]),
        &[&[0.5, -1.0, 2.0, 0.75], &[3.0, 2.0, 2.5, 4.0]],
    );
}

#[gradient]
fn by_shape(a: f64, b: f64, x: f64, t: f64) -> f64 {
    gamma_p(a, x) + beta_inc(a, b, x) + student_t_cdf(t, b)
}

#[gradient]
fn with_constant_shape(#[constant] a: f64, x: f64) -> f64 {
    let b = 2.0 * a;
    gamma_p(b, x) * gamma_q(a, x)
}

#[gradient]
fn with_a_cut(a: f64, x: f64) -> f64 {
    gamma_p(no_gradient(a), x) * a
}

#[test]
fn a_derivative_by_a_shape_is_no_number() {
    let (_, (da, db, dx, dt)) = by_shape_grad(2.0, 3.0, 0.25, 0.5);
    assert!(da.is_nan() && db.is_nan() && dx.is_finite() && dt.is_finite());
    let (_, (da, dx)) = with_a_cut_grad(1.0, 2.0);
    let tail = (-2.0_f64).exp();
    assert!((da - (1.0 - tail)).abs() < 1e-15 && (dx - tail).abs() < 1e-15);
    check(
        |p| with_constant_shape(1.5, p[0]),
        |p| with_constant_shape_grad(1.5, p[0]),
        &[&[0.75]],
    );
}

#[test]
fn edges() {
    let nan = f64::NAN;
    let inf = f64::INFINITY;
    for (got, want) in [
        (erf_inv(1.0), inf),
        (erf_inv(-1.0), -inf),
        (erf_inv(1.5), nan),
        (erf_inv(nan), nan),
        (erf_inv(0.0), 0.0),
        (normal_quantile(0.0), -inf),
        (normal_quantile(1.0), inf),
        (normal_quantile(-0.5), nan),
        (normal_quantile(nan), nan),
        (digamma(0.0), nan),
        (digamma(-2.0), nan),
        (digamma(inf), inf),
        (digamma(nan), nan),
        (gamma_p(1.0, 0.0), 0.0),
        (gamma_q(1.0, 0.0), 1.0),
        (gamma_p(2.0, inf), 1.0),
        (gamma_q(2.0, inf), 0.0),
        (gamma_p(-1.0, 1.0), nan),
        (gamma_p(1.0, -1.0), nan),
        (gamma_p(nan, 1.0), nan),
        (gamma_p(1.0, nan), nan),
        (beta(0.0, 1.0), nan),
        (beta_inc(1.0, 2.0, 0.0), 0.0),
        (beta_inc(1.0, 2.0, 1.0), 1.0),
        (beta_inc(1.0, 2.0, 1.5), nan),
        (beta_inc(1.0, nan, 0.5), nan),
        (i0(0.0), 1.0),
        (i1(0.0), 0.0),
        (i0(inf), inf),
        (i0(nan), nan),
        (i1(-inf), -inf),
        (normal_pdf(inf), 0.0),
        (normal_cdf(-inf), 0.0),
        (normal_cdf(inf), 1.0),
        (student_t_cdf(0.0, 2.0), 0.5),
        (student_t_cdf(inf, 2.0), 1.0),
        (student_t_cdf(-inf, 2.0), 0.0),
        (student_t_cdf(1.0, -2.0), nan),
        (student_t_cdf(nan, 2.0), nan),
        (logsumexp(&[]), -inf),
        (logsumexp(&[-inf, -inf]), -inf),
        (logsumexp(&[inf, 1.0]), inf),
        (logsumexp(&[1.0, nan]), nan),
        (logsumexp(&[inf, nan]), nan),
        (logsumexp(&[-inf, 2.0]), 2.0),
        (logsumexp(&[1000.0, 1000.0]), 1000.0 + 2.0_f64.ln()),
        (softplus(1000.0), 1000.0),
        (softplus(-1000.0), 0.0),
        (softplus(nan), nan),
        (expit(-1000.0), 0.0),
        (expit(1000.0), 1.0),
        (expit(nan), nan),
        (logit(0.0), -inf),
        (logit(1.0), inf),
        (logit(1.5), nan),
    ] {
        assert_same_value(got, want);
    }
    // The deepest tail that there is.
    let tiny = 1e-300;
    assert!((normal_cdf(normal_quantile(tiny)) / tiny - 1.0).abs() < 1e-10);
    // Finite where e^x is not.
    assert!(i0(712.0).is_finite() && 712.0_f64.exp().is_infinite());
}

#[test]
fn derivatives_at_edges() {
    assert_eq!(expit_slope_grad(1000.0).1, 0.0);
    assert_eq!(normal_slope_grad(f64::INFINITY).1, 0.0);
    let (_, at_zero) = exponential_grad(0.0);
    assert_eq!(at_zero, 1.0);
    assert_eq!(uniform_grad(0.0).1, 1.0);
    assert_eq!(i1_slope_grad(0.0).1, 0.5);
    assert_eq!(logsumexp_of_two_grad(f64::NEG_INFINITY, 1.0).1, (0.0, 1.0));
    // Where the function is no number, neither is its derivative.
    assert!(exponential_grad(-1.0).1.is_nan());
    assert!(uniform_grad(2.0).1.is_nan());
}

#[gradient]
fn expit_slope(x: f64) -> f64 {
    expit(x)
}

#[gradient]
fn normal_slope(x: f64) -> f64 {
    normal_pdf(x)
}

#[gradient]
fn exponential(x: f64) -> f64 {
    gamma_p(1.0, x)
}

#[gradient]
fn uniform(x: f64) -> f64 {
    beta_inc(1.0, 1.0, x)
}

#[gradient]
fn i1_slope(x: f64) -> f64 {
    i1(x)
}

#[gradient]
fn logsumexp_of_two(x: f64, y: f64) -> f64 {
    logsumexp(&[x, y])
}
