use retrograde::gradient;

#[gradient]
fn same(x: f64) -> f64 {
    let p = &raw const x;
    if p.is_null() { 0.0 } else { x * x }
}

fn main() {}
