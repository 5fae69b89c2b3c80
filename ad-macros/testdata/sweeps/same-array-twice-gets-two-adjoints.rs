fn f(a: &[f64]) -> f64 {
    g(a, a)
}
