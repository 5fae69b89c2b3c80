fn long(w: &[f64], #[constant] x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
    let mut total = 0.0;
    for t in 0..steps {
        for i in 0..n {
            let mut s = 0.1;
            for j in 0..m {
                let a = x[j + t] * x[j];
                let b = a * a + a;
                let c = b * b + b;
                let d = c * c + c;
                s += w[i * m + j] * d;
            }
            total += s * s;
        }
    }
    total
}
