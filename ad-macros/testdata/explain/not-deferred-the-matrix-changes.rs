fn descent(w0: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
    let mut w = w0.to_vec();
    let mut total = 0.0;
    let mut h = vec![0.0; n];
    for t in 0..steps {
        for i in 0..n {
            let mut s = -0.5;
            for j in 0..m {
                s += w[i * m + j] * x[j];
            }
            h[i] = s;
        }
        for k in 0..n * m {
            w[k] -= 0.01 * w[k] * h[0];
        }
        total += h[1] * h[1];
    }
    total
}
