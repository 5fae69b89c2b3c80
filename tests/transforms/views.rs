//! Loops over parts of arrays: rows, chunks, windows, arrays of arrays.

use crate::twins::{SIZES, agree, both, numbers, same_writes, twins};

twins! {
    /// A part that is not there and not used, at the end of an arm, of a block, and in a variable declared before.
    ///
    /// not applied `reslice`
    pub(super) fn unused_parts(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.5;
        for i in 0..n {
            let one = match i {
                0 => &x[..1],
                k => &x[k..k + m],
            };
            let two = {
                let k = m + 1;
                &y[..k]
            };
            let three;
            three = if i % 2 == 0 { &y[i..m + i] } else { y };
            let four;
            four = &x[m..];
            let five = if i % 3 == 1 { &x[m + 1] } else { &x[0] };
            if i % 3 == 2 {
                s += one[0] * two[0] * three[0] * four[0] * five;
            }
        }
        s
    }

    /// applied `reslice`, `jam`, `terms`
    pub(super) fn row(a: &[f64], x: &[f64], n: usize) -> f64 {
        let mut out = 0.0;
        for i in 0..n {
            let row = &a[i * n..(i + 1) * n];
            let mut s = 0.0;
            for j in 0..n {
                s += row[j] * x[j];
            }
            out += s * s;
        }
        out
    }

    /// applied `reslice`
    pub(super) fn open_row(a: &[f64], x: &[f64], n: usize) -> f64 {
        let mut out = 0.0;
        for i in 0..n {
            let row = &a[i * n..];
            let mut s = 0.0;
            for j in 0..n {
                s += row[j] * x[j];
            }
            out += s * s;
        }
        out
    }

    /// applied `reslice`, `jam`, `terms`
    pub(super) fn zipped(a: &[f64], x: &[f64], m: usize, n: usize) -> f64 {
        let mut out = 0.0;
        for i in 0..n {
            let mut s = 0.0;
            for (p, q) in a[i * m..(i + 1) * m].iter().zip(x) {
                s += p * q;
            }
            out += s * s;
        }
        out
    }

    /// applied `reslice`, `jam`, `terms`
    pub(super) fn zipped_the_other_way(a: &[f64], x: &[f64], m: usize, n: usize) -> f64 {
        let mut out = 0.0;
        for i in 0..n {
            let mut s = 0.0;
            for (q, p) in x.iter().zip(a[i * m..i * m + m].iter()) {
                s += p * q;
            }
            out += s * s;
        }
        out
    }

    /// applied `reslice`, `jam`, `terms`
    pub(super) fn exact_chunks(a: &[f64], x: &[f64], m: usize) -> f64 {
        let mut out = 0.0;
        for row in a.chunks_exact(m) {
            let mut s = 0.0;
            for (p, q) in row.iter().zip(x) {
                s += p * q;
            }
            out += s * s;
        }
        out
    }

    /// The last chunk may be shorter.
    ///
    /// applied `reslice`
    pub(super) fn chunks(a: &[f64], x: &[f64], m: usize) -> f64 {
        let mut out = 0.0;
        for row in a.chunks(m) {
            let mut s = 0.1;
            for (p, q) in row.iter().zip(x) {
                s += p * q * s;
            }
            out += s * s;
        }
        out
    }

    /// applied `reslice`, `lanes`
    pub(super) fn written_chunks(a: &[f64], x: &[f64], m: usize) -> f64 {
        let mut u = a.to_vec();
        for row in u.chunks_exact_mut(m) {
            for (p, q) in row.iter_mut().zip(x) {
                *p = *p * q + q * q;
            }
        }
        u.iter().map(|v| v * v).sum()
    }

    /// applied `reslice`, `lanes`, `jam`, `hoist`
    pub(super) fn written_rows(a: &[f64], x: &[f64], n: usize) -> f64 {
        let mut out = vec![0.5; n * n];
        for i in 0..n {
            let row = &mut out[i * n..(i + 1) * n];
            for j in 0..n {
                row[j] = a[i * n + j] * x[j] * x[j] + row[j];
            }
        }
        out.iter().map(|v| v * v).sum()
    }

    /// applied `reslice`, `lanes`, `gather`
    pub(super) fn windows(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for w in x.windows(3) {
            s += (w[2] - 2.0 * w[1] + w[0]).powi(2) * w[1];
        }
        s
    }

    /// applied `reslice`
    pub(super) fn windows_of_any_size(x: &[f64], size: usize) -> f64 {
        let mut s = 0.0;
        for w in x.windows(size) {
            let mut p = 1.0;
            for j in 0..w.len() {
                p *= w[j] + 0.5;
            }
            s += p;
        }
        s
    }

    /// applied `reslice`, `lanes`, `gather`
    pub(super) fn own_windows(x: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let w = &x[i..i + 2];
            s += w[0] * w[1] * w[1];
        }
        s
    }

    /// applied `reslice`
    pub(super) fn parts_of_a_part(a: &[f64], x: &[f64], n: usize, t: usize) -> f64 {
        let mut out = 0.0;
        for k in 0..t {
            let matrix = &a[k * n * n..(k + 1) * n * n];
            for i in 0..n {
                let row = &matrix[i * n..(i + 1) * n];
                let mut s = 0.0;
                for j in 0..n {
                    s += row[j] * x[j];
                }
                out += s * s;
            }
        }
        out
    }

    /// applied `reslice`
    pub(super) fn two_halves(x: &[f64], n: usize) -> f64 {
        let (a, b) = (&x[..n], &x[n..]);
        let mut s = 0.0;
        for i in 0..n {
            s += a[i] * b[i] * b[i];
        }
        s
    }

    /// The parts have elements in common.
    ///
    /// applied `reslice`
    pub(super) fn overlapping_parts(x: &[f64], n: usize, k: usize) -> f64 {
        let (a, b) = (&x[..n], &x[k..]);
        let mut s = 0.0;
        for i in 0..n {
            s += a[i] * b[i] * b[i];
        }
        s
    }

    /// applied `reslice`, `lanes`
    pub(super) fn arrays_of_arrays(x: &[[f64; 3]], m: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            for j in i + 1..x.len() {
                let mut r = 0.01;
                for d in 0..3 {
                    let t = x[i][d] - x[j][d];
                    r += t * t;
                }
                s += m / r.sqrt();
            }
        }
        s
    }

    /// applied `reslice`
    pub(super) fn vectors_of_vectors(a: &[Vec<f64>], x: &[f64]) -> f64 {
        let mut out = 0.0;
        for i in 0..a.len() {
            let mut s = 0.0;
            for j in 0..x.len() {
                s += a[i][j] * x[j];
            }
            out += s * s;
        }
        out
    }

    /// A row is read while another one, which may be the same, is written.
    ///
    /// applied `reslice`
    pub(super) fn row_by_row(a: &[f64], n: usize, p: usize, q: usize) -> f64 {
        let mut u = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..n {
                u[i][j] = a[i * n + j];
            }
        }
        if p < n && q < n {
            for j in 1..n {
                u[p][j] = u[p][j] * u[q][j - 1] + u[q][j];
            }
        }
        let mut s = 0.0;
        for i in 0..n {
            for j in 0..n {
                s += u[i][j] * u[i][j];
            }
        }
        s
    }

    /// Layers of a matrix in a vector of vectors.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn layers(w: &[Vec<f64>], x: &[f64]) -> f64 {
        let n = x.len();
        let mut h = x.to_vec();
        for l in 0..w.len() {
            let mut next = vec![0.0; n];
            for i in 0..n {
                let mut s = 0.0;
                for j in 0..n {
                    s += w[l][i * n + j] * h[j];
                }
                next[i] = s.tanh();
            }
            h = next;
        }
        h.iter().sum()
    }

    /// applied `reslice`, `jam`, `terms`, `bulk`
    pub(super) fn checked_rows(a: &[f64], x: &[f64], m: usize, n: usize, out: &mut [f64]) {
        for i in 0..n {
            let row = &a[i * m..(i + 1) * m];
            let mut s = 0.0;
            for j in 0..m {
                s += row[j] * x[j];
            }
            out[i] += s;
        }
    }

    /// Only a part of each row is used; all of it has to be there.
    ///
    /// applied `bulk`
    pub(super) fn first_of_row(a: &[f64], m: usize, n: usize, out: &mut [f64]) {
        for i in 0..n {
            let row = &a[i * m..i * m + m];
            out[i] += row[0] * 2.0;
        }
    }

    /// Both parts end at the same length; only one of them is known to exist.
    ///
    /// applied `reslice`, `bulk`
    pub(super) fn ends_of_two(x: &[f64], y: &[f64], out: &mut [f64]) {
        let known = &x[0..x.len()];
        for j in 0..x.len() {
            out[j] += known[j] * 2.0 + y[0..x.len()][j];
        }
    }

    /// not applied `reslice`: forward: `out` is written at an element that all iterations share
    /// applied `jam`: forward: 8 iterations at once
    pub(super) fn ragged(a: &[Vec<f64>], m: usize, out: &mut [f64]) {
        for i in 0..a.len() {
            for j in 0..m {
                out[i] += a[i][j] * a[i][j];
            }
        }
    }

    /// applied `reslice`, `bulk`
    pub(super) fn one_row(a: &[Vec<f64>], k: usize, m: usize, out: &mut [f64]) {
        for j in 0..m {
            out[j] = out[j] * 0.5 + a[k][j];
        }
    }
}

#[test]
fn rows_chunks_and_windows() {
    for n in [0, 1, 2, 3, 5, 7, 8, 9, 16, 17, 31, 33] {
        let (a, x) = (&numbers(n * n, 1), &numbers(n, 2));
        both!(row, row_grad, (a, x, n));
        both!(open_row, open_row_grad, (a, x, n));
        both!(written_rows, written_rows_grad, (a, x, n));
        for m in [1, 2, 3, n, n + 1] {
            let a = &numbers(m * n, 3);
            for x in [&numbers(m, 4), &numbers(n, 4), &numbers(m / 2, 4)] {
                both!(zipped, zipped_grad, (a, x, m, n));
                both!(
                    zipped_the_other_way,
                    zipped_the_other_way_grad,
                    (a, x, m, n)
                );
                both!(exact_chunks, exact_chunks_grad, (a, x, m));
                both!(chunks, chunks_grad, (a, x, m));
                both!(written_chunks, written_chunks_grad, (a, x, m));
            }
        }
        for t in [0, 1, 3] {
            let a = &numbers(t * n * n, 5);
            both!(parts_of_a_part, parts_of_a_part_grad, (a, x, n, t));
        }
        for (p, q) in [(0, 0), (0, n / 2), (n / 2, 0), (n, 0)] {
            both!(row_by_row, row_by_row_grad, (a, n, p, q));
        }
        let w = vec![a.clone(); 3];
        both!(layers, layers_grad, (&w, x));
    }
    for n in SIZES {
        let x = &numbers(n, 1);
        both!(windows, windows_grad, (x));
        for size in [1, 2, 4, n + 1] {
            both!(windows_of_any_size, windows_of_any_size_grad, (x, size));
        }
        for trips in [0, n / 2, n.saturating_sub(1), n] {
            both!(own_windows, own_windows_grad, (x, trips));
        }
        for half in [0, n / 2, n / 2 + 1] {
            both!(two_halves, two_halves_grad, (x, half));
            for k in [0, 1, n / 3] {
                both!(overlapping_parts, overlapping_parts_grad, (x, half, k));
            }
        }
        let points: Vec<[f64; 3]> = (0..n.min(40))
            .map(|i| [0.1 * i as f64, (i as f64).sin(), (2.0 * i as f64).cos()])
            .collect();
        both!(arrays_of_arrays, arrays_of_arrays_grad, (&points, 0.7));
    }
}

#[test]
fn vectors_of_vectors_of_any_length() {
    for n in [0, 1, 3, 8, 17] {
        let x = &numbers(n, 2);
        let mut a: Vec<Vec<f64>> = (0..n + 2).map(|i| numbers(n, 3 + i as u32)).collect();
        both!(vectors_of_vectors, vectors_of_vectors_grad, (&a, x));
        // One is longer, one is too short.
        a[0].push(1.0);
        both!(vectors_of_vectors, vectors_of_vectors_grad, (&a, x));
        a[n + 1].pop();
        both!(vectors_of_vectors, vectors_of_vectors_grad, (&a, x));
    }
}

#[test]
fn parts_that_do_not_exist() {
    for n in [1, 2, 7, 8, 9, 17, 33] {
        let x = numbers(n + 1, 2);
        let start = numbers(n + 1, 4);
        for (m, short) in [
            (n, 0),
            (n, 1),
            (n + 1, 0),
            (n, n),
            (0, 0),
            (usize::MAX, 0),
            (usize::MAX / 2 + 1, 0),
        ] {
            let len = m.min(n + 1) * n - short.min(m.min(n + 1) * n);
            let a = numbers(len, 3);
            let what = format!("{n} rows of {m}, {short} too short");
            same_writes(
                &start,
                |o| on::checked_rows(&a, &x, m, n, o),
                |t, o, b| {
                    on::checked_rows_adjoint(
                        t,
                        &a,
                        &mut vec![0.0; len],
                        &x,
                        &mut vec![0.0; n + 1],
                        m,
                        n,
                        o,
                        b,
                        (),
                    )
                },
                |t, o, b| {
                    off::checked_rows_adjoint(
                        t,
                        &a,
                        &mut vec![0.0; len],
                        &x,
                        &mut vec![0.0; n + 1],
                        m,
                        n,
                        o,
                        b,
                        (),
                    )
                },
                &what,
            );
            same_writes(
                &start,
                |o| on::first_of_row(&a, m, n, o),
                |t, o, b| on::first_of_row_adjoint(t, &a, &mut vec![0.0; len], m, n, o, b, ()),
                |t, o, b| off::first_of_row_adjoint(t, &a, &mut vec![0.0; len], m, n, o, b, ()),
                &what,
            );
        }
        for len in [0, n / 2, n, n + 1] {
            let y = numbers(len, 5);
            let (mut dx, mut dy) = (vec![0.0; n + 1], vec![0.0; len]);
            same_writes(
                &start,
                |o| on::ends_of_two(&x, &y, o),
                |t, o, b| {
                    on::ends_of_two_adjoint(t, &x, &mut dx.clone(), &y, &mut dy.clone(), o, b, ())
                },
                |t, o, b| {
                    off::ends_of_two_adjoint(t, &x, &mut dx.clone(), &y, &mut dy.clone(), o, b, ())
                },
                &format!("{len} of {n}"),
            );
        }
        for bad in [0, n / 2, n - 1, n] {
            let mut a: Vec<Vec<f64>> = (0..n).map(|i| numbers(n, i as u32)).collect();
            let mut bars: Vec<Vec<f64>> = vec![vec![0.0; n]; n];
            if bad < n {
                a[bad].truncate(n / 2);
                bars[bad].truncate(n / 2);
            }
            let what = format!("row {bad} of {n} is short");
            same_writes(
                &start,
                |o| on::ragged(&a, n, o),
                |t, o, b| on::ragged_adjoint(t, &a, &mut bars.clone(), n, o, b, ()),
                |t, o, b| off::ragged_adjoint(t, &a, &mut bars.clone(), n, o, b, ()),
                &what,
            );
            same_writes(
                &start,
                |o| on::one_row(&a, bad, n, o),
                |t, o, b| on::one_row_adjoint(t, &a, &mut bars.clone(), bad, n, o, b, ()),
                |t, o, b| off::one_row_adjoint(t, &a, &mut bars.clone(), bad, n, o, b, ()),
                &what,
            );
        }
    }
}

#[test]
fn parts_exist_where_references_to_them_are_made() {
    let (mut fine, mut missing) = (0, 0);
    for p in [1, 2, 3, 5, 8] {
        for q in [1, 2, 3, 5, 8] {
            for n in 0..4 {
                for m in 1..7 {
                    let (x, y) = (&numbers(p, 1), &numbers(q, 2));
                    both!(unused_parts, unused_parts_grad, (x, y, n, m));
                    match crate::twins::outcome(|| on::unused_parts(x, y, n, m)) {
                        Some(_) => fine += 1,
                        None => missing += 1,
                    }
                }
            }
        }
    }
    assert!(fine > 50 && missing > 50, "{fine} {missing}");
}
