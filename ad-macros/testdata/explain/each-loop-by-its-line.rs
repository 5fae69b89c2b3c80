fn f(x: &[f64], n: usize, limit: f64) -> f64 {
    let mut u = x.to_vec();
    for _ in 0..n {
        for i in 0..u.len() {
            let square = u[i] * u[i];
            u[i] = square + x[i].sin();
        }
    }
    let mut sum = 0.0;
    for (k, v) in x.iter().enumerate() {
        let scaled = v * k as f64;
        sum += if scaled > limit { scaled.exp() } else { v * v * sum };
    }
    while sum > 10.0 {
        sum *= 0.5;
        if sum < limit {
            break;
        }
    }
    sum + u.iter().sum::<f64>()
}
