fn rows(x: &[f64], m: usize, n: usize) -> f64 {
    let mut a = vec![0.0; m * n];
    for i in 0..m {
        let row = i * n;
        for j in 0..n {
            a[row + j] = x[i] * x[j];
        }
    }
    let mut sum = 0.0;
    for p in 0..m * n {
        sum += a[p] * a[p];
    }
    sum
}
