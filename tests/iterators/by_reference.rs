//! Chains that are taken by reference: what is left of them goes on.

use super::support::check;
use retrograde::gradient;

const FOUR: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[1.5, 0.3, -0.8, 2.2],
    &[-0.6, 1.1, 0.9, -1.7],
];

/// The first items, then the others.
mod taken {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut it = x.iter();
        let h: f64 = it.by_ref().take(2).sum();
        h * it.map(|v| v * v).sum::<f64>()
    }
}

/// A loop that is left.
mod left {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut it = x.iter();
        let mut s = 0.0;
        for v in it.by_ref() {
            s += v;
            if s > 1.0 {
                break;
            }
        }
        for v in it {
            s *= v;
        }
        s
    }
}

/// `take_while` takes the item that ends it.
mod looked_at {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut it = x.iter().copied();
        let h: f64 = it.by_ref().take_while(|v| *v > 0.0).sum();
        h * it.sum::<f64>() + h
    }
}

/// `next`, `by_ref` and `&mut`.
mod mixed {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut it = x.iter();
        let mut s = 0.0;
        if let Some(a) = it.next() {
            s = *a;
        }
        for v in it.by_ref().take(2) {
            s *= v;
        }
        for v in &mut it {
            s += v * v;
        }
        if it.next().is_none() {
            s *= 2.0;
        }
        s
    }
}

/// Items with their numbers.
mod numbered {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut it = x.iter().enumerate();
        let mut s = 0.0;
        for (i, v) in it.by_ref().filter(|(i, _)| i % 2 == 0).take(1) {
            s += v * (i as f64 + 1.0);
        }
        for (i, v) in it {
            s += v * v * i as f64;
        }
        s
    }
}

/// Chunks.
mod chunks {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut it = x.chunks(2);
        let a: f64 = it.by_ref().take(1).map(|c| c.iter().sum::<f64>()).sum();
        it.map(|c| c[0] * c[1]).sum::<f64>() * a
    }
}

/// Items that are written.
mod written {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut v = x.to_vec();
        let mut it = v.iter_mut();
        for a in it.by_ref().take(2) {
            *a *= *a;
        }
        for a in it {
            *a += x[0];
        }
        v.iter().product()
    }
}

/// Two vectors.
mod collected {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut it = x.iter().copied();
        let head: Vec<f64> = it.by_ref().take(2).collect();
        let tail: Vec<f64> = it.collect();
        head.iter().zip(&tail).map(|(a, b)| a * b * b).sum()
    }
}

/// Two items at a time, until there are none.
mod rounds {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut it = x.iter();
        let mut s = 1.0;
        loop {
            let a: f64 = it.by_ref().take(2).sum();
            if it.len() == 0 {
                break s * a;
            }
            s += a * a;
        }
    }
}

/// A loop in a loop.
mod nested {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut it = x.iter();
        let mut s = 0.0;
        for r in 0..2 {
            for v in it.by_ref() {
                s += v * (r as f64 + 1.0);
                if *v < 0.5 {
                    break;
                }
            }
        }
        s * s
    }
}

/// `find`, twice.
mod found {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut it = x.iter();
        let a = it.by_ref().find(|v| **v < 0.5);
        let b = it.by_ref().find(|v| **v > 0.0);
        a.copied().unwrap_or(1.0) * b.copied().unwrap_or(2.0)
    }
}

#[test]
fn take() {
    check(taken::f, taken::f_grad, FOUR);
}

#[test]
fn a_loop_that_is_left() {
    check(left::f, left::f_grad, FOUR);
}

#[test]
fn take_while() {
    check(looked_at::f, looked_at::f_grad, FOUR);
}

#[test]
fn next_and_loops() {
    check(mixed::f, mixed::f_grad, FOUR);
}

#[test]
fn numbered() {
    check(numbered::f, numbered::f_grad, FOUR);
}

#[test]
fn chunks() {
    check(chunks::f, chunks::f_grad, FOUR);
}

#[test]
fn written() {
    check(written::f, written::f_grad, FOUR);
}

#[test]
fn collected() {
    check(collected::f, collected::f_grad, FOUR);
}

#[test]
fn rounds() {
    check(rounds::f, rounds::f_grad, FOUR);
}

#[test]
fn nested() {
    check(nested::f, nested::f_grad, FOUR);
}

#[test]
fn found() {
    check(found::f, found::f_grad, FOUR);
}

/// What chunks of one length leave over.
#[gradient]
fn left_over(x: &[f64], n: usize) -> f64 {
    let mut chunks = x.chunks_exact(n);
    let mut s = 0.0;
    for c in chunks.by_ref() {
        s += c[0] * c[n - 1];
    }
    for r in chunks.remainder() {
        s += r * r * r;
    }
    let halves = x[1..].chunks_exact(2);
    let rest = halves.remainder();
    let pairs: f64 = halves.map(|c| c.iter().product::<f64>()).sum();
    s * pairs + rest.iter().sum::<f64>() + rest.len() as f64
}

#[gradient]
fn dot_in_lanes(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let left = x.chunks_exact(4);
    let right = y.chunks_exact(4);
    let tail: f64 = left
        .remainder()
        .iter()
        .zip(right.remainder())
        .map(|(a, b)| a * b)
        .sum();
    for (a, b) in left.zip(right) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    sums.iter().sum::<f64>() + tail
}

#[test]
fn what_is_left_over() {
    let points: &[&[f64]] = &[
        &[0.7, 0.4, -0.3, 1.2, 0.9, -0.8, 0.35],
        &[-1.3, 0.9, 1.1, -0.2, 0.6],
        &[0.25, -0.75],
    ];
    for n in 1..4 {
        check(|x| left_over(x, n), |x| left_over_grad(x, n), points);
    }
    check(
        |x| dot_in_lanes(x, &[0.5, 1.5, -0.5, 2.0, 0.25, 1.0, 3.0][..x.len()]),
        |x| {
            let (value, (dx, _)) =
                dot_in_lanes_grad(x, &[0.5, 1.5, -0.5, 2.0, 0.25, 1.0, 3.0][..x.len()]);
            (value, dx)
        },
        points,
    );
}
