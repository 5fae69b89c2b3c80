//! Loops in loops: matrices, networks, time loops, checkpoints.

use retrograde::gradient;

/// The largest square of at most so many elements.
fn side(n: usize) -> usize {
    n.isqrt()
}

/// A layer of a network, and the layer behind it.
#[gradient]
pub(crate) fn layers(x: &[f64], c: f64) -> f64 {
    let k = side(x.len());
    let mut h = vec![0.0; k];
    for i in 0..k {
        let mut t = c;
        for j in 0..k {
            t += x[i * k + j] * x[j * k + i];
        }
        h[i] = (t * 0.1).tanh();
    }
    let mut s = 0.0;
    for i in 0..k {
        let mut t = 0.0;
        for j in 0..k {
            t += x[i * k + j] * h[j];
        }
        s += (t * c).sin();
    }
    s
}

/// The same matrix in each step: outer products that wait for one another.
#[gradient]
pub(crate) fn recurrent(x: &[f64], c: f64) -> f64 {
    let k = side(x.len());
    let mut h = vec![c; k];
    let mut g = vec![0.0; k];
    for _ in 0..9 {
        for i in 0..k {
            let mut t = 0.1 * h[i];
            for j in 0..k {
                t += x[i * k + j] * h[j];
            }
            g[i] = (t * 0.3).tanh();
        }
        for i in 0..k {
            h[i] = g[i] * c + 0.2;
        }
    }
    let mut s = 0.0;
    for i in 0..k {
        s += h[i] * h[i];
    }
    s
}

#[gradient]
pub(crate) fn inner_loops(x: &[f64], c: f64) -> f64 {
    let k = side(x.len());
    let mut s = 0.0;
    for i in 0..k {
        let mut p = c;
        for j in 0..i {
            p = (p * x[i * k + j] + 0.3).cos();
        }
        for j in 0..k {
            s += (p * x[i * k + j]).exp() * c;
        }
    }
    s
}

#[gradient]
pub(crate) fn checkpointed(x: &[f64], c: f64) -> f64 {
    let mut s = c;
    #[checkpoint]
    {
        for i in 0..x.len() {
            s += (c * x[i]).exp();
        }
        s = s.ln();
    }
    for i in 0..x.len() {
        s += (c * x[i] + s * 1e-3).sin();
    }
    s
}

#[gradient]
pub(crate) fn steps_again(x: &[f64], c: f64) -> f64 {
    let mut a = x.to_vec();
    #[checkpoint]
    for _ in 0..10 {
        for i in 0..a.len() {
            a[i] = (a[i] * c).sin() + 0.1 * a[i] * a[i];
        }
    }
    let mut s = 0.0;
    for v in &a {
        s += v * v * c;
    }
    s
}

#[gradient]
pub(crate) fn until(x: &[f64], c: f64) -> f64 {
    let mut a = x.to_vec();
    let mut t = 0.0;
    let mut sum = 0.0;
    #[checkpoint]
    while t < 1.0 {
        let mut p = 0.0;
        for i in 0..a.len() {
            p += (c * a[i]).exp();
            a[i] = a[i] * c + 0.1;
        }
        sum += p * c;
        t += 0.13;
    }
    sum
}

#[gradient]
pub(crate) fn each_step_again(x: &[f64], c: f64) -> f64 {
    let mut a = x.to_vec();
    let mut q = c;
    for _ in 0..11 {
        let mut p = 0.0;
        #[checkpoint]
        {
            for i in 0..a.len() {
                p += (q * a[i]).cos() * c;
                a[i] = a[i] * 0.9 + q * 0.01;
            }
        }
        q = (p * 1e-2 + q).sin();
    }
    q * c
}

/// A time loop between two arrays.
#[gradient]
pub(crate) fn diffused(x: &[f64], c: f64) -> f64 {
    let n = x.len();
    let mut a = x.to_vec();
    let mut b = x.to_vec();
    if n > 2 {
        for _ in 0..90 {
            for i in 1..n - 1 {
                b[i] = a[i] + 0.1 * (a[i + 1] - 2.0 * a[i] + a[i - 1]) + 0.01 * a[i] * a[i - 1];
            }
            std::mem::swap(&mut a, &mut b);
        }
    }
    let mut s = 0.0;
    for i in 0..n {
        s += a[i] * a[i] * c;
    }
    s
}

/// Springs between neighbours, in steps that overwrite where they are.
#[gradient]
pub(crate) fn springs(x: &[f64], c: f64) -> f64 {
    let n = x.len();
    let mut p = x.to_vec();
    let mut v = vec![0.0; n];
    let mut f = vec![0.0; n];
    for _ in 0..5 {
        for i in 0..n {
            f[i] = -0.1 * v[i];
        }
        for i in 1..n {
            let d = p[i] - p[i - 1];
            let l = (d * d + 0.5).sqrt();
            let w = c * (l - 1.0) / l * d;
            f[i] -= w;
            f[i - 1] += w;
        }
        for i in 0..n {
            v[i] += 0.01 * f[i];
            p[i] += 0.01 * v[i];
        }
    }
    let mut s = 0.0;
    for i in 0..n {
        s += p[i] * p[i] + (v[i] * c).sin();
    }
    s
}

#[gradient]
pub(crate) fn single_layers(x: &[f32], c: f32) -> f32 {
    let k = side(x.len());
    let mut s = 0.0;
    for i in 0..k {
        let mut t = c;
        for j in 0..k {
            t += x[i * k + j] * x[j];
        }
        s += t.tanh();
    }
    s
}
