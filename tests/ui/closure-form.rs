use retrograde::gradient;

#[gradient]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

#[gradient]
fn shadowed(k: f64, x: f64) -> f64 {
    let scaled = |t: f64| {
        assert!(t > 0.0, "{k}");
        k * t
    };
    let k = 2.0 * x;
    twice(|t| scaled(t) + k, x)
}

fn main() {}
