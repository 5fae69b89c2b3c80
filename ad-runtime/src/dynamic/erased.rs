//! What each `impl` of a trait does for `dyn Trait`.
//!
//! Such an `impl` knows its type, yet generated code does not know what that type can do. So the compiler chooses:
//! `(&&Of::<Self>::NEW).zero(self)` tries the traits below in their order, [`OfFlat`] first.

use std::marker::PhantomData;

use super::DynTangent;
use crate::differentiable::Differentiable;
use crate::flat::{Flat, FlatNames};
use crate::shape::ShapeError;

/// A type.
#[derive(Clone, Copy, Debug)]
pub struct Of<T: ?Sized>(PhantomData<T>);

impl<T: ?Sized> Of<T> {
    /// The value.
    pub const NEW: Self = Of(PhantomData);
}

/// The type has a tangent with a flat view.
pub trait OfFlat {
    /// The type.
    type Value;
    /// Its tangent.
    type Own;
    /// The zero of the shape of the value.
    fn zero(&self, value: &Self::Value) -> DynTangent;
    /// `value += scale * tangent`
    fn step(&self, value: &mut Self::Value, scale: f64, tangent: &DynTangent);
    /// Whether the tangent has the shape of the value.
    fn check(&self, value: &Self::Value, tangent: &DynTangent) -> Result<(), ShapeError>;
    /// The value's own tangent, with these numbers.
    fn open(&self, value: &Self::Value, tangent: &DynTangent) -> Self::Own;
    /// The numbers of the value's own tangent.
    fn close(&self, own: &Self::Own, tangent: &mut DynTangent);
}

impl<T: Differentiable> OfFlat for &&Of<T>
where
    T::Tangent: Flat,
{
    type Value = T;
    type Own = T::Tangent;

    fn zero(&self, value: &T) -> DynTangent {
        DynTangent::erased::<T>(&value.zero_tangent())
    }

    #[track_caller]
    fn step(&self, value: &mut T, scale: f64, tangent: &DynTangent) {
        let own = self.open(value, tangent);
        value.step(scale, &own);
    }

    fn check(&self, value: &T, tangent: &DynTangent) -> Result<(), ShapeError> {
        tangent.check::<T>(value.zero_tangent().len_flat())
    }

    #[track_caller]
    fn open(&self, value: &T, tangent: &DynTangent) -> T::Tangent {
        let mut own = value.zero_tangent();
        if let Err(error) = tangent.check::<T>(own.len_flat()) {
            panic!("retrograde: {error}");
        }
        own.read_front(&tangent.numbers);
        own
    }

    fn close(&self, own: &T::Tangent, tangent: &mut DynTangent) {
        // The method may have changed the shape.
        tangent.numbers.resize(own.len_flat(), 0.0);
        own.write_front(&mut tangent.numbers);
    }
}

/// The type has a tangent, and nothing says that it has a flat view.
pub trait OfDifferentiable {
    /// The type.
    type Value;
    /// Its tangent.
    type Own;
    /// Panics.
    fn zero(&self, value: &Self::Value) -> DynTangent;
    /// Panics.
    fn step(&self, value: &mut Self::Value, scale: f64, tangent: &DynTangent);
    /// Panics.
    fn check(&self, value: &Self::Value, tangent: &DynTangent) -> Result<(), ShapeError>;
    /// Panics.
    fn open(&self, value: &Self::Value, tangent: &DynTangent) -> Self::Own;
    /// Panics.
    fn close(&self, own: &Self::Own, tangent: &mut DynTangent);
}

impl<T: Differentiable> OfDifferentiable for &Of<T> {
    type Value = T;
    type Own = T::Tangent;

    #[track_caller]
    fn zero(&self, _: &T) -> DynTangent {
        without_flat_view::<T>()
    }

    #[track_caller]
    fn step(&self, _: &mut T, _: f64, _: &DynTangent) {
        without_flat_view::<T>()
    }

    #[track_caller]
    fn check(&self, _: &T, _: &DynTangent) -> Result<(), ShapeError> {
        without_flat_view::<T>()
    }

    #[track_caller]
    fn open(&self, _: &T, _: &DynTangent) -> T::Tangent {
        without_flat_view::<T>()
    }

    #[track_caller]
    fn close(&self, _: &T::Tangent, _: &mut DynTangent) {
        without_flat_view::<T>()
    }
}

#[cold]
#[track_caller]
fn without_flat_view<T>() -> ! {
    let ty = std::any::type_name::<T>();
    panic!(
        "retrograde: a `{ty}` is behind a `dyn` trait, and where its `impl` stands nothing says that its tangent has a \
         flat view; derive `Differentiable`, or implement `Flat` for the tangent, and ask for it of type parameters: \
         `where <M as Differentiable>::Tangent: Flat`"
    );
}

/// The type has no tangent: it is all constant.
pub trait OfAnything {
    /// The type.
    type Value;
    /// Without numbers.
    fn zero(&self, value: &Self::Value) -> DynTangent;
    /// Does nothing.
    fn step(&self, value: &mut Self::Value, scale: f64, tangent: &DynTangent);
    /// Whether there are no numbers.
    fn check(&self, value: &Self::Value, tangent: &DynTangent) -> Result<(), ShapeError>;
    /// Nothing.
    fn open(&self, value: &Self::Value, tangent: &DynTangent);
    /// Nothing.
    fn close(&self, own: &(), tangent: &mut DynTangent);
}

impl<T> OfAnything for Of<T> {
    type Value = T;

    fn zero(&self, _: &T) -> DynTangent {
        DynTangent::erased::<T>(&())
    }

    fn step(&self, _: &mut T, _: f64, _: &DynTangent) {}

    fn check(&self, _: &T, tangent: &DynTangent) -> Result<(), ShapeError> {
        tangent.check::<T>(0)
    }

    fn open(&self, _: &T, _: &DynTangent) {}

    fn close(&self, (): &(), _: &mut DynTangent) {}
}

/// The type has a flat view.
pub trait OfFlatValue {
    /// The type.
    type Value;
    /// See [`Flat`].
    fn len_flat(&self, value: &Self::Value) -> usize;
    /// See [`Flat`].
    fn write_front<'a>(&self, value: &Self::Value, out: &'a mut [f64]) -> &'a mut [f64];
    /// See [`Flat`].
    fn read_front<'a>(&self, value: &mut Self::Value, numbers: &'a [f64]) -> &'a [f64];
    /// See [`Flat`].
    fn name_parts(&self, value: &Self::Value, names: &mut FlatNames);
}

impl<T: Flat> OfFlatValue for &Of<T> {
    type Value = T;

    fn len_flat(&self, value: &T) -> usize {
        value.len_flat()
    }

    fn write_front<'a>(&self, value: &T, out: &'a mut [f64]) -> &'a mut [f64] {
        value.write_front(out)
    }

    fn read_front<'a>(&self, value: &mut T, numbers: &'a [f64]) -> &'a [f64] {
        value.read_front(numbers)
    }

    fn name_parts(&self, value: &T, names: &mut FlatNames) {
        value.name_parts(names);
    }
}

/// Nothing says that it has one.
pub trait OfOther {
    /// The type.
    type Value;
    /// Panics.
    fn len_flat(&self, value: &Self::Value) -> usize;
    /// Panics.
    fn write_front<'a>(&self, value: &Self::Value, out: &'a mut [f64]) -> &'a mut [f64];
    /// Panics.
    fn read_front<'a>(&self, value: &mut Self::Value, numbers: &'a [f64]) -> &'a [f64];
    /// Panics.
    fn name_parts(&self, value: &Self::Value, names: &mut FlatNames);
}

impl<T> OfOther for Of<T> {
    type Value = T;

    #[track_caller]
    fn len_flat(&self, _: &T) -> usize {
        unlisted::<T>()
    }

    #[track_caller]
    fn write_front<'a>(&self, _: &T, _: &'a mut [f64]) -> &'a mut [f64] {
        unlisted::<T>()
    }

    #[track_caller]
    fn read_front<'a>(&self, _: &mut T, _: &'a [f64]) -> &'a [f64] {
        unlisted::<T>()
    }

    #[track_caller]
    fn name_parts(&self, _: &T, _: &mut FlatNames) {
        unlisted::<T>()
    }
}

#[cold]
#[track_caller]
fn unlisted<T>() -> ! {
    let ty = std::any::type_name::<T>();
    panic!(
        "retrograde: a `{ty}` is behind a `dyn` trait, and where its `impl` stands nothing says that it has a flat \
         view; derive `Differentiable` or implement `Flat` for it, and ask for `Flat` of type parameters"
    );
}
