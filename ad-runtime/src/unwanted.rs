//! Adjoints that a callee asks for and nobody reads, of arguments whose types generated code cannot name.

use crate::differentiable::Differentiable;

/// An argument that carries no derivative. Which of the traits below makes its adjoint is chosen by the method call
/// `(&&&Unwanted(&argument)).adjoint()`: the compiler tries the receiver with all its references first, then with one
/// less, hence first [`OfReference`], then [`OfValue`], at last [`OfConstant`].
#[derive(Clone, Copy, Debug)]
pub struct Unwanted<'a, T: ?Sized>(pub &'a T);

/// The argument is itself a reference: the callee wants an adjoint of what is behind it.
pub trait OfReference {
    /// Of what is behind the reference.
    type Adjoint;

    /// The zero of the shape of what is behind the reference.
    fn adjoint(&self) -> Self::Adjoint;
}

impl<T: Differentiable + ?Sized> OfReference for &&Unwanted<'_, &T> {
    type Adjoint = T::Tangent;

    #[inline(always)]
    fn adjoint(&self) -> T::Tangent {
        self.0.zero_tangent()
    }
}

/// The argument has a tangent.
pub trait OfValue {
    /// Of the argument.
    type Adjoint;

    /// The zero of the shape of the argument.
    fn adjoint(&self) -> Self::Adjoint;
}

impl<T: Differentiable + ?Sized> OfValue for &Unwanted<'_, T> {
    type Adjoint = T::Tangent;

    #[inline(always)]
    fn adjoint(&self) -> T::Tangent {
        self.0.zero_tangent()
    }
}

/// The argument has no tangent, so it can only go to a parameter under `#[constant]`, which takes anything.
pub trait OfConstant {
    /// Nothing.
    fn adjoint(&self) {}
}

impl<T: ?Sized> OfConstant for Unwanted<'_, T> {}

#[cfg(test)]
mod tests {
    use super::{OfConstant as _, OfReference as _, OfValue as _, Unwanted};

    #[test]
    #[expect(
        clippy::needless_borrow,
        reason = "the references choose, as in generated code"
    )]
    fn the_type_of_the_argument_chooses() {
        struct Opaque;
        let (array, slice, number) = ([1.0, 2.0], &[1.0_f64, 2.0, 3.0][..], 1.0_f32);
        let of_array: [f64; 2] = (&&&Unwanted(&array)).adjoint();
        let of_slice: Vec<f64> = (&&&Unwanted(&slice)).adjoint();
        let of_number: f32 = (&&&Unwanted(&number)).adjoint();
        let behind: f32 = (&&&Unwanted(&&number)).adjoint();
        let of_unsized: Vec<f64> = (&&&Unwanted(slice)).adjoint();
        assert_eq!((of_array, of_slice), ([0.0; 2], vec![0.0; 3]));
        assert_eq!((of_number, behind, of_unsized), (0.0, 0.0, vec![0.0; 3]));
        let () = (&&&Unwanted(&Opaque)).adjoint();
        let () = (&&&Unwanted(&&Opaque)).adjoint();
        let () = (&&&Unwanted(&3_usize)).adjoint();
    }
}
