fn polynomial(c: &[f64], x: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        sum += c[k] * x.powi(k as i32);
    }
    for w in [1.0, 2.0] {
        let t: f64 = 3.0 * w;
        sum += x * t.sin();
    }
    sum
}
