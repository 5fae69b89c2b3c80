use retrograde::gradient;

// What is left behind depends on who takes the items.
#[gradient]
fn halves(values: &[f64]) -> f64 {
    let mut it = values.iter();
    let rest = it.by_ref();
    let head: f64 = rest.take(2).sum();
    head * it.product::<f64>()
}

#[gradient]
fn stepped(values: &[f64]) -> f64 {
    let mut it = values.iter().filter(|v| **v > 0.0);
    let first = it.next().unwrap();
    first * it.sum::<f64>()
}

#[gradient]
fn by_reference(values: &[f64]) -> f64 {
    let mut it = values.iter().filter(|v| **v > 0.0);
    let head: f64 = it.by_ref().take(2).sum();
    head * it.sum::<f64>()
}

fn main() {}
