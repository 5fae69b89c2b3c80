//! Arrays, in-out arguments, const parameters and recursion across crates.

use kernels_lib::linear::{matrix_vector, scale, squares};
use kernels_lib::physics::{advance, force_and_potential};
use kernels_lib::{linear, power};
use retrograde::gradient;

/// A turbofish with a literal.
#[gradient]
pub fn turbofish(a: [f64; 3], b: [f64; 3]) -> f64 {
    linear::dot::<3>(&a, &b) * a[0]
}

/// A turbofish with the caller's own const parameter, and none.
#[gradient]
pub fn generic<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    kernels_lib::prelude::dot::<N>(a, b) + linear::dot(b, b)
}

/// One array for both parameters.
#[gradient]
pub fn twice_the_same(a: &[f64; 2]) -> f64 {
    linear::dot(a, a).sqrt()
}

/// An array as the result.
#[gradient]
pub fn matrix(m: &[[f64; 2]; 3], x: &[f64; 2]) -> f64 {
    let y = matrix_vector(m, x);
    y[0] * y[1] + y[2]
}

/// A vector as the result, a slice of it overwritten in place.
#[gradient]
pub fn in_place(values: &[f64], factor: f64) -> f64 {
    let mut work = squares(values);
    scale(&mut work[1..], factor);
    scale(&mut work, 2.0);
    let mut sum = 0.0;
    for w in &work {
        sum += w * w;
    }
    sum
}

/// In-out scalars in a loop.
#[gradient]
pub fn trajectory(mut x: f64, mut v: f64, dt: f64, steps: usize) -> f64 {
    for _ in 0..steps {
        advance(&mut x, &mut v, dt);
    }
    x + v
}

/// A tuple as the result.
#[gradient]
pub fn both(x: f64) -> f64 {
    let (force, potential) = force_and_potential(2.0 * x);
    force * potential
}

/// A callee that calls itself.
#[gradient]
pub fn recursive(x: f64) -> f64 {
    power(x, 5) + power(x, 0)
}

/// Two functions that call each other, with one of the other crate between them.
#[gradient]
pub fn ping(x: f64, n: u32) -> f64 {
    if n == 0 {
        x
    } else {
        kernels_lib::drag(pong(x, n - 1))
    }
}

/// See [`ping`].
#[gradient]
pub fn pong(x: f64, n: u32) -> f64 {
    if n == 0 { x * x } else { 2.0 * ping(x, n - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{all_close, close};

    #[test]
    fn const_parameters() {
        let (a, b) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]);
        let (value, (da, db)) = turbofish_grad(a, b);
        assert!(
            close(value, turbofish(a, b))
                && all_close(&da, &[4.0 + 32.0, 5.0, 6.0])
                && all_close(&db, &a)
        );
        let (value, (da, db)) = generic_grad(&a, &b);
        assert!(
            close(value, generic(&a, &b))
                && all_close(&da, &b)
                && all_close(&db, &[9.0, 12.0, 15.0])
        );
        let (value, da) = twice_the_same_grad(&[3.0, 4.0]);
        assert!(close(value, twice_the_same(&[3.0, 4.0])) && all_close(&da, &[0.6, 0.8]));
    }

    #[test]
    fn results_of_callees() {
        let (m, x) = ([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [7.0, 8.0]);
        let (value, (dm, dx)) = matrix_grad(&m, &x);
        assert!(close(value, matrix(&m, &x)) && close(value, 23.0 * 53.0 + 83.0));
        assert!(
            all_close(&dm[0], &[53.0 * 7.0, 53.0 * 8.0])
                && all_close(&dm[1], &[23.0 * 7.0, 23.0 * 8.0])
        );
        assert!(all_close(&dm[2], &x) && all_close(&dx, &[53.0 + 69.0 + 5.0, 106.0 + 92.0 + 6.0]));
        let x = 0.4_f64;
        assert!(close(
            both_grad(x).1,
            2.0 * (-(2.0 * x).cos() * (1.0 - (2.0 * x).cos()) - (2.0 * x).sin().powi(2))
        ));
    }

    #[test]
    fn in_out_arguments() {
        let (values, factor) = ([2.0, 3.0, -1.0], 0.5);
        let (value, (dvalues, dfactor)) = in_place_grad(&values, factor);
        assert!(
            close(value, in_place(&values, factor)) && close(value, 4.0 * (16.0 + 0.25 * 82.0))
        );
        assert!(
            all_close(&dvalues, &[16.0 * 8.0, 4.0 * 27.0, -4.0])
                && close(dfactor, 8.0 * 0.5 * 82.0)
        );
    }

    #[test]
    fn in_out_arguments_in_a_loop() {
        let (x, v, dt, steps) = (0.3, -0.2, 0.1, 7);
        let (value, (dx, dv, _)) = trajectory_grad(x, v, dt, steps);
        assert!(close(value, trajectory(x, v, dt, steps)));
        // Tangents of both components, step by step.
        let slope = |mut dx: f64, mut dv: f64| {
            let (mut x, mut v) = (x, v);
            for _ in 0..steps {
                dv -= dt * (1.0 + 3.0 * x * x) * dx;
                v -= dt * (x + x * x * x);
                dx += dt * dv;
                x += dt * v;
            }
            dx + dv
        };
        assert!(close(dx, slope(1.0, 0.0)) && close(dv, slope(0.0, 1.0)));
    }

    #[test]
    fn recursion() {
        let x = 1.1_f64;
        assert!(
            close(recursive_grad(x).1, 5.0 * x.powi(4))
                && close(kernels_lib::power_grad(x, 13).1, 13.0 * x.powi(12))
        );
        // drag(2 · drag(x²)) with drag(v) = v² / 2 for positive v: x⁸ / 2.
        let (value, dx) = ping_grad(x, 3);
        assert!(
            close(value, ping(x, 3)) && close(value, 0.5 * x.powi(8)) && close(dx, 4.0 * x.powi(7))
        );
    }
}
