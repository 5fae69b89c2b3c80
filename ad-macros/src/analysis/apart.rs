//! Whether different iterations of a loop stay out of each other's elements.
//!
//! Two indices, one of an iteration with counter `c`, one of an iteration with counter `d`, are `s·c + u` and `s·d + v` with a common slope
//! `s` in which nothing changes from iteration to iteration. They are never equal if
//!
//! - `u - v` is a number that is zero or no multiple of the number `s`; or
//! - `u` and `v` are the same up to parts that stay below `s`, like the lower digits of a number: `x` in `n·y + x` for `x` in `0..n`.
//!
//! Being wrong would let iterations run in an order that changes a gradient, so both are taken only where they are seen to hold; like all forms of
//! indices, as long as nothing overflows.

use super::affine::{Definitions, Poly};
use crate::ir::VarId;

/// Beyond that, products could come round.
const LARGEST: i128 = 1 << 16;

impl Definitions<'_> {
    /// Whether `a` in one iteration of the loop over `counter` and `b` in another are never equal. `fixed`: what holds one value for
    /// all iterations.
    pub(crate) fn apart(
        &self,
        a: &Poly,
        b: &Poly,
        counter: VarId,
        fixed: &dyn Fn(VarId) -> bool,
    ) -> bool {
        let (Some((slope, u)), Some((other, v))) = (a.linear_in(counter), b.linear_in(counter))
        else {
            return false;
        };
        if slope != other || !slope.vars().all(fixed) {
            return false;
        }
        if u.vars().chain(v.vars()).all(fixed) {
            return match (slope.constant(), u.minus(&v).constant()) {
                (Some(s), Some(d)) => {
                    let small = s.abs() < LARGEST && d.abs() < LARGEST;
                    s != 0 && small && (d == 0 || d % s != 0)
                }
                _ => false,
            };
        }
        let ((u, low_u), (v, low_v)) = (u.split(fixed), v.split(fixed));
        u == v && self.below(&low_u, &slope, fixed) && self.below(&low_v, &slope, fixed)
    }

    /// Whether the sum of digits is in `0..limit`, where at least one iteration of the loops around it runs.
    fn below(&self, digits: &Poly, limit: &Poly, fixed: &dyn Fn(VarId) -> bool) -> bool {
        if let Some(number) = digits.constant() {
            return number == 0 || limit.constant().is_some_and(|m| (0..m).contains(&number));
        }
        let mut tried: Vec<VarId> = digits.vars().filter(|v| !fixed(*v)).collect();
        tried.sort_unstable();
        tried.dedup();
        tried.into_iter().any(|digit| {
            let (Some((unit, rest)), Some(end)) = (digits.linear_in(digit), self.end(digit)) else {
                return false;
            };
            let most = unit.times(&end);
            let within = most == *limit
                || matches!((most.constant(), limit.constant()), (Some(a), Some(b)) if 0 <= a && a <= b);
            // A unit of nothing would make all digits equal.
            let positive = unit.constant().is_some_and(|n| n > 0) || rest.constant().is_none();
            within && unit.vars().all(fixed) && positive && self.below(&rest, &unit, fixed)
        })
    }
}
