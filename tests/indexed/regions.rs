//! Elements by an `Index` in regions that run twice, and in loops that are left early.

use std::ops::{Index, IndexMut};

use retrograde::{Differentiable, Record, Tape, gradient};

use crate::support::{assert_same_value, check};

#[derive(Clone, Debug, Differentiable, Record)]
struct Grid {
    width: usize,
    cells: Vec<f64>,
}

impl Index<(usize, usize)> for Grid {
    type Output = f64;

    fn index(&self, (r, c): (usize, usize)) -> &f64 {
        &self.cells[r * self.width + c]
    }
}

impl IndexMut<(usize, usize)> for Grid {
    fn index_mut(&mut self, (r, c): (usize, usize)) -> &mut f64 {
        &mut self.cells[r * self.width + c]
    }
}

/// What an index leads to depends on what is written through it.
#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Pair {
    a: f64,
    b: f64,
}

impl Index<bool> for Pair {
    type Output = f64;

    fn index(&self, greater: bool) -> &f64 {
        if (self.a > self.b) == greater {
            &self.a
        } else {
            &self.b
        }
    }
}

impl IndexMut<bool> for Pair {
    fn index_mut(&mut self, greater: bool) -> &mut f64 {
        if (self.a > self.b) == greater {
            &mut self.a
        } else {
            &mut self.b
        }
    }
}

#[gradient]
fn left_early(x: &[f64], n: usize) -> f64 {
    let mut s = 0.4 * x[0] + 0.1;
    let mut grid = Grid {
        width: 3,
        cells: x.to_vec(),
    };
    #[checkpoint]
    for i in 0..n {
        let t = grid[(0, i % 3)];
        grid[(0, i % 3)] = grid[(1, i % 3)];
        grid[(1, i % 3)] = t * s;
        grid[(i % 2, (i + 1) % 3)] *= grid[(i % 2, i % 3)] + 0.5 * s;
        s = 0.5 * s + grid[(1, i % 3)].sin();
        if s > 1.1 {
            s *= 0.5;
            break;
        }
        if s < 0.2 {
            s += 0.75;
            continue;
        }
        s += 0.125 * grid[(0, 0)];
    }
    s * grid[(0, 1)] + grid[(1, 2)]
}

#[gradient]
fn by_what_is_written(x: &[f64], n: usize) -> f64 {
    let mut pair = Pair { a: x[0], b: x[1] };
    let mut s = x[2];
    'outer: for j in 0..n {
        #[checkpoint]
        for i in j..j + 3 {
            pair[s > 0.5] += s * pair[i % 2 == 0];
            pair[true] = 0.5 * pair[true] - s;
            s = 0.5 * s + pair[false] * 0.25;
        }
        if pair[true] > 2.0 {
            s -= pair[true];
            continue 'outer;
        }
        if s < -2.0 {
            break;
        }
        s *= pair[j % 2 == 1];
    }
    s * pair[false] + pair.a
}

/// What comes in is written, and overwritten, while elements of a copy change.
#[gradient]
fn in_place(x: &mut [f64], n: usize) -> f64 {
    let mut s = 0.4 * x[0];
    let mut grid = Grid {
        width: 3,
        cells: x.to_vec(),
    };
    for i in 0..n {
        std::mem::swap(&mut grid.cells[i % 6], &mut s);
        grid[(1, 1)] += s;
        let cell = &mut grid[(i % 2, 1)];
        *cell = cell.sin() + 0.5 * s;
        x[(i + 1) % 6] = 0.5 * x[i % 6] + 0.1 * grid[(i % 2, 1)];
        if s > 1.7 {
            return s * x[0];
        }
    }
    s * grid[(1, 1)]
}

const SIX: &[&[f64]] = &[
    &[0.31, 1.22, -0.41, 0.82, 1.73, 0.61],
    &[1.11, 0.23, 0.91, -0.33, 0.51, 2.14],
    &[-0.71, -0.22, 0.15, 0.46, 1.31, 1.92],
];

#[test]
fn regions_and_early_exits() {
    for n in [0, 1, 2, 5, 9] {
        check(|x| left_early(x, n), |x| left_early_grad(x, n), SIX);
        check(
            |x| by_what_is_written(x, n),
            |x| by_what_is_written_grad(x, n),
            SIX,
        );
    }
    // Neither of two equal ones is greater, and what is no number is not.
    for x in [[1.0; 6], [0.5, f64::NAN, 0.2, 1.0, 0.3, -1.0]] {
        assert_same_value(by_what_is_written_grad(&x, 5).0, by_what_is_written(&x, 5));
        assert_same_value(left_early_grad(&x, 5).0, left_early(&x, 5));
    }
}

#[test]
fn arguments_that_are_overwritten() {
    let weights = [0.7, -1.3, 0.4, 2.0, -0.6, 1.1];
    let run = |x: &[f64], n: usize| {
        let mut after = x.to_vec();
        let value = in_place(&mut after, n);
        (value, after)
    };
    let weighted = |x: &[f64], n: usize| {
        let (value, after) = run(x, n);
        1.5 * value + after.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>()
    };
    let mut tape = Tape::builder().shadow(true).build().expect("valid");
    for (x, n) in SIX.iter().flat_map(|x| [0, 1, 2, 5, 9].map(|n| (*x, n))) {
        let (mut y, mut d) = (x.to_vec(), weights.to_vec());
        let value = in_place_adjoint(&mut tape, &mut y, &mut d, n, 1.5);
        let (want, after) = run(x, n);
        assert_same_value(value, want);
        y.iter()
            .zip(&after)
            .for_each(|(a, b)| assert_same_value(*a, *b));
        for k in 0..6 {
            let at = |h: f64| {
                let mut x = x.to_vec();
                x[k] += h;
                weighted(&x, n)
            };
            for h in [1e-5, 1e-6] {
                let slope = (at(h) - at(-h)) / (2.0 * h);
                assert!(
                    (d[k] - slope).abs() < 1e-6 * (1.0 + slope.abs()),
                    "{n} {k}: {} {slope}",
                    d[k]
                );
            }
        }
    }
}
