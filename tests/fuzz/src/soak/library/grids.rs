//! Time loops over grids.

use retrograde::gradient;

/// Diffusion that depends on its state. Sizes: up to 30_000.
#[gradient]
pub(crate) fn diffusion(x: &[f64], p: f64, m: usize) -> f64 {
    let n = x.len();
    let mut u = x.to_vec();
    let mut v = u.clone();
    for _ in 0..m {
        for i in 1..n - 1 {
            let flux = u[i + 1] - 2.0 * u[i] + u[i - 1];
            v[i] = u[i] + p * 0.2 * flux / (1.0 + u[i] * u[i]);
        }
        std::mem::swap(&mut u, &mut v);
    }
    u.iter().map(|t| t * t).sum::<f64>()
}

/// The same with all of its rows on the tape. Sizes: up to 30_000.
#[gradient(no(tiles))]
pub(crate) fn diffusion_recorded(x: &[f64], p: f64, m: usize) -> f64 {
    let n = x.len();
    let mut u = x.to_vec();
    let mut v = u.clone();
    for _ in 0..m {
        for i in 1..n - 1 {
            let flux = u[i + 1] - 2.0 * u[i] + u[i - 1];
            v[i] = u[i] + p * 0.2 * flux / (1.0 + u[i] * u[i]);
        }
        std::mem::swap(&mut u, &mut v);
    }
    u.iter().map(|t| t * t).sum::<f64>()
}

/// Waves in two dimensions, three arrays. Sizes: up to 10_000.
#[gradient]
pub(crate) fn waves(w: &[f64], p: f64, m: usize) -> f64 {
    let mut old = w.to_vec();
    let mut now = w.to_vec();
    let mut next = vec![0.0; m * m];
    for _ in 0..12 {
        for i in 1..m.saturating_sub(1) {
            for j in 1..m - 1 {
                let c = i * m + j;
                let around = now[c - 1] + now[c + 1] + now[c - m] + now[c + m];
                next[c] = 2.0 * now[c] - old[c] + p * 0.3 * (around - 4.0 * now[c]);
            }
        }
        std::mem::swap(&mut old, &mut now);
        std::mem::swap(&mut now, &mut next);
    }
    let mut s = 0.0;
    for k in 0..m * m {
        s += now[k] * now[k] + old[k];
    }
    s
}

/// In place, from left to right. Sizes: up to 30_000.
#[gradient]
pub(crate) fn relaxation(x: &[f64], p: f64) -> f64 {
    let mut u = x.to_vec();
    for _ in 0..9 {
        for i in 2..x.len() {
            u[i - 1] = p * u[i - 1] + 0.25 * (u[i - 2] * u[i - 2] + u[i]);
        }
    }
    let mut s = 0.0;
    for v in &u {
        s += v.sin();
    }
    s
}

/// Each step is run again for its reverse. Sizes: up to 30_000.
#[gradient]
pub(crate) fn restarted(x: &[f64], p: f64, m: usize) -> f64 {
    let mut u = x.to_vec();
    #[checkpoint]
    for step in 0..m {
        for i in 0..u.len() {
            u[i] = (u[i] * p + 0.01 * step as f64).sin() + 0.1 * u[i] * u[i];
        }
    }
    let mut s = 0.0;
    for v in &u {
        s += v * v;
    }
    s
}

/// A block that is run again in every iteration. Sizes: up to 100_000.
#[gradient]
pub(crate) fn blocks(x: &[f64], p: f64) -> f64 {
    let mut s = p;
    for i in 0..x.len() {
        #[checkpoint]
        {
            let a = (s * x[i]).sin();
            let b = (a + p).exp();
            s = 0.3 * (a * b).tanh() + 0.5;
        }
    }
    s * p
}

/// Smooths into what it is given. Sizes: up to 300_000.
#[gradient]
pub(crate) fn smooth(x: &[f64], y: &mut [f64], p: f64) {
    for i in 1..x.len().saturating_sub(1) {
        y[i] = y[i] * p + 0.25 * (x[i - 1] * x[i - 1] + x[i + 1]);
    }
}

/// Changes a row and a rate, and returns something of both. Sizes: up to 300_000.
#[gradient]
pub(crate) fn decay(y: &mut [f64], p: &mut f64, at: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..y.len() {
        assert!(i != at);
        s += y[i] * *p;
        y[i] = (y[i] * *p).sin();
        *p = *p * 0.999 + 0.001 * y[i];
    }
    s
}
