use retrograde::gradient;

#[gradient]
fn chosen(a: f64, b: f64, n: usize) -> f64 {
    let (mut p, mut q) = (&a, &b);
    for _ in 0..n {
        (p, q) = (q, p);
    }
    *p + 2.0 * *q
}

fn main() {}
