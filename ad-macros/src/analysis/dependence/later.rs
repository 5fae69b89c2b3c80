//! Whether what a loop writes is met by what earlier iterations of it have read.
//!
//! Two indices, `w` in an iteration of the loop and `r` in that iteration or in one that ran before it, are compared as
//! in [`disjoint`](super::disjoint), with the direction of the loop: `c[i]` in an iteration is none of the `c[i - 1]`
//! of those before, though it is that of the next one. With `w = s·i + u` and `r = s·j + v` for the same `s`, in which
//! nothing changes,
//!
//! - where `u` and `v` do not change and are a number apart, `w - r` is `s·(i - j) + (u - v)`, whose parts have the
//!   same sign, or of which the second is no multiple of the first; or
//! - `u - v` is `k` times `s` up to parts that stay below `s`: row `i` against row `j - k`.
//!
//! Numbers of iterations and small factors of them do not wrap around, which is proven as in `disjoint`. Otherwise
//! nothing is said: being wrong would let the reverse sweep read a later value.

use super::disjoint::Across;
use crate::analysis::affine::{Definitions, Poly};
use crate::analysis::invariant::Varying;
use crate::ir::faults::Fault;
use crate::ir::{Block, RangeIter, VarId, effects_of};

/// So many rows apart are looked for.
const ROWS: i128 = 4;

/// Whether the element of a write was read by then.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Later {
    Unknown,
    /// Not in iterations before.
    AtOnce,
    /// Neither in iterations before nor in the same one.
    Never,
}

impl Definitions<'_> {
    /// Whether `write` in an iteration of a loop may be `read` in that iteration or in one that runs before. The block
    /// of these definitions holds the loop.
    pub(crate) fn later(
        &self,
        write: &Poly,
        read: &Poly,
        (counter, range): (VarId, &RangeIter),
        body: &Block,
    ) -> Later {
        let across = Across { counter, range };
        let varying = Varying::of([counter]).with(effects_of(&body.stmts).declares);
        self.later_in(write, read, across, &varying)
            .unwrap_or(Later::Unknown)
    }

    fn later_in(
        &self,
        write: &Poly,
        read: &Poly,
        across: Across<'_>,
        varying: &Varying,
    ) -> Option<Later> {
        let (slope, u) = write.linear_in(across.counter)?;
        let (other, v) = read.linear_in(across.counter)?;
        let range = across.range;
        let backwards = range.rev || range.rev_first;
        let plain = range.step.is_none() || !backwards;
        if slope != other || !varying.is_invariant_poly(&slope) || !plain {
            return None;
        }
        // Which way the element of a later iteration lies.
        let ahead = |distance: i128| {
            let distance = if backwards { -distance } else { distance };
            distance > 0 || distance != 0 && Fault::DirectionForgotten.is_on()
        };
        let fixed = [&u, &v].iter().all(|p| varying.is_invariant_poly(p));
        let numbers = (slope.constant(), u.clone().minus(&v).constant());
        if let ((Some(slope), Some(distance)), true) = (numbers, fixed) {
            let step = across.small_step(slope)?;
            if !Across::is_small(distance) {
                return None;
            }
            return match (step, distance) {
                (0, 0) => None,
                (0, _) => Some(Later::Never),
                (_, 0) => Some(Later::AtOnce),
                _ if ahead(distance * slope.signum()) || distance % step != 0 => Some(Later::Never),
                _ => None,
            };
        }
        let same = |var| !varying.contains(var);
        let ((high_u, low_u), (high_v, low_v)) = (u.split(&same), v.split(&same));
        let distance = high_u.minus(&high_v);
        let low_u = self.above_zero(low_u)?;
        // `rows` times the slope, and a number that belongs to the lower digits.
        let rows = (-ROWS..=ROWS).find(|rows| {
            let rest = distance.clone().plus(&slope, -rows).constant();
            let low_v =
                rest.and_then(|rest| self.above_zero(low_v.clone().plus(&Poly::number(rest), -1)));
            low_v.is_some_and(|low_v| self.are_digits([&low_u, &low_v], &slope, across, varying))
        });
        match rows? {
            0 => Some(Later::AtOnce),
            rows if ahead(rows) => Some(Later::Never),
            _ => None,
        }
    }

    /// The same digits, where one that begins above zero and has a number taken off it is at least zero: what bounds it
    /// from above bounds it all the more.
    fn above_zero(&self, digits: Poly) -> Option<Poly> {
        let (_, number) = digits.clone().split(&|_| true);
        let number = number.constant()?;
        if number >= 0 {
            return Some(digits);
        }
        let begins = digits.vars().any(|var| {
            let unit = digits.linear_in(var).and_then(|(unit, _)| unit.constant());
            let lowest = || {
                let range = self.loop_over(var)?.range;
                self.poly(&range.lo)?.constant()
            };
            unit == Some(1) && lowest().is_some_and(|lo| lo >= -number)
        });
        begins.then(|| digits.plus(&Poly::number(number), -1))
    }
}
