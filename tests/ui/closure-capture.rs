use retrograde::gradient;

#[gradient]
fn product(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let taken = || v;
    v = vec![x[0]; 3];
    taken()[0] * v[1]
}

fn main() {}
