fn stencil(x: &[f64], p: usize, n: usize) -> f64 {
    let mut sum = 0.0;
    for q in [p - n, p + 1] {
        let d = x[q] - x[p];
        sum += d * d;
    }
    sum
}
