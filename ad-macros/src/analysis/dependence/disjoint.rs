//! Whether different iterations of a loop stay out of each other's elements.
//!
//! Two indices, one of an iteration with counter `c`, one of an iteration with counter `d`, are `s·c + u` and `s·d + v`
//! with a common slope `s` in which nothing changes from iteration to iteration. As integers, they are never equal if
//!
//! - `u - v` is a number that is zero or no multiple of the number `s`; or
//! - `u` and `v` are the same up to parts that stay below `s`, like the lower digits of a number: `x` in `n·y + x` for
//!   `x` in `0..n`.
//!
//! Indices are words, though, which wrap around: the distance of the two, `s·(c - d) + (u - v)`, must not be a multiple
//! of the size of a word either. It is none if `u` is `v` and `s` is odd, as such a number has an inverse modulo the
//! size of a word; and it is none if it is less than that, which is proven from what runs. A word has 64 bits, and no
//! run of a function makes 2^48 iterations in all, days of them (see `docs/guarantees.md`). So
//!
//! - the distance of two counters of one loop is less than 2^48 times its step; and
//! - if the loops over the digits of one of the two indices run in each iteration, over the same range each time, then
//!   `s`, which is the product of their trip counts, times the trip count of the loop around them is a number of
//!   iterations. Where they begin with the counter of the loop around them (`x` in `y..n`), they run in the first of
//!   its iterations, and `s` times the number of those is at most some times the number of iterations, as in the half
//!   of a square. Then both indices are met in such a first stretch, or one of them in a loop that runs in each
//!   iteration.
//!
//! A constant below zero is a large word: ends of ranges that are numbers count as integers only from zero on.
//!
//! Otherwise nothing is said: being wrong would let iterations run in an order that changes a gradient.

use crate::analysis::affine::{Around, Definitions, Nested, Poly};
use crate::analysis::invariant::Varying;
use crate::ir::faults::Fault;
use crate::ir::{RangeIter, VarId};

/// Times a number of iterations, a smaller number does not come round.
const SMALL: i128 = 1 << 15;

/// Of that, so much is for loops that do not begin at zero: for each of so many digits that begin at this number or
/// before, three times as many iterations, and all that as often as there are digits and one.
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

    /// The distance of indices with such a slope in iterations that follow one another, if no number of iterations
    /// makes it come round.
    pub(super) fn small_step(&self, slope: i128) -> Option<i128> {
        let distance = slope.checked_mul(self.step()?)?;
        Self::is_small(distance).then_some(distance)
    }

    pub(super) fn is_small(distance: i128) -> bool {
        distance.abs() < SMALL
    }
}

impl Definitions<'_> {
    /// Whether `a` in one iteration of the loop and `b` in another are never equal. The block of these definitions is
    /// the body of the loop, or holds the loop. `varying`: what an iteration has for itself.
    pub(crate) fn apart(&self, a: &Poly, b: &Poly, across: Across<'_>, varying: &Varying) -> bool {
        let counter = across.counter;
        let (Some((slope, u)), Some((other, v))) = (a.linear_in(counter), b.linear_in(counter))
        else {
            return false;
        };
        if slope != other && !Fault::SlopesApart.is_on() || !varying.is_invariant_poly(&slope) {
            return false;
        }
        if u == v && slope.constant().is_some_and(|s| s % 2 != 0) && varying.is_invariant_poly(&u) {
            return true;
        }
        if across.step().is_none_or(|step| step >= SMALL) {
            return false;
        }
        if [&u, &v].iter().all(|p| varying.is_invariant_poly(p)) {
            return match (slope.constant(), u.minus(&v).constant()) {
                (Some(s), Some(d)) => {
                    s != 0
                        && across.small_step(s).is_some()
                        && Across::is_small(d)
                        && (d == 0 || d % s != 0 || Fault::NeighboursApart.is_on())
                }
                _ => false,
            };
        }
        let same = |v| !varying.contains(v);
        let ((u, low_u), (v, low_v)) = (u.split(&same), v.split(&same));
        u == v && self.are_digits([&low_u, &low_v], &slope, across, varying)
    }

    /// Whether both are in `0..slope`, and the slope times a number of iterations is one that does not wrap around.
    pub(super) fn are_digits(
        &self,
        lows: [&Poly; 2],
        slope: &Poly,
        across: Across<'_>,
        varying: &Varying,
    ) -> bool {
        let below =
            |digits: &Poly| self.below(digits, slope, varying) || Fault::DigitsApart.is_on();
        if !lows.iter().all(|low| below(low)) {
            return false;
        }
        let small = |slope: i128| across.small_step(slope).is_some();
        let [u, v] = lows.map(|digits| self.runs(digits, across, varying));
        slope.constant().is_some_and(small)
            || matches!(
                (u, v),
                (Some(Runs::Always), Some(_))
                    | (Some(_), Some(Runs::Always))
                    | (Some(Runs::AtFirst), Some(Runs::AtFirst))
            )
    }

    /// Whether the sum of digits is in `0..limit`, as integers, where at least one iteration of the loops around it
    /// runs.
    fn below(&self, digits: &Poly, limit: &Poly, varying: &Varying) -> bool {
        if let Some(number) = digits.constant() {
            return number == 0 || limit.constant().is_some_and(|m| (0..m).contains(&number));
        }
        changing(digits, varying).into_iter().any(|digit| {
            let (Some((unit, rest)), Some(end)) = (digits.linear_in(digit), self.end(digit)) else {
                return false;
            };
            let most = unit.times(&end);
            let within = most == *limit
                || matches!((most.constant(), limit.constant()), (Some(a), Some(b)) if 0 <= a && a <= b);
            // A unit of nothing would make all digits equal.
            let positive = unit.constant().is_some_and(|n| 0 < n && n < SMALL)
                || unit.constant().is_none() && rest.constant().is_none();
            within && varying.is_invariant_poly(&unit) && positive && self.below(&rest, &unit, varying)
        })
    }

    /// The polynomial that the counter of a loop stays below: as an integer, if it is a number.
    fn end(&self, counter: VarId) -> Option<Poly> {
        let range = self.loop_over(counter)?.range;
        let end = self.poly(&range.hi)?;
        if end.constant().is_some_and(|end| end < 0) {
            return None;
        }
        Some(if range.inclusive {
            end.plus(&Poly::number(1), 1)
        } else {
            end
        })
    }

    /// In which iterations of the loop the loops over the digits run. There, the product of their trip counts is at
    /// most [`SLACK`] times the number of iterations that they make in each, on average.
    fn runs(&self, digits: &Poly, across: Across<'_>, varying: &Varying) -> Option<Runs> {
        let (all, step) = (changing(digits, varying), across.step()?);
        if all.len() > MOST_DIGITS {
            return None;
        }
        let mut runs = if all.is_empty() {
            Runs::Nowhere
        } else {
            Runs::Always
        };
        for digit in all {
            let (unit, _) = digits.linear_in(digit)?;
            let small = |unit: i128| unit.checked_mul(step).is_some_and(|n| n < SMALL / SLACK);
            let Nested { range, around } = self.loop_over(digit)?;
            let lowest = self.poly(&range.lo)?.constant();
            let own = self.runs_of(digit, across, varying)?;
            let low = own == Runs::AtFirst || lowest.is_some_and(|lo| (0..=LOWEST).contains(&lo));
            if !unit.constant().is_none_or(small) || !low || range.step.is_some() {
                return None;
            }
            let this = Around::Loop(across.counter);
            let at = around.iter().position(|around| *around == this);
            let mut found = vec![own];
            for around in at.map_or(around.as_slice(), |at| &around[at + 1..]) {
                match around {
                    Around::Loop(counter) => found.push(self.runs_of(*counter, across, varying)?),
                    Around::Other => return None,
                }
            }
            if found.contains(&Runs::AtFirst) {
                runs = Runs::AtFirst;
            }
        }
        Some(runs)
    }

    /// In which iterations of the loop another one inside runs: in all of them, if it has the same range there, or in
    /// none; in the first ones, if it begins near the counter, which begins near zero.
    fn runs_of(&self, counter: VarId, across: Across<'_>, varying: &Varying) -> Option<Runs> {
        let range = self.loop_over(counter)?.range;
        let (lo, hi) = (self.poly(&range.lo)?, self.poly(&range.hi)?);
        if !varying.is_invariant_poly(&hi) {
            return None;
        }
        if varying.is_invariant_poly(&lo) {
            return Some(Runs::Always);
        }
        let (slope, rest) = lo.linear_in(across.counter)?;
        let first = self.poly(&across.range.lo)?.constant()?;
        let rest = rest.constant()?;
        let low = slope.constant() == Some(1) && first >= 0 && rest >= 0 && first + rest <= LOWEST;
        low.then_some(Runs::AtFirst)
    }
}

/// In which iterations of a loop other loops inside of it run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    /// There are none.
    Nowhere,
    Always,
    /// In so many of the first ones.
    AtFirst,
}

/// The variables of a polynomial that do not hold one value for all iterations.
fn changing(poly: &Poly, varying: &Varying) -> Vec<VarId> {
    let mut vars: Vec<VarId> = poly.vars().filter(|v| varying.contains(*v)).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}
