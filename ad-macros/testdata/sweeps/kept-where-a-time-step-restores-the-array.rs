fn steps(x: &[f64], n: usize, steps: usize) -> f64 {
    let mut h = vec![0.0; n];
    let mut a = x.to_vec();
    for _ in 0..steps {
        for k in 0..n {
            h[k] = (a[k] * 0.5).exp();
        }
        for k in 0..n {
            a[k] = a[k] * h[k];
        }
    }
    let mut sum = 0.0;
    for k in 0..n {
        sum += a[k];
    }
    sum
}
