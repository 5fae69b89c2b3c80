fn steps(x: &[f64], y: &[f64], n: usize) -> f64 {
    let mut t = vec![0.0; n];
    let mut s = 0.0;
    for p in 0..9 {
        for i in 0..n {
            t[i] = x[i + p];
        }
        for i in 1..n {
            t[i] += y[i + p] * x[p];
        }
        for i in 0..n {
            s += t[i] * t[i];
        }
    }
    s
}
