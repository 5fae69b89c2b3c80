fn region(x: f64, a: f64) -> f64 {
    let mut y = x;
    #[checkpoint]
    {
        let h = 0.5 * y;
        y += h;
        y += h;
        if h > 0.25 * a {
            y = y * y * 1e300 * 1e300;
        }
    }
    y
}
