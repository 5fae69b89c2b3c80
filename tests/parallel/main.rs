//! `#[parallel]` loops: each function beside its twin without the attribute, on one to five threads.
//!
//! On one thread, the value has the bits of the sequential one. On more, sums are added in another order: values
//! and gradients agree to rounding, and a second run gives the bits of the first.

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

mod faults;
#[path = "../support/mod.rs"]
mod support;

use rayon::prelude::*;
use retrograde::{Tape, gradient};
use support::flat;

fn on_threads<R: Send>(n: usize, run: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build();
    pool.expect("threads").install(run)
}

#[track_caller]
fn assert_near(got: &[f64], want: &[f64], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (k, (a, b)) in got.iter().zip(want).enumerate() {
        let near = (a - b).abs() <= 1e-12 * b.abs().max(1.0) || (a.is_nan() && b.is_nan());
        assert!(near, "{what}: entry {k} is {a}, not {b}");
    }
}

/// Compares the numbers of a parallel computation, the value first, with those of its sequential twin.
#[track_caller]
fn compare(parallel: impl Fn() -> Vec<f64> + Sync, twin: impl Fn() -> Vec<f64>) {
    let want = twin();
    for n in 1..=5 {
        let first = on_threads(n, &parallel);
        if n == 1 {
            assert_eq!(
                bits(&first[..1]),
                bits(&want[..1]),
                "the value on one thread"
            );
        }
        assert_near(&first, &want, &format!("{n} threads"));
        assert_eq!(bits(&on_threads(n, &parallel)), bits(&first), "again");
    }
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

fn numbers(n: usize, seed: f64) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 0.7 + seed).sin()).collect()
}

const LENGTHS: [usize; 8] = [0, 1, 2, 3, 4, 5, 7, 40];

// Each function is written once, in a macro, and made twice: with `#[parallel]` and without.

macro_rules! sums {
    ($name:ident $(#[$attribute:meta])?) => {
        #[gradient]
        fn $name(x: &[f64], w: f64, y: &[f64], start: f64) -> f64 {
            let mut s = start * start;
            let mut t = 0.5;
            $(#[$attribute])?
            for i in 0..x.len() {
                let v = (x[i] * w).sin();
                if v > 0.1 {
                    s += v.exp() * x[i];
                } else {
                    s -= v * y[(i * 7) % y.len()];
                }
                t += w * y[0];
            }
            s * s + t.sin() * start
        }
    };
}
sums!(sums #[parallel]);
sums!(sums_twin);

#[test]
fn sums_over_reads_of_every_kind() {
    for n in LENGTHS {
        let (x, y) = (numbers(n, 0.1), numbers(4, 2.0));
        compare(
            || flat(&sums_grad(&x, 0.7, &y, 1.1)),
            || flat(&sums_twin_grad(&x, 0.7, &y, 1.1)),
        );
    }
}

macro_rules! elements {
    ($name:ident $(#[$attribute:meta])?) => {
        #[gradient]
        fn $name(x: &[f64], w: f64, out: &mut [f64]) -> f64 {
            let mut s = 0.0;
            $(#[$attribute])?
            for i in 1..x.len() {
                let old = out[i];
                out[i] = old * old * x[i - 1] + (w * x[i]).sin();
                for k in 0..3 {
                    out[i] = (out[i] + k as f64 * w).cos() * old;
                }
                s += out[i] * out[i];
            }
            s * out[0]
        }
    };
}
elements!(elements #[parallel]);
elements!(elements_twin);

fn elements_numbers(
    f: impl Fn(&mut Tape, &[f64], &mut [f64], f64, &mut f64, &mut [f64], &mut [f64], f64) -> f64,
    n: usize,
) -> Vec<f64> {
    let (x, mut out) = (numbers(n, 0.1), numbers(n, 0.9));
    let (mut dx, mut dw, mut dout) = (vec![0.5; n], 0.25, numbers(n, 3.0));
    let mut tape = Tape::builder().shadow(true).build().expect("valid");
    let value = f(
        &mut tape, &x, &mut dx, 0.6, &mut dw, &mut out, &mut dout, 1.3,
    );
    assert!(tape.is_empty());
    [vec![value, dw], dx, dout, out].concat()
}

#[test]
fn elements_written_in_place() {
    for n in LENGTHS.into_iter().filter(|n| *n > 0) {
        compare(
            || elements_numbers(elements_adjoint, n),
            || elements_numbers(elements_twin_adjoint, n),
        );
    }
}

macro_rules! rows {
    ($name:ident $(#[$attribute:meta])?) => {
        #[gradient]
        fn $name(a: &[f64], x: &[f64], n: usize, out: &mut [f64]) -> f64 {
            let mut s = 0.0;
            $(#[$attribute])?
            for i in 0..x.len() {
                let row = &a[i * n..(i + 1) * n];
                let own = &mut out[n * i..n * i + n];
                let mut dot = 0.0;
                for k in 0..n {
                    dot += row[k] * x[k % x.len()];
                }
                for k in 0..n {
                    own[k] = own[k] * dot + row[k].sin() * x[i];
                }
                s += dot * dot;
            }
            s
        }
    };
}
rows!(rows #[parallel]);
rows!(rows_twin);

fn rows_numbers(
    f: impl Fn(
        &mut Tape,
        &[f64],
        &mut [f64],
        &[f64],
        &mut [f64],
        usize,
        &mut [f64],
        &mut [f64],
        f64,
    ) -> f64,
    m: usize,
    n: usize,
) -> Vec<f64> {
    let (a, x, mut out) = (numbers(m * n, 0.1), numbers(m, 0.4), numbers(m * n, 0.9));
    let (mut da, mut dx, mut dout) = (vec![0.0; m * n], vec![0.0; m], numbers(m * n, 3.0));
    let mut tape = Tape::builder().shadow(true).build().expect("valid");
    let value = f(
        &mut tape, &a, &mut da, &x, &mut dx, n, &mut out, &mut dout, 0.7,
    );
    [vec![value], da, dx, dout, out].concat()
}

#[test]
fn rows_of_a_matrix() {
    for m in LENGTHS {
        for n in [0, 1, 3] {
            compare(
                || rows_numbers(rows_adjoint, m, n),
                || rows_numbers(rows_twin_adjoint, m, n),
            );
        }
    }
}

macro_rules! iterators {
    ($name:ident $(#[$attribute:meta])?) => {
        #[gradient]
        fn $name(x: &[f64], c: usize) -> f64 {
            let mut even = vec![0.0; x.len()];
            $(#[$attribute])?
            for (e, v) in even.iter_mut().zip(x.iter()) {
                *e = v.sin() * v;
            }
            let mut chunked = even.clone();
            $(#[$attribute])?
            for (k, row) in chunked.chunks_mut(c).enumerate() {
                for v in row.iter_mut() {
                    *v = *v * *v + k as f64 * x[k];
                }
            }
            let mut exact = x.to_vec();
            $(#[$attribute])?
            for row in exact.chunks_exact_mut(2) {
                let t = row[0] * row[1];
                row[0] = t.cos();
                row[1] += t;
            }
            let mut pairs = vec![0.0; 2 * x.len()];
            $(#[$attribute])?
            for i in 0..x.len() {
                pairs[2 * i] = x[i] * even[i];
                pairs[2 * i + 1] = x[i] + chunked[i];
            }
            let mut s = 0.0;
            for v in &pairs {
                s += v.sin();
            }
            for (a, b) in chunked.iter().zip(&exact) {
                s += a * b;
            }
            s
        }
    };
}
iterators!(iterators #[parallel]);
iterators!(iterators_twin);

#[test]
fn slices_are_divided_however_the_loop_names_them() {
    for n in LENGTHS {
        for c in [1, 2, 3] {
            let x = numbers(n, 0.3);
            compare(
                || flat(&iterators_grad(&x, c)),
                || flat(&iterators_twin_grad(&x, c)),
            );
        }
    }
}

#[gradient]
fn flux(a: f64, b: f64) -> f64 {
    let mut f = a - b;
    let mut k = 0;
    while k < 3 {
        f = (f * 1.1).sin() + a * 0.01;
        k += 1;
    }
    f
}

/// A parallel loop in a loop: the records of each lie on the same child tapes.
macro_rules! steps {
    ($name:ident $(#[$attribute:meta])?) => {
        #[gradient]
        fn $name(u0: &[f64], steps: usize, scale: f64) -> f64 {
            let n = u0.len();
            let mut u = u0.to_vec();
            let mut v = u.clone();
            let mut energy = 0.0;
            for _ in 0..steps {
                $(#[$attribute])?
                for i in 0..n {
                    let left = if i == 0 { 0.0 } else { u[i - 1] };
                    v[i] = u[i] + scale * flux(left, u[i]) * v[i];
                    energy += v[i] * v[i];
                }
                std::mem::swap(&mut u, &mut v);
                u[0] *= energy.cos();
            }
            energy * u[n / 2]
        }
    };
}
steps!(steps #[parallel]);
steps!(steps_twin);

#[test]
fn a_loop_of_parallel_loops() {
    for n in [1, 2, 3, 9, 31] {
        for count in [0, 1, 4] {
            let u = numbers(n, 0.2);
            compare(
                || flat(&steps_grad(&u, count, 0.1)),
                || flat(&steps_twin_grad(&u, count, 0.1)),
            );
        }
    }
}

macro_rules! shapes {
    ($name:ident $(#[$attribute:meta])?) => {
        #[gradient]
        fn $name(
            p: &[[f64; 3]],
            m: &[f64; 3],
            k: Vec<f64>,
            pairs: &[(f64, f64)],
            at: &[usize],
            z: (f64, f64),
        ) -> f32 {
            let bias = [z.0, z.1 * 2.0];
            let nested = vec![vec![z.0; 2], vec![z.1; 3]];
            let mut s = 0.0f64;
            let mut single = 0.0f32;
            $(#[$attribute])?
            for i in 0..p.len() {
                let [a, b, c] = p[i];
                s += (a * m[0] + b * m[1] + c * m[2]).sin() * bias[i % 2];
                s += k[at[i]] * pairs[i].0 + pairs[i].1 * nested[1][i % 3];
                single += (a * z.0) as f32;
            }
            (s * 2.0) as f32 + single
        }
    };
}
shapes!(shapes #[parallel]);
shapes!(shapes_twin);

#[test]
fn shared_reads_of_many_shapes() {
    for n in [0, 1, 6, 23] {
        let x = numbers(3 * n, 0.3);
        let p: Vec<[f64; 3]> = x.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
        let pairs: Vec<(f64, f64)> = p.iter().map(|p| (p[0] * 2.0, p[1])).collect();
        let at: Vec<usize> = (0..n).map(|i| i % 2).collect();
        let (m, k, z) = ([0.3, -0.7, 0.2], vec![0.4, 0.6], (0.9, -1.2));
        let parallel =
            |threads| on_threads(threads, || shapes_grad(&p, &m, k.clone(), &pairs, &at, z));
        let want = shapes_twin_grad(&p, &m, k.clone(), &pairs, &at, z);
        assert_eq!(parallel(1), want);
        let (value, gradient) = parallel(3);
        assert!((value - want.0).abs() <= 1e-5 * want.0.abs().max(1.0));
        let (got, want) = (
            flat(&(gradient.0, gradient.1, gradient.2)),
            flat(&(want.1.0, want.1.1, want.1.2)),
        );
        // Single precision enters the adjoints.
        got.iter()
            .zip(&want)
            .for_each(|(a, b)| assert!((a - b).abs() < 1e-5));
    }
}

#[gradient]
fn chains(x: &[f64], w: f64) -> f64 {
    let a = x.par_iter().map(|v| (v * w).sin().exp()).sum::<f64>();
    let b: f64 = (0..x.len())
        .into_par_iter()
        .map(|i| x[i] * x[(i * 3 + 1) % x.len()] * w)
        .sum();
    let c: f64 = x
        .par_iter()
        .zip(x.par_iter())
        .enumerate()
        .map(|(i, (p, q))| p * q * i as f64)
        .sum();
    a * b + c
}

#[gradient]
fn chains_twin(x: &[f64], w: f64) -> f64 {
    let a = x.iter().map(|v| (v * w).sin().exp()).sum::<f64>();
    let b: f64 = (0..x.len())
        .map(|i| x[i] * x[(i * 3 + 1) % x.len()] * w)
        .sum();
    let c: f64 = x
        .iter()
        .zip(x.iter())
        .enumerate()
        .map(|(i, (p, q))| p * q * i as f64)
        .sum();
    a * b + c
}

#[test]
fn sums_of_parallel_iterators() {
    for n in LENGTHS {
        let x = numbers(n, 0.3);
        compare(
            || flat(&chains_grad(&x, 0.4)),
            || flat(&chains_twin_grad(&x, 0.4)),
        );
    }
}

#[gradient]
fn called(x: &[f64], w: f64) -> f64 {
    let mut out = vec![0.0; x.len()];
    let mut s = sums(x, w, x, 0.2);
    let mut i = 0;
    while i < 2 {
        s += elements(x, s.sin(), &mut out) * chains(&out, w);
        i += 1;
    }
    s
}

#[gradient]
fn called_twin(x: &[f64], w: f64) -> f64 {
    let mut out = vec![0.0; x.len()];
    let mut s = sums_twin(x, w, x, 0.2);
    let mut i = 0;
    while i < 2 {
        s += elements_twin(x, s.sin(), &mut out) * chains_twin(&out, w);
        i += 1;
    }
    s
}

/// The sweeps of a callee lie apart: the reverse sweep forks into as many as the forward sweep did.
#[test]
fn callees_with_parallel_loops() {
    for n in [1, 2, 9] {
        let x = numbers(n, 0.3);
        compare(
            || flat(&called_grad(&x, 0.4)),
            || flat(&called_twin_grad(&x, 0.4)),
        );
    }
}

macro_rules! swapping {
    ($name:ident $(#[$attribute:meta])?) => {
        #[gradient]
        fn $name(x: &[f64], w: f64) -> f64 {
            let mut a = x.to_vec();
            let mut b = [w, w * w, 0.5, 0.25];
            $(#[$attribute])?
            for i in 0..x.len() / 2 {
                a.swap(2 * i, 2 * i + 1);
                a[2 * i] *= w;
            }
            $(#[$attribute])?
            for row in a.chunks_mut(2) {
                row[0] *= w;
                row.swap(0, 0);
            }
            let from = 1;
            $(#[$attribute])?
            for i in from..b.len() {
                b.swap(i, i);
                let twice = b[i] * 2.0;
                b[i] = twice.sin();
            }
            let mut s = 0.0;
            for (i, v) in a.iter().enumerate() {
                s += v * v * b[i % 4];
            }
            s
        }
    };
}
swapping!(swapping #[parallel]);
swapping!(swapping_twin);

#[test]
fn swaps_within_the_own_part() {
    for n in LENGTHS {
        let x = numbers(n, 0.3);
        compare(
            || flat(&swapping_grad(&x, 0.4)),
            || flat(&swapping_twin_grad(&x, 0.4)),
        );
    }
}

macro_rules! kept {
    ($name:ident $(#[$attribute:meta])?) => {
        #[gradient]
        fn $name(x: &[f64], w: f64) -> f64 {
            let mut s = w * 2.0;
            let before = s * s;
            let mut count = 0.0;
            $(#[$attribute])?
            for i in 0..x.len() {
                s += x[i] * w;
            }
            // Nothing here carries a derivative.
            $(#[$attribute])?
            for i in 0..x.len() {
                count += 1.0;
            }
            let middle = s.sin();
            $(#[$attribute])?
            for i in 0..x.len() {
                s -= x[i] * middle;
            }
            before * s.cos() * middle + count
        }
    };
}
kept!(kept #[parallel]);
kept!(kept_twin);

#[test]
fn sums_that_are_needed_before_and_after() {
    for n in LENGTHS {
        let x = numbers(n, 0.3);
        compare(
            || flat(&kept_grad(&x, 0.4)),
            || flat(&kept_twin_grad(&x, 0.4)),
        );
    }
}
