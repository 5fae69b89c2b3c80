fn overlapping(x: &[f64], m: usize, n: usize, stride: usize) -> f64 {
    let mut a = vec![0.0; m * (n + stride)];
    for i in 0..m {
        for j in 0..n {
            a[i * stride + j] = x[i];
        }
    }
    for i in 0..m {
        for j in 0..=n {
            a[i * n + j] = x[i];
        }
    }
    for i in 0..m {
        a[i * n] = x[i];
    }
    for i in 0..m {
        a[i] = x[i];
        a[m + i] = x[i];
    }
    a[0]
}
