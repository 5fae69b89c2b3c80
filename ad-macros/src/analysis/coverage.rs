//! Which gradients are covered by the first statement of the reverse sweep that touches them.
//!
//! A gradient is *covered* by a statement if the statement is the first to touch it, runs whatever the data are, and
//! gives each element of one contiguous range exactly one contribution before anything else is done with it. Then the
//! contribution can be assigned, and only what lies outside of the range has to be cleared. Two forms are seen:
//!
//! - `x_bar[e] += v` in a nest of `for` loops at the top of the reverse sweep, `e` being a mixed-radix number with the
//!   counters as digits: one counter has the stride 1, and each of the others the product of the trip counts of those
//!   before. What touches `x_bar` later in the same iteration adds to the same element;
//! - `x_bar[..] += y[..]` at the top of the reverse sweep.
//!
//! Assumptions. Strides and trip counts are compared as polynomials, and what they are made of keeps its value
//! throughout the nest: immutable variables declared in front of it, constants, lengths of what parameters borrow.
//! Polynomials that are equal are equal modulo the size of a word, too, so that indices that wrap around are told apart
//! or met like others: a loop that ran to its end wrote to as many different elements as it has iterations, one after
//! another from the first. An index out of bounds panics. Nothing is assumed about the length of the gradient.
//!
//! Being wrong would cost a wrong gradient: an element assigned twice loses a contribution, one never assigned keeps
//! what it held.

use proc_macro2::Span;

use crate::ir::faults::Fault;
use crate::ir::{
    CountingLoop, Expr, Func, Param, Passing, Place, Proj, RangeIter, Stmt, StmtKind, Ty, VarId,
    VarSet, effects_of, place_index_reads,
};

use crate::ir::{mentions, whole_slice};

use super::affine::Poly;
use super::words::Words;

/// A gradient that is covered.
#[derive(Debug)]
pub(crate) struct Covered {
    /// The position of the parameter.
    pub(crate) param: usize,
    /// Where the covering statement is: its position in the sweep, in the body of the loop there, and so on.
    pub(crate) path: Vec<usize>,
    pub(crate) range: Range,
}

/// What is covered of it.
#[derive(Debug)]
pub(crate) enum Range {
    Whole,
    /// As many elements as the product of `trips`, from `start` on.
    Part {
        bar: Place,
        start: Expr,
        trips: Vec<Expr>,
    },
}

/// A gradient that is not: the loop that touches it first, and the condition that does not hold.
#[derive(Debug)]
pub(crate) struct Uncovered {
    pub(crate) param: usize,
    pub(crate) span: Span,
    pub(crate) why: &'static str,
}

/// Which gradients `reverse` covers, of at most one statement each. Nothing is said of those that no loop touches
/// first.
pub(crate) fn coverage(
    func: &Func,
    reverse: &[Stmt],
    param_bars: &[(usize, VarId)],
) -> Vec<Result<Covered, Uncovered>> {
    let plain = |k: usize| is_sequence_of_floats(&func.params[k]);
    let covered = |(param, bar): &(usize, VarId)| {
        let param = *param;
        let at = reverse.iter().position(|s| mentions(s, *bar))?;
        let found = if is_whole(&reverse[at], *bar) {
            Ok((vec![at], Range::Whole))
        } else {
            Nest::find(func, reverse, at, *bar).and_then(Nest::range)
        };
        Some(match found {
            Ok((path, range)) => Ok(Covered { param, path, range }),
            Err(why) => {
                let span = first_loop(&reverse[at], *bar)?;
                Err(Uncovered { param, span, why })
            }
        })
    };
    let plain_bars = param_bars.iter().filter(|(k, _)| plain(*k));
    plain_bars.filter_map(covered).collect()
}

/// The loop that uses the adjoint first, of the outermost ones in a statement.
fn first_loop(stmt: &Stmt, bar: VarId) -> Option<Span> {
    if !mentions(stmt, bar) {
        return None;
    }
    if stmt.is_loop() {
        return Some(stmt.span);
    }
    let mut inner = stmt.kind.blocks().into_iter().flat_map(|b| &b.stmts);
    inner.find_map(|s| first_loop(s, bar))
}

/// Whether the gradient of the parameter is a slice of the caller's.
fn is_sequence_of_floats(param: &Param) -> bool {
    param.passing == Passing::Shared
        && matches!(&param.ty, Ty::Slice(t) | Ty::Array(t, _) | Ty::Vec(t) if matches!(**t, Ty::F32 | Ty::F64))
}

/// `bar[..] += src[..]`
fn is_whole(stmt: &Stmt, bar: VarId) -> bool {
    let StmtKind::Accumulate { dst, src } = &stmt.kind else {
        return false;
    };
    let all = matches!(
        dst.proj.as_slice(),
        [
            Proj::Deref,
            Proj::Range {
                lo: None,
                hi: None,
                ..
            }
        ]
    );
    let slice = matches!(src.proj.last(), Some(Proj::Range { .. }));
    let mut reads_bar = src.root == bar;
    place_index_reads(src, &mut |p| reads_bar |= p.root == bar);
    dst.root == bar && all && slice && !reads_bar
}

/// A nest of loops around the first addition to a gradient.
struct Nest<'a> {
    bar: VarId,
    path: Vec<usize>,
    loops: Vec<(VarId, &'a RangeIter)>,
    /// The element that is added to.
    place: &'a Place,
    words: Words<'a>,
    /// Variables declared in the nest.
    inside: VarSet,
}

impl<'a> Nest<'a> {
    fn find(
        func: &'a Func,
        reverse: &'a [Stmt],
        at: usize,
        bar: VarId,
    ) -> Result<Self, &'static str> {
        let (mut path, mut loops, mut stmt) = (vec![at], Vec::new(), &reverse[at]);
        let mut words = Words::new(func);
        words.declare(&reverse[..at]);
        let (place, value, after) = loop {
            let CountingLoop {
                counter,
                range,
                body,
                ..
            } = plain_loop(stmt)?;
            loops.push((counter, range));
            words.declare(&body.stmts);
            let first = body.stmts.iter().position(|s| mentions(s, bar));
            let first = first.ok_or(NO_ADDITION)?;
            path.push(first);
            stmt = &body.stmts[first];
            let rest = &body.stmts[first + 1..];
            if let StmtKind::Update { place, value, .. } = &stmt.kind {
                break (place, value, rest);
            }
            if stmt.is_loop() && rest.iter().any(|s| mentions(s, bar)) {
                return Err("more is added to it beside an inner loop");
            }
        };
        let nest = Nest {
            bar,
            path,
            loops,
            place,
            words,
            inside: effects_of([&reverse[at]]).declares,
        };
        nest.index(place).ok_or(NOT_LINEAR)?;
        let only_adds = !value.reads(bar) && after.iter().all(|s| nest.adds_to_same(s));
        (only_adds || Fault::SecondIndexCovered.is_on())
            .then_some(nest)
            .ok_or("an iteration uses it at more than one index")
    }

    /// Whether all that the statement does with the gradient is to add to the element that the nest adds to.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn adds_to_same(&self, stmt: &Stmt) -> bool {
        if !mentions(stmt, self.bar) {
            return true;
        }
        match &stmt.kind {
            StmtKind::Update { place, value, .. } => {
                let (a, b) = (self.index(place), self.index(self.place));
                !value.reads(self.bar) && a.is_some() && a == b
            }
            StmtKind::Switch { selector, arms } => {
                let mut inner = arms.iter().flat_map(|arm| &arm.stmts);
                !selector.reads(self.bar) && inner.all(|s| self.adds_to_same(s))
            }
            _ => false,
        }
    }

    /// The index of an element, counted from the start of the gradient.
    fn index(&self, place: &Place) -> Option<Poly> {
        let [Proj::Deref, views @ .., Proj::Index(last)] = place.proj.as_slice() else {
            return None;
        };
        let mut index = self.words.poly(last)?;
        for view in views {
            let Proj::Range { lo, .. } = view else {
                return None;
            };
            if let Some(lo) = lo {
                index = index.plus(&self.words.poly(lo)?, 1);
            }
        }
        Some(index)
    }

    fn range(self) -> Result<(Vec<usize>, Range), &'static str> {
        let span = self.place.span;
        let mut rest = self.index(self.place).ok_or(NOT_LINEAR)?;
        let (mut start, mut trips, mut digits) = (Poly::default(), Vec::new(), Vec::new());
        for (counter, range) in &self.loops {
            let (stride, without) = rest.linear_in(*counter).ok_or(NOT_LINEAR)?;
            let bounds = self.fixed(&range.lo).zip(self.fixed(&range.hi));
            let (lo, hi) = bounds.ok_or(UNKNOWN_RANGE)?;
            start = start.plus(&stride.times(&lo), 1);
            let (from, end) = half_open(lo, hi, range.inclusive);
            let count = self.words.difference(&end, &from, span);
            trips.push(count.ok_or(UNKNOWN_RANGE)?);
            digits.push((stride, end.minus(&from)));
            rest = without;
        }
        let start = start.plus(&rest, 1);
        if !self.is_outside(&start) {
            return Err(NOT_LINEAR);
        }
        if !is_mixed_radix(digits) && !Fault::GapsCovered.is_on() {
            return Err("its elements are not met one after another, each once");
        }
        let slice = Place::var(self.bar, span).then(Proj::Deref);
        let range = Range::Part {
            bar: whole_slice(slice),
            start: self.words.expression(&start, span).ok_or(UNKNOWN_RANGE)?,
            trips,
        };
        Ok((self.path, range))
    }

    /// The polynomial of a bound, if it is the same throughout the nest.
    fn fixed(&self, e: &Expr) -> Option<Poly> {
        self.words.poly(e).filter(|poly| self.is_outside(poly))
    }

    fn is_outside(&self, poly: &Poly) -> bool {
        poly.vars().all(|v| !self.inside.contains(&v))
    }
}

/// Bounds of the same trip count without the last. No bound overflows where the first is a number; else `hi` may be the
/// largest number, and the trip count, which is then larger than any gradient, comes out as zero.
fn half_open(lo: Poly, hi: Poly, inclusive: bool) -> (Poly, Poly) {
    let one = Poly::number(1);
    match lo.constant() {
        _ if !inclusive => (lo, hi),
        Some(1..) => (lo.minus(&one), hi),
        _ => (lo, hi.plus(&one, 1)),
    }
}

/// Whether there is an order in which each stride is the product of the trip counts before it, the first being 1.
fn is_mixed_radix(mut digits: Vec<(Poly, Poly)>) -> bool {
    let mut weight = Poly::number(1);
    while !digits.is_empty() {
        let Some(next) = digits.iter().position(|(stride, _)| *stride == weight) else {
            return false;
        };
        let (_, trips) = digits.swap_remove(next);
        weight = weight.times(&trips);
    }
    true
}

/// A loop that runs to its end, one up each time; of the forward sweep, one that may hold its reverse.
fn plain_loop(stmt: &Stmt) -> Result<CountingLoop<'_>, &'static str> {
    if !stmt.is_loop() {
        return Err(if let StmtKind::Switch { .. } = stmt.kind {
            "it is first used under a condition"
        } else {
            NO_ADDITION
        });
    }
    let plain = stmt.counting().filter(|counting| {
        counting.range.counts_up_by_one() && (counting.reverse || counting.strip.is_none())
    });
    plain.ok_or("the loop does not run up a range to its end")
}

const NO_ADDITION: &str = "it is first used by more than an addition to an element";
const NOT_LINEAR: &str = "its index is not linear in the counters";
const UNKNOWN_RANGE: &str = "the range is not known in front of the loop";
