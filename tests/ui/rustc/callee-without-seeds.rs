use retrograde::gradient;

#[gradient]
fn drag(v: f64) -> f64 {
    0.47 * v * v
}

#[gradient(seeds)]
fn losses(v: f64) -> [f64; 2] {
    [drag(v), v * drag(v)]
}

fn main() {}
