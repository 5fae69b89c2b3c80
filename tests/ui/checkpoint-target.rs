use retrograde::gradient;

#[gradient]
fn applied(x: f64) -> f64 {
    #[checkpoint]
    let y = x.sin() * x;
    y * y
}

fn main() {}
