//! Gradients that the reverse sweep begins with an assignment: the first contribution to an element is written, not
//! added, and elements that get none are set to zero.
//!
//! `MODE` says what the sweeps run for: [`GRADIENT`] finds anything in the gradient and assigns; [`JOINT`] adds to what
//! the caller has there, which is often zero; [`REVERSE`] and [`FORWARD`] add.

use std::ops::AddAssign;

use crate::float::Float;
use crate::tangent::Tangent;

/// The forward sweep alone: pushes the record of the function.
pub const FORWARD: u8 = 0;
/// The reverse sweep alone: pops it.
pub const REVERSE: u8 = 1;
/// Both, the record staying in locals.
pub const JOINT: u8 = 2;
/// As `JOINT`, for gradients that hold anything: those that the reverse sweep begins are not cleared before.
pub const GRADIENT: u8 = 3;

/// The first contribution to an element of a gradient that the reverse sweep begins. Where it is added for the caller
/// instead, an element that is zero takes it as it is, so that adding to zeros gives the bits of the gradient, the sign
/// of a zero included.
#[inline(always)]
pub fn begin<const MODE: u8, F>(value: F, element: &mut F)
where
    F: Float + Default + PartialEq + AddAssign,
{
    if MODE == GRADIENT || MODE == JOINT && *element == F::default() {
        *element = value;
    } else {
        *element += value;
    }
}

/// The first contribution to all elements.
///
/// # Panics
///
/// If the lengths differ.
#[inline]
pub fn begin_all<const MODE: u8, F>(gradient: &mut [F], values: &[F])
where
    F: Float + Tangent + Default + PartialEq + AddAssign,
{
    if (MODE == GRADIENT || MODE == JOINT) && gradient.len() == values.len() {
        for (element, value) in gradient.iter_mut().zip(values) {
            begin::<MODE, F>(*value, element);
        }
    } else {
        gradient.accumulate(values);
    }
}

/// Sets to zero what a nest of loops leaves out that is about to begin one element from `start` on in each of its
/// iterations; all, if there are none or if it would not end well.
#[inline]
pub fn clear_around<const MODE: u8, F: Float + Default>(
    gradient: &mut [F],
    start: usize,
    trips: &[usize],
) {
    if MODE != GRADIENT {
        return;
    }
    // A product that overflows may have a factor of zero; then there are no iterations either.
    let product = |count: usize, trips: &usize| count.checked_mul(*trips);
    let count = trips.iter().try_fold(1, product).unwrap_or(0);
    let end = start
        .checked_add(count)
        .filter(|end| *end <= gradient.len());
    let begun = match end {
        Some(end) if count > 0 => start..end,
        _ => 0..0,
    };
    let (before, rest) = gradient.split_at_mut(begun.start);
    before.fill(F::default());
    rest[begun.len()..].fill(F::default());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `begin` makes of an element that is there.
    fn begun<const MODE: u8>(there: f64, value: f64) -> f64 {
        let mut element = there;
        begin::<MODE, f64>(value, &mut element);
        element
    }

    #[test]
    fn a_first_contribution_is_assigned_or_added() {
        assert_eq!(begun::<GRADIENT>(f64::NAN, 2.0), 2.0);
        assert_eq!(begun::<JOINT>(3.0, 2.0), 5.0);
        assert_eq!(begun::<REVERSE>(3.0, 2.0), 5.0);
        // 0.0 + -0.0 is 0.0; a gradient that is assigned has -0.0.
        assert!(begun::<JOINT>(0.0, -0.0).is_sign_negative());
        assert!(begun::<REVERSE>(0.0, -0.0).is_sign_positive());
        assert!(begun::<JOINT>(f64::NAN, 2.0).is_nan());
    }

    #[test]
    fn all_first_contributions_are_those_of_the_elements() {
        let (there, values) = ([f64::NAN, 0.0, 3.0], [1.0, -0.0, 2.0]);
        let mut all = there;
        begin_all::<GRADIENT, f64>(&mut all, &values);
        assert_eq!(all.map(f64::to_bits), values.map(f64::to_bits));
        let mut all = there;
        begin_all::<JOINT, f64>(&mut all, &values);
        assert!(all[0].is_nan() && all[1].is_sign_negative() && all[2] == 5.0);
    }

    #[test]
    #[should_panic(expected = "length")]
    fn contributions_of_another_length_are_refused() {
        begin_all::<GRADIENT, f64>(&mut [0.0; 3], &[0.0; 2]);
    }

    /// Each element from `start` on is begun, one in each iteration of the nest; the others are cleared.
    #[test]
    fn what_a_nest_leaves_out_is_cleared() {
        for (start, trips, begun) in [
            (2, [2, 2], 2..6),
            (0, [4, 2], 0..8),
            (8, [0, 3], 0..0),
            (0, [usize::MAX, 0], 0..0),
            (5, [2, 2], 0..0),
            (usize::MAX, [1, 1], 0..0),
            (1, [usize::MAX, 2], 0..0),
        ] {
            let mut gradient = [7.0; 8];
            clear_around::<GRADIENT, f64>(&mut gradient, start, &trips);
            for (k, element) in gradient.into_iter().enumerate() {
                let left = if begun.contains(&k) { 7.0 } else { 0.0 };
                assert_eq!(element, left, "{start} {trips:?} {k}");
            }
            let mut gradient = [7.0; 8];
            clear_around::<JOINT, f64>(&mut gradient, start, &trips);
            assert_eq!(gradient, [7.0; 8]);
        }
    }
}
