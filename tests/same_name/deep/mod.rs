//! A folder with a function of its name, which imports others of such names.

use retrograde::gradient;

use super::polevl::{p1evl, polevl};
use crate::rate::rate as growth;

use crate::support::check;

#[gradient]
pub fn deep(x: f64, y: f64) -> f64 {
    polevl(x, &[y, 1.0]) / p1evl(y, &[1.0, x])
}

/// A name that another one is imported by.
#[gradient]
pub fn caller(x: f64, y: f64) -> f64 {
    deep(x, y) * growth(x, y) + by_glob::all(y)
}

mod by_glob {
    use crate::polevl::*;
    use retrograde::gradient;

    #[gradient]
    pub fn all(x: f64) -> f64 {
        polevl(x, &[1.0, 2.0]) * x
    }
}

/// Itself.
#[gradient]
pub fn power(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[test]
fn files_and_folders() {
    let points: &[&[f64]] = &[&[0.7, 1.3], &[-0.4, 0.2]];
    check(|p| deep(p[0], p[1]), |p| deep_grad(p[0], p[1]), points);
    check(|p| caller(p[0], p[1]), |p| caller_grad(p[0], p[1]), points);
}
