use retrograde::gradient;

trait Unit {
    type Real;
}

struct Metre;

impl Unit for Metre {
    type Real = f64;
}

#[gradient]
fn widened(x: f32) -> f64 {
    let wide = x as <Metre as Unit>::Real;
    wide * wide
}

fn main() {}
