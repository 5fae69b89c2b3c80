fn rows(x: &[f64], m: usize, n: usize) -> f64 {
    let mut c = vec![0.0; m * n];
    for i in 0..m {
        for j in 0..n {
            c[i * n + j] = x[i];
        }
        for j in 0..n {
            let y = (c[i * n + j] * x[j]).exp();
            c[i * n + j] = y;
        }
    }
    let mut sum = 0.0;
    for p in 0..m * n {
        sum += c[p];
    }
    sum
}
