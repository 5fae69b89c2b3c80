use retrograde::gradient;
#[gradient]
fn probe(x: &[f64], p: usize) -> f64 {
    let mut s = 0.0;
    for q in [p - 1, p + 1] { s += x[q] * x[p]; }
    for (a, b) in [(0, 1), (1, 0)] { s += x[a] * x[b]; }
    for &q in &[p - 1, p] { s += x[q].sin(); }
    for q in [p - 1, p].iter() { s += x[*q].sin(); }
    for (d, q) in [p, p + 1].into_iter().enumerate() { s += x[q + d].sin(); }
    for w in [x[0] * 2.0, x[1].sin()] { s += w * w; }
    for w in [1.0, 2.0].iter().rev() { s += w * x[0]; }
    for d in 0..3 { s += x[d] * x[d]; }
    for d in 0..=2usize { s += x[d] * x[d]; }
    for d in -1..=1i32 { s += x[(p as i32 + d) as usize]; }
    let offsets = [0, 1, 2];
    for o in offsets { s += x[o]; }
    s
}
