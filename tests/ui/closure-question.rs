use retrograde::gradient;

#[gradient]
fn root(x: f64) -> Option<f64> {
    if x < 0.0 { None } else { Some(x.sqrt()) }
}

#[gradient]
fn double(x: f64) -> Option<f64> {
    Some(2.0 * x)
}

#[gradient]
fn doubled(x: f64) -> f64 {
    let twice = |t: f64| double(root(t)?);
    twice(x).unwrap_or(0.0)
}

fn main() {}
