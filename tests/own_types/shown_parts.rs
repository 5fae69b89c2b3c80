//! Types of another file than that of the functions that use them.

use std::ops::{Add, Mul, Sub};

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub(crate) struct Complex {
    pub(crate) re: f64,
    pub(crate) im: f64,
}

#[gradient]
impl Complex {
    pub(crate) fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    pub(crate) fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }

    pub(crate) fn exp(self) -> Complex {
        let e = self.re.exp();
        Complex::new(e * self.im.cos(), e * self.im.sin())
    }

    /// Not that of floats.
    pub(crate) fn powi(&self, n: i32) -> Self {
        let r = self.abs().powi(n);
        Complex {
            re: r,
            im: f64::from(n) * self.im,
        }
    }

    /// The one whose first part is greater, scaled.
    pub(crate) fn max(&self, other: &Complex) -> Self {
        let by = self.im * other.im;
        if self.re > other.re {
            Complex::new(by * self.re, self.im)
        } else {
            Complex::new(by * other.re, other.im)
        }
    }
}

#[gradient]
impl Add for Complex {
    type Output = Complex;

    fn add(self, o: Complex) -> Complex {
        Complex::new(self.re + o.re, self.im + o.im)
    }
}

#[gradient]
impl Sub for Complex {
    type Output = Self;

    fn sub(self, o: Complex) -> Self {
        Complex::new(self.re - o.re, self.im - o.im)
    }
}

/// The inner product: no complex number.
#[gradient]
impl Mul for Complex {
    type Output = f64;

    fn mul(self, o: Complex) -> f64 {
        self.re * o.re + self.im * o.im
    }
}

/// An alias of a float.
pub(crate) type Gain = f64;
pub(crate) type Impedance = Complex;

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
pub(crate) struct Stage {
    pub(crate) z: Complex,
    pub(crate) load: Impedance,
    pub(crate) gain: Gain,
}

#[gradient]
impl Complex {
    /// Not that of iterators.
    pub(crate) fn sum(&self) -> f64 {
        self.re * self.im + self.re
    }

    pub(crate) fn map(self, f: impl Fn(f64) -> f64) -> Complex {
        Complex::new(f(self.re), f(self.im))
    }

    /// It takes `&mut self`, as no `first` of std's does.
    pub(crate) fn first(&mut self) -> f64 {
        self.re *= 2.0;
        self.re * self.im
    }

    pub(crate) fn push(&mut self, by: f64) {
        self.im += by * self.re;
    }
}
