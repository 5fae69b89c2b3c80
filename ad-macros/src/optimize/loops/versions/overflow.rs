//! Whether the indices of a loop on windows can overflow: one look at the numbers that they are made of, for all of
//! them.
//!
//! Indices are sums, differences and products of numbers that the loop does not change, and of its counter. With all
//! factors of products below one bound and all other numbers below another (`room` in the runtime), sums and products
//! stay below the largest number, and a difference does if it is none below zero, which is looked at for each one. If
//! some number is larger, each index is computed once with a look at each sum, out of the way. Being wrong here would
//! lose a panic, never an access to an array.

use crate::ir::hash::{HashMap, HashSet};
use crate::ir::versions::{Below, Check, Function, NoOverflow};
use crate::ir::{BinOp, Block, Expr, ExprKind, Sliced, Stmt, Ty, VarId, expr_text};

use super::index::{End, Ends};
use super::{Iterations, Maker};

/// Loops that ask for fewer windows look at each sum.
const MANY: usize = 8;

/// Numbers in the text up to this one count as so many summands.
const SMALL: u64 = 16;

/// Sums of more than `2^BITS` numbers, and products of more than `FACTORS`, are not looked at this way.
const BITS: u32 = 10;
const FACTORS: u32 = 6;

impl Maker<'_> {
    /// Declares the integers that indices use, and checks that no index overflows: each sum is looked at where there
    /// are few windows.
    pub(super) fn indices(
        &mut self,
        sliced: &Sliced,
        iterations: &Iterations,
        stmts: &mut Vec<Stmt>,
    ) -> Ends {
        let Some(room) = self.room(sliced) else {
            return self.ends(sliced, iterations, Function::Checked, stmts);
        };
        let indices = indices(sliced);
        let ends = self.ends(sliced, iterations, Function::Known, stmts);
        let below = |factor: bool, degree: u32| {
            let leaves = room.leaves.iter().filter(|leaf| leaf.factor == factor);
            let numbers: Vec<Expr> = leaves
                .map(|leaf| self.number(&leaf.number, sliced, &ends))
                .collect();
            let bits = room.bits;
            let some = !numbers.is_empty();
            some.then_some(Below {
                numbers,
                degree,
                bits,
            })
        };
        let below = [below(true, room.degree), below(false, 1)];
        let check = Check::NoOverflow(NoOverflow {
            below: below.into_iter().flatten().collect(),
            differences: self.differences(sliced, &indices, &ends),
            exact: self.exact(sliced, iterations, &indices),
        });
        stmts.push(self.check(check));
        ends
    }

    /// A number that indices are made of: of the counter, the largest one.
    fn number(&self, e: &Expr, sliced: &Sliced, ends: &Ends) -> Expr {
        let ExprKind::Read(p) = &e.kind else {
            return e.clone();
        };
        if p.root != sliced.counter {
            return e.clone();
        }
        let last = self.at(e, ends, End::Last);
        self.function(Function::Number, vec![last], Ty::USIZE)
    }

    /// The differences in indices, each in the first iteration and in the last.
    fn differences(&self, sliced: &Sliced, indices: &[&Expr], ends: &Ends) -> Vec<(Expr, Expr)> {
        let mut found = Vec::new();
        let mut seen = HashSet::default();
        let held = sliced.ints.iter().map(|(_, held)| held);
        for e in held.chain(indices.iter().copied()) {
            each_difference(e, &mut |a, b| {
                for end in End::BOTH {
                    let [a, b] = [a, b].map(|e| self.at(e, ends, end));
                    let texts = [&a, &b].map(|e| expr_text(self.func, e));
                    if seen.insert(texts) {
                        found.push((a, b));
                    }
                }
            });
        }
        found
    }

    /// Whether nothing overflows, by a look at each sum.
    fn exact(&mut self, sliced: &Sliced, iterations: &Iterations, indices: &[&Expr]) -> Block {
        let mut stmts = Vec::new();
        let ends = self.ends(sliced, iterations, Function::Checked, &mut stmts);
        for e in indices {
            for end in End::BOTH {
                stmts.push(self.check(Check::Fits(self.at(e, &ends, end))));
            }
        }
        Block { stmts }
    }

    /// What bounds the numbers that indices are made of; nothing if there are few windows, or if indices are too large
    /// to be looked at this way.
    fn room(&self, sliced: &Sliced) -> Option<Room> {
        let windows = sliced.views.len()
            + sliced.edits.iter().map(Vec::len).sum::<usize>()
            + sliced.sums.iter().filter(|sum| sum.along.is_some()).count();
        if windows < MANY {
            return None;
        }
        let text = |e: &Expr| expr_text(self.func, e);
        let indices = indices(sliced);
        let mut leaves = Leaves::new(&text, sliced);
        indices.iter().for_each(|e| leaves.find(e, false));
        let mut bounds = Bounds::new(&leaves);
        for e in &indices {
            bounds.of(e)?;
        }
        Some(Room {
            degree: bounds.degree.max(1),
            bits: bits(bounds.most)?,
            leaves: leaves.list,
        })
    }
}

/// The numbers that indices are made of, how many factors products have, and how many bits the number of summands.
struct Room {
    leaves: Vec<Leaf>,
    degree: u32,
    bits: u32,
}

/// All indices of a loop.
fn indices(sliced: &Sliced) -> Vec<&Expr> {
    let loads = sliced.loads.iter().map(|(_, view)| &view.index);
    let views = sliced.views.iter().map(|(_, view)| &view.index);
    let edits = sliced.edits.iter().flatten().map(|(_, view)| &view.index);
    let sums = sliced.sums.iter().filter_map(|sum| sum.along.as_ref());
    let parts = sliced.parts.iter().flat_map(|part| part.bounds());
    let held = sliced.ints.iter().map(|(_, held)| held);
    let middle = sliced.middle.iter().flat_map(|middle| &middle.holds);
    held.chain(parts)
        .chain(middle.flat_map(|holds| &holds.sides))
        .chain(loads)
        .chain(views)
        .chain(edits)
        .chain(sums.map(|view| &view.index))
        .collect()
}

fn each_difference<'e>(e: &'e Expr, f: &mut dyn FnMut(&'e Expr, &'e Expr)) {
    if let ExprKind::Binary(op, a, b) = &e.kind {
        each_difference(a, f);
        each_difference(b, f);
        if *op == BinOp::Sub {
            f(a, b);
        }
    }
}

/// A small number in the text.
fn small(e: &Expr) -> Option<u64> {
    e.int_literal().filter(|number| *number <= SMALL)
}

/// A number that indices are made of.
struct Leaf {
    text: String,
    number: Expr,
    /// Whether it is a factor of a product.
    factor: bool,
}

/// The numbers that indices are made of.
struct Leaves<'a> {
    text: &'a dyn Fn(&Expr) -> String,
    held: HashMap<VarId, &'a Expr>,
    /// The integers whose numbers were looked at, and whether as factors.
    done: HashSet<(VarId, bool)>,
    list: Vec<Leaf>,
}

impl<'a> Leaves<'a> {
    fn new(text: &'a dyn Fn(&Expr) -> String, sliced: &'a Sliced) -> Self {
        Self {
            text,
            held: sliced.ints.iter().map(|(var, held)| (*var, held)).collect(),
            done: HashSet::default(),
            list: Vec::new(),
        }
    }

    /// What an integer of the loop holds.
    fn held(&self, e: &Expr) -> Option<(VarId, &'a Expr)> {
        let ExprKind::Read(p) = &e.kind else {
            return None;
        };
        self.held.get(&p.root).map(|held| (p.root, *held))
    }

    fn find(&mut self, e: &Expr, factor: bool) {
        if small(e).is_some() {
            return;
        }
        if let Some((var, held)) = self.held(e) {
            if self.done.insert((var, factor)) {
                self.find(held, factor);
            }
            return;
        }
        if let ExprKind::Binary(op, a, b) = &e.kind {
            let product = !matches!(op, BinOp::Add | BinOp::Sub);
            let factor = factor || product && small(a).is_none() && small(b).is_none();
            self.find(a, factor);
            self.find(b, factor);
            return;
        }
        let text = (self.text)(e);
        match self.list.iter_mut().find(|leaf| leaf.text == text) {
            Some(leaf) => leaf.factor |= factor,
            None => self.list.push(Leaf {
                text,
                number: e.clone(),
                factor,
            }),
        }
    }

    fn is_factor(&self, e: &Expr) -> bool {
        let text = (self.text)(e);
        self.list
            .iter()
            .any(|leaf| leaf.text == text && leaf.factor)
    }
}

/// A bound of an index: so many products of so many factors at most, and so many other numbers.
#[derive(Clone, Copy)]
struct Bound {
    degree: u32,
    products: u64,
    others: u64,
}

struct Bounds<'a> {
    leaves: &'a Leaves<'a>,
    known: HashMap<VarId, Bound>,
    /// The most of each.
    degree: u32,
    most: u64,
}

impl<'a> Bounds<'a> {
    fn new(leaves: &'a Leaves<'a>) -> Self {
        Self {
            leaves,
            known: HashMap::default(),
            degree: 0,
            most: 0,
        }
    }

    /// The bound of an index, which holds where no difference is below zero; none if it is too large.
    fn of(&mut self, e: &Expr) -> Option<Bound> {
        let bound = self.find(e)?;
        self.degree = self.degree.max(bound.degree);
        self.most = self.most.max(bound.products).max(bound.others);
        (self.degree <= FACTORS && bits(self.most).is_some()).then_some(bound)
    }

    fn find(&mut self, e: &Expr) -> Option<Bound> {
        if let Some(number) = small(e) {
            return Some(Bound {
                degree: 0,
                products: number,
                others: 0,
            });
        }
        if let Some((var, held)) = self.leaves.held(e) {
            if let Some(bound) = self.known.get(&var) {
                return Some(*bound);
            }
            let bound = self.of(held)?;
            self.known.insert(var, bound);
            return Some(bound);
        }
        let ExprKind::Binary(op, a, b) = &e.kind else {
            let factor = self.leaves.is_factor(e);
            return Some(Bound {
                degree: factor.into(),
                products: factor.into(),
                others: (!factor).into(),
            });
        };
        let (x, y) = (self.of(a)?, self.of(b)?);
        if *op == BinOp::Add {
            return Some(Bound {
                degree: x.degree.max(y.degree),
                products: x.products + y.products,
                others: x.others + y.others,
            });
        }
        if *op == BinOp::Sub {
            return Some(x);
        }
        // Of two that are no small numbers, all leaves are factors.
        (*op == BinOp::Mul).then_some(Bound {
            degree: x.degree + y.degree,
            products: x.products * y.products,
            others: x.others * y.products + y.others * x.products,
        })
    }
}

/// How many bits so many summands need, unless it is many.
fn bits(most: u64) -> Option<u32> {
    let bits = most.max(1).next_power_of_two().trailing_zeros();
    (bits <= BITS).then_some(bits)
}
