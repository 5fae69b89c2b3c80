use retrograde::gradient;

#[gradient]
fn pair(x: f64, y: f64) -> f64 {
    let boxed = Box::new(x);
    *boxed * y
}

fn main() {}
