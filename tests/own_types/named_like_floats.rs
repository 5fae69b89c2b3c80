//! Methods of own types by the names of those of floats: complex numbers, vectors.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

mod complex {
    use retrograde::{Differentiable, Record, gradient};

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
    pub(super) struct Complex {
        pub(super) re: f64,
        pub(super) im: f64,
    }

    #[gradient]
    impl Complex {
        pub(super) fn exp(self) -> Complex {
            let scale = self.re.exp();
            Complex {
                re: scale * self.im.cos(),
                im: scale * self.im.sin(),
            }
        }

        pub(super) fn abs(self) -> f64 {
            self.re.hypot(self.im)
        }

        pub(super) fn sqrt(&self) -> Complex {
            let r = self.abs();
            Complex {
                re: ((r + self.re) / 2.0).sqrt(),
                im: ((r - self.re) / 2.0).sqrt(),
            }
        }

        /// Not the smaller one.
        pub(super) fn min(&self, other: f64) -> f64 {
            self.re * other + self.im
        }

        /// The other operand is one of the type, too, under its name.
        pub(super) fn max(self, other: Complex) -> Complex {
            if other.abs() > self.abs() {
                other
            } else {
                self
            }
        }
    }
}

use complex::Complex;

/// The methods of this one stand in the same file, each with the attribute of its own.
#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Planar(f64, f64);

impl Planar {
    #[gradient]
    fn abs(self) -> f64 {
        self.0.hypot(self.1)
    }

    #[gradient]
    fn clamp(&self, low: f64, high: f64) -> Planar {
        Planar(self.0 * low, self.1 * high)
    }

    #[gradient]
    fn turned(self, by: Planar) -> f64 {
        by.abs() * self.abs() + by.clamp(2.0, 3.0).1
    }
}

/// A name for a number is none for a struct.
type Length = f64;

#[gradient]
fn of_parameters(z: Complex, w: &Complex, scale: Length) -> f64 {
    let root = w.sqrt();
    let power = z.exp();
    power.re * root.im + z.abs() * w.min(0.5) * scale.exp()
}

#[gradient]
fn of_elements(all: &[Complex], by: f64) -> f64 {
    let longest = all.iter().map(|z| z.abs()).fold(0.0, f64::max);
    let sum: f64 = all.iter().map(|z| z.min(by)).sum();
    let mut rest = 0.0;
    for z in all {
        rest += z.exp().im;
    }
    longest * sum + rest + all[1].abs().min(by)
}

#[gradient]
fn larger(a: Complex, b: Complex) -> f64 {
    let c = a.max(b);
    c.re * c.im
}

#[gradient]
fn planar(v: Planar, w: &Planar) -> f64 {
    v.turned(*w) * w.abs() + w.clamp(0.5, 1.5).0.clamp(-1.0, 1.0)
}

fn complex(p: &[f64]) -> Complex {
    Complex { re: p[0], im: p[1] }
}

#[test]
fn complex_numbers() {
    let points: &[&[f64]] = &[
        &[0.5, 1.5, -0.75, 0.25, 0.3],
        &[-0.25, 0.5, 1.25, -2.0, -1.0],
    ];
    check(
        |p| of_parameters(complex(p), &complex(&p[2..]), p[4]),
        |p| {
            let (value, (z, w, scale)) = of_parameters_grad(complex(p), &complex(&p[2..]), p[4]);
            (value, [z.re, z.im, w.re, w.im, scale])
        },
        points,
    );
    check(
        |p| of_elements(&[complex(p), complex(&p[2..])], p[4]),
        |p| {
            let (value, (all, by)) = of_elements_grad(&[complex(p), complex(&p[2..])], p[4]);
            (value, [all[0].re, all[0].im, all[1].re, all[1].im, by])
        },
        points,
    );
    check(
        |p| larger(complex(p), complex(&p[2..])),
        |p| {
            let (value, (a, b)) = larger_grad(complex(p), complex(&p[2..]));
            (value, [a.re, a.im, b.re, b.im])
        },
        &[&[0.5, 1.5, -0.75, 0.25], &[-0.25, 0.5, 1.25, -2.0]],
    );
}

#[test]
fn in_the_same_file() {
    check(
        |p| planar(Planar(p[0], p[1]), &Planar(p[2], p[3])),
        |p| {
            let (value, (v, w)) = planar_grad(Planar(p[0], p[1]), &Planar(p[2], p[3]));
            (value, [v.0, v.1, w.0, w.1])
        },
        &[&[0.5, 1.5, -0.75, 0.25], &[-0.25, 0.5, 1.25, -2.0]],
    );
}
