fn regions(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n];
    let mut g = vec![0.0; n];
    #[checkpoint]
    for k in 0..n {
        h[k] = x[k].exp();
    }
    for k in 0..n {
        g[k] = x[k].exp();
    }
    #[checkpoint]
    {
        g[0] = x[0];
    }
    h[0] + g[0]
}
