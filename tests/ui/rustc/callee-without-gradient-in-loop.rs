use retrograde::gradient;

mod plain {
    pub fn drag(v: f64) -> f64 {
        0.47 * v * v
    }
}

#[gradient]
fn fall(mut v: f64, steps: usize) -> f64 {
    for _ in 0..steps {
        v -= 0.01 * plain::drag(v);
    }
    v
}

fn main() {}
