fn f(x: f64, n: usize) -> f64 {
    let frozen = no_gradient(x * 2.0);
    let unused = x * 3.0;
    let scale = n as f64;
    frozen * x * scale
}
