//! Ranges between two numbers, as the parameter of a curve has them. The tangent is a range, too: of both ends.

use std::ops::Range;

use crate::differentiable::Differentiable;
use crate::fixed_shape::FixedShape;
use crate::flat::{Flat, FlatNames};
use crate::shape::ShapeError;
use crate::tangent::Tangent;

impl<T: Differentiable> Differentiable for Range<T> {
    type Tangent = Range<T::Tangent>;

    #[inline(always)]
    fn zero_tangent(&self) -> Self::Tangent {
        self.start.zero_tangent()..self.end.zero_tangent()
    }

    #[inline(always)]
    fn step(&mut self, scale: f64, tangent: &Self::Tangent) {
        self.start.step(scale, &tangent.start);
        self.end.step(scale, &tangent.end);
    }

    #[inline(always)]
    fn check_shape(&self, tangent: &Self::Tangent) -> Result<(), ShapeError> {
        let start = self.start.check_shape(&tangent.start);
        start.map_err(|error| error.within(".start"))?;
        let end = self.end.check_shape(&tangent.end);
        end.map_err(|error| error.within(".end"))
    }
}

impl<T: Tangent> Tangent for Range<T> {
    #[inline(always)]
    fn accumulate(&mut self, other: &Self) {
        self.start.accumulate(&other.start);
        self.end.accumulate(&other.end);
    }

    #[inline(always)]
    fn scale(&mut self, factor: f64) {
        self.start.scale(factor);
        self.end.scale(factor);
    }

    #[inline(always)]
    fn set_zero(&mut self) {
        self.start.set_zero();
        self.end.set_zero();
    }

    #[inline(always)]
    fn dot(&self, other: &Self) -> f64 {
        self.start.dot(&other.start) + self.end.dot(&other.end)
    }
}

impl<T: FixedShape> FixedShape for Range<T> {
    #[inline(always)]
    fn zero() -> Self {
        T::zero()..T::zero()
    }
}

impl<T: Flat> Flat for Range<T> {
    fn len_flat(&self) -> usize {
        self.start.len_flat() + self.end.len_flat()
    }

    fn write_front<'a>(&self, out: &'a mut [f64]) -> &'a mut [f64] {
        let out = self.start.write_front(out);
        self.end.write_front(out)
    }

    fn read_front<'a>(&mut self, numbers: &'a [f64]) -> &'a [f64] {
        let numbers = self.start.read_front(numbers);
        self.end.read_front(numbers)
    }

    fn name_parts(&self, names: &mut FlatNames) {
        names.field("start", &self.start);
        names.field("end", &self.end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::duplicate::Duplicate;

    #[test]
    fn both_ends_move() {
        let mut range = 1.0..3.0;
        let zero = range.zero_tangent();
        assert_eq!((zero.start, zero.end), (0.0, 0.0));
        let mut tangent = 1.0..-2.0;
        assert!(range.check_shape(&tangent).is_ok());
        tangent.accumulate(&(0.5..0.5));
        tangent.scale(2.0);
        assert_eq!((tangent.start, tangent.end), (3.0, -3.0));
        assert_eq!(tangent.dot(&(1.0..2.0)), -3.0);
        range.step(0.5, &tangent);
        assert_eq!((range.start, range.end), (2.5, 1.5));
        assert_eq!(range.to_flat(), [2.5, 1.5]);
        assert_eq!(range.names_flat(), ["start", "end"]);
        range.set_flat(&[4.0, 5.0]);
        assert!(range.duplicate().is_duplicate(&range));
        tangent.set_zero();
        let same: Range<f64> = FixedShape::zero();
        assert!(tangent.is_duplicate(&same));
        assert!(
            (vec![1.0]..vec![2.0])
                .check_shape(&(vec![0.0]..vec![]))
                .is_err()
        );
    }
}
