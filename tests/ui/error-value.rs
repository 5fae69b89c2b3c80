use retrograde::{gradient, no_gradient};

#[gradient]
fn solved(x: f64) -> Result<f64, (f64, usize)> {
    if x > 1.0 { Err((x * x, 3)) } else { Ok(x) }
}

#[gradient]
fn best(x: f64) -> f64 {
    match solved(x) {
        Ok(v) => v,
        Err((last, _)) => last,
    }
}

#[gradient]
fn steep(x: f64) -> Result<f64, f64> {
    if x > 1.0 { Err(x * x) } else { Ok(x) }
}

#[gradient]
fn whole(x: f64) -> f64 {
    match steep(x) {
        Ok(v) => v,
        Err(e) => e * x,
    }
}

#[gradient]
fn kept(x: f64) -> f64 {
    match solved(x) {
        Ok(v) => v,
        Err((last, n)) if last > 9.0 && n > 2 => x,
        Err((last, _)) => no_gradient(last) * x,
    }
}

fn main() {}
