fn f(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..5 {
        s += x[i];
    }
    for i in 2..2 {
        s += x[i];
    }
    for i in 0..3 {
        if x[i] < 0.0 {
            break;
        }
        s += x[i];
    }
    for _ in 0..2 {
        s = s.sin();
    }
    for i in 0..3_i32 {
        s += x[i as usize].powi(i);
    }
    for i in 0..3 {
        s += x[i] * x[i + 1];
    }
    s
}
