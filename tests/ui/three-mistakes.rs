//! Three mistakes in one function are three errors, each at its own token.

use retrograde::gradient;

struct Point {
    x: f64,
    y: f64,
}

#[gradient]
fn wrong(x: f64, n: usize) -> f64 {
    static SCALE: f64 = 2.0;
    let p = Point { x, y: x * x };
    let first = unsafe { *[p.x, p.y].get_unchecked(n) };
    first * SCALE
}

fn main() {}
