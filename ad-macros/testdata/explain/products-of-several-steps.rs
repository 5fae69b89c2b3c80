fn batch(w: &[f64], u: &[f64], #[constant] x: &[f64], n: usize, m: usize, samples: usize) -> f64 {
    let mut h = vec![0.0; n];
    let mut y = vec![0.0; n];
    let mut loss = 0.0;
    for k in 0..samples {
        for i in 0..n {
            let mut s = 0.0;
            for j in 0..m {
                s += w[i * m + j] * x[k * m + j];
            }
            h[i] = s.tanh();
        }
        for i in 0..n {
            let mut s = 0.1;
            for j in 0..n {
                s -= u[i * n + j] * h[j];
            }
            y[i] = s.tanh();
        }
        for i in 0..n {
            loss += y[i] * y[i];
        }
    }
    loss
}
