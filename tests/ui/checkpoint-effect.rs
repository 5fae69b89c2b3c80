use retrograde::gradient;

#[gradient]
fn decay(mut x: f64, steps: usize) -> f64 {
    #[checkpoint]
    for i in 0..steps {
        println!("step {i}");
        x -= 0.01 * x * x;
    }
    x
}

fn main() {}
