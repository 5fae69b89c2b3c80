//! Which elements a place means, seen over all iterations of two loops, one in the other.

use super::{CANCELS, DIVIDED, Iterations};
use crate::analysis::affine::Poly;
use crate::ir::{Expr, Place, Proj, VarId};

/// The elements that a place means in two loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reach2 {
    /// The projection that is the index.
    pub(crate) at: usize,
    pub(crate) index: Steady,
    /// Which array of a list has the elements, if that changes with the counters: what is in front of `at`.
    pub(crate) row: Option<Row>,
}

/// Which array of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) at: usize,
    pub(crate) index: Steady,
}

/// An index that goes up steadily with each of two counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Steady {
    pub(crate) poly: Poly,
    /// By how much it goes up with the counter of the outer loop.
    pub(crate) outer: Slope,
    /// By how much with that of the inner loop.
    pub(crate) inner: Slope,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slope {
    Zero,
    One,
    /// Something else that is fixed.
    Fixed,
}

const ARRAY_IN_ARRAY: &str = "it is an array in an array";

impl Iterations<'_> {
    /// The elements that a place of a loop inside means: of an array from outside, or of one of a list of arrays, by
    /// indices that are linear in both counters.
    pub(crate) fn reach2(&self, place: &Place, inner: VarId) -> Result<Reach2, &'static str> {
        if self.divided.contains(&place.root) {
            return Err(DIVIDED);
        }
        let at = self.index_of(place).ok_or("it is no element")?;
        if self.owns(place.root) {
            return Err("it is an array of the iteration's own");
        }
        let index = self.steady(place, at, inner)?;
        if self.leads_to_one(place, at) {
            return Ok(Reach2 {
                at,
                index,
                row: None,
            });
        }
        let is_index = |proj: &Proj| matches!(proj, Proj::Index(_));
        let row = place.proj[..at].iter().rposition(is_index);
        let row = row.ok_or(ARRAY_IN_ARRAY)?;
        let between = &place.proj[row + 1..at];
        let is_list = between.iter().all(|proj| matches!(proj, Proj::Deref));
        if !is_list || !self.leads_to_one(place, row) {
            return Err(ARRAY_IN_ARRAY);
        }
        let row = Row {
            at: row,
            index: self.steady(place, row, inner)?,
        };
        Ok(Reach2 {
            at,
            index,
            row: Some(row),
        })
    }

    /// The last index of a place: numbers behind it that are sure to be indices of arrays are parts of the element.
    fn index_of(&self, place: &Place) -> Option<usize> {
        let mut first = None;
        for (at, proj) in place.proj.iter().enumerate().rev() {
            match proj {
                Proj::Index(e) => {
                    first = Some(at);
                    if !self.is_in_array(place, at, e) {
                        break;
                    }
                }
                Proj::Deref | Proj::Field(_) => {}
                Proj::Range { .. } | Proj::Payload | Proj::Variant(_) | Proj::Unbox => break,
            }
        }
        first
    }

    /// An index of an array.
    fn steady(&self, place: &Place, at: usize, inner: VarId) -> Result<Steady, &'static str> {
        const NOT_LINEAR: &str = "its index is not linear in the counters";
        let Some(Proj::Index(index)) = place.proj.get(at) else {
            return Err("it is no element");
        };
        self.check_array(&Place {
            proj: place.proj[..at].into(),
            ..place.clone()
        })?;
        let poly = self
            .linear(index, &[self.counter, inner])
            .ok_or(NOT_LINEAR)?;
        let (inner_slope, rest) = poly.linear_in(inner).ok_or(NOT_LINEAR)?;
        let (outer_slope, rest) = rest.linear_in(self.counter).ok_or(NOT_LINEAR)?;
        let mut parts = [&inner_slope, &outer_slope, &rest].into_iter();
        if !parts.all(|part| self.own.is_invariant_poly(part)) {
            return Err("its index depends on what an iteration reads or computes");
        }
        let slope = |slope: &Poly, counter| self.slope(index, slope, counter);
        Ok(Steady {
            outer: slope(&outer_slope, self.counter)?,
            inner: slope(&inner_slope, inner)?,
            poly,
        })
    }

    fn slope(&self, index: &Expr, slope: &Poly, counter: VarId) -> Result<Slope, &'static str> {
        match slope.constant() {
            Some(0) if self.mentions(index, counter) => Err(CANCELS),
            Some(0) => Ok(Slope::Zero),
            Some(1) => Ok(Slope::One),
            _ => Ok(Slope::Fixed),
        }
    }
}
