use retrograde::gradient;

#[gradient]
fn both(mut a: f64, mut b: f64) -> f64 {
    let targets = [&mut a, &mut b];
    *targets[0] *= 2.0;
    *targets[0] * *targets[1]
}

fn main() {}
