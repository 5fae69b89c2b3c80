use retrograde::gradient;

#[gradient]
async fn later(x: f64) -> f64 {
    x * x
}

fn main() {}
