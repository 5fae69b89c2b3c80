//! The oracle's number: forward mode by `num_dual::Dual64`, behind the methods and operators of `f64`.
//!
//! Derivatives come from num-dual. The real part is taken from the same `f64` operation that the primal
//! runs, so that both follow the same branches and the values can be compared bit for bit. Where num-dual
//! has no function, or another convention at a kink, the rule written here is the documented one.

use core::cmp::Ordering;
use core::iter::{Product, Sum};
use core::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign,
};
use num_dual::{Dual64, DualNum};

/// The precision of the values. Derivatives are in `f64` always.
pub type R = f64;

/// A dual number with the interface of a float.
#[derive(Clone, Copy, Debug, Default)]
pub struct D {
    re: R,
    eps: f64,
}

/// A constant.
pub fn num(re: R) -> D {
    D { re, eps: 0.0 }
}

/// The value of `x`, without its derivative.
pub fn no_gradient<T: Constant>(x: T) -> T {
    x.constant()
}

/// What `no_gradient` can be applied to.
pub trait Constant {
    /// The value without derivative.
    fn constant(self) -> Self;
}

impl Constant for D {
    fn constant(self) -> D {
        num(self.re)
    }
}

impl Constant for usize {
    fn constant(self) -> usize {
        self
    }
}

/// The variable of differentiation.
pub fn variable(re: R) -> D {
    D { re, eps: 1.0 }
}

impl D {
    pub fn value(self) -> R {
        self.re
    }

    pub fn derivative(self) -> f64 {
        self.eps
    }

    fn x(self) -> f64 {
        f64::from(self.re)
    }

    fn dual(self) -> Dual64 {
        Dual64::new(self.x(), self.eps)
    }

    /// The value of `f64`'s own function with num-dual's derivative.
    fn with(re: R, dual: Dual64) -> D {
        D { re, eps: dual.eps }
    }
}

macro_rules! unary {
    ($($name:ident)*) => { impl D { $(pub fn $name(self) -> D { D::with(self.re.$name(), self.dual().$name()) })* } };
}
unary! { sin cos tan asin acos atan sinh cosh asinh acosh atanh exp exp2 exp_m1 ln ln_1p log2 log10 sqrt cbrt recip }

macro_rules! step {
    ($($name:ident)*) => { impl D { $(pub fn $name(self) -> D { num(self.re.$name()) })* } };
}
step! { signum floor ceil round round_ties_even trunc }

macro_rules! predicate {
    ($($name:ident)*) => { impl D { $(pub fn $name(self) -> bool { self.re.$name() })* } };
}
predicate! { is_nan is_finite is_infinite is_sign_positive is_sign_negative }

impl D {
    /// num-dual's quotient of sinh and cosh overflows for large arguments.
    pub fn tanh(self) -> D {
        let cosh = self.x().cosh();
        D {
            re: self.re.tanh(),
            eps: self.eps / cosh / cosh,
        }
    }

    pub fn sin_cos(self) -> (D, D) {
        (self.sin(), self.cos())
    }

    /// num-dual's power divides by the cube of the base.
    pub fn powi(self, n: i32) -> D {
        let re = self.re.powi(n);
        if n == 0 {
            num(re)
        } else {
            D {
                re,
                eps: self.eps * f64::from(n) * self.x().powi(n - 1),
            }
        }
    }

    pub fn powf(self, y: D) -> D {
        let re = self.re.powf(y.re);
        let dx = if self.eps == 0.0 {
            0.0
        } else {
            self.eps * y.x() * self.x().powf(y.x() - 1.0)
        };
        let dy = if y.eps == 0.0 || self.re == 0.0 {
            0.0
        } else {
            y.eps * f64::from(re) * self.x().ln()
        };
        D { re, eps: dx + dy }
    }

    pub fn log(self, base: D) -> D {
        D::with(self.re.log(base.re), self.ln().dual() / base.ln().dual())
    }

    pub fn hypot(self, y: D) -> D {
        let re = self.re.hypot(y.re);
        if re == 0.0 {
            num(re)
        } else {
            D {
                re,
                eps: (self.x() * self.eps + y.x() * y.eps) / self.x().hypot(y.x()),
            }
        }
    }

    pub fn atan2(self, x: D) -> D {
        let r = self.x().hypot(x.x());
        let re = self.re.atan2(x.re);
        if r == 0.0 {
            num(re)
        } else {
            D {
                re,
                eps: x.x() / r / r * self.eps - self.x() / r / r * x.eps,
            }
        }
    }

    pub fn mul_add(self, a: D, b: D) -> D {
        D::with(
            self.re.mul_add(a.re, b.re),
            self.dual() * a.dual() + b.dual(),
        )
    }

    pub fn abs(self) -> D {
        let slope = if self.re == 0.0 {
            0.0
        } else {
            self.x().signum()
        };
        D {
            re: self.re.abs(),
            eps: slope * self.eps,
        }
    }

    pub fn copysign(self, sign: D) -> D {
        let flip = if self.re.is_sign_negative() == sign.re.is_sign_negative() {
            1.0
        } else {
            -1.0
        };
        D {
            re: self.re.copysign(sign.re),
            eps: flip * self.eps,
        }
    }

    pub fn max(self, o: D) -> D {
        let taken = if o.re > self.re || self.re.is_nan() {
            o
        } else {
            self
        };
        D {
            re: self.re.max(o.re),
            eps: taken.eps,
        }
    }

    pub fn min(self, o: D) -> D {
        let taken = if o.re < self.re || self.re.is_nan() {
            o
        } else {
            self
        };
        D {
            re: self.re.min(o.re),
            eps: taken.eps,
        }
    }

    pub fn clamp(self, lo: D, hi: D) -> D {
        let taken = if self.re < lo.re {
            lo
        } else if self.re > hi.re {
            hi
        } else {
            self
        };
        D {
            re: self.re.clamp(lo.re, hi.re),
            eps: taken.eps,
        }
    }

    pub fn rem_euclid(self, y: D) -> D {
        D {
            re: self.re.rem_euclid(y.re),
            eps: self.eps - f64::from(self.re.div_euclid(y.re)) * y.eps,
        }
    }

    pub fn div_euclid(self, y: D) -> D {
        num(self.re.div_euclid(y.re))
    }

    pub fn fract(self) -> D {
        D {
            re: self.re.fract(),
            eps: self.eps,
        }
    }

    pub fn to_degrees(self) -> D {
        D {
            re: self.re.to_degrees(),
            eps: self.eps * 1.0_f64.to_degrees(),
        }
    }

    pub fn to_radians(self) -> D {
        D {
            re: self.re.to_radians(),
            eps: self.eps * 1.0_f64.to_radians(),
        }
    }

    pub fn total_cmp(&self, o: &D) -> Ordering {
        self.re.total_cmp(&o.re)
    }
}

macro_rules! operator {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident $op:tt;)*) => { $(
        impl $trait for D {
            type Output = D;
            fn $method(self, o: D) -> D {
                D::with(self.re $op o.re, self.dual() $op o.dual())
            }
        }
        impl $assign for D {
            fn $assign_method(&mut self, o: D) {
                *self = *self $op o;
            }
        }
        impl $trait<&D> for D {
            type Output = D;
            fn $method(self, o: &D) -> D {
                self $op *o
            }
        }
        impl $trait<D> for &D {
            type Output = D;
            fn $method(self, o: D) -> D {
                *self $op o
            }
        }
        impl $trait<&D> for &D {
            type Output = D;
            fn $method(self, o: &D) -> D {
                *self $op *o
            }
        }
        impl $assign<&D> for D {
            fn $assign_method(&mut self, o: &D) {
                *self = *self $op *o;
            }
        }
    )* };
}
operator! {
    Add add AddAssign add_assign +;
    Sub sub SubAssign sub_assign -;
    Mul mul MulAssign mul_assign *;
    Div div DivAssign div_assign /;
}

impl Rem for D {
    type Output = D;
    fn rem(self, y: D) -> D {
        D {
            re: self.re % y.re,
            eps: self.eps - f64::from((self.re / y.re).trunc()) * y.eps,
        }
    }
}

impl RemAssign for D {
    fn rem_assign(&mut self, y: D) {
        *self = *self % y;
    }
}

impl Neg for D {
    type Output = D;
    fn neg(self) -> D {
        D {
            re: -self.re,
            eps: -self.eps,
        }
    }
}

impl Neg for &D {
    type Output = D;
    fn neg(self) -> D {
        -*self
    }
}

impl PartialEq for D {
    fn eq(&self, o: &D) -> bool {
        self.re == o.re
    }
}

impl PartialOrd for D {
    fn partial_cmp(&self, o: &D) -> Option<Ordering> {
        self.re.partial_cmp(&o.re)
    }
}

/// Starts at -0.0, as the sum of `f64` does.
impl Sum for D {
    fn sum<I: Iterator<Item = D>>(iter: I) -> D {
        iter.fold(num(-0.0), |a, b| a + b)
    }
}

impl<'a> Sum<&'a D> for D {
    fn sum<I: Iterator<Item = &'a D>>(iter: I) -> D {
        iter.fold(num(-0.0), |a, b| a + *b)
    }
}

impl Product for D {
    fn product<I: Iterator<Item = D>>(iter: I) -> D {
        iter.fold(num(1.0), |a, b| a * b)
    }
}

impl<'a> Product<&'a D> for D {
    fn product<I: Iterator<Item = &'a D>>(iter: I) -> D {
        iter.fold(num(1.0), |a, b| a * *b)
    }
}
