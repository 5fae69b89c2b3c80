use retrograde::gradient;

#[gradient]
fn later(x: f64) -> f64 {
    let task = async { 2.0 };
    drop(task);
    x * x
}

fn main() {}
