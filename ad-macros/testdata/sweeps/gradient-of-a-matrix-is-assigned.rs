fn quadratic(a: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let n = x.len();
    let mut f = 0.0;
    for i in 0..b.len() {
        let mut s = 0.0;
        for j in 0..n {
            s += a[i * n + j] * x[j];
        }
        let r = s - b[i];
        f += r * r;
    }
    f
}
