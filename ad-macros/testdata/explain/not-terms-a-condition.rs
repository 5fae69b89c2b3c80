fn rows(a: &[f64], x: &[f64], y: &mut [f64], n: usize, m: usize) {
    for i in 0..n {
        let mut s = 0.0;
        for j in 0..m {
            if x[j] > 0.0 {
                s += a[i * m + j] * x[j];
            }
        }
        y[i] = s;
    }
}
