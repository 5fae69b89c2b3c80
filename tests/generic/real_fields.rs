//! Bounds by a trait that stands for one of numbers under a longer name.

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
