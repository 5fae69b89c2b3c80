use std::cell::Cell;

use retrograde::gradient;

thread_local! {
    static LAST: Cell<f64> = const { Cell::new(0.0) };
}

/// The count carries nothing, and the number could be given back later.
fn kept(x: f64) -> usize {
    LAST.set(x);
    1
}

trait Key {
    fn key(&self) -> u64;
}

impl Key for f64 {
    fn key(&self) -> u64 {
        self.to_bits()
    }
}

/// The path stands for the method.
fn keys(x: &[f64]) -> Vec<u64> {
    x.iter().map(Key::key).collect()
}

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

#[gradient]
fn given_back(x: f64) -> f64 {
    let n = kept(x);
    LAST.get() * x * n as f64
}

#[gradient]
fn coded(x: &[f64]) -> f64 {
    let n = keys(x);
    x[0] * n[0] as f64
}

fn main() {}
