//! Long recurrences: what one iteration computes, the next one needs.

use retrograde::gradient;

/// A record per iteration of a loop of unknown length. Sizes: up to 1_000_000.
#[gradient]
pub(crate) fn chain(p: f64, n: usize) -> f64 {
    let mut y = p;
    let mut k = 0;
    while k < n {
        y = (y * 1.1 + 0.3).sin() * y.cos();
        k += 1;
    }
    y
}

/// A filter over data. Sizes: up to 1_000_000.
#[gradient]
pub(crate) fn filter(x: &[f64], p: f64) -> f64 {
    let mut state = 0.1;
    let mut energy = 0.0;
    for i in 0..x.len() {
        state = (state * p + x[i]).tanh();
        energy += state * state * 0.5;
    }
    energy
}

/// Two coupled states; an early end. Sizes: up to 300_000.
#[gradient]
pub(crate) fn pendulum(x: &[f64], p: f64, at: usize) -> f64 {
    let (mut angle, mut speed) = (p, 0.3);
    let mut work = 0.0;
    for i in 0..x.len() {
        assert!(i != at);
        let force = -angle.sin() - 0.1 * speed + 0.2 * x[i];
        speed += 0.01 * force;
        angle += 0.01 * speed;
        work += force * speed;
        if work.abs() > 100_000.0 {
            return work;
        }
    }
    work + angle
}

/// The root of each element by Newton's method, with as many steps as it takes. Sizes: up to 60_000.
#[gradient]
pub(crate) fn newton(positive: &[f64], p: f64) -> f64 {
    let mut total = 0.0;
    for i in 0..positive.len() {
        let mut y = 1.0;
        let mut k = 0;
        while k < 40 {
            let change = (y * y * y - positive[i] - p) / (3.0 * y * y);
            y -= change;
            k += 1;
            if change.abs() < 0.000_000_1 {
                break;
            }
        }
        total += y;
    }
    total
}

/// A state of four numbers and a constant matrix. Sizes: up to 200_000.
#[gradient]
pub(crate) fn rotation(a: [f64; 4], q: [[f64; 4]; 4], n: usize) -> f64 {
    let mut s = a;
    for _ in 0..n {
        let mut t = [0.0; 4];
        for i in 0..4 {
            for j in 0..4 {
                t[i] += q[i][j] * s[j];
            }
        }
        for i in 0..4 {
            s[i] = t[i].sin() + 0.1 * s[i];
        }
    }
    s[0] * s[1] + s[2] * s[3]
}

/// Leaves two loops at once. Sizes: up to 100_000.
#[gradient]
pub(crate) fn labelled(x: &[f64], p: f64, m: usize) -> f64 {
    let mut s = p;
    let mut visited = 0;
    'rows: for i in 0..m {
        for j in 0..m {
            if x[i * m + j] > 0.999 {
                break 'rows;
            }
            if x[i * m + j] < -0.9 {
                continue 'rows;
            }
            s = s * 0.9 + (x[i * m + j] * s).cos();
            visited += 1;
        }
    }
    s * visited as f64
}

/// Whole numbers choose what is multiplied. Sizes: up to 200_000.
#[gradient]
pub(crate) fn collatz(p: f64, n: usize) -> f64 {
    let mut y = p;
    let mut k = n;
    let mut steps = 0;
    while steps < n {
        if k % 2 == 0 {
            k /= 2;
            y = y * 0.99 + 0.01;
        } else {
            k = 3 * k + 1;
            y = y.sin() + y * y * 0.1;
        }
        if k <= 1 {
            k = n + steps + 7;
        }
        steps += 1;
    }
    y
}
