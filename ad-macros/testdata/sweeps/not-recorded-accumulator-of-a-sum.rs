fn f(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let a = 1.0 - x[i];
        s += a * a;
    }
    s
}
