fn counters(x: &[f64], y: &[f64], d: usize, k: usize) -> f64 {
    let mut s = 0.0;
    for c in 0..k {
        let mut at = c * k + d;
        for i in 0..d {
            for j in i + 1..d {
                s += x[at] * y[j];
                at += 1;
            }
        }
    }
    let mut at = 0;
    for i in 0..d {
        for j in 0..i {
            s += x[at] * y[j];
            at += 1;
        }
        at += 1;
    }
    let mut to = 3;
    for i in (0..k).rev() {
        for j in 0..d {
            to += 2;
            s += x[to] * y[j];
            to += k;
        }
        s += x[to];
    }
    s + y[to]
}
