use retrograde::gradient;

#[gradient]
fn neighbours(a: &mut [f64]) {
    #[parallel]
    for i in 1..a.len() {
        a[i] = a[i] * a[i - 1];
    }
}

#[gradient]
fn elsewhere(x: &[f64], a: &mut [f64]) {
    #[parallel]
    for i in 0..x.len() {
        a[i + 1] = x[i] * x[i];
    }
}

#[gradient]
fn scattered(x: &[f64], at: &[usize], a: &mut [f64]) {
    #[parallel]
    for i in 0..x.len() {
        a[at[i]] += x[i];
    }
}

#[gradient]
fn overlapping(x: &[f64], c: usize, a: &mut [f64]) {
    #[parallel]
    for i in 0..x.len() {
        for v in &mut a[c * i..c * i + c + 1] {
            *v *= x[i];
        }
    }
}

#[gradient]
fn two_strides(x: &[f64], a: &mut [f64]) {
    #[parallel]
    for i in 0..x.len() {
        a[2 * i] = x[i];
        a[3 * i + 1] = x[i] * x[i];
    }
}

#[gradient]
fn stride_that_changes(x: &[f64], a: &mut [f64]) {
    let mut c = 1;
    #[parallel]
    for i in 0..x.len() {
        a[c * i] = x[i] * x[i];
    }
    c += 1;
}

#[gradient]
fn beyond_the_stride(x: &[f64], a: &mut [f64]) {
    #[parallel]
    for i in 0..x.len() {
        a[2 * i + 2] = x[i] * x[i];
    }
}

#[gradient]
fn whole(x: &[f64], a: &mut [f64]) {
    #[parallel]
    for i in 0..x.len() {
        a.fill(x[i]);
    }
}

#[gradient]
fn length(x: &[f64], a: &mut [f64]) {
    #[parallel]
    for i in 0..x.len() {
        a[i] = x[i] * a.len() as f64;
    }
}

#[gradient]
fn sum_that_is_read(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[parallel]
    for i in 0..x.len() {
        s += x[i] * s;
    }
    s
}

#[gradient]
fn product(x: &[f64]) -> f64 {
    let mut p = 1.0;
    #[parallel]
    for i in 0..x.len() {
        p *= x[i];
    }
    p
}

#[gradient]
fn last(x: &[f64]) -> f64 {
    let mut v = 1.0;
    #[parallel]
    for i in 0..x.len() {
        v = x[i];
    }
    v
}

#[gradient]
fn growing(x: &[f64]) -> f64 {
    let mut v = Vec::new();
    #[parallel]
    for i in 0..x.len() {
        v.push(x[i] * x[i]);
    }
    v[0]
}

#[gradient]
fn swapped(x: &[f64], a: &mut [f64]) {
    #[parallel]
    for i in 0..x.len() {
        a.swap(i, 0);
    }
}

/// Equal variables, but not equal values.
#[gradient]
fn moving_offset(x: &[f64], a: &mut [f64]) {
    #[parallel]
    for i in 1..x.len() {
        let mut k = 0;
        let t = i + k;
        k += 1;
        let u = t - k;
        a[u] = x[i] * 2.0;
    }
}

#[gradient]
fn count(x: &[f64]) -> f64 {
    let mut n = 0;
    #[parallel]
    for i in 0..x.len() {
        if x[i] > 0.0 {
            n += 1;
        }
    }
    x[n]
}

#[gradient]
fn through_a_reference(x: &[f64], s: &mut f64) {
    #[parallel]
    for i in 0..x.len() {
        *s += x[i] * x[i];
    }
}

fn main() {}
