fn f(x: f64) -> f64 {
    let mut r = 1.0;
    for i in 0..10 {
        r *= x;
        if r > 100.0 {
            break;
        }
        r += i as f64;
    }
    r
}
