use retrograde::gradient;

fn advanced(v: &mut f64) -> bool {
    *v *= 0.5;
    *v > 1.0
}

fn nearest(v: f64) -> usize {
    v.round() as usize
}

#[gradient]
fn fall(mut v: f64) -> f64 {
    while advanced(&mut v) {}
    v
}

#[gradient]
fn looked_up(v: f64, table: &[f64]) -> f64 {
    let k = nearest(v);
    table[k] * v
}

fn main() {}
