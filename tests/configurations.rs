//! `#[cfg]` inside functions: what is configured out has no part in the gradient, and need not compile.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    unreachable_pub,
    reason = "the functions are written as users write them"
)]

mod support;

use retrograde::{Differentiable, gradient};
use support::check;

/// As crates choose between std and a library.
#[gradient]
fn sine(x: f64) -> f64 {
    #[cfg(not(target_os = "none"))]
    return x.sin();

    #[cfg(target_os = "none")]
    return nowhere::sin(x);
}

#[gradient]
fn tail(x: f64) -> f64 {
    #[cfg(any(unix, windows, not(unix)))]
    {
        x * x
    }
    #[cfg(not(any(unix, windows, not(unix))))]
    {
        nowhere::square(x)
    }
}

#[gradient]
fn mixed(x: f64, v: &[f64], n: u8) -> f64 {
    #[cfg(all(unix, not(unix)))]
    let y = unknown(x);
    #[cfg(not(all(unix, not(unix))))]
    let y = 3.0 * x;
    let mut sum = y;
    for a in v {
        #[cfg(not(target_os = "none"))]
        if *a < 0.0 {
            continue;
        }
        sum += match n {
            #[cfg(target_os = "none")]
            0 => unknown(a),
            0 => a * y,
            _ => a * a,
        };
    }
    #[cfg(target_os = "none")]
    unsafe {
        sum = *v.get_unchecked(0);
    }
    sum
}

#[test]
fn only_what_is_there_counts() {
    check(|p| sine(p[0]), |p| sine_grad(p[0]), &[&[0.7]]);
    check(|p| tail(p[0]), |p| tail_grad(p[0]), &[&[0.7]]);
    for n in [0, 1] {
        check(
            |p| mixed(p[0], &p[1..], n),
            |p| {
                let (value, (dx, dv)) = mixed_grad(p[0], &p[1..], n);
                (value, [vec![dx], dv].concat())
            },
            &[&[0.7, 1.5, -2.0, 0.5]],
        );
    }
}

#[derive(Clone, Differentiable)]
struct Spring {
    stiffness: f64,
}

#[gradient]
impl Spring {
    fn energy(&self, x: f64) -> f64 {
        #[cfg(target_os = "none")]
        let x = self.unknown(x);
        0.5 * self.stiffness * x * self.stretched(x)
    }

    fn stretched(&self, x: f64) -> f64 {
        #[cfg(not(target_os = "none"))]
        return x + self.stiffness;
        #[cfg(target_os = "none")]
        return 0.0;
    }
}

/// Generic over a float, as crates that do without std write it.
#[gradient]
fn multiplied<T: num_traits::Float>(x: T, by: T, plus: T) -> T {
    #[cfg(target_os = "none")]
    {
        unknown(x, by, plus)
    }
    #[cfg(not(target_os = "none"))]
    {
        x * by + plus
    }
}

#[gradient]
fn horner<T: num_traits::Float, const N: usize>(x: T, c: [T; N]) -> T {
    #[cfg(not(any(unix, not(unix))))]
    let x = x.sin();
    c.iter()
        .rev()
        .fold(T::zero(), |sum, &c| multiplied(x, sum, c))
}

#[test]
fn in_generic_functions() {
    check(
        |p| horner(p[0], [p[1], p[2], p[3]]),
        |p| {
            let (value, (dx, dc)) = horner_grad(p[0], [p[1], p[2], p[3]]);
            (value, [dx, dc[0], dc[1], dc[2]])
        },
        &[&[0.7, 1.5, -2.0, 0.5]],
    );
    assert_eq!(horner_grad(2.0_f32, [1.0, 3.0]), (7.0, (3.0, [1.0, 2.0])));
}

#[test]
fn in_methods() {
    let (value, (dspring, dx)) = Spring { stiffness: 2.0 }.energy_grad(3.0);
    assert_eq!(
        (value, dspring.stiffness, dx),
        (15.0, 0.5 * 3.0 * (3.0 + 4.0), 3.0 + 5.0)
    );
}
