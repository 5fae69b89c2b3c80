//! Stencils on short rows: many slices of one array for a few elements each, arrays that end too early for one of them,
//! and indices at the end of their range.

use crate::twins::{agree, both, near, numbers, outcome, same_writes, twins};

twins! {
    /// Springs to four neighbours, two components each; rows of `m - 1` nodes.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn springs(x: &[f64], n: usize, m: usize, nodes: usize, f: &mut [f64]) {
        for i in 1..n {
            for j in 1..m {
                let p = i * (m + 1) + j;
                let (mut fx, mut fy) = (0.0, 0.0);
                for q in [p - (m + 1), p + (m + 1), p - 1, p + 1] {
                    let dx = x[q] - x[p];
                    let dy = x[nodes + q] - x[nodes + p];
                    let l = (dx * dx + dy * dy + 0.5).sqrt();
                    fx += dx / l;
                    fy += dy * (l - 1.0) / l;
                }
                f[p] = fx;
                f[nodes + p] = fy;
            }
        }
    }

    /// Both slices of `y` are written; they meet where `apart` is small.
    ///
    /// applied `reslice`, `gather`
    pub(super) fn spread(x: &[f64], apart: usize, n: usize, y: &mut [f64]) {
        for i in 0..n {
            y[i] = x[i] * x[i + 1];
            y[i + apart] = x[i] * x[i + 2];
        }
    }

    /// An index that may overflow in the middle of its range, in an array that is added to as well as in one that is
    /// read.
    ///
    /// applied `reslice`, `lanes`, `wide`
    pub(super) fn shifted(x: &[f64], up: usize, down: usize, n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += x[i + up - down] * x[i] * x[i];
        }
        s
    }
}

/// The numbers around blocks of lanes.
const ROWS: [usize; 16] = [0, 1, 2, 3, 4, 6, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65];

fn seeds(len: usize) -> Vec<f64> {
    numbers(len, 9)
}

#[test]
fn springs_of_all_lengths() {
    for m in ROWS {
        for n in [1, 2, 4] {
            let nodes = (n + 1) * (m + 1);
            let x = numbers(2 * nodes, 1);
            let forces =
                |sweeps: &dyn Fn(&mut retrograde::Tape, &mut [f64], &mut [f64], &mut [f64])| {
                    let (mut f, mut f_bar) = (vec![0.0; 2 * nodes], seeds(2 * nodes));
                    let mut x_bar = vec![0.25; 2 * nodes];
                    sweeps(&mut retrograde::Tape::new(), &mut x_bar, &mut f, &mut f_bar);
                    (f, f_bar, x_bar)
                };
            let on = forces(&|t, x_bar, f, f_bar| {
                on::springs_adjoint(t, &x, x_bar, n, m, nodes, f, f_bar, ());
            });
            let off = forces(&|t, x_bar, f, f_bar| {
                off::springs_adjoint(t, &x, x_bar, n, m, nodes, f, f_bar, ());
            });
            let mut f = vec![0.0; 2 * nodes];
            on::springs(&x, n, m, nodes, &mut f);
            assert_eq!(on.0, f, "{n} {m}");
            assert_eq!(off.0, f, "{n} {m}");
            near(&on.1, &off.1);
            near(&on.2, &off.2);
        }
    }
}

/// Each of the arrays ends too early by some elements: the rows before are written, and so is the start of the one that
/// panics.
#[test]
fn arrays_that_end_too_early() {
    let mut panics = 0;
    for m in [1, 2, 5, 7, 8, 9] {
        let (n, nodes) = (4, 5 * (m + 1));
        for (less_x, less_f) in [
            (1, 0),
            (2, 0),
            (m, 0),
            (2 * m + 3, 0),
            (0, m + 1),
            (0, m + 3),
            (0, 2 * m + 4),
            (nodes, 0),
        ] {
            let x = numbers(2 * nodes - less_x, 2);
            let done = same_writes(
                &vec![0.5; 2 * nodes - less_f],
                |f| on::springs(&x, n, m, nodes, f),
                |t, f, f_bar| {
                    on::springs_adjoint(t, &x, &mut vec![0.0; x.len()], n, m, nodes, f, f_bar, ());
                },
                |t, f, f_bar| {
                    off::springs_adjoint(t, &x, &mut vec![0.0; x.len()], n, m, nodes, f, f_bar, ());
                },
                &format!("{m}, {less_x} and {less_f} less"),
            );
            panics += usize::from(!done);
        }
    }
    assert!(panics > 20, "{panics}");
}

/// Rows of one array that meet are written in the order of the loop.
#[test]
fn rows_that_meet() {
    for n in ROWS {
        for apart in [0, 1, 2, n / 2, n.saturating_sub(1), n, n + 1] {
            let x = numbers(n + 2, 3);
            let len = n + apart;
            let done = same_writes(
                &numbers(len, 4),
                |y| on::spread(&x, apart, n, y),
                |t, y, y_bar| {
                    on::spread_adjoint(t, &x, &mut vec![0.0; n + 2], apart, n, y, y_bar, ());
                },
                |t, y, y_bar| {
                    off::spread_adjoint(t, &x, &mut vec![0.0; n + 2], apart, n, y, y_bar, ());
                },
                &format!("{n} rows, {apart} apart"),
            );
            assert!(done);
            let [mut on, mut off] = [vec![0.0; n + 2], vec![0.0; n + 2]];
            let mut tape = retrograde::Tape::new();
            on::spread_adjoint(
                &mut tape,
                &x,
                &mut on,
                apart,
                n,
                &mut numbers(len, 4),
                &mut seeds(len),
                (),
            );
            off::spread_adjoint(
                &mut tape,
                &x,
                &mut off,
                apart,
                n,
                &mut numbers(len, 4),
                &mut seeds(len),
                (),
            );
            near(&on, &off);
        }
    }
}

#[test]
fn indices_at_the_end_of_their_range() {
    for n in [1, 2, 5, 8, 9] {
        let x = numbers(n + 3, 5);
        for (up, down) in [
            (0, 0),
            (3, 0),
            (3, 1),
            (4, 0),
            (usize::MAX - n + 1, usize::MAX - n),
            (usize::MAX - n / 2, usize::MAX - n / 2),
            (usize::MAX, usize::MAX),
            (0, 1),
            (usize::MAX, 0),
        ] {
            both!(shifted, shifted_grad, (&x, up, down, n));
        }
        assert!(outcome(|| on::shifted_grad(&x, 3, 0, n)).is_some());
        assert!(outcome(|| on::shifted_grad(&x, 4, 0, n)).is_none());
    }
}
