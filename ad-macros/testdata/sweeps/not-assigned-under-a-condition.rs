fn conditional(x: &[f64], y: &[f64], go: bool) -> f64 {
    let mut f = 0.0;
    if go {
        for i in 0..x.len() {
            f += x[i] * x[i];
        }
    }
    for i in 0..y.len() {
        if y[i] > 0.0 {
            f += y[i];
        }
    }
    f
}
