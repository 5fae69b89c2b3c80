//! The cheapest way down a grid, for every end: a minimum of three neighbours at every cell, so that all the
//! reverse sweep needs is who won.

mod best;

use crate::kernel::{ByHand, Kernel, Reference, cleared, refill};
use crate::numbers::Numbers;
use best::Best;
use retrograde::gradient;
use std::hint::black_box;
use std::rc::Rc;

/// More than any way costs.
const FAR: f64 = 1e30;

/// The sum of the costs of the cheapest ways to each cell of the last row. Two buffers change places; a cell on
/// each side keeps ways inside the grid.
#[gradient]
pub fn pathfinder(w: &[f64], rows: usize, cols: usize) -> f64 {
    let mut above = vec![FAR; cols + 2];
    let mut here = vec![FAR; cols + 2];
    above[1..=cols].copy_from_slice(&w[..cols]);
    for i in 1..rows {
        for j in 1..=cols {
            let mut least = above[j];
            if above[j - 1] < least {
                least = above[j - 1];
            }
            if above[j + 1] < least {
                least = above[j + 1];
            }
            here[j] = w[i * cols + j - 1] + least;
        }
        std::mem::swap(&mut above, &mut here);
    }
    let mut f = 0.0;
    for j in 1..=cols {
        f += above[j];
    }
    f
}

/// The same function with a copy back after each row.
#[gradient]
pub fn pathfinder_copies(w: &[f64], rows: usize, cols: usize) -> f64 {
    let mut above = vec![FAR; cols + 2];
    let mut here = vec![FAR; cols + 2];
    above[1..=cols].copy_from_slice(&w[..cols]);
    for i in 1..rows {
        for j in 1..=cols {
            let mut least = above[j];
            if above[j - 1] < least {
                least = above[j - 1];
            }
            if above[j + 1] < least {
                least = above[j + 1];
            }
            here[j] = w[i * cols + j - 1] + least;
        }
        for j in 1..=cols {
            above[j] = here[j];
        }
    }
    let mut f = 0.0;
    for j in 1..=cols {
        f += above[j];
    }
    f
}

/// The same function with all rows in one table.
#[gradient]
pub fn pathfinder_table(w: &[f64], rows: usize, cols: usize) -> f64 {
    let wide = cols + 2;
    let mut d = vec![FAR; rows * wide];
    for j in 1..=cols {
        d[j] = w[j - 1];
    }
    for i in 1..rows {
        for j in 1..=cols {
            let mut least = d[(i - 1) * wide + j];
            if d[(i - 1) * wide + j - 1] < least {
                least = d[(i - 1) * wide + j - 1];
            }
            if d[(i - 1) * wide + j + 1] < least {
                least = d[(i - 1) * wide + j + 1];
            }
            d[i * wide + j] = w[i * cols + j - 1] + least;
        }
    }
    let mut f = 0.0;
    for j in 1..=cols {
        f += d[(rows - 1) * wide + j];
    }
    f
}

/// The same function with two rows that are chosen by the parity of the row.
#[gradient]
pub fn pathfinder_parity(w: &[f64], rows: usize, cols: usize) -> f64 {
    let mut d = vec![vec![FAR; cols + 2]; 2];
    for j in 1..=cols {
        d[0][j] = w[j - 1];
    }
    for i in 1..rows {
        let (now, before) = (i & 1, (i - 1) & 1);
        for j in 1..=cols {
            let mut least = d[before][j];
            if d[before][j - 1] < least {
                least = d[before][j - 1];
            }
            if d[before][j + 1] < least {
                least = d[before][j + 1];
            }
            d[now][j] = w[i * cols + j - 1] + least;
        }
    }
    let mut f = 0.0;
    for j in 1..=cols {
        f += d[(rows - 1) & 1][j];
    }
    f
}

/// Two flags per cell: how the comparisons went.
#[derive(Default)]
struct Simple {
    taken: Vec<(bool, bool)>,
    above: Vec<f64>,
    here: Vec<f64>,
    dabove: Vec<f64>,
    dhere: Vec<f64>,
}

impl Simple {
    fn run(&mut self, w: &[f64], rows: usize, cols: usize, dw: &mut [f64]) -> f64 {
        let Self {
            taken,
            above,
            here,
            dabove,
            dhere,
        } = self;
        refill(above, cols + 2, FAR);
        refill(here, cols + 2, FAR);
        taken.resize(rows * cols, (false, false));
        above[1..=cols].copy_from_slice(&w[..cols]);
        for i in 1..rows {
            for j in 1..=cols {
                let mut least = above[j];
                let left = above[j - 1] < least;
                if left {
                    least = above[j - 1];
                }
                let right = above[j + 1] < least;
                if right {
                    least = above[j + 1];
                }
                here[j] = w[i * cols + j - 1] + least;
                taken[i * cols + j - 1] = (left, right);
            }
            std::mem::swap(above, here);
        }
        let mut f = 0.0;
        for j in 1..=cols {
            f += above[j];
        }

        refill(dabove, cols + 2, 0.0);
        refill(dhere, cols + 2, 0.0);
        for j in (1..=cols).rev() {
            dabove[j] += 1.0;
        }
        for i in (1..rows).rev() {
            std::mem::swap(dabove, dhere);
            for j in (1..=cols).rev() {
                let d = dhere[j];
                dhere[j] = 0.0;
                dw[i * cols + j - 1] += d;
                let mut dleast = d;
                let (left, right) = taken[i * cols + j - 1];
                if right {
                    dabove[j + 1] += dleast;
                    dleast = 0.0;
                }
                if left {
                    dabove[j - 1] += dleast;
                    dleast = 0.0;
                }
                dabove[j] += dleast;
            }
        }
        for j in (1..=cols).rev() {
            dw[j - 1] += dabove[j];
        }
        f
    }
}

/// A grid of so many rows (at least one) and columns.
pub fn kernel(rows: usize, cols: usize) -> Kernel {
    let (rows, cols) = black_box((rows, cols));
    let w = Rc::new(black_box(Numbers::new().vec(rows * cols, 0.0, 10.0)));
    let [w1, w2, w3] = [w.clone(), w.clone(), w.clone()];
    let (mut simple, mut best) = (Simple::default(), Best::default());
    Kernel::new(
        "pathfinder",
        &[rows * cols],
        move || pathfinder(&w, rows, cols),
        move |tape, gradient| pathfinder_grad_into(tape, &w1, &mut gradient[0], rows, cols),
        ByHand::new(2 * rows * cols, move |gradient| {
            let [dw] = cleared(gradient);
            simple.run(&w2, rows, cols, dw)
        }),
        ByHand::new(rows * (cols + 2), move |gradient| {
            best.run(&w3, rows, cols, &mut gradient[0])
        }),
    )
}

/// The size that is timed.
pub fn full() -> Kernel {
    kernel(128, 256).with_reference(Reference {
        loss: 61889.3552315312,
        entries: &[
            (0, 1, 20.0),
            (0, 16420, 38.0),
            (0, 32256, 2.0),
            (0, 32767, 1.0),
        ],
        directional: -684.0,
        magnitudes: &[32768.0],
    })
}
