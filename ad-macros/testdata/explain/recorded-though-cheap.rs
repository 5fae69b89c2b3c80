fn f(x: &[f64], mut a: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let scaled = a * x[i];
        a += scaled * scaled * x[i];
        sum += scaled * a;
    }
    sum
}
