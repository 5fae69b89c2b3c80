use retrograde::gradient;

#[gradient]
fn composed<F: Fn(f64) -> f64>(f: &F, g: &F, x: f64) -> f64 {
    f(g(x))
}

#[gradient]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    composed(&f, &f, x)
}

fn main() {}
