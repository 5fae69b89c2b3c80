fn f(x: &[f64], w: &[f64]) -> f64 {
    let mut known = 0.0;
    for i in 0..x.len() {
        known += (x[i] * w[0]).exp();
    }
    let mut squared = 0.0;
    for i in 0..x.len() {
        squared += x[i].exp();
    }
    let mut carried = 0.5;
    for i in 0..x.len() {
        carried = (carried * x[i]).sin();
    }
    let mut weighted = 0.0;
    for i in 0..x.len() {
        weighted += x[i].exp();
    }
    let mut rows = 0.0;
    for i in 0..x.len() {
        for j in 0..w.len() {
            rows += (x[i] * w[j]).exp();
        }
    }
    let mut left = 0.0;
    for i in 0..x.len() {
        if x[i] < 0.0 {
            break;
        }
        left += x[i].exp();
    }
    let mut cheap = 0.0;
    for i in 0..x.len() {
        cheap += x[i] * x[i];
    }
    known + squared * squared + carried + weighted * w[1] + rows + left + cheap
}
