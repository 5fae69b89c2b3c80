fn line(x: &[f64], p: (f64, f64)) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += p.0 * x[i] + p.1;
    }
    s
}
