fn power(x: f64) -> f64 {
    let mut product = 1.0;
    for k in 0..3 {
        product *= x + k as f64;
    }
    product
}
