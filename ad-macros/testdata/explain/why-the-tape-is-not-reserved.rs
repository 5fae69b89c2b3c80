fn f(x: &[f64], a: f64, m: i64) -> f64 {
    let mut y = a;
    for i in (0..x.len()).rev() {
        y = y.sin() * x[i];
    }
    for i in (0..x.len()).step_by(m as usize) {
        y = y.sin() * x[i];
    }
    for _ in 0..m {
        y = y.sin();
    }
    for v in x {
        if y > 3.0 {
            break;
        }
        y = y.exp() * v;
    }
    for _ in 0..x.len() {
        y = g(y) * y;
    }
    for i in 0..x.len() {
        let scale = y.cos();
        for j in 0..i {
            y = (y * x[j]).sin() * scale;
        }
    }
    y
}
