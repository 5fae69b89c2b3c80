fn f(u: &mut [f64], v: &[f64], k: usize) -> f64 {
    let mut s = 1.0;
    for i in 0..v.len() {
        u[i + k] = v[i] * v[i];
        s += u[i + k];
    }
    for i in 0..v.len() {
        if v[i] > 0.0 {
            u[i] = v[i];
        }
    }
    for j in 0..v.len() {
        u[j] += u[2 * j] * s;
    }
    for j in 0..v.len() {
        u[2 * j] = v[j];
    }
    s
}
