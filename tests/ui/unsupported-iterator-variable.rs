use retrograde::gradient;

// What `by_ref` leaves behind depends on who takes the items.
#[gradient]
fn halves(values: &[f64]) -> f64 {
    let mut it = values.iter();
    let head: f64 = it.by_ref().take(2).sum();
    head * it.product::<f64>()
}

#[gradient]
fn stepped(values: &[f64]) -> f64 {
    let mut it = values.iter().filter(|v| **v > 0.0);
    let first = it.next().unwrap();
    first * it.sum::<f64>()
}

fn main() {}
