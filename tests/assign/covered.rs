//! Gradients that one nest covers.

use retrograde::{Tape, gradient};

use crate::{SIZES, check, numbers};

/// The gradient of the matrix is covered by two loops, that of the vector is not, that of the third is by one.
#[gradient]
fn quadratic(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let n = x.len();
    let mut f = 0.0;
    for i in 0..b.len() {
        let mut s = 0.0;
        for j in 0..n {
            s += a[i * n + j] * x[j];
        }
        let r = s - b[i];
        f += r * r;
    }
    f
}

#[test]
fn a_matrix_of_every_shape() {
    for m in SIZES {
        for n in SIZES {
            check!(
                quadratic,
                quadratic_grad_into,
                quadratic_adjoint,
                [m * n, n, m]
            );
        }
    }
}

#[test]
fn rows_that_are_not_used_are_zero() {
    for (m, n, more) in [(2, 3, 4), (0, 3, 5), (3, 0, 5), (3, 2, 1)] {
        check!(
            quadratic,
            quadratic_grad_into,
            quadratic_adjoint,
            [m * n + more, n, m]
        );
    }
}

/// Columns first, by rows that are further apart than they are long; then the gaps are zero.
#[gradient]
fn strided(a: &[f64], x: &[f64], rows: usize, columns: usize, stride: usize, from: usize) -> f64 {
    let mut f = 0.0;
    for j in 0..columns {
        for i in 0..rows {
            let row = i * stride;
            f += a[from + row + j] * x[j] * x[j];
        }
    }
    f
}

#[gradient]
fn by_columns(a: &[f64], x: &[f64], rows: usize, columns: usize, from: usize) -> f64 {
    let mut f = 0.0;
    for j in 0..columns {
        for i in 0..rows {
            let row = i * columns;
            f += a[from + row + j] * x[j] * x[j];
        }
    }
    f
}

#[test]
fn gaps_and_offsets() {
    for (rows, columns, stride, from) in [
        (3, 2, 4, 0),
        (3, 2, 2, 0),
        (2, 5, 1, 3),
        (4, 1, 3, 2),
        (0, 3, 3, 1),
        (3, 0, 3, 1),
        (1, 4, 9, 1),
    ] {
        let len = from + rows * stride + columns + 2;
        check!(
            strided,
            strided_grad_into,
            strided_adjoint,
            [len, columns],
            rows,
            columns,
            stride,
            from
        );
        let len = from + rows * columns + 2;
        check!(
            by_columns,
            by_columns_grad_into,
            by_columns_adjoint,
            [len, columns],
            rows,
            columns,
            from
        );
    }
}

/// Bounds that begin behind zero, on either side inclusive, and an offset that is taken away.
#[gradient]
fn inside(w: &[f64], rows: usize, cols: usize) -> f64 {
    let mut f = 0.0;
    for i in 1..rows {
        for j in 1..=cols {
            f += w[i * cols + j - 1] * w[i * cols + j - 1];
        }
    }
    for j in 0..cols {
        f += w[j].sin();
    }
    f
}

#[gradient]
fn between(w: &[f64], from: usize, to: usize) -> f64 {
    let mut f = 0.0;
    for i in from..=to {
        f += w[i] * w[i] * w[i];
    }
    f
}

#[gradient]
fn behind(w: &[f64], from: usize, to: usize) -> f64 {
    let mut f = 0.0;
    for i in from..to {
        f += w[i - from] * w[i - from];
    }
    f
}

#[test]
fn ranges_that_begin_anywhere() {
    for rows in SIZES {
        for cols in SIZES {
            check!(
                inside,
                inside_grad_into,
                inside_adjoint,
                [rows.max(1) * cols + 1],
                rows,
                cols
            );
        }
    }
    for (from, to) in [(0, 0), (0, 6), (2, 4), (3, 3), (4, 3), (6, 0), (6, 6)] {
        check!(between, between_grad_into, between_adjoint, [7], from, to);
        check!(behind, behind_grad_into, behind_adjoint, [7], from, to);
    }
    let far = usize::MAX;
    check!(behind, behind_grad_into, behind_adjoint, [7], far - 5, far);
    check!(behind, behind_grad_into, behind_adjoint, [7], far, far - 5);
}

/// Three digits, the last with a constant number of values, and the first of one value.
#[gradient]
fn cube(t: &[f64], w: &[f64], m: usize, n: usize) -> f64 {
    const DEPTH: usize = 3;
    let mut f = 0.0;
    for one in 0..1 {
        for i in 0..m {
            for j in 0..n {
                for k in 0..DEPTH {
                    let at = (i * n + j) * DEPTH + k;
                    f += t[at + one] * w[k * m + i];
                }
            }
        }
    }
    f
}

#[gradient]
fn generic<const N: usize>(a: &[f64], x: &[f64; N]) -> f64 {
    let mut f = 0.0;
    for i in 0..N {
        for j in 0..N {
            f += a[i * N + j] * x[i] * x[j];
        }
    }
    f
}

#[test]
fn three_digits_and_constants() {
    for m in SIZES {
        for n in [0, 1, 2, 5] {
            check!(
                cube,
                cube_grad_into,
                cube_adjoint,
                [m * n * 3 + 2, 3 * m + 1],
                m,
                n
            );
        }
    }
    let (a, x) = (numbers(12, 1), [0.5, -1.5, 2.0]);
    let (mut da, mut dx) = ([f64::NAN; 12], [f64::NAN; 3]);
    generic_grad_into(&mut Tape::new(), &a, &mut da, &x, &mut dx);
    for i in 0..3 {
        for j in 0..3 {
            assert_eq!(da[i * 3 + j], x[i] * x[j]);
        }
        let want: f64 = (0..3).map(|j| (a[i * 3 + j] + a[j * 3 + i]) * x[j]).sum();
        assert!((dx[i] - want).abs() < 1e-12);
    }
    assert_eq!(da[9..], [0.0; 3]);
}

/// Several contributions to one element in one iteration, the first of them with a minus.
#[gradient]
fn several(x: &[f64], y: &[f64]) -> f64 {
    let mut f = 0.0;
    for i in 0..x.len() {
        f -= x[i] * y[i];
        f += x[i] * x[i] * y[i];
        if y[i] > 0.7 {
            f += x[i].sin();
        }
        f -= y[i].exp();
    }
    f
}

#[test]
fn several_contributions_to_one_element() {
    for n in SIZES {
        check!(several, several_grad_into, several_adjoint, [n, n]);
    }
}

#[test]
fn the_gradient_by_value_is_the_same() {
    let (a, x, b) = (numbers(6, 0), numbers(3, 1), numbers(2, 2));
    let (_, (da, dx, db)) = quadratic_grad(&a, &x, &b);
    let (mut ga, mut gx, mut gb) = (vec![f64::NAN; 6], vec![f64::NAN; 3], vec![f64::NAN; 2]);
    quadratic_grad_into(&mut Tape::new(), &a, &mut ga, &x, &mut gx, &b, &mut gb);
    assert_eq!((da, dx, db), (ga, gx, gb));
}
