use retrograde::gradient;

mod plain {
    pub fn advanced(v: &mut f64) -> bool {
        *v *= 0.5;
        *v > 1.0
    }

    pub fn nearest(v: f64) -> usize {
        v.round() as usize
    }
}

#[gradient]
fn fall(mut v: f64) -> f64 {
    while plain::advanced(&mut v) {}
    v
}

#[gradient]
fn looked_up(v: f64, table: &[f64]) -> f64 {
    let k = plain::nearest(v);
    table[k] * v
}

fn main() {}
