fn products(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() {
        s += x[i - 1] * x[i];
    }
    s
}
