fn sparse(w: &[f64], #[constant] x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
    let mut total = 0.0;
    for t in 0..steps {
        for i in 0..n {
            let mut s = 0.1;
            for j in 0..m {
                if x[j] > 0.5 {
                    s += w[i * m + j] * x[j];
                }
            }
            total += s * s;
        }
    }
    total
}
