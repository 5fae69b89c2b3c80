use retrograde::gradient;

type Real = f64;

#[gradient]
fn widened(x: f32) -> f64 {
    let wide = x as Real;
    wide * wide
}

fn main() {}
