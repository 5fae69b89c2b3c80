//! Regions that change vectors and slices: nested ones, calls and views inside, buffers that are swapped, lengths that
//! change.

use retrograde::gradient;

use crate::support::{check, check_dual};
use crate::{PAIRS, identical};

#[gradient]
fn nested(x: f64, y: f64, n: usize) -> f64 {
    let mut v = vec![x, y, x * y];
    #[checkpoint]
    for i in 0..n {
        let s = #[checkpoint]
        {
            let mut s = 0.0;
            #[checkpoint]
            for j in 0..v.len() {
                v[j] = (v[j] + s).sin();
                s += v[j] * 0.5;
            }
            s
        };
        v.push(s * x);
        if i % 2 == 1 {
            v.pop();
        }
        v[0] *= s + 1.0;
    }
    v.iter().sum::<f64>() * v[1]
}

#[gradient]
fn nested_plain(x: f64, y: f64, n: usize) -> f64 {
    let mut v = vec![x, y, x * y];
    for i in 0..n {
        let s = {
            let mut s = 0.0;
            for j in 0..v.len() {
                v[j] = (v[j] + s).sin();
                s += v[j] * 0.5;
            }
            s
        };
        v.push(s * x);
        if i % 2 == 1 {
            v.pop();
        }
        v[0] *= s + 1.0;
    }
    v.iter().sum::<f64>() * v[1]
}

#[test]
fn regions_inside_regions_on_vectors() {
    check(
        |p| nested(p[0], p[1], 2),
        |p| nested_grad(p[0], p[1], 2),
        &PAIRS[..1],
    );
    for n in [0, 1, 4] {
        for p in PAIRS {
            identical(nested_grad(p[0], p[1], n), nested_plain_grad(p[0], p[1], n));
        }
    }
}

#[gradient]
fn update(v: &mut [f64], x: f64) -> f64 {
    v[0] = v[0] * x + v[1];
    v[1] = v[0].sin();
    v[0] * v[1]
}

#[gradient]
fn with_calls(x: f64, y: f64, n: usize) -> f64 {
    let mut v = [x, y];
    let mut r = 0.0;
    #[checkpoint]
    for _ in 0..n {
        r += update(&mut v, y);
        let w = &mut v[1];
        *w *= 0.5;
    }
    r + v[0]
}

#[gradient]
fn with_calls_plain(x: f64, y: f64, n: usize) -> f64 {
    let mut v = [x, y];
    let mut r = 0.0;
    for _ in 0..n {
        r += update(&mut v, y);
        let w = &mut v[1];
        *w *= 0.5;
    }
    r + v[0]
}

#[test]
fn calls_and_views_inside() {
    for n in [0, 1, 6] {
        for p in PAIRS {
            identical(
                with_calls_grad(p[0], p[1], n),
                with_calls_plain_grad(p[0], p[1], n),
            );
        }
    }
}

#[gradient]
fn swaps(u: &[f64], n: usize) -> f64 {
    let (mut a, mut b) = (u.to_vec(), vec![0.0; u.len()]);
    #[checkpoint]
    for _ in 0..n {
        for i in 0..a.len() {
            b[i] = a[i] * a[(i + 1) % a.len()] + 0.1;
        }
        std::mem::swap(&mut a, &mut b);
    }
    a[0] * a[1]
}

#[gradient]
fn swaps_plain(u: &[f64], n: usize) -> f64 {
    let (mut a, mut b) = (u.to_vec(), vec![0.0; u.len()]);
    for _ in 0..n {
        for i in 0..a.len() {
            b[i] = a[i] * a[(i + 1) % a.len()] + 0.1;
        }
        std::mem::swap(&mut a, &mut b);
    }
    a[0] * a[1]
}

#[test]
fn buffers_swapped_inside() {
    for n in [0, 1, 2, 5] {
        for p in PAIRS {
            identical(swaps_grad(p, n), swaps_plain_grad(p, n));
        }
    }
}

// A vector whose length a region changes: its adjoint has the length that it had after the region.

#[gradient]
fn grown_in_a_region(x: f64, y: f64) -> f64 {
    let mut v = vec![x, y];
    let s = v[0].sin();
    #[checkpoint]
    {
        if v.len() < 7 {
            v.push(x * y);
        }
    }
    s
}

#[gradient]
fn shortened_in_a_region(x: f64, y: f64) -> f64 {
    let mut v = vec![x, y, x * y];
    let s = v[0].sin() * v[2];
    #[checkpoint]
    {
        let last = v.pop().unwrap();
        v[0] = last * x;
    }
    s + v[0]
}

#[gradient]
fn replaced_in_a_region(x: f64, y: f64) -> f64 {
    let mut v = vec![x, y, x * y];
    let s = v[0].sin() * v[2];
    #[checkpoint]
    {
        v = vec![v[1] * v[2]];
    }
    s * v[0]
}

#[test]
fn lengths_changed_in_a_region() {
    check_dual(
        |p| grown_in_a_region(p[0], p[1]),
        |p| grown_in_a_region_grad(p[0], p[1]),
        |p| p[0].sin(),
        PAIRS,
    );
    check_dual(
        |p| shortened_in_a_region(p[0], p[1]),
        |p| shortened_in_a_region_grad(p[0], p[1]),
        |p| p[0].sin() * (p[0] * p[1]) + p[0] * p[1] * p[0],
        PAIRS,
    );
    check_dual(
        |p| replaced_in_a_region(p[0], p[1]),
        |p| replaced_in_a_region_grad(p[0], p[1]),
        |p| p[0].sin() * (p[0] * p[1]) * (p[1] * (p[0] * p[1])),
        PAIRS,
    );
}
