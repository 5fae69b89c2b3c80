fn any_size(w: &[f64], x: &[f64], n: usize, k: usize) -> f64 {
    let mut s = 0.0;
    for a in 0..k {
        for b in 0..k {
            for i in 0..n {
                s += w[a * k + b] * x[a * n + b + i] * x[a * n + b + i];
            }
        }
    }
    s * s
}
