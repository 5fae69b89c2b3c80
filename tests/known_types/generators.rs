//! Generators of random numbers behind `&mut`: the sweeps draw the numbers that the function draws, once, and leave
//! the generator as the function does.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use retrograde::gradient;

use crate::support::check;

#[gradient]
fn shaken(x: &[f64], by: f64, rng: &mut StdRng) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += v * v * by * rng.random::<f64>();
    }
    sum
}

/// By Box and Muller, of any generator.
#[gradient]
fn normal<R: Rng + ?Sized>(mean: f64, deviation: f64, rng: &mut R) -> f64 {
    let u: f64 = rng.random();
    let v: f64 = rng.random();
    mean + deviation * (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

#[gradient]
fn thinned(x: &[f64], by: f64, rng: &mut impl Rng) -> f64 {
    let mut sum = by;
    for v in x {
        let keep = rng.random::<f64>();
        if keep < 0.4 {
            continue;
        }
        sum *= v + keep;
    }
    sum
}

/// Passed on, in a loop and in a branch.
#[gradient]
fn path<R: Rng>(x: &[f64], steps: usize, rng: &mut R) -> f64 {
    let mut price = x[0];
    for _ in 0..steps {
        let z = normal(x[1], x[2], rng);
        price *= (0.1 * z).exp();
        if rng.random_bool(0.5) {
            price += thinned(&x[1..], price, rng);
        }
    }
    price * rng.random::<f64>()
}

fn fresh() -> StdRng {
    StdRng::seed_from_u64(7)
}

#[test]
fn numbers_are_drawn_once() {
    let inputs: &[&[f64]] = &[&[1.0, 0.2, 0.3], &[0.4, -1.1, 0.8]];
    check(
        |x| shaken(x, x[2], &mut fresh()),
        |x| {
            let (value, (mut dx, dby)) = shaken_grad(x, x[2], &mut fresh());
            dx[2] += dby;
            (value, dx)
        },
        inputs,
    );
    check(
        |x| normal(x[0], x[1], &mut fresh()) * x[2],
        |x| {
            let (value, (dmean, ddeviation)) = normal_grad(x[0], x[1], &mut fresh());
            (value * x[2], vec![dmean * x[2], ddeviation * x[2], value])
        },
        inputs,
    );
    check(
        |x| path(x, 6, &mut fresh()),
        |x| path_grad(x, 6, &mut fresh()),
        inputs,
    );
}

#[test]
fn the_generator_is_left_as_by_the_function() {
    let (mut by_function, mut by_gradient) = (fresh(), fresh());
    path(&[1.0, 0.2, 0.3], 5, &mut by_function);
    path_grad(&[1.0, 0.2, 0.3], 5, &mut by_gradient);
    assert_eq!(by_function, by_gradient);
    assert_ne!(by_function, fresh());
}

/// A generator whose state can be read.
struct Counter {
    drawn: u64,
}

impl rand::RngCore for Counter {
    fn next_u32(&mut self) -> u32 {
        self.next_u64() as u32
    }

    fn next_u64(&mut self) -> u64 {
        self.drawn += 1;
        self.drawn.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        bytes.fill_with(|| self.next_u64() as u8);
    }
}

#[test]
#[should_panic(expected = "do not bring its state back")]
fn generators_of_ones_own_are_refused() {
    normal_grad(1.0, 2.0, &mut Counter { drawn: 0 });
}
