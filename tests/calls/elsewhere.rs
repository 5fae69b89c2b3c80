//! What functions of other files return, whose text says of which type it is.

use retrograde::gradient;

use super::elsewhere_declared;
use super::elsewhere_declared::{product, weights};
use super::support::check;

const MATRIX: [[f64; 3]; 3] = [[1.0, 2.0, 0.5], [0.1, 0.7, 0.2], [0.3, 0.1, 0.9]];

#[gradient]
fn mapped([r, g, b]: [f64; 3]) -> [f64; 3] {
    product(&MATRIX, [r, g, b]).map(|x| x.abs().powf(1.2).copysign(x))
}

#[gradient]
fn gamma(x: f64) -> f64 {
    if x < 0.1 { 2.0 * x } else { x.powf(2.2) }
}

#[gradient]
fn by_module(x: [f64; 3], scale: f64) -> [f64; 3] {
    let roots = elsewhere_declared::product(&MATRIX, x).map(f64::cbrt);
    let mean = MATRIX[0][0] * roots[0] + roots[1] * roots[2];
    let scaled = [mean + scale * (roots[0] - mean), mean * roots[1], roots[2]];
    product(&MATRIX, scaled.map(|x| x * x * x)).map(gamma)
}

#[gradient]
fn whole(x: f64, y: f64) -> f64 {
    let all = weights(x, y);
    let first: f64 = all
        .iter()
        .zip(mapped([x, y, x * y]))
        .map(|(w, v)| w * v)
        .sum();
    first + by_module([y, x, 1.0], x)[1]
}

#[test]
fn results_of_other_files_are_mapped() {
    check(
        |p| whole(p[0], p[1]),
        |p| whole_grad(p[0], p[1]),
        &[&[0.4, 0.9], &[1.3, 0.2]],
    );
}
