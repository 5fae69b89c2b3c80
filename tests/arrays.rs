//! Arrays, nested arrays, slices, vectors of vectors, and views into them.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod support;

use retrograde::gradient;
use support::number::{D, num};
use support::{check, check_dual, check_exact, flat};

const QUADS: &[&[f64]] = &[&[0.7, 0.4, -0.3, 1.2], &[-1.3, 0.9, 1.1, 0.6]];

fn matrix(p: &[f64]) -> [[f64; 2]; 2] {
    [[p[0], p[1]], [p[2], p[3]]]
}

#[gradient]
fn determinant(m: [[f64; 2]; 2]) -> f64 {
    m[0][0] * m[1][1] - m[0][1] * m[1][0]
}

#[gradient]
fn determinant_of_reference(m: &[[f64; 2]; 2]) -> f64 {
    let [[a, b], [c, d]] = *m;
    a * d - b * c
}

#[test]
fn nested_arrays_by_value_and_by_reference() {
    let want = |p: &[f64]| vec![p[3], -p[2], -p[1], p[0]];
    check_exact(
        |p| determinant(matrix(p)),
        |p| determinant_grad(matrix(p)),
        want,
        QUADS,
    );
    check_exact(
        |p| determinant_of_reference(&matrix(p)),
        |p| determinant_of_reference_grad(&matrix(p)),
        want,
        QUADS,
    );
}

#[gradient]
fn nested(m: &[[f64; 2]], x: f64) -> f64 {
    let mut a = [[0.0; 2]; 3];
    for i in 0..m.len() {
        for j in 0..2 {
            a[i][j] = m[i][j] * x + if i > 0 { a[i - 1][1 - j] } else { 0.0 };
        }
    }
    a[2] = a[0];
    a[2][1] *= a[1][0];
    let row = a[1];
    a[1][0] = 7.0;
    a[0][0] * a[2][1] + row[0] * row[1] + a[1][0]
}

#[test]
fn nested_array_changed_by_rows_and_elements() {
    let inputs: &[&[f64]] = &[&[0.7, 0.4, -0.3, 1.2, 0.9], &[-1.3, 0.9, 1.1, 0.6, -0.4]];
    let rows = |p: &[f64]| vec![[p[0], p[1]], [p[2], p[3]]];
    check(
        |p| nested(&rows(p), p[4]),
        |p| nested_grad(&rows(p), p[4]),
        inputs,
    );
}

#[gradient]
fn product(a: &[f64], b: &[f64], n: usize) -> f64 {
    let mut c = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let mut s = 0.0;
            for k in 0..n {
                s += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = s.tanh();
        }
    }
    let mut t = 0.0;
    for i in 0..n {
        t += c[i * n + i] * c[i];
    }
    t
}

#[test]
fn matrix_product_on_flat_slices() {
    let a: Vec<f64> = (0..9).map(|k| (k as f64 * 0.7).sin()).collect();
    let b: Vec<f64> = (0..9).map(|k| (k as f64 * 1.3).cos()).collect();
    let p: Vec<f64> = a.iter().chain(&b).copied().collect();
    check(
        |p| product(&p[..9], &p[9..], 3),
        |p| product_grad(&p[..9], &p[9..], 3),
        &[&p],
    );
}

#[gradient]
fn ragged(rows: &[Vec<f64>], x: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..rows.len() {
        for j in 0..rows[i].len() {
            s += rows[i][j] * rows[i][rows[i].len() - 1] * x;
        }
    }
    s
}

#[gradient]
fn local_rows(x: f64, y: f64) -> f64 {
    let mut rows = vec![vec![x; 2], vec![y, x * y, 1.0]];
    rows[0][1] *= rows[1][0];
    let more = rows[0][1] * x;
    rows[1].push(more);
    rows.push(vec![y * y]);
    rows[2][0] += rows[1][3];
    let last = rows[1].clone();
    rows[1][0] = 0.0;
    rows[0][1] * rows[2][0] + last[0] * last[2] + rows[1][0]
}

#[test]
fn vectors_of_vectors() {
    let rows = |p: &[f64]| vec![vec![p[0]], vec![p[1], p[2]], vec![]];
    check(
        |p| ragged(&rows(p), p[3]),
        |p| ragged_grad(&rows(p), p[3]),
        QUADS,
    );
    let (_, (d, _)) = ragged_grad(&rows(QUADS[0]), 2.0);
    assert_eq!(
        d.iter().map(Vec::len).collect::<Vec<_>>(),
        [1, 2, 0],
        "the gradient has the shape of the argument"
    );
    check(
        |p| local_rows(p[0], p[1]),
        |p| local_rows_grad(p[0], p[1]),
        &[&[0.7, 0.4], &[-1.3, 0.9]],
    );
}

#[gradient]
fn owned(mut v: Vec<f64>, w: &Vec<f64>) -> f64 {
    v[0] *= w[1];
    v.push(w[0] * v[1]);
    v[2] * v[0]
}

#[test]
fn vectors_by_value_and_by_reference() {
    check(
        |p| owned(p[..2].to_vec(), &p[2..].to_vec()),
        |p| owned_grad(p[..2].to_vec(), &p[2..].to_vec()),
        QUADS,
    );
    let (_, (dv, dw)) = owned_grad(vec![1.0, 2.0], &vec![3.0, 4.0]);
    assert_eq!((dv.len(), dw.len()), (2, 2));
}

#[gradient]
fn views(v: &[f64], n: usize) -> f64 {
    let row = &v[n..n + 2];
    let tail = &row[1..];
    let mut a = [v[0], v[1], v[2], v[3]];
    {
        let part = &mut a[1..=2];
        part[0] *= tail[0];
        part[1] += part[0] * row[0];
        let one = &mut part[1];
        *one *= *one;
    }
    let all = &a[..];
    all[1] * all[2] + a[3] * tail[0]
}

#[test]
fn sub_slices_as_views() {
    for n in 0..3 {
        check(|p| views(p, n), |p| views_grad(p, n), QUADS);
    }
}

#[gradient]
fn rows_of_a_flat_matrix(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() / n {
        let row = &x[i * n..(i + 1) * n];
        let mut m = row[0];
        for j in 1..n {
            m = m.max(row[j]);
        }
        let mut e = 0.0;
        for j in 0..n {
            e += (row[j] - m).exp();
        }
        s += m + e.ln();
    }
    s
}

#[test]
fn view_of_a_row_in_a_loop() {
    check(
        |p| rows_of_a_flat_matrix(p, 2),
        |p| rows_of_a_flat_matrix_grad(p, 2),
        QUADS,
    );
    check(
        |p| rows_of_a_flat_matrix(p, 4),
        |p| rows_of_a_flat_matrix_grad(p, 4),
        QUADS,
    );
}

#[gradient]
fn moving_window(v: &[f64]) -> f64 {
    let mut rest = v;
    let mut r = 1.0;
    while rest.len() > 1 {
        r = r * rest[0] + rest[1];
        rest = &rest[1..];
    }
    r
}

#[gradient]
fn repointed(a0: &[f64], b0: &[f64], swap: bool) -> f64 {
    let (mut a, mut b) = (a0, b0);
    if swap {
        let t = a;
        a = b;
        b = &t[1..];
    }
    let s = a[0] * b[0];
    a = if s > 0.0 { &a0[1..] } else { b0 };
    s + a[0] * a[0]
}

#[test]
fn views_that_are_assigned_again() {
    check(|p| moving_window(p), |p| moving_window_grad(p), QUADS);
    for swap in [false, true] {
        check(
            |p| repointed(&p[..2], &p[2..], swap),
            |p| repointed_grad(&p[..2], &p[2..], swap),
            QUADS,
        );
    }
}

#[gradient]
fn chosen_views(v: &[f64], w: &[f64], k: usize) -> f64 {
    let side = match k {
        0 => v,
        1 => &w[1..],
        _ => &v[k - 1..],
    };
    let mut a = [v[0], w[0]];
    let mut b = vec![w[1], v[1]];
    let target = if k % 2 == 0 { &mut a[..] } else { &mut b[..] };
    target[0] *= side[0];
    target[1] += target[0];
    a[0] * a[1] + b[0] * b[1]
}

#[test]
fn views_chosen_by_a_condition() {
    for k in 0..3 {
        check(
            |p| chosen_views(&p[..2], &p[2..], k),
            |p| chosen_views_grad(&p[..2], &p[2..], k),
            QUADS,
        );
    }
}

#[gradient]
fn gather(v: &[f64], index: &[usize]) -> f64 {
    let mut counts = vec![0.0; v.len()];
    for k in 0..index.len() {
        counts[index[k]] += v[index[(k + 1) % index.len()]] * (k as f64 + 1.0);
    }
    let mut s = 0.0;
    for i in 0..v.len() {
        s += counts[i] * counts[i];
    }
    s
}

#[gradient]
fn data_index(v: &[f64], x: f64) -> f64 {
    let mut a = v.to_vec();
    let mut at = 0;
    for _ in 0..5 {
        let next = (a[at].abs() * 9.7) as usize % a.len();
        a[next] = a[next] * 0.9 + a[at] * x;
        at = next;
    }
    a[at] * a[0]
}

#[test]
fn indices_from_data() {
    check(
        |p| gather(p, &[0, 3, 3, 1]),
        |p| gather_grad(p, &[0, 3, 3, 1]),
        QUADS,
    );
    check(
        |p| data_index(&p[..3], p[3]),
        |p| data_index_grad(&p[..3], p[3]),
        &[&[0.7, 0.4, -0.3, 1.2], &[-0.82, 0.55, 1.13, 0.4]],
    );
}

#[gradient]
fn interpolation(table: &[f64], x: f64) -> f64 {
    let t = x * (table.len() - 1) as f64;
    let i = (t.floor() as usize).min(table.len() - 2);
    let f = t - i as f64;
    table[i] * (1.0 - f) + table[i + 1] * f
}

#[test]
fn index_from_the_floor_of_an_active_value() {
    let inputs: &[&[f64]] = &[&[1.0, 3.0, 2.0, 0.1], &[1.0, 3.0, 2.0, 0.75]];
    check(
        |p| interpolation(&p[..3], p[3]),
        |p| interpolation_grad(&p[..3], p[3]),
        inputs,
    );
}

const N: usize = 3;

#[gradient]
fn lengths(x: f64) -> f64 {
    const M: usize = 2;
    let a = [[x; M]; N];
    let b = [x * x; { M + 1 }];
    a[N - 1][M - 1] * b[0] * a.len() as f64 + b.len() as f64
}

#[test]
fn lengths_that_are_constants() {
    check_exact(
        |p| lengths(p[0]),
        |p| lengths_grad(p[0]),
        |p| vec![9.0 * p[0] * p[0]],
        &[&[0.5], &[-2.0]],
    );
}

#[gradient]
fn slice_of_tuples(x: f64, y: f64) -> f64 {
    let mut pairs = [(x, 1), (y, 2), (x * y, 3)];
    for i in 0..pairs.len() {
        pairs[i].0 *= pairs[i].1 as f64;
    }
    let (a, k) = pairs[2];
    a * pairs[0].0 * k as f64
}

#[test]
fn arrays_of_tuples() {
    check(
        |p| slice_of_tuples(p[0], p[1]),
        |p| slice_of_tuples_grad(p[0], p[1]),
        &[&[0.7, 0.4], &[-1.3, 0.9]],
    );
}

#[gradient]
fn thomas(v: &[f64], n: usize) -> f64 {
    let (mut c, mut d) = (vec![0.0; n], vec![0.0; n]);
    c[0] = 1.0 / 4.0;
    d[0] = v[0] / 4.0;
    for i in 1..n {
        let m = 4.0 - v[i] * c[i - 1];
        c[i] = 1.0 / m;
        d[i] = (v[i] - d[i - 1]) / m;
    }
    for i in (0..n - 1).rev() {
        let next = d[i + 1];
        d[i] -= c[i] * next;
    }
    let mut s = 0.0;
    for i in 0..n {
        s += d[i] * d[i];
    }
    s
}

#[test]
fn tridiagonal_solve() {
    let dual = |p: &[D]| {
        let n = p.len();
        let (mut c, mut d) = (vec![num(0.25)], vec![p[0] / num(4.0)]);
        for i in 1..n {
            let m = num(4.0) - p[i] * c[i - 1];
            c.push(num(1.0) / m);
            d.push((p[i] - d[i - 1]) / m);
        }
        for i in (0..n - 1).rev() {
            d[i] = d[i] - c[i] * d[i + 1];
        }
        d.iter().fold(num(0.0), |s, x| s + *x * *x)
    };
    check_dual(
        |p| thomas(p, p.len()),
        |p| thomas_grad(p, p.len()),
        dual,
        QUADS,
    );
}

#[gradient]
fn of_slices(x: &[f64]) -> f64 {
    let a: [f64; 2] = x[..2].try_into().unwrap();
    let [b, c]: [f64; 2] = x[1..3].try_into().expect("two");
    let d: [f64; 4] = x.to_vec().try_into().unwrap();
    a[0] * c + a[1] * b * d[3]
}

#[test]
fn arrays_of_slices() {
    check(|p| of_slices(p), |p| of_slices_grad(p), QUADS);
    let too_short = std::panic::catch_unwind(|| of_slices_grad(&[1.0, 2.0, 3.0]));
    let text = too_short.expect_err("three are no four");
    let text = text.downcast_ref::<&str>().expect("a text");
    assert!(text.contains("TryFromSliceError"), "{text}");
}

const TERMS: &[(f64, i32)] = &[(1.5, 1), (2.5, 2)];
static GRID: [f64; 3] = [0.5, 1.0, 2.0];
const MATRIX: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]];
static EXPONENTS: &[[i32; 2]] = &[[1, 2], [3, 0]];

#[gradient]
fn over_tables(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (c, n) in TERMS {
        s += c * x[0].powi(*n);
    }
    for &(c, n) in TERMS {
        s += c * x[1].powi(n);
    }
    for g in GRID {
        s += g * x[2] * s;
    }
    for g in &GRID {
        s += g * x[2].sin();
    }
    for row in MATRIX {
        s += row[0] * x[3] + row[1];
    }
    for [a, b] in MATRIX {
        s *= a * x[3] + b;
    }
    for &[a, b] in EXPONENTS {
        s += x[0].powi(a) * x[2].powi(b);
    }
    s
}

#[test]
fn loops_over_tables() {
    check(|p| over_tables(p), |p| over_tables_grad(p), QUADS);
}

#[gradient]
fn converted(x: &[f64]) -> f64 {
    let a: f64 = x[0].into();
    let n: f64 = (x.len() as u32).into();
    let at = x.iter().position(|v| *v > 0.85);
    let _ = x[0].is_finite();
    let last = if matches!(at, Some(i) if i > 0) {
        x[at.unwrap() - 1]
    } else {
        x[1]
    };
    a * n * last + *x.iter().last().unwrap()
}

#[test]
fn conversions() {
    check(|p| converted(p), |p| converted_grad(p), QUADS);
}
