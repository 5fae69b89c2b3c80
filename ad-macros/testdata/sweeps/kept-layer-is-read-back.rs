fn layers(x: &[f64], w: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n];
    for k in 0..n {
        let mut s = 0.0;
        for i in 0..n {
            s += w[k * n + i] * x[i];
        }
        h[k] = s.tanh();
    }
    let mut sum = 0.0;
    for k in 0..n {
        sum += h[k];
    }
    sum
}
