use retrograde::gradient;

static mut GAIN: f64 = 2.0;

#[gradient]
fn amplified(x: f64) -> f64 {
    x * unsafe { GAIN }
}

fn main() {}
