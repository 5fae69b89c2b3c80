fn f(x: &[f64], m: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (x[i] - m).exp();
    }
    s
}
