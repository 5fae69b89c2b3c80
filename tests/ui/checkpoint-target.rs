use retrograde::gradient;

#[gradient]
fn chosen(x: f64, n: usize) -> f64 {
    match n {
        #[checkpoint]
        0 => x * x,
        _ => x.sin(),
    }
}

fn main() {}
