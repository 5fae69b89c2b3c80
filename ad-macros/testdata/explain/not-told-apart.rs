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
    out[0] * out[1]
}
