fn products(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x[i] * x[i + 1] * x[i + 9];
    }
    s
}
