//! A vector with all the operators that such types have, and a body that holds some.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub struct V {
    pub x: f64,
    pub y: f64,
}

#[gradient]
impl V {
    pub fn new(x: f64, y: f64) -> Self {
        V { x, y }
    }

    pub fn dot(self, o: V) -> f64 {
        self.x * o.x + self.y * o.y
    }

    pub fn norm2(&self) -> f64 {
        self.x * self.x + self.y * self.y
    }
}

#[gradient]
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V {
            x: self.x + o.x,
            y: self.y + o.y,
        }
    }
}

#[gradient]
impl<'a> Add<&'a V> for &V {
    type Output = V;
    fn add(self, o: &'a V) -> V {
        V::new(self.x + o.x, self.y + o.y)
    }
}

#[gradient]
impl Sub<V> for V {
    type Output = Self;
    fn sub(self, o: V) -> Self::Output {
        Self {
            x: self.x - o.x,
            y: self.y - o.y,
        }
    }
}

#[gradient]
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, k: f64) -> Self {
        Self::new(self.x * k, self.y * k)
    }
}

#[gradient]
impl Mul<V> for f64 {
    type Output = V;
    fn mul(self, v: V) -> V {
        V {
            x: self * v.x,
            y: self * v.y,
        }
    }
}

/// The product of complex numbers.
#[gradient]
impl Mul for V {
    type Output = V;
    fn mul(self, o: V) -> V {
        V {
            x: self.x * o.x - self.y * o.y,
            y: self.x * o.y + self.y * o.x,
        }
    }
}

#[gradient]
impl Div<f64> for V {
    type Output = V;
    fn div(self, k: f64) -> V {
        let inverse = 1.0 / k;
        self * inverse
    }
}

#[gradient]
impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V {
            x: -self.x,
            y: -self.y,
        }
    }
}

#[gradient]
impl AddAssign for V {
    fn add_assign(&mut self, o: V) {
        self.x += o.x;
        self.y += o.y;
    }
}

#[gradient]
impl SubAssign<V> for V {
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

#[gradient]
impl MulAssign<f64> for V {
    fn mul_assign(&mut self, k: f64) {
        self.x *= k;
        self.y *= k;
    }
}

#[gradient]
impl DivAssign<f64> for V {
    fn div_assign(&mut self, k: f64) {
        self.x /= k;
        self.y /= k;
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
pub struct Body {
    pub mass: f64,
    pub pos: V,
    pub vel: V,
}

/// Bodies of five numbers each.
pub fn bodies(p: &[f64]) -> Vec<Body> {
    p.chunks_exact(5)
        .map(|p| Body {
            mass: p[0],
            pos: V { x: p[1], y: p[2] },
            vel: V { x: p[3], y: p[4] },
        })
        .collect()
}
