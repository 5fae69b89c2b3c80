//! Values and tangents as flat lists of numbers, for optimisers that take `&[f64]`.

use std::cmp::Ordering;
use std::collections::VecDeque;
use std::fmt::Write;
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// A value as the list of the numbers in it.
///
/// A tangent lists its numbers in the order of those of its value, so a gradient is what an optimiser expects beside
/// `to_flat` of a value of the same shape. An `f32` is rounded when it is set. Integers, strings and the like are not
/// in the list; of `Option`s and enums, what they hold, and no list changes a length or a variant.
///
/// `#[derive(Differentiable)]` implements it for the type and its tangent.
///
/// ```
/// use ad_runtime::{Differentiable, Flat};
///
/// let mut value = (vec![1.0, 2.0], Some([3.0_f32]), "text");
/// assert_eq!(value.to_flat(), [1.0, 2.0, 3.0]);
/// assert_eq!(value.names_flat(), ["0[0]", "0[1]", "1[0]"]);
/// assert_eq!(value.zero_tangent().names_flat(), value.names_flat());
///
/// value.set_flat(&[4.0, 5.0, 6.0]);
/// assert_eq!(value, (vec![4.0, 5.0], Some([6.0]), "text"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no flat view",
    label = "the numbers of this type cannot be listed",
    note = "derive `Differentiable` for it or implement `Flat`, or leave the flat view of the type that has it as a \
            field out: `#[differentiable(flat = false)]`"
)]
pub trait Flat {
    /// How many numbers there are.
    fn len_flat(&self) -> usize;

    /// Writes the numbers to the front of `out`, and returns what is behind them.
    ///
    /// # Panics
    ///
    /// If `out` is too short.
    fn write_front<'a>(&self, out: &'a mut [f64]) -> &'a mut [f64];

    /// Takes the numbers from the front of `numbers`, and returns what is behind them.
    ///
    /// # Panics
    ///
    /// If there are too few.
    fn read_front<'a>(&mut self, numbers: &'a [f64]) -> &'a [f64];

    /// Names the numbers in their order: a call for each part.
    fn name_parts(&self, names: &mut FlatNames);

    /// The numbers.
    #[must_use]
    fn to_flat(&self) -> Vec<f64> {
        let mut numbers = vec![0.0; self.len_flat()];
        self.write_front(&mut numbers);
        numbers
    }

    /// Writes the numbers to `out`.
    ///
    /// # Panics
    ///
    /// If `out` has another length.
    fn write_flat(&self, out: &mut [f64]) {
        check_len(self.len_flat(), out.len());
        self.write_front(out);
    }

    /// Replaces the numbers.
    ///
    /// # Panics
    ///
    /// If there are more or fewer than the value has. The value is then as it was.
    fn set_flat(&mut self, numbers: &[f64]) {
        check_len(self.len_flat(), numbers.len());
        self.read_front(numbers);
    }

    /// What each number is called, as one would write it behind the value: `bodies[2].velocity.x`. `Option`, `Box` and
    /// variants leave no trace; a number alone has the empty name.
    #[must_use]
    fn names_flat(&self) -> Vec<String> {
        let mut names = FlatNames::default();
        self.name_parts(&mut names);
        names.names
    }
}

#[track_caller]
fn check_len(value: usize, list: usize) {
    assert!(
        value == list,
        "retrograde: a value with {value} numbers has a flat view of length {value}, not {list}"
    );
}

/// The names of numbers, from [`Flat::name_parts`].
///
/// ```
/// use ad_runtime::{Flat, FlatNames};
///
/// struct Point {
///     x: f64,
///     tail: Vec<f64>,
/// }
///
/// impl Flat for Point {
///     fn len_flat(&self) -> usize {
///         self.x.len_flat() + self.tail.len_flat()
///     }
///
///     fn write_front<'a>(&self, out: &'a mut [f64]) -> &'a mut [f64] {
///         self.tail.write_front(self.x.write_front(out))
///     }
///
///     fn read_front<'a>(&mut self, numbers: &'a [f64]) -> &'a [f64] {
///         let rest = self.x.read_front(numbers);
///         self.tail.read_front(rest)
///     }
///
///     fn name_parts(&self, names: &mut FlatNames) {
///         names.field("x", &self.x);
///         names.field("tail", &self.tail);
///     }
/// }
///
/// let points = [Point { x: 1.0, tail: vec![2.0] }];
/// assert_eq!(points.names_flat(), ["[0].x", "[0].tail[0]"]);
/// ```
#[derive(Debug, Default)]
pub struct FlatNames {
    /// The way to the part that is being named.
    path: String,
    names: Vec<String>,
}

impl FlatNames {
    /// The part is a field.
    pub fn field<T: Flat + ?Sized>(&mut self, name: &str, part: &T) {
        self.within(name, |names| part.name_parts(names));
    }

    /// As [`field`](Self::field), for the derive.
    #[doc(hidden)]
    pub fn within(&mut self, name: &str, name_parts: impl FnOnce(&mut Self)) {
        let end = self.path.len();
        if end > 0 {
            self.path.push('.');
        }
        self.path.push_str(name);
        name_parts(self);
        self.path.truncate(end);
    }

    /// The part is an element.
    pub fn element<T: Flat + ?Sized>(&mut self, index: usize, part: &T) {
        let end = self.path.len();
        write!(self.path, "[{index}]").expect("a `String` takes all that is written");
        part.name_parts(self);
        self.path.truncate(end);
    }

    /// The part is a number.
    pub fn number(&mut self) {
        self.names.push(self.path.clone());
    }
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl Flat for $float {
            #[inline(always)]
            fn len_flat(&self) -> usize {
                1
            }

            #[inline(always)]
            fn write_front<'a>(&self, out: &'a mut [f64]) -> &'a mut [f64] {
                let (first, rest) = out.split_first_mut().expect("room for every number");
                *first = f64::from(*self);
                rest
            }

            #[inline(always)]
            fn read_front<'a>(&mut self, numbers: &'a [f64]) -> &'a [f64] {
                let (first, rest) = numbers.split_first().expect("a number for every place");
                *self = *first as $float;
                rest
            }

            fn name_parts(&self, names: &mut FlatNames) {
                names.number();
            }
        }
    )*};
}

floats! { f32 f64 }

macro_rules! nothing {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> Flat for $ty {
            #[inline(always)]
            fn len_flat(&self) -> usize {
                0
            }

            #[inline(always)]
            fn write_front<'a>(&self, out: &'a mut [f64]) -> &'a mut [f64] {
                out
            }

            #[inline(always)]
            fn read_front<'a>(&mut self, numbers: &'a [f64]) -> &'a [f64] {
                numbers
            }

            fn name_parts(&self, _: &mut FlatNames) {}
        }
    )*};
}

nothing! {
    [] (); [] bool; [] char; [] str; [] String;
    [] u8; [] u16; [] u32; [] u64; [] u128; [] usize;
    [] i8; [] i16; [] i32; [] i64; [] i128; [] isize;
    [T: ?Sized] PhantomData<T>; [] Ordering; [] Duration;
    [R] fn() -> R; [A, R] fn(A) -> R; [A, B, R] fn(A, B) -> R; [A, B, C, R] fn(A, B, C) -> R;
    [A, B, C, D, R] fn(A, B, C, D) -> R; [A, B, C, D, E, R] fn(A, B, C, D, E) -> R;
    [A, B, C, D, E, F, R] fn(A, B, C, D, E, F) -> R;
}

/// The numbers of what it points to, which cannot be set to others.
macro_rules! shared {
    ($([$($generics:tt)*] $pointer:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Flat for $pointer {
            #[inline]
            fn len_flat(&self) -> usize {
                (**self).len_flat()
            }

            #[inline]
            fn write_front<'a>(&self, out: &'a mut [f64]) -> &'a mut [f64] {
                (**self).write_front(out)
            }

            fn read_front<'a>(&mut self, numbers: &'a [f64]) -> &'a [f64] {
                let (front, rest) = numbers.split_at(self.len_flat());
                assert!(
                    are_same(&**self, front),
                    "retrograde: a value holds a shared reference, and `set_flat` cannot write what it refers to; own \
                     what is set"
                );
                rest
            }

            fn name_parts(&self, names: &mut FlatNames) {
                (**self).name_parts(names);
            }
        }
    )*};
}

shared! {
    [T: Flat + ?Sized] &T;
    [T: Flat] Rc<T>; [T: Flat] Rc<[T]>;
    [T: Flat] Arc<T>; [T: Flat] Arc<[T]>;
}

/// What yields its elements one by one.
macro_rules! elements {
    ($($list:ty;)*) => {$(
        impl<T: Flat> Flat for $list {
            #[inline]
            fn len_flat(&self) -> usize {
                self.iter().map(T::len_flat).sum()
            }

            #[inline]
            fn write_front<'a>(&self, out: &'a mut [f64]) -> &'a mut [f64] {
                self.iter().fold(out, |out, part| part.write_front(out))
            }

            #[inline]
            fn read_front<'a>(&mut self, numbers: &'a [f64]) -> &'a [f64] {
                let parts = self.iter_mut();
                parts.fold(numbers, |numbers, part| part.read_front(numbers))
            }

            fn name_parts(&self, names: &mut FlatNames) {
                for (index, part) in self.iter().enumerate() {
                    names.element(index, part);
                }
            }
        }
    )*};
}

elements! {
    [T];
    VecDeque<T>;
}

/// Values whose numbers are those of another that they deref to.
macro_rules! through {
    ($([$($generics:tt)*] $ty:ty => $inner:ty;)*) => {$(
        impl<$($generics)*> Flat for $ty {
            #[inline]
            fn len_flat(&self) -> usize {
                <$inner>::len_flat(self)
            }

            #[inline]
            fn write_front<'a>(&self, out: &'a mut [f64]) -> &'a mut [f64] {
                <$inner>::write_front(self, out)
            }

            #[inline]
            fn read_front<'a>(&mut self, numbers: &'a [f64]) -> &'a [f64] {
                <$inner>::read_front(self, numbers)
            }

            fn name_parts(&self, names: &mut FlatNames) {
                <$inner>::name_parts(self, names);
            }
        }
    )*};
}

through! {
    [T: Flat, const N: usize] [T; N] => [T];
    [T: Flat] Vec<T> => [T];
    [T: Flat + ?Sized] Box<T> => T;
}

impl<T: Flat> Flat for Option<T> {
    fn len_flat(&self) -> usize {
        self.as_ref().map_or(0, T::len_flat)
    }

    fn write_front<'a>(&self, out: &'a mut [f64]) -> &'a mut [f64] {
        match self {
            Some(part) => part.write_front(out),
            None => out,
        }
    }

    fn read_front<'a>(&mut self, numbers: &'a [f64]) -> &'a [f64] {
        match self {
            Some(part) => part.read_front(numbers),
            None => numbers,
        }
    }

    fn name_parts(&self, names: &mut FlatNames) {
        if let Some(part) = self {
            part.name_parts(names);
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt)+))*) => {$(
        impl<$($name: Flat),+> Flat for ($($name,)+) {
            #[inline]
            fn len_flat(&self) -> usize {
                0 $(+ self.$at.len_flat())+
            }

            #[inline]
            fn write_front<'a>(&self, out: &'a mut [f64]) -> &'a mut [f64] {
                $(let out = self.$at.write_front(out);)+
                out
            }

            #[inline]
            fn read_front<'a>(&mut self, numbers: &'a [f64]) -> &'a [f64] {
                $(let numbers = self.$at.read_front(numbers);)+
                numbers
            }

            fn name_parts(&self, names: &mut FlatNames) {
                $(names.field(stringify!($at), &self.$at);)+
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

/// Whether a value has these numbers, bit for bit.
fn are_same<T: Flat + ?Sized>(value: &T, numbers: &[f64]) -> bool {
    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
    value.to_flat().iter().zip(numbers).all(same)
}

/// What the field `field` borrows, which is not written to: the numbers must be those that are there.
///
/// # Panics
///
/// If one has other bits.
pub fn unchanged<'a, T: Flat + ?Sized>(field: &str, value: &T, numbers: &'a [f64]) -> &'a [f64] {
    let (front, rest) = numbers.split_at(value.len_flat());
    assert!(
        are_same(value, front),
        "retrograde: the field `{field}` is a shared reference, and `set_flat` cannot write what it refers to; own it, \
         or mark the field `#[constant]`"
    );
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::differentiable::Differentiable;

    #[test]
    fn numbers_have_the_order_of_the_value() {
        let mut value = (
            vec![[1.0_f32, 2.0]; 2],
            (None::<f64>, Some(Box::new(3.0))),
            7_u8,
            [((), 4.0)],
        );
        assert_eq!(value.len_flat(), 6);
        assert_eq!(value.to_flat(), [1.0, 2.0, 1.0, 2.0, 3.0, 4.0]);
        let names = ["0[0][0]", "0[0][1]", "0[1][0]", "0[1][1]", "1.1", "3[0].1"];
        assert_eq!(value.names_flat(), names);
        assert_eq!(value.zero_tangent().names_flat(), names);
        value.set_flat(&[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
        assert_eq!(value.0, [[0.1_f32, 0.2], [0.3, 0.4]]);
        assert_eq!((value.1.1.as_deref(), value.3[0].1), (Some(&0.5), 0.6));
        let mut out = [f64::NAN; 6];
        value.write_flat(&mut out);
        assert_eq!(out[..2], [f64::from(0.1_f32), f64::from(0.2_f32)]);
    }

    #[test]
    fn a_number_alone_has_no_name() {
        assert_eq!(1.0.names_flat(), [""]);
        assert!(3_u8.names_flat().is_empty());
    }

    #[test]
    #[should_panic(expected = "a value with 2 numbers has a flat view of length 2, not 3")]
    fn both_lengths_are_named() {
        vec![1.0, 2.0].set_flat(&[1.0; 3]);
    }

    #[test]
    fn what_is_borrowed_may_be_set_to_what_it_is() {
        let rest = unchanged("x", &[f64::NAN, -0.0][..], &[f64::NAN, -0.0, 3.0]);
        assert_eq!(rest, [3.0]);
    }

    #[test]
    #[should_panic(expected = "the field `x` is a shared reference, and `set_flat` cannot write")]
    fn what_is_borrowed_is_not_set() {
        let _ = unchanged("x", &[0.0][..], &[-0.0]);
    }
}
