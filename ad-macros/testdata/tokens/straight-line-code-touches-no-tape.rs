pub fn price(spot: f64, strike: f64, rate: f64) -> f64 {
    let discount = (-rate).exp();
    let forward = spot / discount;
    if forward > strike {
        discount * (forward - strike)
    } else {
        0.0
    }
}
