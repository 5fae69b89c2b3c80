use retrograde::derivative_of;

fn g(x: f64, y: f64) -> f64 {
    x * y
}

fn h(v: &[f64]) -> f64 {
    v[0]
}

mod mistakes {
    use super::*;

    #[derivative_of(super::g)]
    fn one_partial_for_two(x: f64, y: f64) -> f64 {
        y + 0.0 * x
    }

    #[derivative_of(super::g)]
    fn no_seed(x: f64, y: f64, dx: &mut f64, dy: &mut f64) {
        *dx += y;
        *dy += x;
    }

    #[derivative_of(super::g)]
    fn one_adjoint_for_two(x: f64, y: f64, seed: f64, dx: &mut f64) {
        *dx += seed * y + 0.0 * x;
    }

    #[derivative_of(super::g)]
    fn an_adjoint_by_value(x: f64, y: f64, seed: f64, dx: &mut f64, dy: f64) {
        *dx += seed * y + 0.0 * x * dy;
    }

    #[derivative_of(super::g)]
    fn seed_and_partials(x: f64, y: f64, seed: f64) -> (f64, f64) {
        (y * seed, x * seed)
    }

    #[derivative_of(super::h)]
    fn partials_of_a_slice(v: &[f64]) -> f64 {
        v[0]
    }

    #[derivative_of(super::g)]
    fn no_partials(x: f64, y: f64) -> Vec<f64> {
        vec![y, x]
    }

    #[derivative_of(super::g)]
    fn two_types(x: f64, y: f64) -> (f64, f32) {
        (y, x as f32)
    }

    #[derivative_of(super::g)]
    fn mixed(x: f32, y: f32) -> (f64, f64) {
        (y as f64, x as f64)
    }

    #[derivative_of(super::g)]
    fn a_result_in_front(#[result] z: f64, x: f64, y: f64) -> (f64, f64) {
        (z / x, z / y)
    }

    #[derivative_of(super::g)]
    fn a_seed_by_value(x: f64, y: f64, seed: [f64; 2], dx: &mut f64, dy: &mut f64) {
        *dx += seed[0] * y;
        *dy += seed[1] * x;
    }

    #[derivative_of(super::g)]
    fn a_result_of_nothing(x: f64, y: f64, #[result] z: f64, seed: (), dx: &mut f64, dy: &mut f64) {
        *dx += z * y;
        *dy += z * x;
        seed
    }

    #[derivative_of(super::g)]
    fn of_a_result(x: f64, y: f64, #[result] z: &Result<f64, ()>, seed: f64, dx: &mut f64, dy: &mut f64) {
        *dx += seed * y;
        *dy += seed * x * f64::from(z.is_ok() as u8);
    }
}

fn main() {}
