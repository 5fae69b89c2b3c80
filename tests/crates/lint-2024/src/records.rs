//! `#[derive(Record)]` in all its forms.

use std::marker::PhantomData;

use ad::Record;

/// A struct with names.
#[derive(Clone, Copy, Debug, Record)]
#[record(crate = ::ad)]
pub struct Step {
    /// A number.
    pub x: f64,
    /// Another one.
    #[deprecated(note = "for the test")]
    pub y: f32,
}

/// A tuple struct.
#[derive(Clone, Copy, Debug, Record)]
#[record(crate = ::ad)]
pub struct Pair(pub Step, pub [u8; 2]);

/// Nothing.
#[derive(Clone, Copy, Debug, Record)]
#[record(crate = ::ad)]
pub struct Nothing;

/// Of all kinds of parameters.
#[derive(Clone, Debug, Record)]
#[record(crate = ::ad)]
pub struct Generic<'a, T, U, const N: usize = 2>
where
    T: Clone,
{
    values: [T; N],
    other: Vec<Self>,
    marker: PhantomData<&'a U>,
}

impl<T: Clone, U, const N: usize> Generic<'_, T, U, N> {
    /// Without others.
    pub const fn new(values: [T; N]) -> Self {
        Self {
            values,
            other: Vec::new(),
            marker: PhantomData,
        }
    }

    /// What it was made of.
    pub const fn values(&self) -> &[T; N] {
        &self.values
    }

    /// How many others there are.
    pub const fn others(&self) -> usize {
        self.other.len()
    }
}

/// A choice.
#[derive(Clone, Debug, Record)]
#[record(crate = ::ad)]
pub enum Choice {
    /// Without data.
    Nothing,
    /// With a value.
    Tuple(f64, Hidden),
    /// With names.
    #[deprecated(note = "for the test")]
    Named {
        /// A list.
        list: Vec<f64>,
    },
}

/// Its field is private, and so is the type of the field.
#[derive(Clone, Copy, Debug, Record)]
#[record(crate = ::ad)]
pub struct Hidden(Private);

#[derive(Clone, Copy, Debug, Record)]
#[record(crate = ::ad)]
struct Private(u8);

#[derive(Debug, Record)]
#[record(crate = ::ad)]
#[allow(dead_code)]
enum Never {}

impl Hidden {
    /// A value.
    #[must_use]
    pub const fn new(number: u8) -> Self {
        Self(Private(number))
    }

    /// The value.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0.0
    }
}

#[cfg(test)]
mod tests {
    use ad::{Site, Tape};

    use super::{Choice, Generic, Hidden};

    #[test]
    fn records_come_back() {
        let mut tape = Tape::new();
        tape.push(Site::new(), Choice::Tuple(1.5, Hidden::new(3)));
        tape.push(Site::new(), Generic::<f64, u8>::new([1.0, 2.0]));
        let generic = tape.pop(Site::<Generic<'_, f64, u8>>::new());
        assert_eq!((generic.values(), generic.others()), (&[1.0, 2.0], 0));
        match tape.pop(Site::<Choice>::new()) {
            Choice::Tuple(x, hidden) => {
                assert_eq!((x.to_bits(), hidden.number()), (1.5_f64.to_bits(), 3));
            }
            other => panic!("{other:?}"),
        }
        assert!(tape.is_empty());
    }
}
