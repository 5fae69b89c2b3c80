fn apart(x: &[f64], n: usize, k: usize) -> f64 {
    let mut s = 0.0;
    for i in 1..n {
        s += x[i + k - 1] * x[i + (k - 1)];
    }
    s
}
