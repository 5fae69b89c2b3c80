fn rows(b: &[f64], x: &[f64], y: &mut [f64], n: usize, m: usize) {
    for i in 0..n {
        let mut s = 0.0;
        for j in 0..m {
            s += b[i] / (x[j] + 2.0);
        }
        y[i] = s;
    }
}
