//! The field of a closed current-carrying wire at its own points by the law of Biot and Savart, with vectors as arrays:
//! a sum over all pairs of a point and a piece.

use super::contest::Kernel;
use super::numbers::Numbers;
use retrograde::{Tape, gradient};

/// Keeps a point apart from the pieces that it ends.
const SOFTENING: f64 = 0.05;

/// The squares of the field, summed over all points but the last; `x` holds the three coordinates of each.
#[gradient]
fn strength(x: &[f64]) -> f64 {
    let n = x.len() / 3;
    let mut sum = 0.0;
    for i in 0..n - 1 {
        let mut b = [0.0; 3];
        for j in 0..n - 1 {
            let dl = [
                x[3 * j + 3] - x[3 * j],
                x[3 * j + 4] - x[3 * j + 1],
                x[3 * j + 5] - x[3 * j + 2],
            ];
            let r = [
                x[3 * i] - x[3 * j],
                x[3 * i + 1] - x[3 * j + 1],
                x[3 * i + 2] - x[3 * j + 2],
            ];
            let r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + SOFTENING;
            let f = 1.0 / (r2 * r2.sqrt());
            b[0] += f * (dl[1] * r[2] - dl[2] * r[1]);
            b[1] += f * (dl[2] * r[0] - dl[0] * r[2]);
            b[2] += f * (dl[0] * r[1] - dl[1] * r[0]);
        }
        sum += b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
    }
    sum
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn point(x: &[f64], i: usize) -> [f64; 3] {
    [x[3 * i], x[3 * i + 1], x[3 * i + 2]]
}

fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Both passes over the pieces for each point; what the point gets is added to memory once.
fn by_hand(x: &[f64], dx: &mut [f64]) -> f64 {
    let n = x.len() / 3;
    dx.fill(0.0);
    let mut sum = 0.0;
    for i in 0..n - 1 {
        let at = point(x, i);
        let mut b = [0.0; 3];
        for j in 0..n - 1 {
            let (begin, end) = (point(x, j), point(x, j + 1));
            let (dl, r) = (difference(end, begin), difference(at, begin));
            let r2 = dot(r, r) + SOFTENING;
            let f = 1.0 / (r2 * r2.sqrt());
            let product = cross(dl, r);
            for k in 0..3 {
                b[k] += f * product[k];
            }
        }
        sum += dot(b, b);
        let bar = [2.0 * b[0], 2.0 * b[1], 2.0 * b[2]];
        let mut at_bar = [0.0; 3];
        for j in 0..n - 1 {
            let (begin, end) = (point(x, j), point(x, j + 1));
            let (dl, r) = (difference(end, begin), difference(at, begin));
            let r2 = dot(r, r) + SOFTENING;
            let f = 1.0 / (r2 * r2.sqrt());
            // Of a triple product, the adjoints are cross products.
            let (dl_bar, mut r_bar) = (cross(r, bar), cross(bar, dl));
            let radial = -3.0 * f / r2 * dot(bar, cross(dl, r));
            for k in 0..3 {
                r_bar[k] = f * r_bar[k] + radial * r[k];
                at_bar[k] += r_bar[k];
                dx[3 * j + 3 + k] += f * dl_bar[k];
                dx[3 * j + k] -= r_bar[k] + f * dl_bar[k];
            }
        }
        for k in 0..3 {
            dx[3 * i + k] += at_bar[k];
        }
    }
    sum
}

pub(crate) fn kernel(points: usize) -> Kernel {
    let mut tape = Tape::new();
    let x = Numbers::new().vec(3 * points, 0.0, 1.0);
    Kernel::new(format!("filament/{points}"), x, strength)
        .with("by hand", by_hand)
        .with("retrograde", move |x, dx| {
            strength_grad_into(&mut tape, x, dx)
        })
}
