fn gather(x: &[f64], idx: &[usize]) -> f64 {
    let mut s = 0.0;
    for i in 0..idx.len() {
        s += x[idx[i]] * x[idx[i]];
    }
    s
}
