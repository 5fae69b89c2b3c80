fn mirrored(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x[n - 1 - i] * x[n - 1 - i];
    }
    s
}
