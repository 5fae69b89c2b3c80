use retrograde::gradient;

#[gradient]
fn until(mut x: f64, steps: usize) -> f64 {
    'outer: for _ in 0..steps {
        x *= 0.5;
        if x < 1e-3 {
            break 'inner;
        }
    }
    x
}

fn main() {}
