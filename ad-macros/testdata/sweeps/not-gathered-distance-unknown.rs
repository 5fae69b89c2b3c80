fn products(x: &[f64], n: usize, k: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x[i] * x[i + k] * x[i + 2 * k];
    }
    s
}
