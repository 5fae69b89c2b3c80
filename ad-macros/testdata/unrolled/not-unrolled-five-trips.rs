fn five(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for d in 0..5 {
        sum += x[d];
    }
    sum
}
