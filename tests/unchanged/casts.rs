//! Casts to aliases that other modules declare, and integers by the traits of `num`.

use num_traits::{Float, ToPrimitive};
use retrograde::gradient;

use crate::configured::Measure;
use crate::support::check;

mod types {
    pub(super) type Value = f64;
    pub(super) type Small = f32;
    pub(super) type Count = i32;
}

use types::Value;

#[gradient]
fn share(x: &[f64], period: usize) -> f64 {
    let mut highest = 0;
    for i in 1..x.len() {
        if x[i] > x[highest] {
            highest = i;
        }
    }
    (period - highest) as Value / period as Value * x[highest].exp()
}

#[gradient]
fn rounded(x: f64) -> f64 {
    let y = (x * x) as types::Small as Value;
    let cells = x.floor() as types::Count;
    y.sin() * cells as Value
}

#[gradient]
fn cell<T: Float>(x: T, width: T) -> T {
    let k = (x / width).floor().to_usize().unwrap();
    let l = x.to_i64().expect("a number");
    x * x - width * T::from(k).unwrap() * T::from(l).unwrap()
}

#[gradient]
fn entry(table: &[f64], x: f64) -> f64 {
    let at = x.to_usize().unwrap_or(0);
    table[at] * (x - at as f64)
}

#[test]
fn aliases_of_other_modules() {
    check(
        |p| share(p, 7),
        |p| share_grad(p, 7),
        &[&[0.3, 0.9, -0.2], &[0.1], &[0.5, 0.4, 0.6]],
    );
    for x in [1.25, -3.5, 0.75] {
        let (value, dx) = rounded_grad(x);
        assert_eq!(value.to_bits(), rounded(x).to_bits());
        let y = f64::from((x * x) as f32);
        // Rounding to an `f32` has the slope of what is rounded.
        let exact = 2.0 * x * y.cos() * x.floor();
        assert!((dx - exact).abs() <= 1e-6 * exact.abs(), "{dx} {exact}");
    }
}

#[test]
fn integers_by_conversion() {
    for at in [[3.7, 0.5], [5.2, 1.5], [12.3, 4.0]] {
        check(|p| cell(p[0], p[1]), |p| cell_grad(p[0], p[1]), &[&at]);
    }
    let table = [0.5, -1.0, 2.0, 0.25];
    for x in [0.5, 1.6, 2.4] {
        check(
            |p| entry(&p[..4], p[4]),
            |p| {
                let (value, (dt, dx)) = entry_grad(&p[..4], p[4]);
                (value, (dt, dx))
            },
            &[&[table[0], table[1], table[2], table[3], x]],
        );
    }
}

/// Of the alias that is there without a feature.
#[gradient]
fn mean(x: &[f64], period: usize) -> f64 {
    let mut sum = 0.0;
    for (k, v) in x.iter().enumerate() {
        sum += v * v * (k + 1) as Measure;
    }
    sum / period as Measure + sum as Measure
}

#[test]
fn aliases_may_be_configured() {
    check(
        |p| mean(p, 4),
        |p| mean_grad(p, 4),
        &[&[1.0, -2.0, 0.5], &[3.0]],
    );
}
