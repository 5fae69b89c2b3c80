use retrograde::gradient;

#[gradient]
fn squares(x: f64) -> f64 {
    let a = std::array::from_fn(|i| x * i as f64);
    sum(&a)
}

#[gradient]
fn sum(a: &[f64; 3]) -> f64 {
    a[0] + a[1] + a[2]
}

fn main() {}
