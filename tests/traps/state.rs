//! State that changes between its use and the reverse sweep. Each function here once gave a wrong gradient.

use retrograde::gradient;

use crate::support::check;

const TRIPLES: &[&[f64]] = &[&[1.3, 0.7, -0.4], &[0.6, -1.1, 0.9]];

#[gradient]
fn weighted(x: f64, w: &f64, i: &mut usize) -> f64 {
    *i += 1;
    x * x * w
}

#[gradient]
fn index_moved_by_the_call(p: &[f64]) -> f64 {
    let w = vec![1.0, 2.0, 5.0, 7.0];
    let mut i = 0;
    let mut s = 0.0;
    for k in 0..3 {
        s += weighted(p[k], &w[i], &mut i);
    }
    s
}

#[gradient]
fn table_of_constants_overwritten(p: &[f64]) -> f64 {
    let mut w = [1.0, 2.0, 3.0];
    let mut i = 0;
    let a = w[0] * p[0];
    let mut s = a * a;
    let q = s * w[0];
    s = q * q;
    w[i] = 9.0;
    i = 1;
    s *= p[1];
    w[i] = 7.0;
    i = 2;
    w[i] = 5.0;
    i = 0;
    s * p[2] + w[i]
}

#[gradient]
fn table_of_indices_overwritten(p: &[f64], n: usize) -> f64 {
    let mut m = [3usize, 1, 2, 0];
    let (mut i, mut j) = (0, 1);
    let mut s = 0.4;
    for k in 0..n {
        s *= p[m[0] % 3] + 1.0;
        m[i] = j;
        i = (i + 1) % 4;
        s += p[m[1] % 3] * s;
        m[j] = i;
        j = (j + 2 * k) % 4;
        if k % 2 == 0 {
            i = j;
        }
        m.swap(i, j);
        i = 3 - i;
        s *= p[m[2] % 3] + p[m[3] % 3];
    }
    s
}

#[gradient]
fn filled_from_a_moving_index(p: &[f64], n: usize) -> f64 {
    let mut w = [1.0, 2.0, 3.0, 4.0];
    let mut i = n % 4;
    let mut s = 0.5;
    for k in 0..n {
        s = s * s * w[0] + p[k % 3];
    }
    w[i] = 0.5;
    i = (i + 1) % 4;
    w[i..].fill(0.25);
    i = 0;
    w[i] += 1.0;
    i = 3;
    s * w[i]
}

#[gradient]
fn vectors_of_indices(p: &[f64], n: usize) -> f64 {
    let mut m = vec![vec![0usize, 1], vec![2, 0]];
    let mut i = 0;
    let mut s = 0.3;
    for k in 0..n {
        s = s * p[m[0][0] % 3] + p[m[1][0] % 3];
        m[i].push(k % 3);
        i = 1 - i;
        s *= 1.0 + 0.1 * p[m[0][m[0].len() - 1] % 3];
        let t = m[i].pop().unwrap();
        m[i].push(t);
        m[i][0] = k % 3;
        i = (i + k) % 2;
    }
    s
}

#[gradient]
fn inside_a_region(p: &[f64], n: usize) -> f64 {
    let mut w = [1.0, 2.0, 3.0];
    let mut i = 0;
    let mut s = 0.5;
    for k in 0..n {
        #[checkpoint]
        {
            s = s * w[0] + p[k % 3] * s;
            w[i] = 0.5 + k as f64;
            i = (i + 1) % 3;
            s = (s * w[1]).sin() + p[0];
            w[i..].fill(0.7);
            i = (i + k) % 3;
        }
    }
    s * w[2]
}

#[test]
fn an_index_that_the_call_itself_moves() {
    check(
        |p| index_moved_by_the_call(p),
        |p| index_moved_by_the_call_grad(p),
        TRIPLES,
    );
}

#[test]
fn overwritten_tables_come_back_at_the_right_index() {
    check(
        |p| table_of_constants_overwritten(p),
        |p| table_of_constants_overwritten_grad(p),
        TRIPLES,
    );
    for n in 0..5 {
        check(
            |p| table_of_indices_overwritten(p, n),
            |p| table_of_indices_overwritten_grad(p, n),
            TRIPLES,
        );
        check(
            |p| filled_from_a_moving_index(p, n),
            |p| filled_from_a_moving_index_grad(p, n),
            TRIPLES,
        );
        check(
            |p| vectors_of_indices(p, n),
            |p| vectors_of_indices_grad(p, n),
            TRIPLES,
        );
        check(
            |p| inside_a_region(p, n),
            |p| inside_a_region_grad(p, n),
            TRIPLES,
        );
    }
}

#[gradient]
#[allow(non_snake_case)]
fn upper_case_binding(x: f64, y: f64) -> f64 {
    let N = x * 2.0;
    let r = match y {
        N => N * x,
    };
    r + N
}

#[test]
fn a_binding_with_the_name_of_an_outer_variable() {
    check(
        |p| upper_case_binding(p[0], p[1]),
        |p| upper_case_binding_grad(p[0], p[1]),
        &[&[1.3, 0.7]],
    );
}
