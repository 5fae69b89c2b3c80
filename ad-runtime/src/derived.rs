//! What `#[derive(Differentiable)]` writes calls of.

use std::fmt::Display;

use crate::differentiable::Differentiable;
use crate::duplicate::Duplicate;
pub use crate::fixed_shape::{IfCopy, IfFixedShape, IfOwnFixedShape};
pub use crate::flat::unchanged;
use crate::shape::ShapeError;
use crate::tangent::Tangent;

/// What the field of a type that is its own tangent must be: `Self` is the tangent of the field, `T` its type.
#[diagnostic::on_unimplemented(
    message = "a type with a field of type `{T}` cannot be its own tangent: the tangent of the field is a `{Self}`",
    label = "with `tangent = Self`, each field has to be its own tangent",
    note = "floats, and arrays, tuples, `Vec`, `Option` and `Box` of such types are their own tangents; a struct is \
            with `#[differentiable(tangent = Self)]`",
    note = "without `tangent = Self`, the derive defines a type for the tangent"
)]
pub trait SameAs<T> {
    /// As it is.
    fn same(self) -> T;

    /// As it is.
    fn same_ref(this: &T) -> &Self;

    /// As it is.
    fn same_mut(this: &mut T) -> &mut Self;
}

impl<T> SameAs<T> for T {
    #[inline(always)]
    fn same(self) -> T {
        self
    }

    #[inline(always)]
    fn same_ref(this: &T) -> &T {
        this
    }

    #[inline(always)]
    fn same_mut(this: &mut T) -> &mut T {
        this
    }
}

/// The tangent of a field that is its own tangent, as the field.
#[inline(always)]
pub fn own<T: Differentiable<Tangent: SameAs<T>>>(tangent: T::Tangent) -> T {
    tangent.same()
}

/// A field that is its own tangent, as a tangent.
#[inline(always)]
pub fn own_ref<T: Differentiable<Tangent: SameAs<T>>>(field: &T) -> &T::Tangent {
    <T::Tangent>::same_ref(field)
}

/// A field that is its own tangent, as a tangent.
#[inline(always)]
pub fn own_mut<T: Differentiable<Tangent: SameAs<T>>>(field: &mut T) -> &mut T::Tangent {
    <T::Tangent>::same_mut(field)
}

/// The check of a part, as a check of the whole.
#[inline(always)]
pub fn within(part: impl Display, checked: Result<(), ShapeError>) -> Result<(), ShapeError> {
    match checked {
        Ok(()) => Ok(()),
        Err(error) => Err(error.within(part)),
    }
}

/// A step of what the field `field` borrows, which must be none.
///
/// # Panics
///
/// If the tangent is not zero.
#[inline]
#[track_caller]
pub fn stay<T: Tangent + Duplicate>(field: &str, tangent: &T) {
    if !is_zero(tangent) {
        borrowed(field);
    }
}

/// Whether there is no number but zero. The scalar product alone would be zero by underflow.
fn is_zero<T: Tangent + Duplicate>(tangent: &T) -> bool {
    let mut tangent = tangent.duplicate();
    // The smallest `f64` times this to the fifth has a square above zero. In `f32` it is finite, so zero stays zero.
    for _ in 0..5 {
        tangent.scale(f64::from(f32::MAX));
    }
    tangent.dot(&tangent) == 0.0
}

/// A step of a reference: nothing moves.
///
/// # Panics
///
/// If the tangent is not zero.
#[track_caller]
pub(crate) fn stay_behind<T: Tangent + Duplicate>(tangent: &T) {
    assert!(
        is_zero(tangent),
        "retrograde: a value holds a shared reference, and a step cannot move what it refers to; own what moves"
    );
}

/// The copy of a struct whose last field has a type parameter with `?Sized` as its type.
///
/// # Panics
///
/// Always: nothing tells the derive where the field has a size.
#[cold]
#[track_caller]
pub fn may_be_unsized<T>() -> T {
    let ty = std::any::type_name::<T>();
    panic!(
        "retrograde: the sweeps have to copy a `{ty}`, whose last field may be unsized; put the field in a `Box`, or \
         leave `?Sized` out"
    );
}

#[cold]
#[inline(never)]
#[track_caller]
fn borrowed(field: &str) -> ! {
    panic!(
        "retrograde: the field `{field}` is a shared reference, and a step cannot move what it refers to; own it, or \
         mark the field `#[constant]`"
    );
}

/// Panics: the values of an enum in `what` have the variants `left` and `right`.
#[cold]
#[inline(never)]
#[track_caller]
pub fn variants_differ(what: &str, left: &str, right: &str) -> ! {
    panic!("retrograde: {what} of `{left}` and `{right}`; they must be alike");
}

/// Panics: a part of the variant `wanted` is asked of a tangent that has another one.
#[cold]
#[inline(never)]
#[track_caller]
pub fn other_variant(wanted: &str) -> ! {
    panic!("retrograde: the adjoint of an enum is not that of a `{wanted}`, as the value is");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_zero_stays() {
        stay("x", &vec![0.0, -0.0]);
        stay("x", &vec![0.0_f32; 3]);
        stay("x", &(vec![(); 3], Some([0.0; 2])));
        for number in [5e-324, 1.0, f64::MAX, f64::INFINITY, f64::NAN] {
            assert!(!is_zero(&vec![0.0, number]), "{number}");
            assert!(!is_zero(&vec![0.0, -number]), "{number}");
        }
        for number in [1e-45_f32, f32::MAX, f32::NAN] {
            assert!(!is_zero(&[number, 0.0]), "{number}");
        }
    }

    #[test]
    #[should_panic(expected = "the field `series` is a shared reference")]
    fn a_step_of_what_is_borrowed_panics() {
        stay("series", &vec![0.0, 1.0]);
    }
}
