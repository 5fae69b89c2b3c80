//! Types of one's own, of all forms.

use ad::{Differentiable, gradient};
use core::marker::PhantomData;

/// A vector, its own tangent.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
#[differentiable(crate = ::ad, tangent = Self)]
pub struct Vec3 {
    /// To the right.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// Towards the reader.
    pub z: f64,
}

/// A type that no other crate sees.
#[derive(Clone, Debug, Differentiable)]
#[differentiable(crate = ::ad)]
struct Hidden {
    rest: f64,
    table: [f64; 40],
}

/// A body.
#[derive(Clone, Debug, Differentiable)]
#[differentiable(crate = ::ad)]
#[non_exhaustive]
pub struct Body<'a, T: Clone, const N: usize> {
    /// Where.
    pub position: Vec3,
    /// What it is made of.
    pub parts: [T; N],
    /// What was seen of it.
    pub seen: &'a [f64],
    /// Its name.
    pub r#type: &'a str,
    hidden: Hidden,
    kind: PhantomData<T>,
    #[constant]
    settings: Option<fn(f64) -> f64>,
}

/// A pair.
#[derive(Clone, Copy, Debug, Differentiable)]
#[differentiable(crate = ::ad, tangent = Slope)]
pub struct Pair(pub f64, f32);

/// Nothing.
#[derive(Clone, Copy, Debug, Differentiable)]
#[differentiable(crate = ::ad)]
pub struct Unit;

/// A law.
#[derive(Clone, Debug, Differentiable)]
#[differentiable(crate = ::ad)]
pub enum Law {
    /// By a factor.
    Linear(f64),
    /// By several.
    Polynomial {
        /// Them.
        coefficients: Vec<f64>,
    },
    /// None.
    Free,
}

/// A type that is not to be used any more.
#[deprecated]
#[derive(Clone, Copy, Debug, Differentiable)]
#[differentiable(crate = ::ad)]
pub struct Old {
    /// A number.
    pub number: f64,
}

impl<'a, T: Clone, const N: usize> Body<'a, T, N> {
    /// One at a place.
    #[must_use]
    pub fn at(position: Vec3, parts: [T; N], seen: &'a [f64]) -> Self {
        let hidden = Hidden {
            rest: 1.0,
            table: [1.0; 40],
        };
        let (kind, settings) = (PhantomData, None);
        Body {
            position,
            parts,
            seen,
            r#type: "body",
            hidden,
            kind,
            settings,
        }
    }

    /// What it does to a number.
    #[must_use]
    pub fn apply(&self, x: f64) -> f64 {
        let rest = self.hidden.rest + self.hidden.table[0];
        self.settings.map_or(x, |f| f(x)) * rest
    }
}

impl Pair {
    /// The second.
    #[must_use]
    pub fn second(self) -> f32 {
        self.1
    }
}

/// Reads fields.
#[gradient(crate = ::ad)]
#[must_use]
pub fn reach(v: &Vec3, pair: &Pair) -> f64 {
    v.x * v.y + pair.0 * v.z
}

#[cfg(test)]
mod tests {
    use super::*;
    use ad::{FixedShape, Flat, Tangent};

    #[test]
    fn fields_have_gradients() {
        let v = Vec3 {
            x: 1.0,
            y: 2.0,
            z: 3.0,
        };
        let (value, (dv, dp)) = reach_grad(&v, &Pair(0.5, 1.0));
        assert!((value - 3.5).abs() < 1e-15);
        assert_eq!(
            dv,
            Vec3 {
                x: 2.0,
                y: 1.0,
                z: 0.5
            }
        );
        assert!((dp.0 - 3.0).abs() < 1e-15);
        assert_eq!(Slope::zero(), Slope::default());
    }

    #[test]
    fn all_forms() {
        let v = Vec3 {
            x: 1.0,
            y: 2.0,
            z: 3.0,
        };
        let body = Body::at(v, [1.0_f32; 2], &[4.0]);
        assert_eq!(body.zero_tangent().names_flat(), body.names_flat());
        assert!((body.apply(1.0) - 2.0).abs() < 1e-15);
        let law = Law::Polynomial {
            coefficients: vec![1.0],
        };
        assert!(law.check_shape(&law.zero_tangent()).is_ok());
        assert!(
            Law::Linear(1.0)
                .check_shape(&Law::Free.zero_tangent())
                .is_err()
        );
        assert!(Unit.zero_tangent().norm() <= 0.0);
        assert!((Pair(1.0, 2.0).second() - 2.0).abs() < 1e-6);
    }
}
