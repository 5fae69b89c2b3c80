fn clamped(a: &[f64], x: &[f64], y: &mut [f64], hi: f64, n: usize, m: usize) {
    for i in 0..n {
        y[i] = 1.0;
        let mut s = 0.0;
        for j in 0..m {
            s += a[i * m + j] * x[j];
        }
        y[i] = s.clamp(-1.0, hi);
    }
}
