use retrograde::gradient;

mod plain {
    pub fn drag(v: f64) -> f64 {
        0.47 * v * v
    }
}

#[gradient]
fn power(v: f64) -> f64 {
    v * plain::drag(v)
}

fn main() {}
