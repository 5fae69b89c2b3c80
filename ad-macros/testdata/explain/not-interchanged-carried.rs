fn carried(w: &[f64], x: &[f64], t: &mut [f64], n: usize) -> f64 {
    for a in 0..K {
        for b in 0..K {
            for i in 0..n {
                t[i + b] += t[i + b] * w[a] * x[a * n + b + i];
            }
        }
    }
    t[0]
}
