use std::fmt::Debug;

use retrograde::gradient;

#[gradient]
fn shown<F: Fn(f64) -> f64 + Debug>(f: F, x: f64) -> f64 {
    println!("{f:?}");
    f(x)
}

fn main() {}
