use retrograde::gradient;

struct Point {
    x: f64,
    y: f64,
}

#[gradient]
fn norm(Point { x, y }: Point) -> f64 {
    (x * x + y * y).sqrt()
}

fn main() {}
