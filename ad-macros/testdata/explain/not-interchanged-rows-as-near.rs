fn near(w: &[f64], x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for a in 0..K {
        for b in 0..K {
            for i in 0..n {
                s += w[a * K + b] * x[a * 3 + b + i] * x[a * 3 + b + i];
            }
        }
    }
    s * s
}
