fn mean(x: &[f64], scale: f64) -> f64 {
    let n = x.len() as f64;
    let k = scale.exp();
    let mut sum = 0.0;
    for i in 1..x.len() {
        let d = (x[i] - x[i - 1]) * k;
        sum += d.tanh() * d;
    }
    sum / n
}
