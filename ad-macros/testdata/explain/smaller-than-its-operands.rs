fn f(x: f64, y: f64, n: usize) -> f64 {
    let (mut p, mut q, mut sum) = (x, y, 0.0);
    for _ in 0..n {
        let apart = p - q;
        sum += apart.sin();
        p += 0.1 * apart;
        q -= 0.2 * apart;
    }
    sum
}
