fn flux(x: &[f64], w: f64) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() {
        let h = 0.5 * (x[i - 1] + x[i]);
        let d = -(x[i] - x[i - 1]) / 4.0;
        s -= h * h * d * 2.0 * w;
    }
    s
}
