fn f(x: &[f64], y: &mut [f64], c: f64) {
    // Fluxes between neighbours.
    for i in 1..x.len() - 1 {
        let (r, l) = (x[i] + x[i + 1], x[i - 1] + x[i]);
        y[i] = r * r * (x[i + 1] - x[i]) - l * l * (x[i] - x[i - 1]);
    }
    // A quotient of an adjoint.
    for i in 1..x.len() - 1 {
        y[i] = x[i - 1] * x[i] / (3.0 + x[i + 1]) - x[i + 1] * x[i] * x[i - 1];
    }
    // The counter.
    for i in 1..x.len() - 1 {
        y[i] = (i as f64) * (x[i - 1] * x[i] - x[i + 1] * x[i]);
    }
    // Nothing in common.
    for i in 1..x.len() - 1 {
        y[i] = (x[i - 1] * x[i] * x[i + 1]).sin() * x[i + 1];
    }
    // Too many factors.
    for i in 1..x.len() - 1 {
        y[i] = (x[i - 1] + x[i] + x[i + 1]) * x[i] * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5 * 1.5;
    }
}
