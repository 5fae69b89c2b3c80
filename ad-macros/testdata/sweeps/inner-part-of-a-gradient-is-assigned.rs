fn inner(w: &[f64], rows: usize, cols: usize) -> f64 {
    let mut f = 0.0;
    for i in 1..rows {
        for j in 1..=cols {
            f += w[i * cols + j - 1] * w[i * cols + j - 1];
        }
    }
    f
}
