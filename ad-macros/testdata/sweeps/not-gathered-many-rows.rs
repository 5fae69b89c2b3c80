fn products(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x[i] * x[i + 1] * x[i + 2] + x[i + 3] * x[i + 4] * x[i + 5] + x[i + 6] * x[i + 7] * x[i + 8];
    }
    s
}
