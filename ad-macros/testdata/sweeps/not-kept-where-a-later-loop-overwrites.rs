fn overwritten(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n];
    let mut sum = 0.0;
    for k in 0..n {
        h[k] = x[k].exp();
    }
    for k in 0..n {
        sum += h[k];
    }
    for k in 0..n {
        h[k] = x[0];
    }
    for k in 0..n {
        sum += h[k];
    }
    sum
}
