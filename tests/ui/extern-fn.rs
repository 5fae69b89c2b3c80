use retrograde::gradient;

#[gradient]
extern "C" fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
