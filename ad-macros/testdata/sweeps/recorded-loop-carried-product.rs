fn f(x: f64) -> f64 {
    let mut t = 1.0;
    for _ in 0..3 {
        t *= x;
    }
    t
}
