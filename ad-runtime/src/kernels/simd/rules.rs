//! The derivative rules that are arithmetic, for numbers side by side: as in [`crate::rules`], where each is explained.

use super::Simd;
use crate::float::sealed::Arithmetic;

#[inline(always)]
fn lit<W: Simd>(value: f64) -> W {
    W::splat(W::Number::lit(value))
}

/// `a * b + c`, as [`crate::__rt::mul_add`].
#[inline(always)]
pub fn mul_add<W: Simd>(a: W, b: W, c: W) -> W {
    a.fused(b, c)
}

/// The numbers as they are.
#[inline(always)]
pub fn number<W: Simd>(value: W) -> W {
    value
}

/// As [`crate::rules::div_lhs`].
#[inline(always)]
pub fn div_lhs<W: Simd>(s: W, y: W) -> W {
    (s / y).unless_dead(s)
}

/// As [`crate::rules::div_rhs`].
#[inline(always)]
pub fn div_rhs<W: Simd>(s: W, y: W, r: W) -> W {
    (-(s / y * r)).unless_dead(s)
}

/// As [`crate::rules::inverse`].
#[inline(always)]
pub fn inverse<W: Simd>(y: W) -> W {
    lit::<W>(1.0) / y
}

/// As [`crate::rules::div_lhs_by`].
#[inline(always)]
pub fn div_lhs_by<W: Simd>(s: W, inverse: W) -> W {
    (s * inverse).unless_dead(s)
}

/// As [`crate::rules::div_rhs_by`].
#[inline(always)]
pub fn div_rhs_by<W: Simd>(s: W, inverse: W, r: W) -> W {
    (-(s * inverse * r)).unless_dead(s)
}

/// As [`crate::rules::recip`].
#[inline(always)]
pub fn recip<W: Simd>(s: W, r: W) -> W {
    (-(s * r * r)).unless_dead(s)
}

/// As [`crate::rules::sqrt`].
#[inline(always)]
pub fn sqrt<W: Simd>(s: W, r: W) -> W {
    (lit::<W>(0.5) * s / r.magnitude()).unless_dead(s)
}

/// As [`crate::rules::sqrt_by`].
#[inline(always)]
pub fn sqrt_by<W: Simd>(s: W, inverse: W) -> W {
    (lit::<W>(0.5) * s * inverse.magnitude()).unless_dead(s)
}

/// As [`crate::rules::sqrt_times`].
#[inline(always)]
pub fn sqrt_times<W: Simd>(s: W, r: W) -> W {
    (lit::<W>(0.5) * s * r).unless_dead(s)
}
