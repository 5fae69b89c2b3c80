//! How generated code, which cannot name the type of a value, copies and compares it.

use super::Duplicate;
use crate::record::Record;
use crate::tape::Tape;

/// A value to be copied. Which of the traits below does it is chosen by the method call `(&&&&&Choice(&value)).copy()`:
/// the compiler tries the receiver with all its references first, then with one less, and so on.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a, T: ?Sized>(pub &'a T);

/// The value says how it is copied. First, as rustc takes it where it does not know the type in full yet (`let none =
/// None`).
pub trait OfDuplicate {
    /// Of the value.
    type Value;
    /// The copy.
    fn copy(&self) -> Self::Value;
}

impl<T: Duplicate> OfDuplicate for &&&&Choice<'_, T> {
    type Value = T;

    #[inline(always)]
    fn copy(&self) -> T {
        self.0.duplicate()
    }
}

/// The value is `Copy`.
pub trait OfCopy {
    /// Of the value.
    type Value;
    /// The copy.
    fn copy(&self) -> Self::Value;
}

impl<T: Copy> OfCopy for &&&Choice<'_, T> {
    type Value = T;

    #[inline(always)]
    fn copy(&self) -> T {
        *self.0
    }
}

/// The value is a vector of what is `Copy`.
pub trait OfElements {
    /// Of the value.
    type Value;
    /// The copy.
    fn copy(&self) -> Self::Value;
}

impl<T: Copy> OfElements for &&Choice<'_, Vec<T>> {
    type Value = Vec<T>;

    #[inline]
    fn copy(&self) -> Vec<T> {
        copied(self.0)
    }
}

#[expect(
    clippy::iter_cloned_collect,
    reason = "`to_vec` promises clones, and one of these may not be a copy"
)]
fn copied<T: Copy>(values: &[T]) -> Vec<T> {
    values.iter().copied().collect()
}

/// The value is a record, which a tape gives back as it was.
pub trait OfRecord {
    /// Of the value.
    type Value;
    /// The copy.
    fn copy(&self) -> Self::Value;
}

impl<T: Record> OfRecord for &Choice<'_, T> {
    type Value = T;

    fn copy(&self) -> T {
        let mut tape = Tape::new();
        tape.push_ref(self.0);
        tape.pop_value()
    }
}

/// The value cannot be copied: a compile error, in the words of [`Duplicate`].
pub trait OfNone {
    /// Of the value.
    type Value;
    /// Does not compile.
    fn copy(&self) -> Self::Value
    where
        Self::Value: Duplicate;
}

impl<T> OfNone for Choice<'_, T> {
    type Value = T;

    #[inline(always)]
    fn copy(&self) -> T
    where
        T: Duplicate,
    {
        self.0.duplicate()
    }
}

/// A field that cannot be copied, of a type that the derive does not know: that it has to be is known only when it is.
pub trait OfUncopied {
    /// Of the value.
    type Value;
    /// Panics.
    fn copy(&self) -> Self::Value;
}

impl<T> OfUncopied for Choice<'_, T> {
    type Value = T;

    #[cold]
    #[track_caller]
    fn copy(&self) -> T {
        let ty = std::any::type_name::<T>();
        panic!(
            "retrograde: the sweeps have to copy a value with a field of type `{ty}` and do not take `Clone` for a \
             copy; derive `Duplicate` for the type, or keep the value in an `Rc` or `Arc`"
        );
    }
}

/// Two values to be compared: `(&&Compare(&a, &b)).same()`, of fields whose type the derive does not know.
#[derive(Clone, Copy, Debug)]
pub struct Compare<'a, T: ?Sized>(pub &'a T, pub &'a T);

/// The values say whether they are the same.
pub trait OfComparable {
    /// Whether they are.
    fn same(&self) -> bool;
}

impl<T: Duplicate + ?Sized> OfComparable for &Compare<'_, T> {
    #[inline(always)]
    fn same(&self) -> bool {
        self.0.is_duplicate(self.1)
    }
}

/// Nothing says whether they are the same.
pub trait OfIncomparable {
    /// Panics.
    fn same(&self) -> bool;
}

impl<T: ?Sized> OfIncomparable for Compare<'_, T> {
    #[cold]
    #[track_caller]
    fn same(&self) -> bool {
        let ty = std::any::type_name::<T>();
        panic!(
            "retrograde: `clone` is called on a value with a field of type `{ty}`, and nothing tells whether it is \
             copied; derive `Duplicate` for the type, or keep the value in an `Rc` or `Arc`"
        );
    }
}

/// Compares a value with what the user's `clone` returns for it, which must be equal in every field: else its
/// derivative is not that of the identity.
///
/// # Panics
///
/// If a field differs.
#[inline]
#[track_caller]
pub fn check_clone<T: Duplicate>(value: &T, clone: impl FnOnce() -> T) {
    if !T::CLONE_COPIES {
        compare(&clone(), value);
    }
}

/// As [`check_clone`], of `clone_from`.
///
/// # Panics
///
/// If a field differs.
#[inline]
#[track_caller]
pub fn check_clone_from<T: Duplicate + Clone>(old: &T, value: &T) {
    if !T::CLONE_COPIES {
        let mut clone = old.duplicate();
        clone.clone_from(value);
        compare(&clone, value);
    }
}

#[inline]
#[track_caller]
fn compare<T: Duplicate>(clone: &T, value: &T) {
    if !T::CLONE_COPIES && !clone.is_duplicate(value) {
        differs(std::any::type_name::<T>());
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn differs(ty: &str) -> ! {
    panic!(
        "retrograde: `clone` of `{ty}` returns a value that differs from the one it is called on, so its derivative is \
         not that of a copy; derive `Clone`, or write what it does as a function with `#[gradient]`"
    );
}

/// Values that the function itself clones several of: see [`Choice`].
#[derive(Clone, Copy, Debug)]
pub struct Clones<'a, T>(pub &'a [T]);

/// The values say how they are copied, and so whether their clones are copies.
pub trait OfChecked {
    /// One of them.
    type Value;
    /// As of slices.
    fn to_vec(&self) -> Vec<Self::Value>;
    /// `vec![first; n]`.
    fn times(&self, n: usize) -> Vec<Self::Value>;
    /// As of slices, with the first.
    fn fill(&self, slice: &mut [Self::Value]);
}

impl<T: Duplicate + Clone> OfChecked for &&Clones<'_, T> {
    type Value = T;

    #[track_caller]
    fn to_vec(&self) -> Vec<T> {
        let clones = self.0.to_vec();
        clones
            .iter()
            .zip(self.0)
            .for_each(|(clone, value)| compare(clone, value));
        clones
    }

    #[track_caller]
    fn times(&self, n: usize) -> Vec<T> {
        let clones = vec![self.0[0].duplicate(); n];
        clones.iter().for_each(|clone| compare(clone, &self.0[0]));
        clones
    }

    #[track_caller]
    fn fill(&self, slice: &mut [T]) {
        slice.fill(self.0[0].duplicate());
        slice.iter().for_each(|clone| compare(clone, &self.0[0]));
    }
}

/// The values are `Copy`.
pub trait OfPlain {
    /// One of them.
    type Value;
    /// See [`OfChecked`].
    fn to_vec(&self) -> Vec<Self::Value>;
    /// See [`OfChecked`].
    fn times(&self, n: usize) -> Vec<Self::Value>;
    /// See [`OfChecked`].
    fn fill(&self, slice: &mut [Self::Value]);
}

impl<T: Copy> OfPlain for &Clones<'_, T> {
    type Value = T;

    fn to_vec(&self) -> Vec<T> {
        copied(self.0)
    }

    fn times(&self, n: usize) -> Vec<T> {
        (0..n).map(|_| self.0[0]).collect()
    }

    fn fill(&self, slice: &mut [T]) {
        slice.iter_mut().for_each(|value| *value = self.0[0]);
    }
}

/// Neither: a compile error.
pub trait OfUnchecked {
    /// One of them.
    type Value;
    /// Does not compile.
    fn to_vec(&self) -> Vec<Self::Value>
    where
        Self::Value: Duplicate + Clone;
    /// Does not compile.
    fn times(&self, n: usize) -> Vec<Self::Value>
    where
        Self::Value: Duplicate + Clone;
    /// Does not compile.
    fn fill(&self, slice: &mut [Self::Value])
    where
        Self::Value: Duplicate + Clone;
}

impl<T> OfUnchecked for Clones<'_, T> {
    type Value = T;

    fn to_vec(&self) -> Vec<T>
    where
        T: Duplicate + Clone,
    {
        OfChecked::to_vec(&&self)
    }

    fn times(&self, n: usize) -> Vec<T>
    where
        T: Duplicate + Clone,
    {
        OfChecked::times(&&self, n)
    }

    fn fill(&self, slice: &mut [T])
    where
        T: Duplicate + Clone,
    {
        OfChecked::fill(&&self, slice);
    }
}

/// A copy of a value whose type generated code cannot name. The traits have methods of one name, and are not in scope
/// where methods of the user's are called.
#[doc(hidden)]
#[macro_export]
macro_rules! __copy {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::__rt::duplicate::{
            Choice, OfCopy as _, OfDuplicate as _, OfElements as _, OfNone as _, OfRecord as _,
        };
        (&&&&&Choice(&$value)).copy()
    }};
}

/// As `__copy`, of a field that the derive knows nothing of.
#[doc(hidden)]
#[macro_export]
macro_rules! __copy_field {
    ($value:expr) => {{
        #[allow(unused_imports)]
        use $crate::__rt::duplicate::{
            Choice, OfCopy as _, OfDuplicate as _, OfElements as _, OfRecord as _, OfUncopied as _,
        };
        (&&&&&Choice($value)).copy()
    }};
}

/// Whether two fields that the derive knows nothing of are the same.
#[doc(hidden)]
#[macro_export]
macro_rules! __same_field {
    ($a:expr, $b:expr) => {{
        #[allow(unused_imports)]
        use $crate::__rt::duplicate::{Compare, OfComparable as _, OfIncomparable as _};
        (&&Compare($a, $b)).same()
    }};
}

/// `$values.to_vec()`, `vec![$value; $n]` and `$slice.fill($value)` of values whose type generated code cannot name.
#[doc(hidden)]
#[macro_export]
macro_rules! __clones {
    (to_vec $values:expr) => {
        $crate::__clones!(@ &$values[..], to_vec)
    };
    (times $value:expr, $n:expr) => {{
        let value = $value;
        $crate::__clones!(@ ::core::slice::from_ref(&value), times, $n)
    }};
    (fill $slice:expr, $value:expr) => {{
        let value = $value;
        $crate::__clones!(@ ::core::slice::from_ref(&value), fill, &mut $slice[..])
    }};
    (@ $values:expr, $method:ident $(, $argument:expr)*) => {{
        #[allow(unused_imports)]
        use $crate::__rt::duplicate::{Clones, OfChecked as _, OfPlain as _, OfUnchecked as _};
        (&&&Clones($values)).$method($($argument),*)
    }};
}
