//! Which types have gradients.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use crate::duplicate::Duplicate;
use crate::shape::{ShapeError, check_all, check_each};
use crate::tangent::{Tangent, lengths_differ, presence_differs};

/// A type that a function can be differentiated with respect to.
///
/// The tangent of a struct is a struct of the tangents of its fields; that of an integer, `bool`,
/// `char` or string is `()`, and it does not move. The facade's `#[derive(Differentiable)]` writes the struct and the
/// implementation.
///
/// What has a tangent can be copied, see [`Duplicate`]: a type that implements `Differentiable` by hand derives that.
///
/// ```
/// use ad_runtime::Differentiable;
///
/// let mut point = (vec![1.0, 2.0], 3_usize);
/// assert_eq!(point.zero_tangent(), (vec![0.0, 0.0], ()));
/// point.step(-0.5, &(vec![2.0, 0.0], ()));
/// assert_eq!(point, (vec![0.0, 2.0], 3));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be differentiated",
    label = "this type has no tangent",
    note = "derive it, `#[derive(Differentiable)]` above the type, or mark the parameter or field `#[constant]`"
)]
pub trait Differentiable: Duplicate {
    /// What a gradient with respect to a value of this type is.
    type Tangent: Tangent + Clone + Duplicate;

    /// The zero tangent of the shape of this value.
    fn zero_tangent(&self) -> Self::Tangent;

    /// `self += scale * tangent`: one step of an optimiser. An `f32` rounds the scale first.
    ///
    /// # Panics
    ///
    /// If the tangent has another shape.
    fn step(&mut self, scale: f64, tangent: &Self::Tangent);

    /// Whether a tangent has the shape of this value: the same lengths at every depth, and `Some` where the value is.
    /// The generated functions check so what they are given before they write anything.
    ///
    /// By default there is nothing to compare; a struct compares its fields.
    ///
    /// ```
    /// use ad_runtime::{Differentiable, Duplicate, ShapeError};
    ///
    /// struct Curve {
    ///     points: Vec<f64>,
    /// }
    ///
    /// impl Duplicate for Curve {
    ///     fn duplicate(&self) -> Self {
    ///         Curve { points: self.points.duplicate() }
    ///     }
    ///
    ///     fn is_duplicate(&self, of: &Self) -> bool {
    ///         self.points.is_duplicate(&of.points)
    ///     }
    /// }
    ///
    /// impl Differentiable for Curve {
    ///     type Tangent = (Vec<f64>,);
    ///
    ///     fn zero_tangent(&self) -> Self::Tangent {
    ///         (self.points.zero_tangent(),)
    ///     }
    ///
    ///     fn step(&mut self, scale: f64, tangent: &Self::Tangent) {
    ///         self.points.step(scale, &tangent.0);
    ///     }
    ///
    ///     fn check_shape(&self, tangent: &Self::Tangent) -> Result<(), ShapeError> {
    ///         let points = self.points.check_shape(&tangent.0);
    ///         points.map_err(|error| error.within(".points"))
    ///     }
    /// }
    ///
    /// let curve = Curve { points: vec![1.0, 2.0] };
    /// assert!(curve.check_shape(&(vec![0.0; 2],)).is_ok());
    /// assert!(curve.check_shape(&(vec![0.0; 3],)).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// The first difference.
    #[inline(always)]
    fn check_shape(&self, tangent: &Self::Tangent) -> Result<(), ShapeError> {
        let _ = tangent;
        Ok(())
    }
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Differentiable for $float {
            type Tangent = $float;

            #[inline(always)]
            fn zero_tangent(&self) -> $float {
                0.0
            }

            #[inline(always)]
            fn step(&mut self, scale: f64, tangent: &$float) {
                *self += scale as $float * *tangent;
            }
        }
    )*};
}

floats! { f32 f64 }

macro_rules! constants {
    ($($ty:ty)*) => {$(
        impl Differentiable for $ty {
            type Tangent = ();

            #[inline(always)]
            fn zero_tangent(&self) {}

            #[inline(always)]
            fn step(&mut self, _: f64, (): &()) {}
        }
    )*};
}

constants! {
    () bool char str String u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize
    Ordering Duration
}

/// A pointer to a function holds no numbers. A call with a value that has a derivative is refused: it would be lost.
macro_rules! functions {
    ($([$($argument:ident)*])*) => {$(
        impl<$($argument,)* R> Differentiable for fn($($argument),*) -> R {
            type Tangent = ();

            #[inline(always)]
            fn zero_tangent(&self) {}

            #[inline(always)]
            fn step(&mut self, _: f64, (): &()) {}
        }
    )*};
}

functions! { [] [A] [A B] [A B C] [A B C D] [A B C D E] [A B C D E F] }

/// The tangent of what they point to, which owns. A step cannot move that.
macro_rules! shared {
    ($([$($generics:tt)*] $pointer:ty => $inner:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Differentiable for $pointer {
            type Tangent = <$inner as Differentiable>::Tangent;

            #[inline(always)]
            fn zero_tangent(&self) -> Self::Tangent {
                (**self).zero_tangent()
            }

            /// # Panics
            ///
            /// If the tangent is not zero.
            #[inline]
            fn step(&mut self, _: f64, tangent: &Self::Tangent) {
                crate::derived::stay_behind(tangent);
            }

            #[inline]
            fn check_shape(&self, tangent: &Self::Tangent) -> Result<(), ShapeError> {
                (**self).check_shape(tangent)
            }
        }
    )*};
}

shared! {
    [T: Differentiable + ?Sized] &T => T;
    [T: Differentiable] Rc<T> => T;
    [T: Differentiable] Rc<[T]> => [T];
    [T: Differentiable] Arc<T> => T;
    [T: Differentiable] Arc<[T]> => [T];
}

impl<T: ?Sized> Differentiable for PhantomData<T> {
    type Tangent = ();

    #[inline(always)]
    fn zero_tangent(&self) {}

    #[inline(always)]
    fn step(&mut self, _: f64, (): &()) {}
}

#[inline(always)]
fn step_all<T: Differentiable>(values: &mut [T], scale: f64, tangents: &[T::Tangent]) {
    if values.len() != tangents.len() {
        lengths_differ("step of a value by a tangent", values.len(), tangents.len());
    }
    for (value, tangent) in values.iter_mut().zip(tangents) {
        value.step(scale, tangent);
    }
}

impl<T: Differentiable, const N: usize> Differentiable for [T; N] {
    type Tangent = [T::Tangent; N];

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        std::array::from_fn(|i| self[i].zero_tangent())
    }

    #[inline]
    fn step(&mut self, scale: f64, tangent: &Self::Tangent) {
        step_all(self, scale, tangent);
    }

    #[inline]
    fn check_shape(&self, tangent: &Self::Tangent) -> Result<(), ShapeError> {
        check_all(self, tangent)
    }
}

impl<T: Differentiable> Differentiable for [T] {
    type Tangent = Vec<T::Tangent>;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        self.iter().map(T::zero_tangent).collect()
    }

    #[inline]
    fn step(&mut self, scale: f64, tangent: &Self::Tangent) {
        step_all(self, scale, tangent);
    }

    #[inline]
    fn check_shape(&self, tangent: &Self::Tangent) -> Result<(), ShapeError> {
        check_all(self, tangent)
    }
}

impl<T: Differentiable> Differentiable for Vec<T> {
    type Tangent = Vec<T::Tangent>;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        self.as_slice().zero_tangent()
    }

    #[inline]
    fn step(&mut self, scale: f64, tangent: &Self::Tangent) {
        step_all(self, scale, tangent);
    }

    #[inline]
    fn check_shape(&self, tangent: &Self::Tangent) -> Result<(), ShapeError> {
        check_all(self, tangent)
    }
}

/// Its tangent is a vector, in the order of the queue.
impl<T: Differentiable> Differentiable for VecDeque<T> {
    type Tangent = Vec<T::Tangent>;

    fn zero_tangent(&self) -> Self::Tangent {
        self.iter().map(T::zero_tangent).collect()
    }

    fn step(&mut self, scale: f64, tangent: &Self::Tangent) {
        step_all(self.make_contiguous(), scale, tangent);
    }

    fn check_shape(&self, tangent: &Self::Tangent) -> Result<(), ShapeError> {
        check_each(self.len(), self.iter(), tangent)
    }
}

impl<T: Differentiable> Differentiable for Option<T> {
    /// `Some` exactly if the value is.
    type Tangent = Option<T::Tangent>;

    fn zero_tangent(&self) -> Self::Tangent {
        self.as_ref().map(T::zero_tangent)
    }

    fn step(&mut self, scale: f64, tangent: &Self::Tangent) {
        match (self, tangent) {
            (Some(value), Some(tangent)) => value.step(scale, tangent),
            (None, None) => {}
            (value, _) => presence_differs("step of a value by a tangent", value.is_some()),
        }
    }

    fn check_shape(&self, tangent: &Self::Tangent) -> Result<(), ShapeError> {
        ShapeError::compare_presence(self.is_some(), tangent.is_some())?;
        let both = self.as_ref().zip(tangent.as_ref());
        both.map_or(Ok(()), |(value, tangent)| value.check_shape(tangent))
    }
}

impl<T: Differentiable + ?Sized> Differentiable for Box<T>
where
    Self: Duplicate,
{
    type Tangent = Box<T::Tangent>;

    fn zero_tangent(&self) -> Self::Tangent {
        Box::new((**self).zero_tangent())
    }

    fn step(&mut self, scale: f64, tangent: &Self::Tangent) {
        (**self).step(scale, tangent);
    }

    fn check_shape(&self, tangent: &Self::Tangent) -> Result<(), ShapeError> {
        (**self).check_shape(tangent)
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt)+))*) => {$(
        impl<$($name: Differentiable),+> Differentiable for ($($name,)+) {
            type Tangent = ($($name::Tangent,)+);

            #[inline(always)]
            fn zero_tangent(&self) -> Self::Tangent {
                ($(self.$at.zero_tangent(),)+)
            }

            #[inline(always)]
            fn step(&mut self, scale: f64, tangent: &Self::Tangent) {
                $(self.$at.step(scale, &tangent.$at);)+
            }

            #[inline(always)]
            fn check_shape(&self, tangent: &Self::Tangent) -> Result<(), ShapeError> {
                $(
                    if let Err(error) = self.$at.check_shape(&tangent.$at) {
                        return Err(error.within(concat!(".", stringify!($at))));
                    }
                )+
                Ok(())
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_tangent_has_the_shape_of_the_value() {
        let value = (
            vec![[1.0, 2.0]; 3],
            None::<f64>,
            Some(1.0_f32),
            7_u8,
            "text".to_owned(),
        );
        assert_eq!(
            value.zero_tangent(),
            (vec![[0.0; 2]; 3], None, Some(0.0), (), ())
        );
        assert_eq!([1.0, 2.0][..].zero_tangent(), vec![0.0; 2]);
    }

    #[test]
    fn a_step_moves_floats_and_nothing_else() {
        let mut value = (vec![1.0, 2.0], Some(Box::new([3.0_f32])), true, 'c');
        value.step(0.5, &(vec![2.0, 4.0], Some(Box::new([6.0])), (), ()));
        assert_eq!(value, (vec![2.0, 4.0], Some(Box::new([6.0])), true, 'c'));
    }

    #[test]
    fn a_slice_moves_in_place() {
        let mut value = [1.0, 2.0, 3.0];
        value[1..].step(1.0, &vec![10.0, 20.0]);
        assert_eq!(value, [1.0, 12.0, 23.0]);
    }

    #[test]
    #[should_panic(expected = "of length 1 and 2")]
    fn a_step_of_another_length_is_refused() {
        vec![1.0].step(1.0, &vec![1.0, 2.0]);
    }
}
