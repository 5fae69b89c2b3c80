fn exchanged(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n];
    let mut g = vec![0.0; n];
    for k in 0..n {
        h[k] = x[k].exp();
    }
    std::mem::swap(&mut h, &mut g);
    h[0] = x[0];
    let mut f = vec![0.0; n];
    for k in 0..n {
        f[k] = x[k].exp();
    }
    change(&mut f);
    h[0] + g[0] + f[0]
}
