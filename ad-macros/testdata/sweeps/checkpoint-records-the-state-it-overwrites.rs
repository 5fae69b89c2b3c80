fn f(x: f64) -> f64 {
    let mut s = x;
    #[checkpoint]
    for _ in 0..4 {
        s = s * s + x;
        s = s.sin();
    }
    s
}
