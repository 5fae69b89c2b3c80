use retrograde::derivative_of;

fn fill(x: &mut [f64]) {
    x[0] = 1.0;
}

fn grow(x: &mut Vec<f64>) {
    x.push(1.0);
}

fn both(x: &mut f64) -> [f64; 2] {
    [*x, *x]
}

#[derivative_of(fill)]
fn by_mutable_reference(x: &mut [f64], seed: (), dx: &mut [f64]) {
    dx[0] = x[0];
}

mod other {
    use super::*;

    #[derivative_of(super::fill)]
    fn by_value(#[in_out] x: f64, seed: (), dx: &mut f64) {
        *dx = x;
    }
}

#[derivative_of(grow)]
fn of_a_vector(#[in_out] x: &Vec<f64>, seed: (), dx: &mut Vec<f64>) {
    dx.truncate(x.len());
}

#[derivative_of(both)]
fn beside_an_array(#[in_out] x: &f64, seed: &[f64; 2], dx: &mut f64) {
    *dx += x * (seed[0] + seed[1]);
}

fn main() {}
