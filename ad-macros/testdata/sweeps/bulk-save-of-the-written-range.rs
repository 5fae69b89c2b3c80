fn f(u: &[f64], steps: usize) -> f64 {
    let n = u.len();
    let mut a = u.to_vec();
    let mut b = u.to_vec();
    for _ in 0..steps {
        for i in 1..n - 1 {
            b[i] = a[i] * a[i - 1] + a[i + 1];
        }
        std::mem::swap(&mut a, &mut b);
    }
    a[1]
}
