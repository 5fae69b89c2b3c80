fn once(w: &[f64], x: &[f64], y: &mut [f64], n: usize, m: usize) {
    for i in 0..n {
        let mut s = 0.1;
        for j in 0..m {
            s += w[i * m + j] * x[j];
        }
        y[i] = s;
    }
}
