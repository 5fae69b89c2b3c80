fn chained(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let mut s = total;
        for j in 0..m {
            s += a[i * m + j] * x[j];
        }
        total += s;
    }
    total
}
