//! What an element gets from the iterations around, as one expression.
//!
//! ```text
//! rows      for i: row0[i] = d[i] * p(i), row1[i] = -d[i] * p(i)          x_bar[e] += row0[e] + row1[e - 1]
//! combined  x_bar[e] += (d[e] - d[e - 1]) * p      where p(e) and p(e - 1) are seen to be the same number
//! ```
//!
//! The contributions are sums of products (`linear`). Products with the same factors become one, of a sum of adjoints;
//! sums of adjoints that occur several times become one factor of a sum, and so do other factors. It reassociates and
//! distributes, so it is for adjoints alone. Worth it if that takes no more operations than the rows, which are written
//! and read beside.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Span;

use crate::ir::hash::HashSet;
use crate::ir::{
    BinOp, Block, Class, Combined, Expr, ExprKind, Func, Gather, Place, Sliced, Stmt, StmtKind, Ty,
    UnOp, VarId,
};

use super::linear::{Id, Names, Number, Numbers, Product};
use crate::ir::binary;

/// Numbers that are multiplied, in order.
type Factors = Vec<Id>;
/// Terms with their signs.
type Signed<T> = Vec<(T, bool)>;

/// One expression for each group of sums, or why there is none.
pub(in crate::optimize) fn combine(
    func: &mut Func,
    stmt: &Stmt,
    sliced: &Sliced,
    contributions: &Block,
    adjoints: &HashSet<VarId>,
) -> Result<Vec<Combined>, &'static str> {
    let mut combined = Vec::new();
    for gather in &sliced.gathers {
        let numbers = Numbers::of(func, stmt, sliced, adjoints);
        let mut numbers = numbers.ok_or("the loop does not run over a range")?;
        let sum = Sum::of(products(&mut numbers, sliced, gather, contributions)?);
        let shape = Shape::of(&numbers, &sum);
        let span = stmt.span;
        let names = shape.declare(func, numbers.ty(), span);
        let sums = ["total", "inner"].map(|base| {
            let var = func.temp_of(Class::Either, base, numbers.ty().clone(), span);
            func.var_mut(var).mutable = true;
            var
        });
        let slices = shape.elements.iter();
        combined.push(Combined {
            slices: slices.map(|at| (names.slices[at], at.0, at.1)).collect(),
            body: sum.body(&numbers, &names, &shape, sums),
            total: sums[0],
        });
    }
    Ok(combined)
}

/// What all iterations contribute to one element.
fn products(
    numbers: &mut Numbers<'_>,
    sliced: &Sliced,
    gather: &Gather,
    contributions: &Block,
) -> Result<Vec<Product>, &'static str> {
    let mut all = Vec::new();
    let mut rest = gather.terms.as_slice();
    while let Some((_, shift)) = rest.first() {
        let here = rest.iter().take_while(|(_, s)| s == shift).count();
        let (terms, later) = rest.split_at(here);
        let sums = terms.iter().map(|(k, _)| &sliced.sums[*k]);
        let sources: Vec<VarId> = sums.clone().map(|sum| sum.source).collect();
        let found = numbers.contributions(contributions, *shift, &sources)?;
        for (sum, products) in sums.zip(found) {
            let minus = sum.op == BinOp::Sub;
            all.extend(products.into_iter().map(|product| Product {
                minus: product.minus != minus,
                ..product
            }));
        }
        rest = later;
    }
    if all.is_empty() {
        return Err("nothing is added");
    }
    Ok(all)
}

/// Sums of adjoints, each times a sum of products of numbers.
struct Sum {
    /// Sums without a factor in common with all others, or with none.
    outer: Vec<(Signed<Id>, Signed<Factors>)>,
    /// The others, without the factors that they have in common.
    inner: Vec<(Signed<Id>, Signed<Factors>)>,
    common: Factors,
}

impl Sum {
    fn of(products: Vec<Product>) -> Self {
        // The same factors in any order are one product; it keeps the order of the text, as another might overflow.
        let mut by_factors: BTreeMap<Factors, (Factors, Signed<Id>)> = BTreeMap::new();
        for product in products {
            let mut key = product.factors.clone();
            key.sort_unstable();
            let (_, adjoints) = by_factors
                .entry(key)
                .or_insert_with(|| (product.factors, Vec::new()));
            adjoints.push((product.adjoint, product.minus));
        }
        let mut by_adjoints: BTreeMap<Signed<Id>, Signed<Factors>> = BTreeMap::new();
        for (factors, mut adjoints) in by_factors.into_values() {
            adjoints.sort_unstable();
            let minus = adjoints[0].1;
            for (_, sign) in &mut adjoints {
                *sign ^= minus;
            }
            by_adjoints
                .entry(adjoints)
                .or_default()
                .push((factors, minus));
        }
        let (outer, mut inner): (Vec<_>, Vec<_>) = by_adjoints
            .into_iter()
            .partition(|(_, sum)| sum.iter().any(|(factors, _)| factors.is_empty()));
        let products = inner.iter().flat_map(|(_, sum)| sum);
        let common = common(products.map(|(factors, _)| factors));
        if inner.len() < 2 || common.is_empty() {
            let outer = outer.into_iter().chain(inner).collect();
            return Self {
                outer,
                inner: Vec::new(),
                common: Vec::new(),
            };
        }
        for (factors, _) in inner.iter_mut().flat_map(|(_, sum)| sum) {
            remove(factors, &common);
        }
        Self {
            outer,
            inner,
            common,
        }
    }

    fn ids(&self) -> impl Iterator<Item = Id> {
        let sums = self.outer.iter().chain(&self.inner);
        let used = sums.flat_map(|(adjoints, sum)| {
            let factors = sum.iter().flat_map(|(factors, _)| factors);
            adjoints.iter().map(|(id, _)| id).chain(factors)
        });
        used.chain(&self.common).copied()
    }

    fn body(
        &self,
        numbers: &Numbers<'_>,
        names: &Names,
        shape: &Shape,
        [total, inner]: [VarId; 2],
    ) -> Block {
        let write = Write { numbers, names };
        let mut stmts = Vec::new();
        for id in &shape.operations {
            let init = numbers.computed(*id, names);
            let (var, span) = (names.numbers[id], init.span);
            let init = Some(init);
            stmts.push(Stmt::new(StmtKind::Let { var, init }, span));
        }
        let term = |(adjoints, sum): &(Signed<Id>, Signed<Factors>)| write.term(adjoints, sum);
        let mut terms: Signed<Expr> = self.outer.iter().map(term).collect();
        if let Some(common) = write.product(&self.common) {
            add_up(&mut stmts, inner, self.inner.iter().map(term).collect());
            let sum = Expr::read_var(inner, common.ty.clone(), common.span);
            terms.push((times(common, sum), false));
        }
        add_up(&mut stmts, total, terms);
        Block { stmts }
    }
}

/// What is read and computed for a sum.
struct Shape {
    /// Elements of slices, by the iteration.
    elements: BTreeSet<(VarId, usize)>,
    /// In the order of computation.
    operations: BTreeSet<Id>,
}

impl Shape {
    fn of(numbers: &Numbers<'_>, sum: &Sum) -> Self {
        let mut shape = Self {
            elements: BTreeSet::new(),
            operations: BTreeSet::new(),
        };
        sum.ids().for_each(|id| shape.note(numbers, id));
        shape
    }

    fn note(&mut self, numbers: &Numbers<'_>, id: Id) {
        match &numbers.all[id] {
            Number::Fixed(_) => {}
            Number::Element(slice, shift) => {
                self.elements.insert((*slice, *shift));
            }
            Number::Operation(_, args) => {
                if self.operations.insert(id) {
                    args.iter().for_each(|arg| self.note(numbers, *arg));
                }
            }
        }
    }

    fn declare(&self, func: &mut Func, ty: &Ty, span: Span) -> Names {
        let mut names = Names::default();
        for at in &self.elements {
            let (base, slice) = (func.var(at.0).name.to_string(), func.var(at.0).ty.clone());
            let var = func.temp_of(func.var(at.0).class, &base, slice, span);
            names.slices.insert(*at, var);
        }
        for id in &self.operations {
            let var = func.temp_of(Class::Either, "number", ty.clone(), span);
            names.numbers.insert(*id, var);
        }
        names
    }
}

/// Numbers as expressions.
struct Write<'a> {
    numbers: &'a Numbers<'a>,
    names: &'a Names,
}

impl Write<'_> {
    /// A sum of adjoints times a sum of products; the sign apart.
    fn term(&self, adjoints: &Signed<Id>, sum: &Signed<Factors>) -> (Expr, bool) {
        let adjoints = adjoints.iter();
        let adjoints = adjoints.map(|(id, minus)| (self.numbers.expr(*id, self.names), *minus));
        let (adjoints, minus) = signed_sum(adjoints.collect());
        if let [(factors, negative)] = sum.as_slice() {
            let factors = factors.iter().map(|id| self.numbers.expr(*id, self.names));
            return (factors.fold(adjoints, times), minus != *negative);
        }
        match self.sum(sum.clone()) {
            (None, negative) => (adjoints, minus != negative),
            (Some(factor), negative) => (times(adjoints, factor), minus != negative),
        }
    }

    /// A sum of products, with a factor that several have in common taken out; `None` is one.
    fn sum(&self, mut sum: Signed<Factors>) -> (Option<Expr>, bool) {
        if let [(factors, minus)] = sum.as_slice() {
            return (self.product(factors), *minus);
        }
        let common = common(sum.iter().map(|(factors, _)| factors));
        if !common.is_empty() {
            sum.iter_mut()
                .for_each(|(factors, _)| remove(factors, &common));
            let (rest, minus) = self.sum(sum);
            let common = self.product(&common);
            return (self.both(common, rest), minus);
        }
        let Some(factor) = most_frequent(&sum) else {
            let terms = sum.iter().map(|(factors, minus)| {
                let product = self.product(factors);
                (product.unwrap_or_else(|| self.numbers.one()), *minus)
            });
            let (sum, minus) = signed_sum(terms.collect());
            return (Some(sum), minus);
        };
        let (with, without): (Vec<_>, Vec<_>) = sum
            .into_iter()
            .partition(|(factors, _)| factors.contains(&factor));
        let terms = [with, without].map(|part| {
            let (e, minus) = self.sum(part);
            (e.unwrap_or_else(|| self.numbers.one()), minus)
        });
        let (sum, minus) = signed_sum(terms.into());
        (Some(sum), minus)
    }

    fn product(&self, factors: &[Id]) -> Option<Expr> {
        let factors = factors.iter().map(|id| self.numbers.expr(*id, self.names));
        factors.reduce(times)
    }

    fn both(&self, a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
        match (a, b) {
            (Some(a), Some(b)) => Some(times(a, b)),
            (a, b) => a.or(b),
        }
    }
}

/// The factors that all products have.
fn common<'a>(products: impl Iterator<Item = &'a Factors>) -> Factors {
    let shared = products.cloned().reduce(|common, factors| {
        let mut rest = factors;
        let mut both = Vec::new();
        for factor in common {
            if let Some(at) = rest.iter().position(|f| *f == factor) {
                rest.remove(at);
                both.push(factor);
            }
        }
        both
    });
    shared.unwrap_or_default()
}

fn remove(factors: &mut Factors, common: &[Id]) {
    for factor in common {
        if let Some(at) = factors.iter().position(|f| f == factor) {
            factors.remove(at);
        }
    }
}

/// The factor that is in the most products, of two at least.
fn most_frequent(sum: &Signed<Factors>) -> Option<Id> {
    let mut counts: BTreeMap<Id, usize> = BTreeMap::new();
    for (factors, _) in sum {
        for factor in factors.iter().collect::<BTreeSet<_>>() {
            *counts.entry(*factor).or_default() += 1;
        }
    }
    let (factor, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count > 1).then_some(factor)
}

fn times(a: Expr, b: Expr) -> Expr {
    binary(BinOp::Mul, a, b)
}

/// A sum that begins with a term that is added, if there is one; else its negative, and `true`.
fn signed_sum(mut terms: Signed<Expr>) -> (Expr, bool) {
    let first = terms.iter().position(|(_, minus)| !minus);
    let flip = first.is_none();
    let (mut sum, _) = terms.remove(first.unwrap_or(0));
    for (term, minus) in terms {
        let op = if minus != flip {
            BinOp::Sub
        } else {
            BinOp::Add
        };
        sum = binary(op, sum, term);
    }
    (sum, flip)
}

/// Declares a variable, and adds to it term by term.
fn add_up(stmts: &mut Vec<Stmt>, var: VarId, mut terms: Signed<Expr>) {
    let first = terms.iter().position(|(_, minus)| !minus).unwrap_or(0);
    let (mut init, minus) = terms.remove(first);
    let span = init.span;
    if minus {
        let ty = init.ty.clone();
        init = Expr::new(ExprKind::Unary(UnOp::Neg, Box::new(init)), ty, span);
    }
    let init = Some(init);
    stmts.push(Stmt::new(StmtKind::Let { var, init }, span));
    for (value, minus) in terms {
        let op = if minus { BinOp::Sub } else { BinOp::Add };
        let place = Place::var(var, span);
        stmts.push(Stmt::new(StmtKind::Update { place, op, value }, span));
    }
}
