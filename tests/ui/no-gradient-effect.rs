use retrograde::{gradient, no_gradient};

#[gradient]
fn counted(x: f64) -> f64 {
    let mut count = 0;
    let scale = no_gradient({
        count += 1;
        2.0
    });
    x * scale * count as f64
}

fn main() {}
