fn triangle(a: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let mut s = 0.0;
        for j in i..n {
            s += a[i * n + j];
        }
        total += s * s;
    }
    total
}
