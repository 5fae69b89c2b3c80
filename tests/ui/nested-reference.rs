use retrograde::gradient;

#[gradient]
fn scaled(pair: (&mut [f64], f64)) -> f64 {
    let mut sum = 0.0;
    for i in 0..pair.0.len() {
        pair.0[i] *= pair.1;
        sum += pair.0[i];
    }
    sum
}

fn main() {}
