//! Functions that are declared in the body, called with a derivative.

use super::support::checked_by_name;
use retrograde::gradient;

const POINTS: &[&[f64]] = &[&[0.7, -1.3, 2.1], &[-0.2, 0.9, 0.3], &[1.6, 0.5, -0.8]];

#[gradient]
fn scaled(x: &[f64]) -> f64 {
    fn norm(v: &[f64]) -> f64 {
        let mut s = 0.0;
        for t in v {
            if *t < -1.0 {
                return 2.0 * t * t;
            }
            s += t * t;
        }
        s.sqrt()
    }
    fn scale(v: &mut [f64], k: f64) {
        for t in v.iter_mut() {
            *t *= k;
        }
    }
    let mut y = x.to_vec();
    scale(&mut y, norm(x));
    norm(&y) + y[0]
}

/// Constants and functions of a closure, whose body is there once for each call, and of a loop that runs in two places.
#[gradient]
fn in_a_closure(x: &[f64]) -> f64 {
    let bent = |t: f64| {
        const K: f64 = 2.25;
        fn shifted(t: f64) -> f64 {
            t * t + K
        }
        let mut s = 0.0;
        for v in x.iter().chain(&x[1..]) {
            const HALF: f64 = 0.5;
            s += shifted(*v) * t * HALF;
        }
        s * K
    };
    bent(x[0]) + bent(bent(x[1]) * 0.1)
}

/// Bodies that go on behind a block.
#[gradient]
fn behind_blocks(x: &[f64]) -> f64 {
    let some = Some(x[0]);
    let none: Option<f64> = if x[0] > 5.0 { Some(x[1]) } else { None };
    let a = some.map_or(x[1], |t| if t > 0.0 { x[1] } else { t } - t * t);
    let b = none.unwrap_or_else(|| {
        let t = x[1];
        t
    } * x[0]);
    let c = none.map_or_else(
        || {
            match x.len() {
                0 => x[0],
                _ => x[2],
            }
            .sin()
                - x[0]
        },
        |t| { t } - 1.0,
    );
    a * b - c
}

/// It sees the constants and functions beside it, and none of the variables.
#[gradient]
fn beside(x: &[f64]) -> f64 {
    const K: f64 = 3.0;
    fn poly(mut t: f64) -> f64 {
        t += 1.0;
        K * t * t + factorial(3) as f64 * half(t)
    }
    fn half(t: f64) -> f64 {
        t * 0.5
    }
    fn factorial(n: u32) -> u32 {
        if n < 2 { 1 } else { n * factorial(n - 1) }
    }
    let t = x[1];
    let half_of_all: f64 = x.iter().map(|v| half(*v)).sum();
    poly(x[0]) * t
        + half_of_all
        + x.iter().copied().map(half).sum::<f64>() * x[factorial(2) as usize]
}

#[gradient]
fn options(x: &[f64]) -> f64 {
    fn root(t: f64) -> Option<f64> {
        if t < 0.0 {
            return None;
        }
        Some(t.sqrt())
    }
    fn inverse(t: f64) -> Result<f64, String> {
        let r = if t > -0.5 { Ok(t) } else { Err(format!("{t}")) };
        let r = r?;
        Ok(1.0 / (r + 2.0))
    }
    let a = root(x[0]).unwrap_or(x[1]);
    let b = match inverse(x[2]) {
        Ok(v) => v,
        Err(_) => x[0],
    };
    let c = if let Some(v) = root(x[1]) { v } else { 0.5 };
    a * b + c + inverse(x[1]).unwrap_or(x[2])
}

/// Without a derivative it is called as it is.
#[gradient]
fn passive(x: &[f64]) -> f64 {
    fn pick(i: usize) -> usize {
        let text = format!("{i}");
        (i * 7 + text.len()) % 3
    }
    x[pick(1)] * x[pick(2)]
}

checked_by_name! {
    scaled scaled_grad
    behind_blocks behind_blocks_grad
    beside beside_grad
    in_a_closure in_a_closure_grad
    options options_grad
    passive passive_grad
}
