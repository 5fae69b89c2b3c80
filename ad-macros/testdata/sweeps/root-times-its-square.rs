fn cubes(x: &[f64], w: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let square = x[i] + 1.0;
        s += w / (square * square.sqrt());
    }
    s
}
