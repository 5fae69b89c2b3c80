fn f(x: f64) -> f64 {
    let mut s = 0.0;
    'outer: for i in 0..5 {
        for j in 0..5 {
            if i * j > 6 {
                continue 'outer;
            }
            s += x;
        }
        s += 1000.0 * x;
    }
    s
}
