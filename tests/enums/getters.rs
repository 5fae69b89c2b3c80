//! Methods of the user's own under names of std's, on what patterns find.

use retrograde::{Differentiable, Record, gradient};

/// A method of the name that yields what has a derivative is the user's own.
#[derive(Clone, Copy, Differentiable, Record)]
struct Value(f64);

#[gradient]
impl Value {
    fn get(&self) -> f64 {
        self.0 * self.0
    }
}

#[derive(Clone, Copy, Differentiable, Record)]
enum Cell {
    Full(Value),
    Empty,
}

#[gradient]
fn of_cells(x: f64) -> f64 {
    let cells = [
        Cell::Full(Value(x)),
        Cell::Empty,
        Cell::Full(Value(2.0 * x)),
    ];
    let mut product = 1.0;
    for cell in &cells {
        product *= match cell {
            Cell::Full(value) => value.get(),
            Cell::Empty => 3.0,
        };
    }
    product
}

#[test]
fn own_getters() {
    let x = 1.5_f64;
    assert_eq!(of_cells_grad(x).1, 48.0 * x.powi(3));
    assert_eq!(of_cells_grad(x).0, of_cells(x));
}
