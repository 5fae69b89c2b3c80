//! Whether `d.x` is a field of `d`, and `d[i]` an element, and neither a place that an implementation of the user's
//! leads to.

use std::collections::VecDeque;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

/// A value whose field is a place with an adjoint: `(&&Parts(&value)).check()` compiles if nothing else can be behind a
/// field of it.
#[derive(Debug)]
pub struct Parts<'a, T: ?Sized>(pub &'a T);

/// Pointers whose fields are those of what they point to, as are those of their tangents.
pub trait OfPointer {
    /// Nothing.
    fn check(&self) {}
}

impl<T: ?Sized> OfPointer for &&Parts<'_, Box<T>> {}
impl<T: ?Sized> OfPointer for &&Parts<'_, &T> {}
impl<T: ?Sized> OfPointer for &&Parts<'_, &mut T> {}
impl<T: ?Sized> OfPointer for &&Parts<'_, Rc<T>> {}
impl<T: ?Sized> OfPointer for &&Parts<'_, Arc<T>> {}

/// Any other type with a `Deref`: a compile error.
pub trait OfDeref {
    /// The type.
    type Value: ?Sized;
    /// Does not compile.
    fn check(&self)
    where
        Self::Value: OwnFields,
    {
    }
}

impl<T: Deref + ?Sized> OfDeref for &Parts<'_, T> {
    type Value = T;
}

/// All others have fields of their own.
pub trait OfFields {
    /// Nothing.
    fn check(&self) {}
}

impl<T: ?Sized> OfFields for Parts<'_, T> {}

/// No type has it.
#[diagnostic::on_unimplemented(
    message = "a field of a `{Self}` has no derivative: it may be one of what the type dereferences to",
    label = "this type implements `Deref`, which may lead anywhere",
    note = "write what is meant: a field of the type that it dereferences to, `&value.inner` passed to a function, or \
            a type without `Deref`"
)]
pub trait OwnFields {}

/// What has elements, and has them in the same order in its tangent.
#[diagnostic::on_unimplemented(
    message = "an element of a `{Self}` has no derivative: only those of slices, arrays and `Vec` have",
    label = "this type implements `Index` by itself, which may lead anywhere",
    note = "index what it holds: `value.data[i]`, or write a method under `#[gradient]` that returns the element"
)]
pub trait Elements {}

#[diagnostic::do_not_recommend]
impl<T> Elements for [T] {}
#[diagnostic::do_not_recommend]
impl<T, const N: usize> Elements for [T; N] {}
#[diagnostic::do_not_recommend]
impl<T> Elements for Vec<T> {}
#[diagnostic::do_not_recommend]
impl<T> Elements for VecDeque<T> {}
#[diagnostic::do_not_recommend]
impl<S: Elements + ?Sized> Elements for &S {}
#[diagnostic::do_not_recommend]
impl<S: Elements + ?Sized> Elements for &mut S {}
#[diagnostic::do_not_recommend]
impl<S: Elements + ?Sized> Elements for Box<S> {}
#[diagnostic::do_not_recommend]
impl<S: Elements + ?Sized> Elements for Rc<S> {}
#[diagnostic::do_not_recommend]
impl<S: Elements + ?Sized> Elements for Arc<S> {}

/// Compiles only for what has elements.
#[inline(always)]
pub fn elements<S: Elements + ?Sized>(_: &S) {}

/// The check of a value whose element is a place with an adjoint.
#[doc(hidden)]
#[macro_export]
macro_rules! __elements_of {
    ($value:expr) => {
        $crate::__rt::ways::elements(&$value)
    };
}

/// The check of a value whose field is a place with an adjoint.
#[doc(hidden)]
#[macro_export]
macro_rules! __parts_of {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::__rt::ways::{OfDeref as _, OfFields as _, OfPointer as _, Parts};
        (&&&Parts(&$value)).check()
    }};
}

/// A place in a constant or a static, for [`ByCopy`] or [`ByReference`].
#[derive(Debug)]
pub struct Kept<'a, T: ?Sized>(pub &'a T);

/// What is `Copy` is taken as a value.
pub trait ByCopy {
    /// The type of the value.
    type Value;

    /// The value.
    fn kept(&self) -> Self::Value;
}

impl<T: Copy> ByCopy for Kept<'_, T> {
    type Value = T;

    #[inline(always)]
    fn kept(&self) -> T {
        *self.0
    }
}

/// What is not `Copy` is looked at where it lies: method resolution asks for this one last.
pub trait ByReference<'a> {
    /// What the place has.
    type Target: ?Sized + 'a;

    /// The place.
    fn kept(&self) -> &'a Self::Target;
}

impl<'a, T: ?Sized> ByReference<'a> for &Kept<'a, T> {
    type Target = T;

    #[inline(always)]
    fn kept(&self) -> &'a T {
        self.0
    }
}

/// A part of a constant, which may not be moved out of it.
#[doc(hidden)]
#[macro_export]
macro_rules! __kept {
    ($place:expr) => {{
        #[allow(unused_imports)]
        use $crate::__rt::ways::{ByCopy as _, ByReference as _, Kept};
        (&Kept(&$place)).kept()
    }};
}

/// A type with a derive whose definition generated code has seen, and the number of that definition.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type that `#[derive(Differentiable)]` has shown of this name",
    label = "two types of this name are in scope, one of them as a macro",
    note = "import the type by its path, or write `#[differentiable(schema = false)]` above the other one"
)]
pub trait Known<const ID: u64> {}

/// Compiles only if the type has this definition.
#[inline(always)]
pub fn known<const ID: u64, T: Known<ID> + ?Sized>(_: &T) {}

/// What a derive shows as a `Vec`, by the name of the field's type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has the name of a type of std's, and is another one",
    note = "write `#[differentiable(schema = false)]` above the type with this field"
)]
pub trait ShownAsVec {}

impl<T> ShownAsVec for Vec<T> {}

/// Compiles only for std's type: no reference is coerced to one here.
#[inline(always)]
pub fn shown_as_vec<T: ShownAsVec>(_: &T) {}

/// What a derive shows as a `VecDeque`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has the name of a type of std's, and is another one",
    note = "write `#[differentiable(schema = false)]` above the type with this field"
)]
pub trait ShownAsQueue {}

impl<T> ShownAsQueue for VecDeque<T> {}

/// The same for `VecDeque`.
#[inline(always)]
pub fn shown_as_queue<T: ShownAsQueue>(_: &T) {}

/// What a derive shows as an `Option`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has the name of a type of std's, and is another one",
    note = "write `#[differentiable(schema = false)]` above the type with this field"
)]
pub trait ShownAsOption {}

impl<T> ShownAsOption for Option<T> {}

/// The same for `Option`.
#[inline(always)]
pub fn shown_as_option<T: ShownAsOption>(_: &T) {}

/// A field that a method returns a reference to, as a reference to `T`.
#[diagnostic::on_unimplemented(
    message = "a method returns a `&{T}` to a field that is a `{Self}`: a `Deref` may lead anywhere",
    label = "a method leads to this field, and another one calls it",
    note = "read the field itself where the method is called"
)]
pub trait LeadsTo<T: ?Sized> {}

impl<T: ?Sized> LeadsTo<T> for T {}
#[diagnostic::do_not_recommend]
impl<T> LeadsTo<[T]> for Vec<T> {}
#[diagnostic::do_not_recommend]
impl<T, const N: usize> LeadsTo<[T]> for [T; N] {}
#[diagnostic::do_not_recommend]
impl<T> LeadsTo<[T]> for &[T] {}
#[diagnostic::do_not_recommend]
impl<T> LeadsTo<[T]> for Box<[T]> {}
#[diagnostic::do_not_recommend]
impl LeadsTo<str> for String {}

/// Compiles only if a reference to the field is one to `T`, or becomes one by a `Deref` of std's.
#[inline(always)]
pub fn leads_to<T: ?Sized, F: LeadsTo<T> + ?Sized>(_: &F) {}
