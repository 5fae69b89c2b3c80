fn f(v: &mut [f64]) -> f64 {
    for i in 1..v.len() {
        v[i] = v[i] * v[i - 1];
    }
    v[0]
}
