fn several(x: &[f64], p: usize) -> f64 {
    let mut sum = 0.0;
    for (a, b) in [(0, p), (p, 1)] {
        sum += x[a] * x[b];
    }
    for (k, q) in [p, p + 1].into_iter().enumerate() {
        sum += x[q + k];
    }
    for w in [x[0], 2.0].iter().rev() {
        sum *= *w;
    }
    sum
}
