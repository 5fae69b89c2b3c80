fn nested(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..2 {
        for j in 0..2 {
            sum += x[2 * i + j];
        }
    }
    sum
}
