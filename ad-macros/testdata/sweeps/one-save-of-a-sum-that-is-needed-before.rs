fn f(x: &[f64], w: f64) -> f64 {
    let mut s = w * 2.0;
    let before = s * s;
    for i in 0..x.len() {
        if x[i] > 0.0 {
            s += x[i] * w;
        }
    }
    before * s.sin()
}
