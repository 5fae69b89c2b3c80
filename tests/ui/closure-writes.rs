use retrograde::gradient;

#[gradient]
fn twice<F: FnMut(f64) -> f64>(mut f: F, x: f64) -> f64 {
    f(x) + f(2.0 * x)
}

#[gradient]
fn counted(x: f64) -> f64 {
    let mut sum = 0.0;
    let y = twice(
        |t| {
            sum += t * x;
            t
        },
        x,
    );
    y * sum
}

fn main() {}
