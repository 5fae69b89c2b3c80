//! Lengths that the text gives elsewhere: of aliases, of what `array::from_fn` fills, of what is collected for a loop
//! or put into a box.

use std::array;
use std::os::raw::{c_double, c_float};

use retrograde::gradient;

use crate::support::check;

const N: usize = 3;

type Vector = [f64; N];
type Matrix = [Vector; N];

#[gradient]
fn product(a: &Matrix, x: &Vector) -> Vector {
    let mut y: Vector = [0.0; N];
    for i in 0..N {
        for j in 0..N {
            y[i] += a[i][j] * x[j];
        }
    }
    y
}

#[gradient]
fn of_aliases(x: Vector, by: f64) -> f64 {
    let a: Matrix = [x, x.map(|v| v * by), [1.0, by, x[0] * x[1]]];
    let y = product(&a, &x);
    y.iter().map(|v| v * v).sum::<f64>() + x.map(|v| v.sin()).iter().sum::<f64>()
}

/// A parameter of the name comes in front of the constant.
#[gradient]
fn other_length<const N: usize>(a: &[f64; N], b: &Vector) -> f64 {
    a.iter().sum::<f64>() * b[1]
}

#[gradient]
fn volume(x: Vector, by: f64) -> f64 {
    x[0] * x[1] * x[2] * by
}

#[gradient]
fn filled(x: &[f64], by: f64) -> f64 {
    let mut a = [1.0; 3];
    for _ in 0..2 {
        a = array::from_fn(|i| a[i] * 0.5 + x[i] * by);
    }
    a[0] * a[1] + volume(array::from_fn(|i| a[i] * x[i]), by)
}

#[gradient]
fn collected(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x.iter().map(|v| v * v).collect::<Vec<_>>() {
        sum = sum * 0.5 + v;
    }
    for (i, v) in x
        .iter()
        .enumerate()
        .map(|(i, v)| (i, v * 2.0))
        .collect::<Vec<(usize, f64)>>()
    {
        sum += i as f64 * v * sum;
    }
    for v in x
        .iter()
        .filter(|v| **v > 0.0)
        .copied()
        .collect::<Vec<f64>>()
    {
        sum += v.ln();
    }
    sum
}

/// The vector is there before the loop begins.
#[gradient]
fn collected_before(x: &mut Vec<f64>) -> f64 {
    let mut sum = 0.0;
    for v in x.iter().map(|v| v * 3.0).collect::<Vec<_>>() {
        x.push(v * x[0]);
        x[0] += v;
        sum += x[x.len() - 1];
    }
    sum * x[0]
}

#[gradient]
fn boxed(x: &[f64]) -> f64 {
    let mut b = x
        .iter()
        .map(|v| v * v)
        .collect::<Vec<_>>()
        .into_boxed_slice();
    b[0] *= x[1];
    let sum: f64 = b.iter().sum();
    sum * b[1] + b.into_vec()[0]
}

#[gradient]
fn of_c(x: f64, n: i32) -> f64 {
    let k = n as c_double;
    (x * k) as c_double * x + (x as c_float) as f64
}

#[test]
fn lengths_are_found() {
    let points: &[&[f64]] = &[&[0.3, 0.7, 2.0, 1.5], &[1.4, 0.2, -0.6, -0.3]];
    let vector = |p: &[f64]| [p[0], p[1], p[2]];
    let flat = |(value, (dx, dby)): (f64, (Vector, f64))| (value, [dx[0], dx[1], dx[2], dby]);
    check(
        |p| of_aliases(vector(p), p[3]),
        |p| flat(of_aliases_grad(vector(p), p[3])),
        points,
    );
    check(
        |p| filled(&p[..3], p[3]),
        |p| {
            let (value, (dx, dby)) = filled_grad(&p[..3], p[3]);
            flat((value, ([dx[0], dx[1], dx[2]], dby)))
        },
        points,
    );
    let (value, (da, db)) = other_length_grad(&[1.0, 2.0], &[3.0, 4.0, 5.0]);
    assert_eq!((value, da, db), (12.0, [4.0; 2], [0.0, 3.0, 0.0]));
    check(collected, collected_grad, points);
    check(boxed, boxed_grad, points);
    let (value, slope) = of_c_grad(1.5, 3);
    assert_eq!((value, slope), (8.25, 10.0));
}

#[test]
fn what_is_collected_stays_as_it_was() {
    let value_at = |x: &[f64]| collected_before(&mut x.to_vec());
    for at in [[0.5, 1.5], [1.25, -0.5]] {
        let mut tape = retrograde::Tape::new();
        let (mut x, mut dx) = (at.to_vec(), vec![0.0; 4]);
        let value = collected_before_adjoint(&mut tape, &mut x, &mut dx, 1.0);
        assert_eq!(value, value_at(&at));
        let want = crate::support::differences(value_at, &at);
        crate::support::assert_close(&dx, &want, 1e-6, &at);
    }
}
