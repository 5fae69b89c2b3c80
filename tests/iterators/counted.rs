//! Loops over slices, and the chains with random access that become counted loops.

use super::support::{assert_close, check, check_exact, differences};
use retrograde::{Tape, gradient};

const TRIPLES: &[&[f64]] = &[&[0.7, 0.4, -0.3], &[-1.3, 0.9, 1.1]];
const SIX: &[&[f64]] = &[
    &[0.7, 0.4, -0.3, 1.2, -0.5, 0.9],
    &[-1.3, 0.9, 1.1, 0.2, 0.8, -0.7],
];

#[gradient]
fn shared(v: &[f64]) -> f64 {
    let mut r = 1.0;
    for x in v {
        r = r * x + 0.5;
    }
    for x in v.iter() {
        r += *x * *x;
    }
    for &x in v.iter() {
        r *= x.cos();
    }
    for &x in v {
        r -= x;
    }
    r
}

#[test]
fn loops_by_shared_reference() {
    check(|p| shared(p), |p| shared_grad(p), TRIPLES);
    check(|p| shared(&p[..1]), |p| shared_grad(&p[..1]), &[&[0.7]]);
}

#[gradient]
fn over_locals(x: f64, y: f64) -> f64 {
    let a = [x, x * y, y];
    let v = vec![y, x.sin()];
    let mut r = 0.0;
    for t in &a {
        r += t * t;
    }
    for t in a {
        r = r * t;
    }
    for t in &v {
        r += *t;
    }
    for t in v.iter() {
        r *= t;
    }
    r
}

#[test]
fn loops_over_local_arrays_and_vectors() {
    check(
        |p| over_locals(p[0], p[1]),
        |p| over_locals_grad(p[0], p[1]),
        &[&[0.7, 0.4], &[-1.3, 0.9]],
    );
}

#[gradient]
fn exclusive(x: f64, y: f64) -> f64 {
    let mut a = [x, x * y, y];
    for t in a.iter_mut() {
        *t *= *t;
    }
    for t in &mut a {
        *t += x;
    }
    let mut v = a.to_vec();
    let mut sum = 0.0;
    for t in v.iter_mut() {
        sum += *t;
        *t = sum * y;
    }
    v[0] * v[1] + v[2] + a[0]
}

#[test]
fn loops_by_mutable_reference() {
    check(
        |p| exclusive(p[0], p[1]),
        |p| exclusive_grad(p[0], p[1]),
        &[&[0.7, 0.4], &[-1.3, 0.9]],
    );
}

#[gradient]
fn in_out(v: &mut [f64], x: f64) {
    for (i, t) in v.iter_mut().enumerate() {
        *t = t.sin() * x + i as f64;
    }
}

#[test]
fn loop_over_an_in_out_slice() {
    let p = [0.7, 0.4, -0.3, 1.2];
    let weights = [1.0, -0.5, 2.0];
    let whole = |p: &[f64]| {
        let mut v = p[..3].to_vec();
        in_out(&mut v, p[3]);
        v.iter().zip(&weights).map(|(a, b)| a * b).sum::<f64>()
    };
    let (mut v, mut dv, mut dx) = (p[..3].to_vec(), weights.to_vec(), 0.0);
    in_out_adjoint(&mut Tape::new(), &mut v, &mut dv, p[3], &mut dx, ());
    dv.push(dx);
    assert_close(&dv, &differences(whole, &p), 1e-7, &p);
}

#[gradient]
fn enumerated(v: &[f64], stop: usize) -> f64 {
    let mut r = 0.0;
    for (i, x) in v.iter().enumerate() {
        if i == stop {
            break;
        }
        if i % 2 == 1 {
            r = r * x;
            continue;
        }
        r += x * (i as f64 + 1.0);
    }
    for (i, &x) in v.iter().enumerate() {
        r += x.powi(i as i32);
    }
    r
}

#[test]
fn enumerate_with_break_and_continue() {
    for stop in [0, 1, 2, 9] {
        check(
            |p| enumerated(p, stop),
            |p| enumerated_grad(p, stop),
            TRIPLES,
        );
    }
}

#[gradient]
fn zipped(a: &[f64], b: &[f64]) -> f64 {
    let mut r = 0.0;
    for (x, y) in a.iter().zip(b.iter()) {
        r += x * y;
    }
    for (x, &y) in a.iter().zip(b) {
        r = r.sin() + x / (1.0 + y * y);
    }
    r
}

#[test]
fn zip_stops_at_the_shorter() {
    check(
        |p| zipped(&p[..3], &p[3..]),
        |p| zipped_grad(&p[..3], &p[3..]),
        SIX,
    );
    check(
        |p| zipped(&p[..2], &p[2..]),
        |p| zipped_grad(&p[..2], &p[2..]),
        SIX,
    );
    check(
        |p| zipped(&p[..4], &p[4..]),
        |p| zipped_grad(&p[..4], &p[4..]),
        SIX,
    );
}

#[gradient]
fn update_zip(a: &[f64], x: f64) -> f64 {
    let mut w = [0.1, 0.2, 0.3];
    for _ in 0..3 {
        for (t, y) in w.iter_mut().zip(a.iter()) {
            *t = *t * x + y;
        }
    }
    w[0] * w[1] * w[2]
}

#[test]
fn zip_of_mutable_and_shared() {
    let inputs: &[&[f64]] = &[&[0.7, 0.4, -0.3, 0.5], &[-1.3, 0.9, 1.1, -0.2]];
    check(
        |p| update_zip(&p[..3], p[3]),
        |p| update_zip_grad(&p[..3], p[3]),
        inputs,
    );
}

#[gradient]
fn sums(v: &[f64], m: f64) -> f64 {
    let mean = v.iter().sum::<f64>() / v.len() as f64;
    let var: f64 = v.iter().map(|x| (x - mean) * (x - mean)).sum();
    let dot = v.iter().zip(v.iter()).map(|(a, b)| a * b * m).sum::<f64>();
    let weighted: f64 = v.iter().enumerate().map(|(i, x)| x * i as f64).sum();
    let squares = v
        .iter()
        .map(|&x| {
            let y = x * m;
            y * y
        })
        .sum::<f64>();
    mean * var + dot.sin() + weighted - squares
}

#[test]
fn map_and_sum() {
    let inputs: &[&[f64]] = &[&[0.7, 0.4, -0.3, 0.5], &[-1.3, 0.9, 1.1, -0.2]];
    check(
        |p| sums(&p[..3], p[3]),
        |p| sums_grad(&p[..3], p[3]),
        inputs,
    );
}

#[gradient]
fn folds(v: &[f64], x: f64) -> f64 {
    let horner = v.iter().fold(0.0, |acc, c| acc * x + c);
    let top = v.iter().fold(f64::NEG_INFINITY, |m, &y| m.max(y));
    let both = v
        .iter()
        .fold(1.0, |acc, y| if *y > 0.0 { acc * y } else { acc - y });
    horner + top * both
}

#[test]
fn fold() {
    let inputs: &[&[f64]] = &[&[0.7, 0.4, -0.3, 0.5], &[-1.3, 0.9, 1.1, -0.2]];
    check(
        |p| folds(&p[..3], p[3]),
        |p| folds_grad(&p[..3], p[3]),
        inputs,
    );
}

#[gradient]
fn over_range(x: f64, n: usize) -> f64 {
    (0..n)
        .map(|i| x.powi(i as i32) / (i as f64 + 1.0))
        .sum::<f64>()
        + (1..=n).fold(1.0, |p, k| p * (x + k as f64) * 0.3)
}

#[test]
fn map_and_fold_over_ranges() {
    for n in [0, 1, 4] {
        check(
            |p| over_range(p[0], n),
            |p| over_range_grad(p[0], n),
            &[&[0.7], &[-1.2]],
        );
    }
}

#[gradient]
fn capture(v: &[f64], x: f64, y: f64) -> f64 {
    let scale = x * y;
    let k = 2;
    let s: f64 = v.iter().map(|t| t * scale + y.powi(k)).sum();
    s * scale
}

#[test]
fn closures_capture_active_and_passive_variables() {
    let inputs: &[&[f64]] = &[&[0.7, 0.4, -0.3, 0.5], &[-1.3, 0.9, 1.1, -0.2]];
    check(
        |p| capture(&p[..2], p[2], p[3]),
        |p| capture_grad(&p[..2], p[2], p[3]),
        inputs,
    );
}

#[gradient]
fn on_parts(v: &[f64]) -> f64 {
    let head = v[..2].iter().sum::<f64>();
    let tail: f64 = v[1..].iter().map(|x| x * x).sum();
    let mut r = head * tail;
    for x in &v[1..] {
        r += x.exp();
    }
    r
}

#[test]
fn iteration_over_sub_slices() {
    check(|p| on_parts(p), |p| on_parts_grad(p), TRIPLES);
}

#[gradient]
fn rows(m: &[[f64; 3]], x: f64) -> f64 {
    let mut r = x;
    for row in m.iter() {
        for t in row {
            r = (r * t).sin() + x;
        }
        r += row.iter().sum::<f64>();
    }
    for row in m {
        r *= row[1] + 1.5;
    }
    r
}

#[test]
fn loops_over_rows() {
    let inputs: &[&[f64]] = &[&[0.7, 0.4, -0.3, 1.2, -0.5, 0.9, 0.6]];
    let matrix = |p: &[f64]| vec![[p[0], p[1], p[2]], [p[3], p[4], p[5]]];
    check(
        |p| rows(&matrix(p), p[6]),
        |p| rows_grad(&matrix(p), p[6]),
        inputs,
    );
}

#[gradient]
fn plain_sum(v: &[f64]) -> f64 {
    v.iter().sum()
}

#[test]
fn the_empty_sum_is_negative_zero_as_in_std() {
    let (value, g) = plain_sum_grad(&[]);
    assert_eq!(value.to_bits(), plain_sum(&[]).to_bits());
    assert!(g.is_empty());
    check_exact(
        |p| plain_sum(p),
        |p| plain_sum_grad(p),
        |p| vec![1.0; p.len()],
        TRIPLES,
    );
}

#[derive(Clone, Copy, retrograde::Differentiable, retrograde::Record)]
struct Weighted {
    value: f64,
    weight: f64,
}

#[gradient]
fn collected(x: &[f64], y: f64) -> f64 {
    let squares: Vec<f64> = x.iter().map(|v| v * v * y).collect();
    let shifted = squares
        .iter()
        .zip(x)
        .map(|(a, b)| a - b)
        .collect::<Vec<_>>();
    let copies = x.iter().copied().rev().collect::<Vec<f64>>();
    let weighted: Vec<Weighted> = copies
        .iter()
        .enumerate()
        .map(|(i, v)| Weighted {
            value: *v,
            weight: y + i as f64,
        })
        .collect();
    let indices: Vec<usize> = (0..x.len()).filter(|i| i % 2 == 0).collect();
    let mut sum = 0.0;
    for i in indices {
        sum += shifted[i] * weighted[i].value * weighted[i].weight;
    }
    for w in &weighted {
        sum += w.value * w.weight;
    }
    sum + squares.len() as f64
}

/// The collection as the value, of a range, and of nothing.
#[gradient]
fn powers(x: f64, n: i32) -> Vec<f64> {
    (0..n).map(|k| x.powi(k)).collect()
}

#[test]
fn chains_are_collected() {
    let with = |p: &[f64]| collected(&p[1..], p[0]);
    let grad = |p: &[f64]| {
        let (value, (dx, dy)) = collected_grad(&p[1..], p[0]);
        (value, [vec![dy], dx].concat())
    };
    check(
        with,
        grad,
        &[&[0.7, 1.5, -2.0, 0.5, 3.0], &[1.3, 0.25], &[2.0]],
    );
    let mut tape = retrograde::Tape::new();
    for n in [0, 1, 4] {
        let (mut dx, seed) = (0.0, vec![1.0; n as usize]);
        let value = powers_adjoint(&mut tape, 1.5, &mut dx, n, seed);
        assert_eq!(value, powers(1.5, n));
        let expected: f64 = (1..n).map(|k| f64::from(k) * 1.5_f64.powi(k - 1)).sum();
        assert!((dx - expected).abs() < 1e-14, "{dx} {expected}");
    }
}
