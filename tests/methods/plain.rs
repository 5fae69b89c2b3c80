//! What has no sweeps is called as it is, where it carries no derivative.

use std::fmt::Display;

use retrograde::{Differentiable, Record, Tangent, gradient, no_gradient};

use crate::support::{check, check_exact};
use crate::types::{V2, own_tangent};

#[derive(Clone, Copy, Debug, PartialEq, Record)]
enum Kind {
    Linear,
    Square,
}

/// Cells of one width, and what they hold.
#[derive(Clone, Debug, Record)]
struct Grid {
    cells: Vec<f64>,
    width: f64,
}

own_tangent! { [] Grid { cells, width } }

/// Without the attribute.
impl Grid {
    fn number(&self) -> usize {
        self.cells.len()
    }

    fn kind(&self) -> Kind {
        if self.cells.len() > 2 {
            Kind::Square
        } else {
            Kind::Linear
        }
    }

    fn label(&self) -> String {
        format!("{} cells", self.cells.len())
    }

    fn is_wide(&self) -> bool {
        self.width > 1.0
    }

    fn inside(&self, x: f64) -> bool {
        x < self.width
    }
}

#[gradient]
impl Grid {
    /// No float, no `Self`: left as it is.
    fn new(n: usize) -> Grid {
        Grid {
            cells: vec![1.0; n],
            width: 1.0,
        }
    }

    fn index(&self, x: f64) -> usize {
        ((x / self.width).abs() as usize).min(self.cells.len() - 1)
    }

    fn show(&self) {
        let _ = self.label();
    }

    fn row(&self) -> &[f64] {
        &self.cells
    }

    fn cell(&self, i: usize) -> &f64 {
        &self.cells[i]
    }

    fn names(&self) -> impl Iterator<Item = String> + '_ {
        self.cells.iter().map(|c| c.to_string())
    }

    fn label_of(&self, name: &dyn Display) -> String {
        format!("{name}: {}", self.label())
    }

    /// Not under the attribute: as generic as it likes.
    #[no_gradient]
    fn apply<F: Fn(f64) -> f64>(&self, f: F) -> f64 {
        f(self.width)
    }

    fn value(&self, x: f64) -> f64 {
        no_gradient(self.show());
        let i = self.index(x);
        let at = self.cells[i] * self.width;
        let bonus = match self.kind() {
            Kind::Linear => x,
            Kind::Square => x * x,
        };
        let n = self.row().len();
        let frozen = no_gradient(*self.cell(0)) + no_gradient(self.width + 1.0);
        if self.is_wide() || self.inside(x) {
            at * bonus * n as f64
        } else {
            at + bonus * frozen
        }
    }
}

#[gradient]
fn of_grid(g: &Grid, x: f64) -> f64 {
    let mut s = 0.0;
    let n = g.number();
    let start = Grid::new(n);
    for i in 0..n {
        s += g.value(x * i as f64) * start.width;
    }
    s + g.cells[Grid::index(g, x)]
}

fn grid(p: &[f64], n: usize) -> Grid {
    Grid {
        cells: p[..n].to_vec(),
        width: p[n],
    }
}

#[test]
fn accessors_that_carry_nothing() {
    for (n, at) in [
        (2, &[0.7, 0.3, 1.2, -0.4][..]),
        (3, &[0.7, 0.3, 0.6, 0.8, 0.35][..]),
        (3, &[0.7, 0.3, 0.6, 1.8, 0.85][..]),
    ] {
        // What is under `no_gradient` is a constant of the oracle.
        let frozen = grid(at, n);
        let oracle = |p: &[f64]| {
            let g = grid(p, n);
            let mut s = 0.0;
            for i in 0..n {
                let x = p[n + 1] * i as f64;
                let at = g.cells[g.index(x)] * g.width;
                let bonus = if n > 2 { x * x } else { x };
                s += if g.is_wide() || g.inside(x) {
                    at * bonus * n as f64
                } else {
                    at + bonus * (frozen.cells[0] + frozen.width + 1.0)
                };
            }
            s + g.cells[g.index(p[n + 1])]
        };
        check(
            oracle,
            |p| {
                let (_, g) = of_grid_grad(&grid(p, n), p[n + 1]);
                (oracle(p), g)
            },
            &[at],
        );
        let (value, _) = of_grid_grad(&grid(at, n), at[n + 1]);
        assert_eq!(value.to_bits(), of_grid(&grid(at, n), at[n + 1]).to_bits());
    }
}

/// A parameter of another type without derivative.
#[derive(Clone)]
struct Table(Vec<f64>);

impl Table {
    fn at(&self, i: usize) -> f64 {
        self.0[i]
    }

    fn count(&mut self) -> usize {
        self.0.push(0.0);
        self.0.len()
    }
}

#[gradient]
fn of_table(x: f64, #[constant] t: &Table) -> f64 {
    let mut own = Table(vec![1.0]);
    let n = own.count();
    x * t.at(0) * t.at(1) + n as f64 * x
}

#[test]
fn methods_of_constants() {
    let table = Table(vec![2.0, 3.0]);
    check_exact(
        |p| of_table(p[0], &table),
        |p| of_table_grad(p[0], &table),
        |_| vec![8.0],
        &[&[0.4]],
    );
}
