fn shared(x: &[f64], at: &[usize], n: usize) -> f64 {
    let mut h = vec![0.0; n + 1];
    for k in 0..n {
        h[at[k]] = x[k].exp();
    }
    let mut g = vec![0.0; n + 1];
    for k in 0..n {
        g[k + 1] = x[k].exp();
        g[k] = x[k];
    }
    let mut one = vec![0.0; 1];
    for k in 0..n {
        one[0] = x[k].exp();
    }
    h[0] + g[0] + one[0]
}
