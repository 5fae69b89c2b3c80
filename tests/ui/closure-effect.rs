use retrograde::gradient;

// `zip` asks for items of a chain without random access before their time.
#[gradient]
fn sums(values: &[f64]) -> f64 {
    let mut squares = 0.0;
    let positive = values.iter().filter(|v| **v > 0.0).map(|v| {
        squares += v * v;
        *v
    });
    let sum: f64 = values.iter().zip(positive).map(|(a, b)| a * b).sum();
    sum * squares
}

#[gradient]
fn compared(values: &[f64]) -> f64 {
    let mut squares = 0.0;
    let least = values.iter().min_by(|a, b| {
        squares += **a;
        a.total_cmp(b)
    });
    least.unwrap() * squares
}

fn main() {}
