fn recurrence(v: &mut [f64]) {
    for i in 1..v.len() {
        v[i] = v[i] + 0.5 * v[i - 1];
    }
}
