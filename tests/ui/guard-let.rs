use retrograde::gradient;

#[gradient]
fn weighted(x: &[f64], k: Option<usize>) -> f64 {
    let w = 2.0;
    match k {
        Some(k) if let Some(w) = x.get(k) => w * x[0],
        _ => w * x[0],
    }
}

#[gradient]
fn counted(x: f64, n: usize) -> f64 {
    let k = 7;
    assert!(match n {
        n if n > 0 && let Some(k) = n.checked_sub(2) => k < 5,
        _ => k == 7,
    });
    x * n as f64
}

fn main() {}
