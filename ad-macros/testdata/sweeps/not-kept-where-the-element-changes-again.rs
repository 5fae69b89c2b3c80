fn doubled(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n];
    for k in 0..n {
        h[k] = x[k].exp();
        h[k] *= 2.0;
    }
    let mut sum = 0.0;
    for k in 0..n {
        sum += h[k];
    }
    sum
}
