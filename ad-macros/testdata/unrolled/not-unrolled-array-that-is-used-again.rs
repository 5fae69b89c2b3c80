fn again(x: &[f64]) -> f64 {
    let at = [0, 2];
    let mut sum = x[at[1]];
    for q in at {
        sum += x[q];
    }
    sum
}
