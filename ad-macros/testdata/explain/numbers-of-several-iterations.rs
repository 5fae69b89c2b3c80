fn f(x: &[f64], n: usize, c: f64, p: &[(f64, f64)], y: &mut [f64], z: &mut [f64], q: f32) {
    for i in 0..n {
        y[i] = x[i] * x[i + n] / (c * c + 1.0).sqrt();
    }
    for i in 0..n {
        y[i] = (x[i] * x[i + n]).exp();
    }
    for i in 0..n {
        y[i] = x[i] * x[i + n] * (i as f64);
    }
    for i in 0..n {
        y[i] = if x[i] > c { x[i] * x[i + n] } else { x[i + n] };
    }
    for i in 0..n {
        y[i] = x[i].max(c) * x[i + n];
    }
    for i in 0..n {
        y[i] = p[i].0 * p[i].1 * x[i];
    }
    for i in 0..n {
        y[i] = x[i] * x[i + n] * (q as f64);
    }
    for i in 0..n {
        y[i] = x[i] * x[i + n] * z[n];
    }
}
