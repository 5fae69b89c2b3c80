//! `f64::from` of values whose type the text does not show: fields, results of calls.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

#[derive(Clone, Copy, Differentiable, Record)]
struct Mixed {
    count: u8,
    wide: f64,
    narrow: f32,
    length: Length,
}

#[derive(Clone, Copy, Differentiable, Record)]
struct Length(f64);

#[gradient]
impl From<Length> for f64 {
    fn from(length: Length) -> f64 {
        2.0 * length.0
    }
}

#[gradient]
impl Mixed {
    fn counted(&self, x: f64) -> f64 {
        f64::from(self.count) * x
    }

    fn sum(&self) -> f64 {
        f64::from(self.wide) * f64::from(self.narrow) + f64::from(self.length)
    }
}

#[gradient]
fn half(x: f32) -> f32 {
    0.5 * x * x
}

#[gradient]
fn widened(x: f32) -> f64 {
    let y = half(x);
    f64::from(y) * f64::from(x)
}

fn mixed(p: &[f64]) -> Mixed {
    Mixed {
        count: 3,
        wide: p[0],
        narrow: p[1] as f32,
        length: Length(p[2]),
    }
}

#[test]
fn of_fields_and_results() {
    let (value, (dmixed, dx)) = mixed(&[0.5, 0.25, 1.5]).counted_grad(2.0);
    assert_eq!((value, dx, dmixed.wide), (6.0, 3.0, 0.0));
    let (value, dmixed) = mixed(&[0.5, 0.25, 1.5]).sum_grad();
    assert_eq!(value, 0.5 * 0.25 + 3.0);
    assert_eq!(
        (dmixed.wide, dmixed.narrow, dmixed.length.0),
        (0.25, 0.5, 2.0)
    );
    let (value, dx) = widened_grad(1.5);
    assert_eq!((value, dx), (0.5 * 1.5 * 1.5 * 1.5, 1.5 * 1.5 * 1.5));
    check(
        |p| {
            Mixed {
                narrow: 0.25,
                ..mixed(&[p[0], 0.0, p[1]])
            }
            .sum()
        },
        |p| {
            let (value, d) = Mixed {
                narrow: 0.25,
                ..mixed(&[p[0], 0.0, p[1]])
            }
            .sum_grad();
            (value, [d.wide, d.length.0])
        },
        &[&[0.5, 1.5]],
    );
}
