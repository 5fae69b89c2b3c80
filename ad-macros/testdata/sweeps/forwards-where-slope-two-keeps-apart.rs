fn interleaved(x: &[f64], n: usize) -> f64 {
    let mut a = vec![0.0; 2 * n];
    for i in 0..n {
        let even = 2 * i;
        let odd = even + 1;
        a[even] = x[i];
        a[odd] = x[i] * x[i];
    }
    let mut sum = 0.0;
    for i in 0..2 * n {
        sum += a[i] * a[i];
    }
    sum
}
