fn alternating(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    let mut sign = 1.0;
    let mut k = 0;
    while k < n {
        s += sign * x[k] * x[k];
        if x[k] > 0.5 {
            sign = -sign;
        }
        k += 2;
    }
    s
}
