use retrograde::gradient;

fn start() -> Vec<f64> {
    vec![1.0, 2.0]
}

#[gradient]
fn ordered(x: f64) -> f64 {
    let mut values = start();
    let mut i = 0;
    values[i] += {
        i = 1;
        x
    };
    values[0] * values[1]
}

fn main() {}
