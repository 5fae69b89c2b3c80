fn f(v: &mut [f64]) -> f64 {
    let mut r = 0.0;
    for i in 0..v.len() {
        r += square_in_place(&mut v[i]);
    }
    r
}
