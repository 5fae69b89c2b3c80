fn f(x: f64) -> f64 {
    x.wobble() * 2.0
}
