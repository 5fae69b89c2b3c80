fn conditional(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n];
    let mut sum = 0.0;
    for k in 0..n {
        let v = x[k].exp();
        if x[k] > 1.0 {
            h[k] = v;
        }
        sum += v;
    }
    sum + h[0]
}
