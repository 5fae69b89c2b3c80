use retrograde::gradient;
use std::cell::Cell;

thread_local! {
    static LAST: Cell<f64> = const { Cell::new(0.0) };
}

#[gradient]
fn stored(x: f64) -> f64 {
    LAST.set(x * x);
    LAST.get()
}

fn main() {}
