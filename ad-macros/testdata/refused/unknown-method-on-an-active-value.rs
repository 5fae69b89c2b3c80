fn f(x: f64) -> f64 {
    x.next_up() * 2.0
}
