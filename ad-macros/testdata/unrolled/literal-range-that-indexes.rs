fn axes(x: &[f64], p: usize) -> f64 {
    let mut sum = 0.0;
    for d in 0..3 {
        let q = 3 * p + d;
        sum += x[q];
    }
    for d in (-1..=1i64).rev() {
        sum *= x[(p as i64 + d) as usize];
    }
    sum
}
