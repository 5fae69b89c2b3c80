fn f(x: &[f64], n: i32) -> f64 {
    let mut inclusive = 0.0;
    for i in 0..=n as usize {
        if x[i] > inclusive {
            inclusive = x[i];
        }
    }
    let mut narrow = 0.0;
    for i in 0..n {
        if x[i as usize] > 0.5 {
            narrow = x[i as usize];
        }
    }
    let mut while_loop = 0.0;
    let mut i = 0;
    while i < 7 {
        if x[i] > while_loop {
            while_loop = x[i];
        }
        i += 1;
    }
    let (mut two, mut places) = (0.0, 0.0);
    for i in 0..x.len() {
        if x[i] > 1.0 {
            two = x[i];
        }
        if x[i] < -1.0 {
            places = x[i];
        }
    }
    let mut more = 0.0;
    for i in 0..x.len() {
        let e = x[i].exp();
        if e > 2.0 {
            more = e * e;
        }
    }
    let mut one = 0.0;
    for i in 0..x.len() {
        if x[i] > one {
            one = x[i];
        }
    }
    inclusive * narrow * while_loop * two * places * more * one
}
