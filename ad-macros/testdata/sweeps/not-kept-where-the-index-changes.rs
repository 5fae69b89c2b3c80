fn moving(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n];
    let mut p = 0;
    while p < n {
        let v = x[p].exp();
        h[p] = v;
        p += 1;
        h[0] += v * v;
    }
    h[0]
}
