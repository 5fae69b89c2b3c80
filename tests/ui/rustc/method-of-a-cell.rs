use retrograde::gradient;
use std::cell::Cell;

#[gradient]
fn stored(x: f64) -> f64 {
    let cell = Cell::new(0.0);
    cell.set(x * x);
    cell.get()
}

fn main() {}
