//! Bounds that are traits of the user's own, with constants and methods of theirs.

use num_traits::Float;
use retrograde::gradient;

use crate::support::check;

mod scalar {
    use num_traits::{Float, FromPrimitive};

    pub trait Scalar: Float + FromPrimitive {
        const TOLERANCE: Self;
        fn half() -> Self;
    }

    impl Scalar for f64 {
        const TOLERANCE: f64 = 1e-12;
        fn half() -> f64 {
            0.5
        }
    }

    impl Scalar for f32 {
        const TOLERANCE: f32 = 1e-5;
        fn half() -> f32 {
            0.5
        }
    }
}

#[gradient]
pub fn root<T: scalar::Scalar>(x: T) -> T {
    let half: T = T::half();
    let mut r = x;
    let tolerance: T = T::TOLERANCE;
    for _ in 0..60 {
        let next = half * (r + x / r);
        if (next - r).abs() < tolerance {
            break;
        }
        r = next;
    }
    r
}

#[test]
fn constants_of_a_trait_of_ones_own() {
    for x in [0.3, 2.0, 17.0] {
        check(|x| root(x[0]), |x| root_grad(x[0]), &[&[x]]);
        let (value, slope) = root_grad(x as f32);
        assert_eq!(value.to_bits(), root(x as f32).to_bits());
        assert!((f64::from(slope) - 0.5 / x.sqrt()).abs() < 1e-3);
    }
}

mod bounds_of_types {
    use std::ops::{Add, Div, Mul, Neg, Sub};

    use retrograde::{Differentiable, Record, gradient};

    use crate::support::check;

    pub trait FloatType:
        Sized
        + Copy
        + PartialOrd
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + Neg<Output = Self>
    {
        fn zero() -> Self;
        fn one() -> Self;
        fn sqrt(self) -> Self;
    }

    macro_rules! float_type {
        ($($float:ident)*) => {$(
            impl FloatType for $float {
                fn zero() -> Self {
                    0.0
                }
                fn one() -> Self {
                    1.0
                }
                fn sqrt(self) -> Self {
                    $float::sqrt(self)
                }
            }
        )*};
    }
    float_type! { f32 f64 }

    /// A type that asks for the trait itself.
    #[derive(Debug, Clone, Copy, PartialEq, Differentiable, Record)]
    pub enum Roots<F: FloatType> {
        No([F; 0]),
        One([F; 1]),
        Two([F; 2]),
    }

    #[gradient]
    pub fn quadratic<F: FloatType>(b: F, c: F) -> Roots<F> {
        let half = b / (F::one() + F::one());
        let d = half * half - c;
        if d < F::zero() {
            Roots::No([])
        } else if d == F::zero() {
            Roots::One([-half])
        } else {
            let r = d.sqrt();
            Roots::Two([-half - r, -half + r])
        }
    }

    #[gradient]
    fn weighted<F: FloatType>(roots: Roots<F>, k: F) -> F {
        match roots {
            Roots::No(_) => k,
            Roots::One([x]) => x * k,
            Roots::Two([x, y]) => x + k * y,
        }
    }

    #[gradient]
    fn of_roots(b: f64, c: f64, k: f64) -> f64 {
        weighted(quadratic(b, c), k)
    }

    #[test]
    fn types_may_bound_the_float() {
        check(
            |p| of_roots(p[0], p[1], p[2]),
            |p| of_roots_grad(p[0], p[1], p[2]),
            &[&[3.0, 1.0, 0.5], &[-2.5, 0.3, 2.0], &[1.0, 4.0, 0.7]],
        );
        assert_eq!(of_roots_grad(2.0, 3.0, 0.5), (0.5, (0.0, 0.0, 1.0)));
    }
}
