//! Products of a counter and a parameter that do not wrap around, as an array is indexed by them.
//!
//! An index that is used lies below the length of its array, far below the size of a word. Of one loop `for i in 0..m`,
//! each iteration of which uses an element `i·n`, the first two show that `n` is such a number, and each further one
//! adds it to another. So no iteration can jump from small words to large ones, and `i·n` is an integer less than 2^60
//! in all of them. A loop with others around it may begin at their counters: what follows for all iterations of its
//! first run, where each of those is in its first iteration, holds in the others.
//!
//! The access must be one that each iteration makes: whoever is asked about iterations that panic, or end early, would
//! be told about accesses that were never made.

use crate::analysis::affine::{Definitions, Poly};
use crate::analysis::invariant::Varying;
use crate::ir::{
    Block, CountingLoop, Expr, ExprKind, Func, Place, Proj, RangeIter, Stmt, StmtKind, Ty, VarId,
    effects_of, place_ty, visit_stmts,
};

/// Where to look for accesses.
#[derive(Clone, Copy)]
pub(super) struct Anchors<'a> {
    pub(super) func: &'a Func,
    pub(super) definitions: &'a Definitions<'a>,
}

/// Where the counters of some loops are what they are at first.
#[derive(Clone, Default)]
struct First {
    counters: Vec<(VarId, Poly)>,
    /// Ends of loops that run there, with a number that each is greater than.
    ends: Vec<(Poly, i128)>,
    /// The counter of the loop whose iterations are looked at. What happens where it is zero does not matter.
    counter: Option<VarId>,
}

impl Anchors<'_> {
    /// Whether the product of the counter of one of the loops, which stand in one another, and of the parameter is less
    /// than 2^60 in each iteration of a run that ends.
    pub(super) fn hold(&self, loops: &[&Stmt], counter: VarId, parameter: &Poly) -> bool {
        let of_counter = |stmt: &&Stmt| {
            let counting = stmt.counting();
            counting.is_some_and(|counting| counting.counter == counter)
        };
        let Some(at) = loops.iter().position(of_counter) else {
            return false;
        };
        let product = parameter.times(&Poly::term(vec![counter], 1));
        (0..=at).rev().any(|from| {
            let (around, nest) = loops[..=at].split_at(from);
            let mut first = First::default();
            for outer in around {
                if let Some(counting) = outer.counting() {
                    self.note_end(counting.range, &mut first);
                }
            }
            let runs = self.first_run(nest, parameter, &mut first);
            first.counter = Some(counter);
            runs.is_some_and(|body| self.is_met(body, &first, &product))
        })
    }

    /// The body of the last of the loops, and what holds in the first iteration of those around it, each of which runs
    /// it in every iteration. There, the last loop begins at zero or one and goes as far as it ever does, for one and
    /// the same parameter.
    fn first_run<'s>(
        &self,
        nest: &[&'s Stmt],
        parameter: &Poly,
        first: &mut First,
    ) -> Option<&'s Block> {
        let (last, around) = nest.split_last()?;
        for (outer, inner) in around.iter().zip(&nest[1..]) {
            let counting = upwards(outer)?;
            let mut direct = counting.body.stmts.iter();
            if !direct.any(|stmt| std::ptr::eq(stmt, *inner)) {
                return None;
            }
            let lo = self.first(&counting.range.lo, first)?;
            lo.constant()?;
            // That around all of them runs, as does what is asked about.
            if !std::ptr::eq(*outer, nest[0]) && !self.runs(counting.range, &lo, first) {
                return None;
            }
            self.note_end(counting.range, first);
            first.counters.push((counting.counter, lo));
        }
        let counting = upwards(last)?;
        let lo = self.first(&counting.range.lo, first)?.constant()?;
        let hi = self.definitions.poly(&counting.range.hi);
        let outermost = upwards(nest[0])?;
        let varying =
            Varying::of([outermost.counter]).with(effects_of(&outermost.body.stmts).declares);
        let same_end = around.is_empty() || hi.is_some_and(|hi| varying.is_invariant_poly(&hi));
        self.note_end(counting.range, first);
        ((0..=1).contains(&lo) && same_end && varying.is_invariant_poly(parameter))
            .then_some(counting.body)
    }

    fn note_end(&self, range: &RangeIter, first: &mut First) {
        let lo = self.first(&range.lo, first).and_then(|lo| lo.constant());
        if let (Some(lo), Some(hi), false) = (lo, self.definitions.poly(&range.hi), range.inclusive)
            && lo >= 0
        {
            first.ends.push((hi, lo));
        }
    }

    /// The polynomial of a word where some counters are what they are at first.
    fn first(&self, e: &Expr, first: &First) -> Option<Poly> {
        let mut poly = self.definitions.poly(e)?;
        for (var, value) in first.counters.iter().rev() {
            let (factor, rest) = poly.linear_in(*var)?;
            poly = factor.times(value).plus(&rest, 1);
        }
        poly.is_exact().then_some(poly)
    }

    /// Whether each run of the block uses an element with this index.
    fn is_met(&self, block: &Block, first: &First, product: &Poly) -> bool {
        block.stmts.iter().any(|stmt| {
            let mut met = false;
            if let Some(inner) = to_its_end(stmt).filter(|inner| !backwards(inner.range)) {
                if let Some(lo) = self.first(&inner.range.lo, first)
                    && self.runs(inner.range, &lo, first)
                {
                    let mut first = first.clone();
                    first.counters.push((inner.counter, lo));
                    met = self.is_met(inner.body, &first, product);
                }
            } else {
                places_used(stmt, &mut |place| {
                    met |= self.is_index(place, first, product);
                });
            }
            met
        })
    }

    /// Whether a loop makes at least one iteration.
    fn runs(&self, range: &RangeIter, lo: &Poly, first: &First) -> bool {
        if range.inclusive {
            return lo.is_zero();
        }
        let (Some(lo), Some(hi)) = (lo.constant(), self.first(&range.hi, first)) else {
            return false;
        };
        let beyond = |(end, least): &(Poly, i128)| *end == hi && lo <= *least;
        let counter = first.counter.map(|counter| Poly::term(vec![counter], 1));
        lo >= 0 && (hi.constant().is_some_and(|hi| lo < hi) || first.ends.iter().any(beyond))
            || lo == 0 && counter == Some(hi)
    }

    fn is_index(&self, place: &Place, first: &First, product: &Poly) -> bool {
        let [Proj::Index(index)] = place.steps() else {
            return false;
        };
        let array = place_ty(self.func, &place.whole_region());
        let checked = matches!(array.peel(), Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_));
        checked
            && self
                .first(index, first)
                .is_some_and(|index| index == *product)
    }
}

/// A loop whose counter goes up by one until the end, in each run that ends.
fn upwards(stmt: &Stmt) -> Option<CountingLoop<'_>> {
    to_its_end(stmt).filter(|counting| counting.range.counts_up_by_one())
}

fn backwards(range: &RangeIter) -> bool {
    range.rev || range.rev_first
}

/// A loop that is never left early, nor is an iteration of it.
fn to_its_end(stmt: &Stmt) -> Option<CountingLoop<'_>> {
    let counting = stmt.counting()?;
    let mut jumps = false;
    visit_stmts(counting.body, &mut |inner| {
        jumps |= matches!(inner.kind, StmtKind::Jump(_) | StmtKind::Labelled(..));
    });
    (!jumps).then_some(counting)
}

/// The places that a run of the statement uses, whatever their values are.
fn places_used<'s>(stmt: &'s Stmt, f: &mut dyn FnMut(&'s Place)) {
    if let StmtKind::Assign { place, value, .. } | StmtKind::Update { place, value, .. } =
        &stmt.kind
    {
        f(place);
        reads(value, f);
    } else if let StmtKind::Let {
        init: Some(init), ..
    } = &stmt.kind
    {
        reads(init, f);
    }
}

/// What all operands of arithmetic read.
fn reads<'s>(e: &'s Expr, f: &mut dyn FnMut(&'s Place)) {
    if !e.ty.is_float() {
        return;
    }
    if let ExprKind::Read(place) = &e.kind {
        f(place);
    } else if let ExprKind::Unary(_, a) = &e.kind {
        reads(a, f);
    } else if let ExprKind::Binary(_, a, b) = &e.kind {
        reads(a, f);
        reads(b, f);
    }
}
