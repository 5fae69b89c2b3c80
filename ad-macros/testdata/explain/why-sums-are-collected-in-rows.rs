fn f(x: &[f64], w: &[f64], y: &mut [f64], z: &mut [f64], c: f64) {
    for i in 1..x.len() - 1 {
        y[i] = 0.5 * x[i - 1] - x[i] + 0.25 * x[i + 1];
    }
    for i in 1..x.len() - 1 {
        y[i] = if x[i - 1] > x[i + 1] { x[i - 1] - x[i] } else { x[i + 1] };
    }
    for i in 1..x.len() - 1 {
        y[i] += c * x[i - 1] + x[i] + x[i + 1];
    }
    for i in 1..x.len() - 1 {
        y[i] += (x[i - 1] + x[i] + x[i + 1]) / w[i];
    }
    for i in 1..x.len() - 1 {
        let t = x[i - 1] * x[i] - x[i + 1] * x[i];
        y[i] += t * t * (x[i - 1] - x[i + 1]);
    }
    for i in 1..x.len() - 1 {
        z[i] = 2.0 * y[i];
        y[i] = x[i - 1] + x[i] * 3.0 - x[i + 1];
        z[i] = z[i] * y[i];
    }
}
