//! Scalars that a loop overwrites, and whose value before the loop is needed: saved once, where nothing in the loop's
//! reverse reads them, else at each overwrite.

use retrograde::gradient;

use crate::support::check;

const INPUTS: &[&[f64]] = &[
    &[0.7, 0.4, -0.3, 0.6],
    &[-1.3, 0.9, 1.1, 0.8],
    &[0.2, -0.5],
    &[0.6],
];

/// The last input is the scalar.
fn split(p: &[f64]) -> (&[f64], f64) {
    (&p[..p.len() - 1], p[p.len() - 1])
}

#[gradient]
fn sums(x: &[f64], w: f64) -> f64 {
    let mut s = w * 2.0;
    let mut last = w;
    let mut smallest = 0.3 * w;
    let before = s * s * last + smallest;
    for i in 0..x.len() {
        if x[i] > 0.0 {
            s += x[i] * w;
        } else {
            s -= x[i].sin();
        }
        for k in 0..i {
            s += x[k] * 0.1;
            last = x[k] * w;
        }
        if x[i] < smallest {
            smallest = x[i];
        }
    }
    let middle = s.sin() * last;
    let mut k = 0;
    while k < 3 {
        s = middle * k as f64 + w;
        if k == 2 && !x.is_empty() {
            break;
        }
        k += 1;
    }
    before * s.cos() * middle + last * smallest
}

#[test]
fn sums_needed_before_and_after() {
    check(
        |p| sums(split(p).0, split(p).1),
        |p| sums_grad(split(p).0, split(p).1),
        INPUTS,
    );
}

/// The reverse reads them: each overwrite saves.
#[gradient]
fn read(x: &[f64], w: f64) -> f64 {
    let mut s = w;
    let mut at = 0;
    let mut v = vec![w; x.len() + 1];
    let before = s * s;
    for i in 0..x.len() {
        s = s * x[i];
        v[at] = v[at] * x[i];
        at += 1;
        s += 1.0;
    }
    let mut t = before;
    for i in 0..x.len() {
        t = x[i] + w;
        v[i] *= t;
    }
    before * s * t + v[at] * v[0]
}

#[test]
fn scalars_that_the_reverse_reads() {
    check(
        |p| read(split(p).0, split(p).1),
        |p| read_grad(split(p).0, split(p).1),
        INPUTS,
    );
}

#[gradient]
fn through_reference(x: &[f64], s: &mut f64, n: &mut usize) -> f64 {
    let before = *s * *s;
    for i in 0..x.len() {
        *s += x[i] * x[i];
        *n += 1;
    }
    before * s.sin() * *n as f64
}

#[gradient]
fn in_out(x: &[f64], w: f64) -> f64 {
    let (mut s, mut n) = (w * w, 1);
    let mut r = 0.0;
    for _ in 0..2 {
        r += through_reference(x, &mut s, &mut n) * s;
    }
    r * s
}

#[test]
fn in_out_scalars() {
    check(
        |p| in_out(split(p).0, split(p).1),
        |p| in_out_grad(split(p).0, split(p).1),
        INPUTS,
    );
}

#[gradient]
fn regions(x: &[f64], w: f64) -> f64 {
    let mut s = w;
    let before = s.sin();
    for i in 0..x.len() {
        let inside = s * w;
        #[checkpoint]
        {
            for k in 0..x.len() {
                s += x[k] * w;
            }
        }
        s = s.cos() + inside * x[i];
    }
    before * s
}

#[test]
fn loops_in_regions_in_loops() {
    check(
        |p| regions(split(p).0, split(p).1),
        |p| regions_grad(split(p).0, split(p).1),
        INPUTS,
    );
}

/// Fields of one element of a vector cannot be borrowed at once by the names that they have in the sweeps.
#[gradient]
fn swapped_fields(x: f64, y: f64) -> f64 {
    let mut v = vec![(x, y), (y * y, x)];
    for (a, b) in v.iter_mut() {
        *a *= *b;
        std::mem::swap(a, b);
    }
    v[0].0 * v[1].1 + v[0].1 * 2.0 + v[1].0
}

#[test]
fn swapped_fields_of_an_element() {
    check(
        |p| swapped_fields(p[0], p[1]),
        |p| swapped_fields_grad(p[0], p[1]),
        super::PAIRS,
    );
}
