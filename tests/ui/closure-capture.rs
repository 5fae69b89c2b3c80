use retrograde::gradient;

#[gradient]
fn product(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let taken = || v;
    v = vec![x[0]; 3];
    taken()[0] * v[1]
}

/// A part of a variable.
#[gradient]
fn part(x: &[f64]) -> f64 {
    let mut both = (x.to_vec(), 1.0);
    let taken = || both.0;
    both.0 = vec![x[0]; 3];
    taken()[0] * both.0[1]
}

/// In the arguments of a macro.
#[gradient]
fn listed(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let taken = || vec![v];
    v = vec![x[0]; 3];
    taken()[0][0] * v[1]
}

fn main() {}
