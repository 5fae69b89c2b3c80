//! An argument that cannot be read: the words of the grammar, and what can be written.

use retrograde::gradient;

#[gradient(name = 3)]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {
    let _ = square(2.0);
}
