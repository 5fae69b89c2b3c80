//! Forms of parameters, views, copies.

use retrograde::{Tape, gradient};

use crate::{SIZES, check, numbers};

#[gradient]
fn by_iterators(a: &[f64], x: &[f64], w: &[f64]) -> f64 {
    let mut f = 0.0;
    for (row, w) in a.chunks_exact(x.len()).zip(w) {
        let mut s = 0.0;
        for (a, x) in row.iter().zip(x.iter()) {
            s += a * x;
        }
        f += s * s * w;
    }
    f
}

#[gradient]
fn by_rows(a: &[f64], x: &[f64], m: usize) -> f64 {
    let n = x.len();
    let mut f = 0.0;
    for i in 0..m {
        let row = &a[i * n..(i + 1) * n];
        for j in 0..n {
            f += row[j] * x[j] * row[j];
        }
    }
    f
}

#[gradient]
fn copied(x: &[f64], y: &[f64]) -> f64 {
    let mut state = x.to_vec();
    for i in 0..state.len() {
        state[i] = state[i] * state[i] + y[i];
    }
    let mut f = 0.0;
    for i in 0..state.len() {
        f += state[i] * y[i];
    }
    f
}

#[gradient]
fn partly_copied(x: &[f64], n: usize) -> f64 {
    let mut state = vec![0.0; n];
    state.copy_from_slice(&x[..n]);
    let mut f = 0.0;
    for i in 0..n {
        f += state[i] * state[i];
    }
    f
}

#[gradient]
fn vector(x: &Vec<f64>) -> f64 {
    let mut f = 0.0;
    for i in 0..x.len() {
        f += x[i].sin() * x[i];
    }
    f
}

#[test]
fn views_and_copies() {
    for n in SIZES {
        for m in [0, 1, 3] {
            check!(
                by_iterators,
                by_iterators_grad_into,
                by_iterators_adjoint,
                [m * (n + 1) + 1, n + 1, m]
            );
            check!(
                by_rows,
                by_rows_grad_into,
                by_rows_adjoint,
                [m * n + 1, n],
                m
            );
        }
        check!(copied, copied_grad_into, copied_adjoint, [n, n]);
        check!(
            partly_copied,
            partly_copied_grad_into,
            partly_copied_adjoint,
            [n + 2],
            n
        );
        let x = numbers(n, 1);
        let mut dx = vec![f64::NAN; n];
        vector_grad_into(&mut Tape::new(), &x, &mut dx);
        for (x, dx) in x.iter().zip(dx) {
            assert!((dx - (x.sin() + x * x.cos())).abs() < 1e-12);
        }
    }
}

#[gradient]
fn array(x: &[f64; 5], n: usize) -> f64 {
    let mut f = 0.0;
    for i in 0..n {
        f += x[i] * x[i];
    }
    f
}

#[gradient]
fn single(x: &[f32], y: &[f32]) -> f32 {
    let mut f = 0.0;
    for i in 0..x.len() {
        f += x[i] * x[i] * y[i];
    }
    f
}

/// By value, and nested: cleared as before.
#[gradient]
fn other_shapes(x: Vec<f64>, y: [f64; 3], z: &[[f64; 2]]) -> f64 {
    let mut f = 0.0;
    for i in 0..x.len() {
        f += x[i] * x[i];
    }
    for i in 0..3 {
        f += y[i].sin();
    }
    for i in 0..z.len() {
        for k in 0..2 {
            f += z[i][k] * z[i][k];
        }
    }
    f
}

/// No gradient functions, but an adjoint: it adds.
#[gradient]
fn in_out(x: &[f64], out: &mut [f64]) {
    for i in 0..x.len() {
        out[i] = x[i] * x[i];
    }
}

#[test]
fn other_parameters() {
    let mut tape = Tape::new();
    for n in 0..=5 {
        let mut dx = [f64::NAN; 5];
        array_grad_into(&mut tape, &[1.0, 2.0, 3.0, 4.0, 5.0], &mut dx, n);
        for i in 0..5 {
            assert_eq!(dx[i], if i < n { 2.0 * (i + 1) as f64 } else { 0.0 });
        }
    }
    let (x, y) = ([1.0f32, 2.0, 3.0], [0.5f32, 0.25, 4.0]);
    let (mut dx, mut dy) = ([f32::NAN; 3], [f32::NAN; 3]);
    single_grad_into(&mut tape, &x, &mut dx, &y, &mut dy);
    assert_eq!((dx, dy), ([1.0, 1.0, 24.0], [1.0, 4.0, 9.0]));

    let (x, y, z) = (vec![1.0, 2.0], [0.0; 3], [[3.0, 4.0], [5.0, 6.0]]);
    let (mut dx, mut dy, mut dz) = (vec![f64::NAN; 2], [f64::NAN; 3], [[f64::NAN; 2]; 2]);
    other_shapes_grad_into(&mut tape, x, &mut dx, y, &mut dy, &z, &mut dz);
    assert_eq!(dx, [2.0, 4.0]);
    assert_eq!(dy, [1.0; 3]);
    assert_eq!(dz, [[6.0, 8.0], [10.0, 12.0]]);

    let (x, mut out) = ([1.0, 2.0], [0.0; 2]);
    let (mut dx, mut dout) = ([100.0, 100.0], [1.0, 10.0]);
    in_out_adjoint(&mut tape, &x, &mut dx, &mut out, &mut dout, ());
    assert_eq!(dx, [102.0, 140.0]);
}

/// An index that wraps around is an error in a debug build only; in both the gradient is right where the function is.
#[gradient]
fn wrapping(x: &[f64], from: usize, n: usize) -> f64 {
    let mut f = 0.0;
    for i in 0..n {
        let at = i * 2 + from - i;
        f += x[at] * x[at];
    }
    f
}

#[test]
fn an_index_of_several_terms() {
    for n in [0, 1, 4] {
        check!(wrapping, wrapping_grad_into, wrapping_adjoint, [6], 2, n);
    }
}
