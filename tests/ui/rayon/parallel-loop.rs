use retrograde::gradient;

#[gradient]
fn left_early(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[parallel]
    for i in 0..x.len() {
        if x[i] < 0.0 {
            break;
        }
        s += x[i] * x[i];
    }
    s
}

#[gradient]
fn inclusive(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[parallel]
    for i in 0..=x.len() - 1 {
        s += x[i] * x[i];
    }
    s
}

#[gradient]
fn backwards(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[parallel]
    for i in (0..x.len()).rev() {
        s += x[i] * x[i];
    }
    s
}

#[gradient]
fn other_integers(x: f64, n: i32) -> f64 {
    let mut s = 0.0;
    #[parallel]
    for i in 0..n {
        s += x * f64::from(i);
    }
    s
}

#[gradient]
fn printing(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[parallel]
    for i in 0..x.len() {
        println!("{i}");
        s += x[i] * x[i];
    }
    s
}

#[gradient]
fn region_inside(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[parallel]
    for i in 0..x.len() {
        #[checkpoint]
        {
            s += x[i] * x[i];
        }
    }
    s
}

#[gradient]
fn region_around(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[checkpoint]
    {
        #[parallel]
        for i in 0..x.len() {
            s += x[i] * x[i];
        }
    }
    s
}

#[gradient]
fn nested(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[parallel]
    for i in 0..x.len() {
        let mut t = 0.0;
        #[parallel]
        for k in 0..x.len() {
            t += x[k] * x[i];
        }
        s += t * t;
    }
    s
}

#[gradient]
fn jump_past_a_loop(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[parallel]
    for i in 0..x.len() {
        'rows: for j in 0..3 {
            for k in 0..3 {
                if j * k == 2 {
                    continue 'rows;
                }
                s += x[i] * x[i];
            }
        }
    }
    s
}

fn main() {}
