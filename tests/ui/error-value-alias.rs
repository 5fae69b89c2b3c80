//! An error under an alias of `Result` is a number where the alias says so.

use retrograde::gradient;

type Coded<T> = Result<T, f64>;

#[gradient]
fn root(x: f64) -> Coded<f64> {
    if x < 0.0 { Err(x) } else { Ok(x.sqrt()) }
}

#[gradient]
fn of_error(x: f64) -> f64 {
    match root(x) {
        Ok(v) => v,
        Err(e) => e * x,
    }
}

fn main() {}
