fn f(x: f64, y: f64) -> f64 {
    let a = x * y;
    let b = a + x;
    if b > 50.0 {
        return a * b;
    }
    b * y
}
