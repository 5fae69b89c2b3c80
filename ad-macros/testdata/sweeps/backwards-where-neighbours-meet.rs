fn neighbours(x: &[f64], n: usize) -> f64 {
    let mut a = vec![0.0; n + 1];
    for i in 0..n {
        let here = i;
        let next = here + 1;
        a[here] = x[i];
        a[next] = x[i];
    }
    let mut b = vec![0.0; 2 * n + 2];
    for i in 0..n {
        b[2 * i] = x[i];
        b[2 * i + 2] = x[i];
    }
    a[0] + a[n] + b[0] + b[2 * n]
}
