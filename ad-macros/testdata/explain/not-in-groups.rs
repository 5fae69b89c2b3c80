fn f(x: &[f64], y: &[f64], n: usize, k: usize) -> f64 {
    let mut z = vec![0.0; 3 * n];
    let mut s = 0.0;
    for i in 0..n {
        s += x[3 * i] * x[3 * i + 1];
    }
    for i in 0..n {
        s += y[2 * i] * y[3 * i];
    }
    for i in 0..n {
        s += y[2 * i + k];
    }
    for i in 0..n {
        z[2 * i] = x[2 * i] * z[k];
    }
    for i in 0..n {
        s += y[32 * i] * y[32 * i + 1];
    }
    s * s + z[0]
}
