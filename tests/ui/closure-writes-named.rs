use retrograde::gradient;

#[gradient]
fn twice<F: FnMut(f64) -> f64>(mut f: F, x: f64) -> f64 {
    f(x) + f(2.0 * x)
}

#[gradient]
fn summed(x: f64) -> f64 {
    let mut values = vec![0.0];
    let mut keep = |t: f64| {
        values.push(t * x);
        t * t
    };
    let y = twice(&mut keep, x);
    y * values[1]
}

fn main() {}
