fn springs(x: &[f64], n: usize, y: &mut [f64]) {
    for i in 1..n {
        let dx = x[3 * i] - x[3 * (i - 1)];
        let dy = x[3 * i + 1] - x[3 * i - 2];
        y[2 * i] = dx * dy;
        y[2 * i + 1] = dx * x[1];
    }
}
