//! Tangents whose shape their type determines.

use crate::differentiable::Differentiable;
use crate::tangent::Tangent;

/// A tangent whose shape its type determines, so that there is a zero without a value to take the shape from.
///
/// Floats, `()`, and arrays of any length, tuples and boxes of such tangents have it; `Vec` and `Option` have not. The
/// tangent of a struct that derives [`Differentiable`](crate::Differentiable) has it, and [`Default`] with it, where
/// those of all its fields do.
///
/// ```
/// use ad_runtime::FixedShape;
///
/// assert_eq!(<(f64, [f32; 100])>::zero(), (0.0, [0.0; 100]));
/// ```
#[diagnostic::on_unimplemented(
    message = "the shape of a `{Self}` is not known from its type",
    label = "this tangent has no zero without a value",
    note = "take a zero of the shape of a value: `value.zero_tangent()`"
)]
pub trait FixedShape: Tangent + Sized {
    /// The zero.
    fn zero() -> Self;
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl FixedShape for $float {
            #[inline(always)]
            fn zero() -> Self {
                0.0
            }
        }
    )*};
}

floats! { f32 f64 }

impl FixedShape for () {
    #[inline(always)]
    fn zero() {}
}

impl<T: FixedShape, const N: usize> FixedShape for [T; N] {
    #[inline]
    fn zero() -> Self {
        std::array::from_fn(|_| T::zero())
    }
}

impl<T: FixedShape> FixedShape for Box<T> {
    #[inline]
    fn zero() -> Self {
        Box::new(T::zero())
    }
}

macro_rules! tuples {
    ($(($($name:ident)+))*) => {$(
        impl<$($name: FixedShape),+> FixedShape for ($($name,)+) {
            #[inline(always)]
            fn zero() -> Self {
                ($($name::zero(),)+)
            }
        }
    )*};
}

tuples! {
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
    (A B C D E F G)
    (A B C D E F G H)
    (A B C D E F G H I)
    (A B C D E F G H I J)
    (A B C D E F G H I J K)
    (A B C D E F G H I J K L)
}

/// As [`FixedShape`], of the tangent. A bound that a lifetime is bound in is no error where it does not hold: the
/// `impl` then does not apply, as a generic one would not. So the derive need not know which types are of fixed shape.
/// `FIELD` keeps apart the bounds of fields of one type, which rustc else finds ambiguous.
pub trait IfFixedShape<'a, const FIELD: usize>: Differentiable<Tangent: FixedShape> {}

impl<T: Differentiable<Tangent: FixedShape> + ?Sized, const FIELD: usize> IfFixedShape<'_, FIELD>
    for T
{
}

/// As [`IfFixedShape`], of a type that is its own tangent.
pub trait IfOwnFixedShape<'a, const FIELD: usize>: FixedShape {}

impl<T: FixedShape, const FIELD: usize> IfOwnFixedShape<'_, FIELD> for T {}

/// As [`IfFixedShape`], of `Copy`.
pub trait IfCopy<'a, const FIELD: usize>: Differentiable<Tangent: Copy> {}

impl<T: Differentiable<Tangent: Copy> + ?Sized, const FIELD: usize> IfCopy<'_, FIELD> for T {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_zero_of_every_value() {
        type Value = ([f64; 40], (Box<[f32; 2]>, u8));
        let value: Value = ([1.0; 40], (Box::new([2.0; 2]), 3));
        let zero = <Value as Differentiable>::Tangent::zero();
        assert_eq!(zero, value.zero_tangent());
    }
}
