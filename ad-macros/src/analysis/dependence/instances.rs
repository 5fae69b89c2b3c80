//! Whether an overwrite meets an element that was read before it: two accesses of one nest of loops, each in some
//! iteration.
//!
//! *Dependence testing* with the order of the iterations. The distance of two indices is a polynomial in the counters
//! around the one and around the other, where loops that both stand in have two counters, of which that of the read
//! comes first. The elements are different if
//!
//! - the distance is at least one, or at most minus one, within the bounds of the counters ([`Space`]): `a[i]` is none
//!   of `a[j]` for `j` in `0..i`; or
//! - both indices are numbers of the same number of columns, whose columns are different: `a[i·n + j]` for `j` in
//!   `k + 1..n` is none of `a[i'·n + k]`.
//!
//! Indices are words, which wrap around: integers that differ by less than the size of a word are different words. So
//! what is positive in the distance has to be less than that: one word, or counters of few iterations, and products
//! that arrays have been indexed by ([`Anchors`]). Otherwise nothing is said: being wrong would let the reverse sweep
//! read a later value.

use super::anchored::Anchors;
use super::bounds::{Beside, SMALL, Space};
use crate::analysis::affine::{Definitions, Poly};
use crate::ir::faults::Fault;
use crate::ir::hash::HashSet;
use crate::ir::{
    BinOp, Domain, Expr, ExprKind, Func, Loop, RangeIter, Stmt, StmtKind, Ty, VarId, effects_of,
};

/// Products of a counter and a parameter in one distance; each is less than 2^60.
const MOST_PRODUCTS: i128 = 4;

/// What is read or overwritten.
#[derive(Clone, Copy)]
pub(crate) struct Access<'a> {
    /// The indices that lead to the element.
    pub(crate) indices: &'a [Poly],
    /// The loops around it, from the outside in.
    pub(crate) loops: &'a [&'a Stmt],
    /// What holds there.
    pub(crate) conditions: &'a [Condition],
}

/// A comparison of words that holds.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    left: Poly,
    is: Relation,
    right: Poly,
}

#[derive(Clone, Copy, Debug)]
enum Relation {
    Below,
    AtMost,
    Equal,
    Different,
}

impl Condition {
    /// What holds if the selector of a switch leads to this arm.
    pub(crate) fn of(definitions: &Definitions<'_>, selector: &Expr, arm: usize) -> Option<Self> {
        let ExprKind::Binary(op, left, right) = &definitions.through(selector).kind else {
            return None;
        };
        let first = (arm == 0) != Fault::ConditionTurned.is_on();
        if arm > 1 || !matches!(selector.ty, Ty::Bool) {
            return None;
        }
        // Of sums, wrapping around would have to be thought of.
        let word = |e: &Expr| {
            let poly = definitions.poly(e)?;
            let number = poly.constant().is_some_and(|n| (0..SMALL).contains(&n));
            (number || poly.is_variable()).then_some(poly)
        };
        let (left, right) = (word(left)?, word(right)?);
        let (left, is, right) = if *op == BinOp::Lt && first || *op == BinOp::Ge && !first {
            (left, Relation::Below, right)
        } else if *op == BinOp::Le && first || *op == BinOp::Gt && !first {
            (left, Relation::AtMost, right)
        } else if *op == BinOp::Gt && first || *op == BinOp::Le && !first {
            (right, Relation::Below, left)
        } else if *op == BinOp::Ge && first || *op == BinOp::Lt && !first {
            (right, Relation::AtMost, left)
        } else if *op == BinOp::Eq && first || *op == BinOp::Ne && !first {
            (left, Relation::Equal, right)
        } else if *op == BinOp::Ne && first || *op == BinOp::Eq && !first {
            (left, Relation::Different, right)
        } else {
            return None;
        };
        Some(Condition { left, is, right })
    }

    fn tell(&self, renamed: &dyn Fn(&Poly) -> Poly, space: &mut Space) {
        let sides = (renamed(&self.left), renamed(&self.right));
        let mut at_most = |(left, right): (&Poly, &Poly), apart: i128| {
            let apart = Poly::number(apart);
            if let Some(var) = left.variable() {
                space.limit(var, right.clone().minus(&apart), true);
            }
            if let Some(var) = right.variable() {
                space.limit(var, left.clone().plus(&apart, 1), false);
            }
        };
        let (left, right) = (&sides.0, &sides.1);
        match self.is {
            Relation::Below => at_most((left, right), 1),
            Relation::AtMost => at_most((left, right), 0),
            Relation::Equal => {
                at_most((left, right), 0);
                at_most((right, left), 0);
            }
            Relation::Different => {
                for (side, other) in [(left, right), (right, left)] {
                    if let Some(var) = side.variable() {
                        space.exclude(var, other);
                    }
                }
            }
        }
    }
}

/// How many of the outer loops two accesses have in common.
pub(crate) fn common(a: &[&Stmt], b: &[&Stmt]) -> usize {
    let same = |(x, y): &(&&Stmt, &&Stmt)| std::ptr::eq(**x, **y);
    a.iter().zip(b).take_while(same).count()
}

/// The function that the accesses are of.
#[derive(Clone, Copy)]
pub(crate) struct Instances<'a> {
    pub(crate) func: &'a Func,
    pub(crate) definitions: &'a Definitions<'a>,
}

impl Instances<'_> {
    /// Whether the element of `write` is another one than that of `read` in each iteration of their common loop number
    /// `at` that runs before. Loops around that are in one and the same iteration.
    pub(crate) fn misses_earlier(&self, write: Access<'_>, read: Access<'_>, at: usize) -> bool {
        self.differ(write, read, at, true)
    }

    /// Whether the elements are different where all loops that they have in common are in one iteration.
    pub(crate) fn misses_at_once(&self, write: Access<'_>, read: Access<'_>) -> bool {
        let shared = common(write.loops, read.loops);
        self.differ(write, read, shared, false)
    }

    fn differ(&self, write: Access<'_>, read: Access<'_>, at: usize, earlier: bool) -> bool {
        let pair = Pair::new(self, write, read, (at, earlier));
        let indices = write.indices.iter().zip(read.indices);
        write.indices.len() == read.indices.len()
            && indices.into_iter().any(|(w, r)| pair.are_different(w, r))
    }
}

/// Two accesses, each in an iteration.
struct Pair<'a> {
    of: &'a Instances<'a>,
    write: Access<'a>,
    read: Access<'a>,
    space: Space,
    /// The variables that the read has for itself.
    own: HashSet<VarId>,
    /// Added to the number of a variable, what names that of the read.
    offset: u32,
}

impl<'a> Pair<'a> {
    fn new(
        of: &'a Instances<'a>,
        write: Access<'a>,
        read: Access<'a>,
        (at, earlier): (usize, bool),
    ) -> Self {
        let mut own = HashSet::default();
        for around in &read.loops[at..] {
            own.extend(counter_of(around).map(|(var, _)| var));
            let bodies = around.kind.blocks().into_iter();
            own.extend(bodies.flat_map(|body| effects_of(&body.stmts).declares));
        }
        let offset = u32::try_from(of.func.vars.len()).unwrap_or(u32::MAX / 2);
        let mut pair = Pair {
            of,
            write,
            read,
            space: Space::default(),
            own,
            offset,
        };
        pair.enter_all(at, earlier);
        pair
    }

    fn enter_all(&mut self, at: usize, earlier: bool) {
        let definitions = self.of.definitions;
        let (of_write, of_read) = (self.write.loops, self.read.loops);
        let as_is = |poly: &Poly| poly.clone();
        let renamed = |poly: &Poly| poly.renamed(&|var| self.name(var));
        let mut space = Space::default();
        for around in &of_write[..at] {
            if let Some(counter) = self.counter(around) {
                space.enter(definitions, counter, &as_is, Beside::Nothing);
            }
        }
        let mut deeper = at;
        if earlier {
            if let Some((var, range)) = self.counter(of_write[at]) {
                space.enter(definitions, (var, range), &as_is, Beside::Behind);
                let before = Beside::Before(var);
                space.enter(definitions, (self.name(var), range), &renamed, before);
            }
            deeper += 1;
        }
        for around in &of_write[deeper.min(of_write.len())..] {
            if let Some(counter) = self.counter(around) {
                space.enter(definitions, counter, &as_is, Beside::Nothing);
            }
        }
        for around in &of_read[deeper.min(of_read.len())..] {
            if let Some((var, range)) = self.counter(around) {
                let counter = (self.name(var), range);
                space.enter(definitions, counter, &renamed, Beside::Nothing);
            }
        }
        for condition in self.write.conditions {
            condition.tell(&as_is, &mut space);
        }
        for condition in self.read.conditions {
            condition.tell(&renamed, &mut space);
        }
        self.space = space;
    }

    /// What a variable is called where the read is.
    fn name(&self, var: VarId) -> VarId {
        if self.own.contains(&var) {
            VarId(var.0 + self.offset)
        } else {
            var
        }
    }

    /// The counter of a loop over words.
    fn counter<'s>(&self, around: &'s Stmt) -> Option<(VarId, &'s RangeIter)> {
        counter_of(around).filter(|(var, _)| self.of.definitions.is_word_variable(*var))
    }

    fn are_different(&self, write: &Poly, read: &Poly) -> bool {
        let read = read.renamed(&|var| self.name(var));
        let distance = write.clone().minus(&read);
        let opposite = read.clone().minus(write);
        self.is_positive(&distance)
            || self.is_positive(&opposite)
            || self.is_no_multiple(&distance)
                && [&distance, &opposite].map(|d| self.fits(d)) == [true; 2]
    }

    /// Whether the integer is at least one and less than the size of a word.
    fn is_positive(&self, distance: &Poly) -> bool {
        self.space.is_at_least(distance, 1) && self.fits(distance)
    }

    /// Whether the integer is never zero, as it is so many columns away from a multiple of their number.
    fn is_no_multiple(&self, distance: &Poly) -> bool {
        let symbols = distance.products().flat_map(|(symbols, _)| symbols);
        let mut columns: Vec<Poly> = symbols.collect();
        columns.dedup();
        columns.iter().any(|columns| {
            let counter = columns.variable().is_some_and(|var| self.space.has(var));
            let Some((_, column)) = distance.linear_in_symbol(columns).filter(|_| !counter) else {
                return false;
            };
            let opposite = Poly::default().minus(&column);
            let within = |column: &Poly| {
                let left = columns.clone().minus(column);
                self.space.is_at_least(column, 1) && self.space.is_at_least(&left, 1)
            };
            within(&column) || within(&opposite)
        })
    }

    /// Whether the variable is no counter, and the same for both accesses.
    fn is_fixed(&self, var: VarId) -> bool {
        !self.space.has(var) && !self.own.contains(&var)
    }

    /// Whether the integer is less than the size of a word.
    fn fits(&self, distance: &Poly) -> bool {
        let (mut number, mut products) = (0, 0);
        let mut words = Vec::new();
        for (symbols, k) in distance.positive().products() {
            match symbols.as_slice() {
                [] => number = k,
                [word] => words.push((word.clone(), k)),
                [a, b] if self.is_anchored(a, b) || self.is_anchored(b, a) => products += k,
                _ => return false,
            }
        }
        if number == 0 && products == 0 && matches!(words.as_slice(), [(_, 1)]) {
            return true;
        }
        words.retain(|(word, k)| {
            let factor = self.is_factor(word);
            products += if factor { *k } else { 0 };
            !factor
        });
        products <= MOST_PRODUCTS && self.space.are_few(&words, number)
    }

    /// Whether the product of a counter and a parameter is less than 2^60.
    fn is_anchored(&self, counter: &Poly, parameter: &Poly) -> bool {
        let Some(var) = counter.variable().filter(|var| self.space.has(*var)) else {
            return false;
        };
        // That of a larger counter is larger.
        self.anchors(parameter).any(|(anchor, end)| {
            let last = end.map(|end| end.minus(&Poly::number(1)));
            var == anchor
                || self.space.is_at_most(var, &Poly::term(vec![anchor], 1))
                || last.is_some_and(|last| self.space.is_at_most(var, &last))
        })
    }

    /// Whether the parameter is less than 2^60, as it stands in such a product with a counter above zero.
    fn is_factor(&self, parameter: &Poly) -> bool {
        self.anchors(parameter).any(|(anchor, _)| {
            let counter = Poly::term(vec![anchor], 1);
            self.space.is_at_least(&counter, 1)
        })
    }

    /// Counters of loops around the one access or the other, as they are called there, whose products with the
    /// parameter are less than 2^60; and the ends of those loops that are parameters.
    fn anchors(&self, parameter: &Poly) -> impl Iterator<Item = (VarId, Option<Poly>)> {
        let anchors = Anchors {
            func: self.of.func,
            definitions: self.of.definitions,
        };
        let original = |var: VarId| VarId(var.0.checked_sub(self.offset).unwrap_or(var.0));
        let of_read = parameter.vars().any(|var| var.0 >= self.offset);
        let parameter = parameter.renamed(&original);
        let sides = [(self.write.loops, false), (self.read.loops, true)];
        sides.into_iter().flat_map(move |(loops, read)| {
            let parameter = parameter.clone();
            loops.iter().filter_map(move |around| {
                let (var, range) = self.counter(around)?;
                // Where each access has a parameter of its own, it is that of the loops around it.
                let own = read == of_read || parameter.vars().all(|var| !self.own.contains(&var));
                let named = if read { self.name(var) } else { var };
                let holds = own && anchors.hold(loops, var, &parameter);
                let end = self.of.definitions.poly(&range.hi);
                let end = end.filter(|end| end.is_symbol() && !range.inclusive);
                let end = end.filter(|end| end.vars().all(|var| self.is_fixed(var)));
                holds.then_some((named, end))
            })
        })
    }
}

fn counter_of(around: &Stmt) -> Option<(VarId, &RangeIter)> {
    if let StmtKind::Loop(Loop {
        domain: Domain::Range { var, range },
        ..
    }) = &around.kind
    {
        Some((*var, range))
    } else {
        None
    }
}
