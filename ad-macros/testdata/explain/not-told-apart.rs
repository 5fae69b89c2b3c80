fn not_told_apart(x: &[f64], n: usize, m: usize, by: usize) -> f64 {
    let mut out = x.to_vec();
    for i in 0..n {
        if i != by {
            for j in 0..m {
                out[m * i + j] = x[j] * x[i];
            }
        }
    }
    for i in 0..n {
        for j in by..m {
            out[m * i + j] = x[j] * x[i];
        }
    }
    for i in (0..n).step_by(by) {
        out[2 * i] = x[i] * x[i];
    }
    for i in 0..n {
        out[65536 * i] = x[i] * x[i];
    }
    for i in 0..n {
        out[i.saturating_add(by)] = x[i] * x[i];
    }
    for i in 0..n {
        out[(i as u8) as usize] = x[i] * x[i];
    }
    for i in 0..n {
        for j in 0..m {
            out[by + 18446744073709551615usize * i + j] = x[j] * x[i];
        }
    }
    for i in (0..n).step_by(2) {
        for _ in i..1 {
            for j in 0..m {
                out[i * (32 * m) + 32 * j] = x[j] * x[i];
            }
        }
        for _ in by..i + 1 {
            for j in 0..m {
                out[i * (32 * m) + 32 * j] = x[j];
            }
        }
    }
    for i in 1..n {
        out[i * 8 + 5] = x[i];
        for j in (by - by - 3)..=(by - by - 1) {
            out[i * 8 + j] = x[i] * x[i];
        }
    }
    out[0] * out[1]
}
