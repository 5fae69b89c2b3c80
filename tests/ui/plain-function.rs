use retrograde::gradient;

/// The bits hold the number.
fn packed(x: f64) -> u64 {
    bits_of(x).rotate_left(8)
}

fn bits_of(x: f64) -> u64 {
    x.to_bits()
}

fn softplus(x: f64) -> f64 {
    x.exp().ln_1p()
}

#[gradient]
fn loss(x: f64) -> f64 {
    softplus(x) * f64::from_bits(packed(x).rotate_right(8))
}

fn main() {}
