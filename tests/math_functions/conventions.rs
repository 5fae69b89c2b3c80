//! Kinks and edges: the table in the documentation, row by row.

use retrograde::gradient;

#[gradient]
fn abs(x: f64) -> f64 {
    x.abs()
}

#[gradient]
fn abs_single(x: f32) -> f32 {
    x.abs()
}

#[test]
fn abs_has_slope_zero_at_zero() {
    assert_eq!(abs_grad(0.0), (0.0, 0.0));
    assert_eq!(abs_grad(-0.0), (0.0, 0.0));
    assert_eq!(abs_single_grad(0.0), (0.0, 0.0));
}

#[gradient]
fn max(x: f64, y: f64) -> f64 {
    x.max(y)
}

#[gradient]
fn min(x: f64, y: f64) -> f64 {
    x.min(y)
}

#[gradient]
fn relu(x: f64) -> f64 {
    x.max(0.0)
}

#[test]
fn ties_go_to_the_receiver() {
    assert_eq!(max_grad(2.0, 2.0), (2.0, (1.0, 0.0)));
    assert_eq!(min_grad(2.0, 2.0), (2.0, (1.0, 0.0)));
    assert_eq!(max_grad(0.0, -0.0).1, (1.0, 0.0));
    assert_eq!(relu_grad(0.0).1, 1.0);
}

#[test]
fn the_operand_that_is_returned_beside_a_nan_takes_all() {
    let nan = f64::NAN;
    assert_eq!(max_grad(nan, 2.0), (2.0, (0.0, 1.0)));
    assert_eq!(max_grad(2.0, nan), (2.0, (1.0, 0.0)));
    assert_eq!(min_grad(nan, 2.0), (2.0, (0.0, 1.0)));
    assert_eq!(min_grad(2.0, nan), (2.0, (1.0, 0.0)));
    let (value, (dx, dy)) = max_grad(nan, nan);
    assert!(value.is_nan() && dx + dy == 1.0);
}

#[gradient]
fn reciprocal(x: f64) -> f64 {
    1.0 / x
}

#[gradient]
fn reciprocal_single(x: f32) -> f32 {
    1.0 / x
}

#[gradient]
fn dead_reciprocal(x: f64) -> f64 {
    0.0 * (1.0 / x)
}

#[test]
fn one_divided_is_a_reciprocal() {
    for x in [1.0, -0.5, 7.0, 1e-150, 3e120, f64::INFINITY] {
        let (value, slope) = reciprocal_grad(x);
        assert_eq!(value.to_bits(), (1.0 / x).to_bits());
        let want = -1.0 / (x * x);
        assert!(
            (slope - want).abs() <= 4.0 * f64::EPSILON * want.abs(),
            "{slope} at {x}"
        );
    }
    assert_eq!(reciprocal_grad(0.0), (f64::INFINITY, f64::NEG_INFINITY));
    assert_eq!(reciprocal_grad(1e-170).1, f64::NEG_INFINITY);
    assert_eq!(reciprocal_single_grad(4.0), (0.25, -0.0625));
    assert_eq!(dead_reciprocal_grad(0.0).1, 0.0);
}

#[gradient]
fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

#[gradient]
fn cbrt(x: f64) -> f64 {
    x.cbrt()
}

#[gradient]
fn minus_sqrt(x: f64) -> f64 {
    -x.sqrt()
}

#[test]
fn roots_at_zero_have_infinite_slope() {
    assert_eq!(sqrt_grad(0.0), (0.0, f64::INFINITY));
    assert_eq!(cbrt_grad(0.0), (0.0, f64::INFINITY));
    assert_eq!(minus_sqrt_grad(0.0).1, f64::NEG_INFINITY);
}

#[gradient]
fn powi(x: f64, n: i32) -> f64 {
    x.powi(n)
}

#[gradient]
fn powf(x: f64, y: f64) -> f64 {
    x.powf(y)
}

#[test]
fn powers_at_the_edges() {
    assert_eq!(powi_grad(0.0, 0), (1.0, 0.0));
    assert_eq!(powi_grad(3.0, 0), (1.0, 0.0));
    assert_eq!(powi_grad(f64::INFINITY, 0).1, 0.0);
    assert_eq!(powi_grad(0.0, 1), (0.0, 1.0));
    assert_eq!(powi_grad(0.0, 2), (0.0, 0.0));
    assert_eq!(powi_grad(1.0, i32::MIN), (1.0, f64::from(i32::MIN)));
    assert_eq!(powf_grad(0.0, 2.5), (0.0, (0.0, 0.0)));
    assert_eq!(powf_grad(0.0, 1.0), (0.0, (1.0, 0.0)));
    assert_eq!(powf_grad(0.0, 0.5), (0.0, (f64::INFINITY, 0.0)));
    assert_eq!(powf_grad(2.0, 0.0).1.0, 0.0);
    assert_eq!(powf_grad(-2.0, 3.0).1.0, 12.0);
}

#[gradient]
fn hypot(x: f64, y: f64) -> f64 {
    x.hypot(y)
}

#[gradient]
fn atan2(y: f64, x: f64) -> f64 {
    y.atan2(x)
}

#[test]
fn the_origin_has_slope_zero() {
    assert_eq!(hypot_grad(0.0, 0.0), (0.0, (0.0, 0.0)));
    assert_eq!(atan2_grad(0.0, 0.0), (0.0, (0.0, 0.0)));
}

#[test]
fn hypot_and_atan2_neither_overflow_nor_underflow() {
    let (_, (dx, dy)) = hypot_grad(3e200, 4e200);
    assert!((dx - 0.6).abs() < 1e-14 && (dy - 0.8).abs() < 1e-14);
    let (_, (dy, dx)) = atan2_grad(3e-200, 4e-200);
    assert!(
        (dy / 1.6e199 - 1.0).abs() < 1e-12 && (dx / -1.2e199 - 1.0).abs() < 1e-12,
        "{dy} {dx}"
    );
}

#[gradient]
fn jumps(x: f64) -> f64 {
    x.floor() + x.ceil() + x.round() + x.trunc() + x.signum() + x.round_ties_even()
}

#[test]
fn steps_have_slope_zero_also_at_their_jumps() {
    for x in [0.0, 0.5, 1.0, -1.5, 2.5] {
        assert_eq!(jumps_grad(x), (jumps(x), 0.0));
    }
}

#[gradient]
fn remainders(x: f64, y: f64) -> f64 {
    x % y
}

#[test]
fn the_remainder_keeps_its_slope_at_jumps() {
    assert_eq!(remainders_grad(6.0, 2.0), (0.0, (1.0, -3.0)));
    assert_eq!(remainders_grad(-7.0, 2.0), (-1.0, (1.0, 3.0)));
}

#[gradient]
fn dead_acos(c: f64, a: f64) -> f64 {
    let dead = (-c / a).acos();
    let _ = dead;
    2.0 * c * c * a
}

#[gradient]
fn without_influence(x: f64, y: f64) -> f64 {
    let singular = x.sqrt()
        + x.ln()
        + x.cbrt()
        + 1.0 / x
        + x.powf(0.5)
        + x.hypot(x)
        + x.atan2(x)
        + (1.0 + x).asin()
        + (1.0 - x).acosh()
        + (1.0 - x).atanh();
    no_influence(singular) + y
}

/// Its argument does not influence the result.
#[gradient]
fn no_influence(_x: f64) -> f64 {
    1.0
}

#[gradient]
fn selected(x: f64) -> f64 {
    let root = x.sqrt();
    let log = x.ln();
    if x > 0.0 { root + log } else { x }
}

#[gradient]
fn times_zero(x: f64, y: f64) -> f64 {
    x.sqrt() * 0.0 + y
}

#[test]
fn singular_values_without_influence_do_not_poison() {
    assert_eq!(dead_acos_grad(5.0, 3.0), (150.0, (60.0, 50.0)));
    assert_eq!(without_influence_grad(0.0, 1.0), (2.0, (0.0, 1.0)));
    assert_eq!(selected_grad(0.0), (0.0, 1.0));
    assert_eq!(selected_grad(-1.0), (-1.0, 1.0));
    assert_eq!(times_zero_grad(0.0, 3.0), (3.0, (0.0, 1.0)));
}

/// The guard is for singular partials: an ordinary product keeps its NaN.
#[gradient]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

#[test]
fn nan_and_infinity_pass_through_ordinary_operations() {
    let (value, (dx, dy)) = product_grad(f64::NAN, 2.0);
    assert!(value.is_nan() && dx == 2.0 && dy.is_nan());
    let (value, (dx, dy)) = product_grad(f64::INFINITY, 2.0);
    assert!(value == f64::INFINITY && dx == 2.0 && dy == f64::INFINITY);
}

#[gradient]
fn domain(x: f64) -> f64 {
    x.ln() + x.sqrt()
}

#[test]
fn outside_of_a_domain_the_value_is_the_primal_s() {
    let (value, _) = domain_grad(-1.0);
    assert!(value.is_nan());
    assert_eq!(domain_grad(0.0).0, f64::NEG_INFINITY);
}
