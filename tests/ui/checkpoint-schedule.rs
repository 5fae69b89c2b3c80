use retrograde::gradient;

#[gradient]
fn decay(mut x: f64, steps: usize) -> f64 {
    #[checkpoint(revolve = 8)]
    for _ in 0..steps {
        x -= 0.01 * x * x;
    }
    x
}

fn main() {}
