fn rows(a: &[f64], x: &[f64], m: usize, n: usize) -> f64 {
    let mut f = 0.0;
    for i in 0..m {
        let mut s = 0.0;
        for j in 0..n {
            s += a[i * n + j] * x[j];
        }
        let t = 3.0 * s;
        f += t * t;
    }
    f
}
