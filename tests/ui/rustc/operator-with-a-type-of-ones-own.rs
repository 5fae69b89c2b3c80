//! The rules of arithmetic are those of floats: an operand of another type may have others.

use std::ops::Add;

use retrograde::gradient;

struct Percent(f64);

impl Add<Percent> for f64 {
    type Output = f64;

    fn add(self, p: Percent) -> f64 {
        self * (1.0 + p.0 / 100.0)
    }
}

const VAT: Percent = Percent(19.0);

#[gradient]
fn price(x: f64) -> f64 {
    x * x + VAT
}

fn main() {}
