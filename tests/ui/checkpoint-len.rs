use retrograde::gradient;

struct Curve {
    points: Vec<f64>,
}

impl Curve {
    fn len(&self) -> usize {
        self.points.len()
    }
}

#[gradient]
fn horner(x: f64, #[constant] curve: &Curve, steps: usize) -> f64 {
    let mut y = x;
    #[checkpoint]
    for i in 0..steps {
        let n = curve.len();
        y = y * x + curve.points[i % n];
    }
    y
}

fn main() {}
