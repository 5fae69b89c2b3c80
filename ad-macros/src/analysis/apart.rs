//! Whether different iterations of a loop stay out of each other's elements.
//!
//! Two indices, one of an iteration with counter `c`, one of an iteration with counter `d`, are `s·c + u` and `s·d + v` with a common slope
//! `s` in which nothing changes from iteration to iteration. As integers, they are never equal if
//!
//! - `u - v` is a number that is zero or no multiple of the number `s`; or
//! - `u` and `v` are the same up to parts that stay below `s`, like the lower digits of a number: `x` in `n·y + x` for `x` in `0..n`.
//!
//! Indices are words, though, which wrap around: the distance of the two, `s·(c - d) + (u - v)`, must not be a multiple of the size of a word
//! either. It is none if `u` is `v` and `s` is odd, as such a number has an inverse modulo the size of a word; and it is none if it is less than that, which
//! is proven from what runs. A word has 64 bits, and no run of a function makes 2^48 iterations
//! in all, days of them (see `docs/guarantees.md`). So
//!
//! - the distance of two counters of one loop is less than 2^48 times its step; and
//! - if the loops over the digits run in each iteration, as often in each, then `s`, which is the product of their trip counts, times the trip
//!   count of the loop around them is a number of iterations. Where they begin with the counter of the loop around them (`x` in `y..n`), it is at most
//!   some times that number, as the half of a square.
//!
//! Otherwise nothing is said: being wrong would let iterations run in an order that changes a gradient.

use super::affine::{Around, Definitions, Nested, Poly};
use crate::ir::{Expr, RangeIter, VarId};

/// Times a number of iterations, a smaller number does not come round.
const SMALL: i128 = 1 << 15;

/// So much of that is taken by loops that do not begin at zero: three times as many iterations for each of so many digits that begin at this number or before, and
/// as often as there are digits and one.
const MOST_DIGITS: usize = 4;
const LOWEST: i128 = 2;
const SLACK: i128 = 1 << 9;

/// The loop whose iterations are compared.
#[derive(Clone, Copy)]
pub(crate) struct Across<'a> {
    pub(crate) counter: VarId,
    pub(crate) range: &'a RangeIter,
}

impl Across<'_> {
    /// How far the counter goes at a time, if the text shows it.
    fn step(&self) -> Option<i128> {
        match &self.range.step {
            None => Some(1),
            Some(step) => step.int_literal().map(i128::from),
        }
    }
}

impl Definitions<'_> {
    /// Whether `a` in one iteration of the loop and `b` in another are never equal. The block of these definitions is the body of the
    /// loop, or holds the loop. `fixed`: what holds one value for all iterations.
    pub(crate) fn apart(
        &self,
        a: &Poly,
        b: &Poly,
        across: Across<'_>,
        fixed: &dyn Fn(VarId) -> bool,
    ) -> bool {
        let counter = across.counter;
        let (Some((slope, u)), Some((other, v))) = (a.linear_in(counter), b.linear_in(counter))
        else {
            return false;
        };
        if slope != other || !slope.vars().all(fixed) {
            return false;
        }
        if u == v && slope.constant().is_some_and(|s| s % 2 != 0) && u.vars().all(fixed) {
            return true;
        }
        let Some(step) = across.step().filter(|step| *step < SMALL) else {
            return false;
        };
        let small = |n: i128| n.checked_mul(step).is_some_and(|n| n.abs() < SMALL);
        if u.vars().chain(v.vars()).all(fixed) {
            return match (slope.constant(), u.minus(&v).constant()) {
                (Some(s), Some(d)) => {
                    s != 0 && small(s) && d.abs() < SMALL && (d == 0 || d % s != 0)
                }
                _ => false,
            };
        }
        let ((u, low_u), (v, low_v)) = (u.split(fixed), v.split(fixed));
        let within = |digits: &Poly| {
            self.below(digits, &slope, fixed)
                && (slope.constant().is_some_and(small) || self.run_in_each(digits, across, fixed))
        };
        u == v && within(&low_u) && within(&low_v)
    }

    /// Whether the sum of digits is in `0..limit`, as integers, where at least one iteration of the loops around it runs.
    fn below(&self, digits: &Poly, limit: &Poly, fixed: &dyn Fn(VarId) -> bool) -> bool {
        if let Some(number) = digits.constant() {
            return number == 0 || limit.constant().is_some_and(|m| (0..m).contains(&number));
        }
        changing(digits, fixed).into_iter().any(|digit| {
            let (Some((unit, rest)), Some(end)) = (digits.linear_in(digit), self.end(digit)) else {
                return false;
            };
            let most = unit.times(&end);
            let within = most == *limit
                || matches!((most.constant(), limit.constant()), (Some(a), Some(b)) if 0 <= a && a <= b);
            // A unit of nothing would make all digits equal.
            let positive = unit.constant().is_some_and(|n| 0 < n && n < SMALL)
                || unit.constant().is_none() && rest.constant().is_none();
            within && unit.vars().all(fixed) && positive && self.below(&rest, &unit, fixed)
        })
    }

    /// The polynomial that the counter of a loop stays below.
    fn end(&self, counter: VarId) -> Option<Poly> {
        let range = self.loop_over(counter)?.range;
        let end = self.poly(&range.hi)?;
        Some(if range.inclusive {
            end.plus(&Poly::number(1), 1)
        } else {
            end
        })
    }

    /// Whether each iteration of the loop runs the loops over all digits, from zero on and as often as any other, or nearly so: then the product of
    /// the trip counts of all these loops is a number of iterations, and no product of some of them wraps around.
    fn run_in_each(
        &self,
        digits: &Poly,
        across: Across<'_>,
        fixed: &dyn Fn(VarId) -> bool,
    ) -> bool {
        let run = |digit: &VarId| {
            let unit = digits
                .linear_in(*digit)
                .and_then(|(unit, _)| unit.constant());
            let Some(Nested { range, around }) = self.loop_over(*digit) else {
                return false;
            };
            let at = around
                .iter()
                .position(|a| *a == Around::Loop(across.counter));
            let inside = at.map_or(around.as_slice(), |at| &around[at + 1..]);
            range.step.is_none()
                && unit.is_none_or(|unit| unit < SMALL / SLACK)
                && self.begins_low(range, across)
                && inside.iter().all(|around| match around {
                    Around::Loop(counter) => self.runs_alike(*counter, across, fixed),
                    Around::Other => false,
                })
        };
        let all = changing(digits, fixed);
        all.len() <= MOST_DIGITS && all.iter().all(run)
    }

    /// Whether a loop begins near zero, or so near the counter of the loop around it, which begins near zero.
    fn begins_low(&self, range: &RangeIter, across: Across<'_>) -> bool {
        let Some(lo) = self.poly(&range.lo) else {
            return false;
        };
        let around = || self.poly(&across.range.lo)?.constant();
        let lowest = match lo.linear_in(across.counter) {
            Some((slope, rest)) if slope.constant() == Some(1) => rest
                .constant()
                .zip(around())
                .filter(|(a, b)| *a >= 0 && *b >= 0)
                .map(|(a, b)| a + b),
            _ => lo.constant(),
        };
        lowest.is_some_and(|lowest| (0..=LOWEST).contains(&lowest))
    }

    /// Whether a loop runs in one stretch of the iterations around it, and not at all in the others: its ends are linear in the counter.
    fn runs_alike(
        &self,
        counter: VarId,
        across: Across<'_>,
        fixed: &dyn Fn(VarId) -> bool,
    ) -> bool {
        let linear = |e: &Expr| {
            let ends = self.poly(e).and_then(|poly| poly.linear_in(across.counter));
            ends.is_some_and(|(slope, rest)| {
                slope.constant().is_some_and(|s| s.abs() < SMALL) && rest.vars().all(fixed)
            })
        };
        let nested = self.loop_over(counter);
        nested.is_some_and(|nested| linear(&nested.range.lo) && linear(&nested.range.hi))
    }
}

/// The variables of a polynomial that do not hold one value for all iterations.
fn changing(poly: &Poly, fixed: &dyn Fn(VarId) -> bool) -> Vec<VarId> {
    let mut vars: Vec<VarId> = poly.vars().filter(|v| !fixed(*v)).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}
