fn begins(y: &[f64], x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for a in 0..K {
        for b in 0..K {
            for i in 0..n {
                s += y[(a * K + b) * n + i] * x[a * n + b + i] * x[a * n + b + i];
            }
        }
    }
    s * s
}
