use retrograde::gradient;

fn start() -> f64 {
    1.0
}

#[gradient]
fn first_large(x: &[f64]) -> f64 {
    for i in 0..x.len() {
        if x[i] < 0.0 {
            continue;
        }
        let scale = start();
        if scale > x[i] {
            return scale * x[i];
        }
    }
    0.0
}

fn main() {}
