fn f(#[constant] t: &[f64], b: &[f64], c: &[f64], n: usize, m: usize) -> f64 {
    let mut a = vec![0.5; m];
    for i in 0..n {
        let entry = t[i];
        for j in 0..m {
            a[j] += entry * b[j] * c[i * m + j];
        }
    }
    let mut total = 0.0;
    for j in 0..m {
        total += a[j] * a[j];
    }
    total
}
