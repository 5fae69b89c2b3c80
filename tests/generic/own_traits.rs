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
