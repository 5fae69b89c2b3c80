fn f(#[constant] t: &[f64], c: &[f64], z: &[f64], n: usize, m: usize) -> f64 {
    let mut a = vec![0.5; m];
    let mut z = z.to_vec();
    for i in 0..n {
        let entry = t[i];
        let old = z[i];
        z[i] = old * entry;
        for j in 0..m {
            a[j] += entry * old * c[i * m + j];
        }
    }
    let mut total = z[0];
    for j in 0..m {
        total += a[j] * a[j];
    }
    total
}
