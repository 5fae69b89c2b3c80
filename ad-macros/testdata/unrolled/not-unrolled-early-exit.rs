fn first(x: &[f64], limit: f64) -> f64 {
    let mut sum = 0.0;
    for q in [0, 2, 1] {
        if sum > limit {
            break;
        }
        sum += x[q];
    }
    sum
}
