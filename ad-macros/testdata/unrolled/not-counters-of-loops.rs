fn others(x: &[f64], y: &[f64], n: usize, mut step: usize) -> f64 {
    let mut s = 0.0;
    let mut at = 0;
    for i in 0..n {
        if y[i] > 0.0 {
            s += x[at];
            at += 1;
        }
    }
    let mut by = 1;
    for i in 0..n {
        s += x[by];
        by += step;
        step += 1;
    }
    let mut down: u32 = 7;
    for i in 0..n {
        down -= 1;
        s += y[i] * down as f64;
    }
    let mut left = n;
    while left > 0 {
        left -= 1;
        s += x[left] * y[left];
    }
    let mut on = 0;
    for i in 0..n {
        if x[on] > 3.0 {
            break;
        }
        on += 1;
        s += x[on];
    }
    s
}
