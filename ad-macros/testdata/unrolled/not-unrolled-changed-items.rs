fn changed(x: &[f64]) -> f64 {
    let mut pair = [x[0], x[1]];
    for v in pair.iter_mut() {
        *v *= 2.0;
    }
    pair[0] * pair[1]
}
