use retrograde::gradient;

#[gradient]
fn chosen(a: f64, b: f64, first: bool) -> f64 {
    let (left, right) = (&a, &b);
    let mut picked = &left;
    if !first {
        picked = &right;
    }
    **picked * **picked
}

fn main() {}
