fn f(x: &[f64], n: usize) -> f64 {
    let mut y = 1.0;
    for _ in 0..n {
        #[checkpoint]
        {
            for i in 0..x.len() {
                y = (y * x[i]).sin();
            }
        }
    }
    y
}
