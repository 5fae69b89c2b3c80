//! Structs whose definitions other crates use.

use diff::{gradient, Differentiable};

/// A cell, in a field of another struct.
#[derive(Clone, Copy, Debug, Differentiable)]
#[differentiable(crate = ::diff)]
pub struct Cell {
    /// Its width.
    pub width: f64,
    height: f64,
}

/// A grid of values.
#[derive(Clone, Debug, Differentiable)]
#[differentiable(crate = ::diff)]
pub struct Grid {
    /// One for each cell.
    pub values: Vec<f64>,
    /// All are alike.
    pub cell: Cell,
    hidden: Vec<f64>,
}

#[gradient(crate = ::diff)]
impl Grid {
    /// A grid of cells with this height.
    #[must_use]
    #[no_gradient]
    pub fn new(values: &[f64], width: f64, height: f64) -> Self {
        Grid {
            values: values.to_vec(),
            cell: Cell { width, height },
            hidden: values.to_vec(),
        }
    }

    /// The sum of squares, times the area of a cell.
    #[must_use]
    pub fn energy(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.values.len() {
            sum += self.values[i] * self.hidden[i];
        }
        sum * self.cell.width * self.cell.height
    }
}
