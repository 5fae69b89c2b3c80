// The rule's types are not those of the function.

use retrograde::derivative_of;

fn g(x: f64, n: u32) -> f64 {
    x * f64::from(n)
}

fn h(v: &[f64]) -> Vec<f64> {
    v.to_vec()
}

extern "C" fn c(x: f64) -> f64 {
    x
}

#[derivative_of(g)]
fn another_integer(x: f64, n: u64) -> f64 {
    x * n as f64
}

#[derivative_of(h)]
fn another_adjoint(v: &[f64], seed: &[f64], dv: &mut Vec<f64>) {
    dv[0] += v[0] * seed[0];
}

#[derivative_of(c)]
fn of_another_abi(x: f64) -> f64 {
    x * 0.0 + 1.0
}

mod more {
    #[retrograde::derivative_of(super::g)]
    fn another_result(x: f64, n: u32, seed: &[f64], dx: &mut f64) {
        *dx += x * f64::from(n) * seed[0];
    }

    #[retrograde::derivative_of(super::missing)]
    fn of_nothing(x: f64) -> f64 {
        x
    }
}

fn main() {}
