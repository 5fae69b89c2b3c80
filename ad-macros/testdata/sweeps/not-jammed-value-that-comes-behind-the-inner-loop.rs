fn late(a: &[f64], n: usize, m: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let t;
        let mut s = 0.0;
        for j in 0..m {
            s += a[i * m + j];
        }
        t = s * 2.0;
        total += t;
    }
    total
}
