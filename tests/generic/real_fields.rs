//! Bounds by a trait that stands for one of numbers under a longer name.

use num_traits::Float;
use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

trait RealFieldCopy: Copy + std::ops::Add<Output = Self> + std::ops::Sub<Output = Self> {
    fn abs(self) -> Self;
    fn sin(self) -> Self;
}

impl RealFieldCopy for f64 {
    fn abs(self) -> f64 {
        self.abs()
    }

    fn sin(self) -> f64 {
        self.sin()
    }
}

impl RealFieldCopy for f32 {
    fn abs(self) -> f32 {
        self.abs()
    }

    fn sin(self) -> f32 {
        self.sin()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Position<N> {
    latitude: N,
    altitude: N,
}

#[gradient]
impl<N: RealFieldCopy> Position<N> {
    fn altitude(&self) -> N {
        self.altitude
    }

    fn distance(&self, other: &Position<N>) -> N {
        let turn = (self.latitude - other.latitude).sin();
        turn + (self.altitude() - other.altitude()).abs()
    }
}

#[test]
fn a_longer_name_of_a_field_of_numbers() {
    let at = |p: &[f64]| Position {
        latitude: p[0],
        altitude: p[1],
    };
    check(
        |p| at(p).distance(&at(&p[2..])),
        |p| {
            let (value, (a, b)) = at(p).distance_grad(&at(&p[2..]));
            (value, vec![a.latitude, a.altitude, b.latitude, b.altitude])
        },
        &[
            &[0.3, 2.0, 0.1, 3.5],
            &[-1.2, 4.0, 0.7, 1.0],
            &[0.0, 1.0, 2.0, -3.0],
        ],
    );
}

#[derive(Differentiable, Clone)]
struct Drawn<T: Float> {
    seed: u64,
    odd: bool,
    ratio: T,
}

impl<T: Float> Drawn<T> {
    #[gradient]
    fn next(&mut self) -> T {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7_u8;
        self.seed = !(self.seed & 0xffff_ffff) | 1;
        self.odd ^= self.seed % 3 == 1;
        let drawn = T::from((self.seed % 1000) as f64 / 1000.0).unwrap();
        if self.odd {
            drawn * self.ratio * self.ratio
        } else {
            drawn + self.ratio
        }
    }

    #[gradient]
    fn drawn(&mut self) -> T {
        let first = self.next();
        first * self.next() + self.next()
    }
}

#[test]
fn bits_of_fields_have_no_derivative() {
    for ratio in [0.5, -1.25, 2.0] {
        let drawn = |ratio: f64| {
            Drawn {
                seed: 77,
                odd: true,
                ratio,
            }
            .drawn()
        };
        let mut adjoint = Drawn {
            seed: 77,
            odd: true,
            ratio,
        }
        .zero_tangent();
        let mut state = Drawn {
            seed: 77,
            odd: true,
            ratio,
        };
        let value = state.drawn_adjoint(&mut retrograde::Tape::new(), &mut adjoint, 1.0);
        assert_eq!(value, drawn(ratio));
        let step = 1e-5;
        let slope = (drawn(ratio + step) - drawn(ratio - step)) / (2.0 * step);
        assert!(
            (adjoint.ratio - slope).abs() < 1e-7,
            "{} {slope}",
            adjoint.ratio
        );
    }
}
