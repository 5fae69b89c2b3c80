fn region(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    #[checkpoint]
    for d in 0..3 {
        sum += x[d].sin();
    }
    sum
}
