fn met_twice(x: &[f64], y: &[f64], z: &[f64], stride: usize, n: usize) -> f64 {
    let mut f = 0.0;
    for i in 0..n {
        for j in 0..n {
            f += x[i + j] * y[i * stride + j];
        }
        f += y[0] * z[i] * z[n - i - 1];
    }
    f
}
