//! The attribute on single methods of a block that is generic over a float, or on methods that are generic themselves.

use num_traits::Float;
use retrograde::{Differentiable, Record, Tape, gradient};

use crate::support::{assert_close, check, check_exact};

/// The bound stands on the type.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Hertz<T: Float>(T);

impl<T: Float> Hertz<T> {
    #[gradient]
    pub(crate) fn hz(self) -> T {
        self.0
    }

    /// A type of the language as a name: `{`.
    #[gradient]
    fn scaled(&self, by: T) -> Self {
        Hertz(self.0 * by.sin())
    }

    /// Not differentiated, and not asked for.
    fn is_high(&self) -> bool {
        self.0 > T::from(20_000.0).unwrap()
    }

    #[gradient]
    fn raise(&mut self, by: T) {
        let old = self.hz();
        self.0 = old * old + by / T::one().exp();
    }

    #[gradient(name = of_period)]
    fn from_dt(dt: T) -> Result<Self, String> {
        if dt > T::zero() {
            Ok(Hertz(T::one() / dt))
        } else {
            Err("no period".to_owned())
        }
    }
}

/// More than one block, with a clause, a const parameter and a lifetime.
#[derive(Clone, Copy, Debug, Differentiable)]
struct Taps<'a, T, const N: usize> {
    gain: [T; N],
    of: &'a [T],
}

impl<'a, T, const N: usize> Taps<'a, T, N>
where
    T: Float, // { not the body
{
    #[gradient]
    fn response(&self, at: usize) -> T {
        let mut sum = T::zero();
        for k in 0..N {
            sum = sum + self.gain[k] * self.of[at + k];
        }
        sum * Self::norm()
    }

    #[gradient]
    fn norm() -> T {
        T::from(N).unwrap().recip()
    }
}

impl Hertz<f64> {
    const HALF: f64 = 0.5;

    /// Of the width alone, so not generic.
    #[gradient]
    fn halved(self) -> f64 {
        self.0 * self.0 * Self::HALF
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Distance(f64);

impl Distance {
    #[gradient]
    fn from_meters<P: Into<f64>>(m: P) -> Self {
        Distance(m.into())
    }

    #[gradient]
    fn meters(&self) -> f64 {
        self.0
    }

    #[gradient]
    fn stretched<F: Float>(x: F, by: F) -> F {
        x.powi(3) * by
    }
}

#[gradient]
fn played(h: Hertz<f64>, by: f64) -> f64 {
    let mut higher = h.scaled(by);
    higher.raise(by * h.hz());
    if higher.is_high() {
        higher.hz()
    } else {
        2.0 * higher.halved()
    }
}

#[gradient]
fn in_general<T: Float>(h: Hertz<T>, dt: T) -> T {
    match Hertz::from_dt(dt) {
        Ok(other) => other.hz() * h.scaled(dt).hz(),
        Err(_) => h.hz(),
    }
}

#[gradient]
fn walked(x: f64, y: f64) -> f64 {
    Distance::from_meters(x * y).meters() + Distance::stretched(x, y)
}

#[gradient]
fn walked_narrow(x: f32, y: f32) -> f64 {
    let far = Distance::from_meters(x * y);
    far.meters() * far.meters()
}

#[gradient]
fn filtered(taps: &Taps<'_, f64, 3>) -> f64 {
    let mut sum = 0.0;
    for at in 0..taps.of.len() - 2 {
        let r = taps.response(at);
        sum += r * r;
    }
    sum
}

fn taps(p: &[f64]) -> Taps<'_, f64, 3> {
    Taps {
        gain: [p[0], p[1], p[2]],
        of: &p[3..],
    }
}

#[test]
fn methods_of_a_generic_block() {
    check(
        |p| played(Hertz(p[0]), p[1]),
        |p| {
            let (value, (h, by)) = played_grad(Hertz(p[0]), p[1]);
            (value, [h.0, by])
        },
        &[&[1.5, 0.3], &[-2.0, 1.0], &[200.0, 1.2]],
    );
    check(
        |p| in_general(Hertz(p[0]), p[1]),
        |p| {
            let (value, (h, dt)) = in_general_grad(Hertz(p[0]), p[1]);
            (value, [h.0, dt])
        },
        &[&[1.5, 0.3], &[-2.0, 1.0], &[3.0, -0.5]],
    );
}

#[test]
fn what_a_method_gets() {
    let h = Hertz(2.0);
    assert_eq!(h.hz_grad(), (2.0, HertzTangent(1.0)));
    let narrow = Hertz(2.0_f32);
    assert_eq!(narrow.hz_grad(), (2.0, HertzTangent(1.0)));
    let (mut tape, mut dh, mut by) = (Tape::new(), HertzTangent(0.0), 1.0);
    let mut changed = h;
    changed.raise_adjoint(&mut tape, &mut HertzTangent(1.0), 0.5, &mut by, ());
    assert_eq!(changed, {
        let mut same = h;
        same.raise(0.5);
        same
    });
    assert_close(&[by], &[1.0 + (-1.0_f64).exp()], 1e-15, &[]);
    h.halved_grad_into(&mut tape, &mut dh);
    assert_eq!(dh.0, 2.0);
    let from = Hertz::<f64>::of_period_adjoint(&mut tape, 0.5, &mut by, HertzTangent(1.0));
    assert_eq!(from, Ok(Hertz(2.0)));
    assert!(Hertz::<f32>::from_dt(-1.0).is_err());
}

#[test]
fn methods_that_are_generic() {
    check_exact(
        |p| walked(p[0], p[1]),
        |p| walked_grad(p[0], p[1]),
        |p| vec![p[1] + 3.0 * p[0] * p[0] * p[1], p[0] + p[0].powi(3)],
        &[&[1.5, 0.3], &[-2.0, 1.0]],
    );
    let (value, (dx, dy)) = walked_narrow_grad(1.5, 2.0);
    assert_eq!((value, dx, dy), (9.0, 12.0, 9.0));
    assert_eq!(
        Distance::from_meters_adjoint(&mut Tape::new(), 2.0_f32, &mut 0.0, DistanceTangent(1.0)).0,
        2.0
    );
}

#[test]
fn blocks_with_further_parameters() {
    check(
        |p| filtered(&taps(p)),
        |p| {
            let (value, d) = filtered_grad(&taps(p));
            (value, (d.gain, d.of))
        },
        &[
            &[1.0, 2.0, 3.0, 0.3, -1.0, 2.0, 0.5, 0.25],
            &[0.5, 0.0, -1.0, 1.0, 1.0, -2.0],
        ],
    );
    let taps = Taps {
        gain: [1.0_f32, 2.0],
        of: &[3.0, 4.0, 5.0],
    };
    let (value, d) = taps.response_grad(1);
    assert_eq!(
        (value, d.gain, d.of),
        (7.0, [2.0, 2.5], vec![0.0, 0.5, 1.0])
    );
}
