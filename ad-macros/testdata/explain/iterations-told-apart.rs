fn told_apart(x: &[f64], n: usize, m: usize, by: usize) -> f64 {
    let mut out = x.to_vec();
    for i in 0..n {
        for j in 0..m {
            out[m * i + j] = x[j] * x[i];
        }
    }
    for i in 0..n {
        for j in i..n {
            out[n * i + j] = x[j] * x[i];
        }
    }
    for i in 0..n {
        for k in 0..by {
            for j in 0..m {
                out[m * i + j] = x[j] * x[k];
            }
        }
    }
    for i in (0..n).step_by(by) {
        out[i + m] = x[i] * x[i];
    }
    for i in 0..n {
        out[3 * i + 1] = x[i] * out[3 * i];
    }
    out[0] * out[1]
}
