use retrograde::gradient;

struct Point {
    x: f64,
    y: f64,
}

#[gradient]
fn norm(x: f64, y: f64) -> f64 {
    let p = Point { x, y };
    (p.x * p.x + p.y * p.y).sqrt()
}

fn main() {}
