fn roots(x: &[f64], k: &[usize], total: &mut f64) {
    for i in 0..x.len() {
        *total += x[i].sqrt() * (100 / k[i]) as f64;
    }
}
