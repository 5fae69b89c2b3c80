fn f(x: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..5 {
        if i == 2 {
            continue;
        }
        s += x * i as f64;
    }
    s
}
