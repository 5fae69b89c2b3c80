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
use super::bounds::{Beside, LITERAL, Space};
use super::later::Later;
use crate::analysis::StmtKey;
use crate::analysis::affine::{Definitions, Poly};
use crate::ir::faults::Fault;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    BinOp, Expr, ExprKind, Func, Place, Proj, RangeIter, Region, Stmt, Ty, VarId, effects_of,
};

/// Products of a counter and a parameter in one distance; each is less than 2^60.
const MOST_PRODUCTS: i128 = 4;

/// What is read or overwritten.
#[derive(Clone)]
pub(crate) struct Access<'a> {
    region: Region,
    /// The indices that lead from the region to the element.
    indices: Vec<Poly>,
    /// The loops around it, from the outside in.
    loops: Vec<&'a Stmt>,
    /// What holds there.
    conditions: Vec<Condition>,
    /// A number for all that.
    class: u32,
}

impl Access<'_> {
    pub(crate) fn indices(&self) -> &[Poly] {
        &self.indices
    }
}

/// Answers that are known: many statements of a body read and write the same elements.
#[derive(Default)]
pub(crate) struct Comparisons {
    classes: HashMap<Class, u32>,
    /// By the classes of the write and the read, the outermost loop, and the order in the text.
    answers: HashMap<(u32, u32, usize, bool), bool>,
}

type Class = (Region, Vec<Poly>, Vec<StmtKey>, Vec<Condition>);

/// A comparison of words that holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Condition {
    left: Poly,
    is: Relation,
    right: Poly,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
        let second = (arm == 1) != Fault::ConditionTurned.is_on();
        let op = if second { opposite(*op)? } else { *op };
        if arm > 1 || !matches!(selector.ty, Ty::Bool) {
            return None;
        }
        // Of sums, wrapping around would have to be thought of.
        let word = |e: &Expr| {
            let poly = definitions.poly(e)?;
            let number = poly.constant().is_some_and(|n| (0..LITERAL).contains(&n));
            (number || poly.is_variable()).then_some(poly)
        };
        let (left, right) = (word(left)?, word(right)?);
        let (left, is, right) = if op == BinOp::Lt {
            (left, Relation::Below, right)
        } else if op == BinOp::Le {
            (left, Relation::AtMost, right)
        } else if op == BinOp::Gt {
            (right, Relation::Below, left)
        } else if op == BinOp::Ge {
            (right, Relation::AtMost, left)
        } else if op == BinOp::Eq {
            (left, Relation::Equal, right)
        } else {
            (left, Relation::Different, right)
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

/// The comparison that holds where this one does not.
fn opposite(op: BinOp) -> Option<BinOp> {
    const OPPOSITES: [(BinOp, BinOp); 3] = [
        (BinOp::Eq, BinOp::Ne),
        (BinOp::Lt, BinOp::Ge),
        (BinOp::Le, BinOp::Gt),
    ];
    OPPOSITES.into_iter().find_map(|(a, b)| {
        let other = (op == b).then_some(a);
        if op == a { Some(b) } else { other }
    })
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
    /// An access of an element that indices alone lead to, if these are polynomials.
    pub(crate) fn access<'a>(
        &self,
        place: &Place,
        loops: &[&'a Stmt],
        conditions: &[Condition],
    ) -> Option<Access<'a>> {
        let index = |proj: &Proj| {
            if let Proj::Index(e) = proj {
                self.definitions.poly(e)
            } else {
                None
            }
        };
        let steps = place.steps().iter();
        let indices: Vec<Poly> = steps.map(index).collect::<Option<_>>()?;
        let keys = loops.iter().map(|around| StmtKey::of(around)).collect();
        let class = (place.region(), indices.clone(), keys, conditions.to_vec());
        let classes = &mut self.definitions.comparisons.borrow_mut().classes;
        let next = u32::try_from(classes.len()).ok()?;
        Some(Access {
            region: place.region(),
            indices,
            loops: loops.to_vec(),
            conditions: conditions.to_vec(),
            class: *classes.entry(class).or_insert(next),
        })
    }

    /// Whether the element of `write` is another one than that of `read`, a place of the same type, whenever that runs
    /// before, in the same iteration of the loops in front of number `from`. `behind`: in one iteration of all loops
    /// that they share, it does not.
    pub(crate) fn misses(
        &self,
        write: &Access<'_>,
        read: &Access<'_>,
        from: usize,
        behind: bool,
    ) -> bool {
        if write.region != read.region || write.indices.len() != read.indices.len() {
            return false;
        }
        let key = (write.class, read.class, from, behind);
        let known = self
            .definitions
            .comparisons
            .borrow()
            .answers
            .get(&key)
            .copied();
        known.unwrap_or_else(|| {
            let answer = self.compare(write, read, from, behind);
            let answers = &mut self.definitions.comparisons.borrow_mut().answers;
            answers.insert(key, answer);
            answer
        })
    }

    fn compare(&self, write: &Access<'_>, read: &Access<'_>, from: usize, behind: bool) -> bool {
        let pairs = || write.indices.iter().zip(&read.indices);
        let shared = common(&write.loops, &read.loops);
        for at in from..shared {
            let verdicts = pairs().map(|(w, r)| self.later(write.loops[at], w, r));
            match verdicts.max().unwrap_or(Later::Unknown) {
                Later::Never => return true,
                Later::AtOnce => {}
                Later::Unknown if self.differ(write, read, at, true) => {}
                Later::Unknown => return Fault::ReadBehindOverwrite.is_on(),
            }
        }
        // In one iteration of all loops that they share, the text has the order.
        behind
            || pairs().any(|(w, r)| are_numbers_apart(w, r))
            || self.differ(write, read, shared, false)
    }

    fn later(&self, around: &Stmt, write: &Poly, read: &Poly) -> Later {
        around
            .over_range()
            .map_or(Later::Unknown, |(var, range, body)| {
                self.definitions.later(write, read, (var, range), body)
            })
    }

    /// Whether the elements are different where the loops in front of number `at` are in one iteration. `earlier`: that
    /// loop is in an earlier iteration where the element is read.
    fn differ(&self, write: &Access<'_>, read: &Access<'_>, at: usize, earlier: bool) -> bool {
        let pair = Pair::new(self, write, read, (at, earlier));
        let mut indices = write.indices.iter().zip(&read.indices);
        indices.any(|(w, r)| pair.are_different(w, r))
    }
}

/// Whether two indices that are evaluated in one iteration differ by a number.
pub(crate) fn are_numbers_apart(a: &Poly, b: &Poly) -> bool {
    let distance = a.clone().minus(b).constant();
    distance.is_some_and(|distance| distance != 0)
}

/// Two accesses, each in an iteration.
struct Pair<'a> {
    of: &'a Instances<'a>,
    write: &'a Access<'a>,
    read: &'a Access<'a>,
    space: Space,
    /// The variables that the read has for itself.
    own: HashSet<VarId>,
    /// Added to the number of a variable, what names that of the read.
    offset: u32,
}

impl<'a> Pair<'a> {
    fn new(
        of: &'a Instances<'a>,
        write: &'a Access<'a>,
        read: &'a Access<'a>,
        (at, earlier): (usize, bool),
    ) -> Self {
        let mut own = HashSet::default();
        for around in &read.loops[at..] {
            own.extend(around.over_range().map(|(var, ..)| var));
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
        let (of_write, of_read) = (&self.write.loops, &self.read.loops);
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
        for condition in &self.write.conditions {
            condition.tell(&as_is, &mut space);
        }
        for condition in &self.read.conditions {
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
        let (var, range, _) = around.over_range()?;
        let of_words = self.of.definitions.is_word_variable(var);
        of_words.then_some((var, range))
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
        let sides = [(&self.write.loops, false), (&self.read.loops, true)];
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
