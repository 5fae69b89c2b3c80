fn region(x: &[f64], a: f64) -> f64 {
    let mut y = x.to_vec();
    #[checkpoint]
    {
        for i in 0..x.len() {
            y[i] += a * x[i];
        }
        for i in 0..x.len() {
            y[i] = y[i] * y[i];
        }
    }
    y[0]
}
