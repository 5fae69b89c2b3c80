use retrograde::gradient;

struct Curve {
    points: Vec<f64>,
}

#[gradient]
fn horner(x: f64, #[constant] curve: &Curve, steps: usize) -> f64 {
    let mut y = x;
    #[checkpoint]
    for i in 0..steps {
        let n = curve.points.len();
        y = y * x + curve.points[i % n];
    }
    y
}

fn main() {}
