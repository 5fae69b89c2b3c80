fn smooth(x: &[f64], y: &mut [f64], n: usize) {
    for i in 1..n {
        y[i] = x[i - 1] * x[i] - x[i + 1];
    }
}
