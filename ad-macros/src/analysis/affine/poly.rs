//! Polynomials with integer coefficients in immutable variables and named constants.

use std::collections::BTreeMap;

use proc_macro2::Span;

use super::is_word;
use crate::ir::{BinOp, Expr, ExprKind, Ty, VarId};

/// What a polynomial is one in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Atom {
    Var(VarId),
    /// A constant of the user's, by its text.
    Const(String),
}

/// No coefficient that a person writes is larger. Those of sums and products of polynomials can be; they saturate far
/// beyond it, so that none is mistaken for one within.
const LARGEST: i128 = i64::MAX as i128;

/// More terms than this an index of a person's has not: a limit on the time that it takes to multiply.
const MOST_TERMS: usize = 32;

/// Sums of integer multiples of products of variables and named constants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Poly(BTreeMap<Vec<Atom>, i128>);

impl Poly {
    /// A multiple of a product of variables.
    pub(crate) fn term(vars: Vec<VarId>, factor: i128) -> Self {
        Self::product(vars.into_iter().map(Atom::Var).collect(), factor)
    }

    fn product(vars: Vec<Atom>, factor: i128) -> Self {
        let mut poly = Poly::default();
        poly.add_term(vars, factor);
        poly
    }

    fn add_term(&mut self, vars: Vec<Atom>, factor: i128) {
        let sum = self.0.remove(&vars).unwrap_or(0).saturating_add(factor);
        if sum != 0 {
            self.0.insert(vars, sum);
        }
    }

    /// A constant of the user's.
    pub(crate) fn named(name: String) -> Self {
        Self::product(vec![Atom::Const(name)], 1)
    }

    pub(crate) fn number(n: i128) -> Self {
        Poly::term(Vec::new(), n)
    }

    pub(crate) fn plus(mut self, other: &Poly, factor: i128) -> Self {
        for (vars, k) in &other.0 {
            self.add_term(vars.clone(), k.saturating_mul(factor));
        }
        self
    }

    pub(crate) fn times(&self, other: &Poly) -> Self {
        let mut product = Poly::default();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let mut vars: Vec<Atom> = a.iter().chain(b).cloned().collect();
                vars.sort_unstable();
                product.add_term(vars, x.saturating_mul(*y));
            }
        }
        product
    }

    pub(crate) fn minus(self, other: &Poly) -> Self {
        self.plus(other, -1)
    }

    /// Whether two of the indices are a fixed distance apart, so that one iteration's element is another's.
    pub(crate) fn meet(indices: &[&Poly]) -> bool {
        indices.iter().enumerate().any(|(k, a)| {
            let apart = |b: &&Poly| (*a).clone().minus(b).constant();
            indices[..k].iter().any(|b| apart(b).is_some())
        })
    }

    /// The number, if there are no variables.
    pub(crate) fn constant(&self) -> Option<i128> {
        match self.0.iter().next() {
            None => Some(0),
            Some((vars, k)) => (self.0.len() == 1 && vars.is_empty()).then_some(*k),
        }
    }

    /// The products of variables with their factors; those with named constants are left out.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (Vec<VarId>, i128)> {
        let var = |atom: &Atom| match atom {
            Atom::Var(var) => Some(*var),
            Atom::Const(_) => None,
        };
        self.0
            .iter()
            .filter_map(move |(atoms, k)| Some((atoms.iter().map(var).collect::<Option<_>>()?, *k)))
    }

    /// All terms, as products of variables with their factors; `None` if there is a named constant.
    pub(crate) fn in_variables(&self) -> Option<Vec<(Vec<VarId>, i128)>> {
        let terms: Vec<_> = self.terms().collect();
        (terms.len() == self.0.len()).then_some(terms)
    }

    /// Its terms with positive factors, and the others with theirs turned round: it is the difference of both.
    pub(crate) fn signed(&self) -> [Poly; 2] {
        let negative = Poly::default().plus(self, -1).positive();
        [self.positive(), negative]
    }

    /// How many terms it has.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is the number zero.
    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn vars(&self) -> impl Iterator<Item = VarId> {
        self.0.keys().flatten().filter_map(|atom| match atom {
            Atom::Var(var) => Some(*var),
            Atom::Const(_) => None,
        })
    }

    /// The polynomial of an expression over `usize`, of sums, differences and products of numbers and what `atom`
    /// knows; `None` if it is none.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing is known of others")]
    pub(in crate::analysis) fn of(e: &Expr, atom: &dyn Fn(&Expr) -> Option<Poly>) -> Option<Poly> {
        if !is_word(&e.ty) {
            return None;
        }
        let poly = match &e.kind {
            ExprKind::Lit(lit) => Poly::number(lit.int()?),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (Poly::of(a, atom)?, Poly::of(b, atom)?);
                match op {
                    BinOp::Add => a.plus(&b, 1),
                    BinOp::Sub => a.minus(&b),
                    BinOp::Mul => a.times(&b),
                    _ => return None,
                }
            }
            _ => atom(e)?,
        };
        poly.is_exact().then_some(poly)
    }

    /// Whether no coefficient is saturated, and the terms are few.
    pub(in crate::analysis) fn is_exact(&self) -> bool {
        self.0.len() <= MOST_TERMS && self.0.values().all(|k| k.abs() <= LARGEST)
    }

    /// Whether it is one variable.
    pub(crate) fn is_variable(&self) -> bool {
        let mut terms = self.0.iter();
        matches!((terms.next(), terms.next()), (Some((atoms, 1)), None) if matches!(atoms.as_slice(), [Atom::Var(_)]))
    }

    /// The polynomial as an expression over `usize`, if it has no negative part and no named constant.
    pub(crate) fn expression(&self, span: Span) -> Option<Expr> {
        self.expression_with(span, &|_| None)
    }

    /// The same, if it has no negative part; `constant` says what stands for a named constant.
    pub(crate) fn expression_with(
        &self,
        span: Span,
        constant: &dyn Fn(&str) -> Option<Expr>,
    ) -> Option<Expr> {
        let usize = || Ty::USIZE;
        let number = |n: i128| Expr::word(n, span);
        let join = |op, a, b| {
            let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
            Expr::new(kind, usize(), span)
        };
        let mut sum: Option<Expr> = None;
        for (vars, k) in &self.0 {
            let mut product = if *k == 1 && !vars.is_empty() {
                None
            } else {
                Some(number(*k)?)
            };
            for atom in vars {
                let read = match atom {
                    Atom::Var(var) => Expr::read_var(*var, usize(), span),
                    Atom::Const(name) => constant(name)?,
                };
                product = Some(match product {
                    Some(product) => join(BinOp::Mul, product, read),
                    None => read,
                });
            }
            sum = match (sum, product) {
                (Some(a), Some(b)) => Some(join(BinOp::Add, a, b)),
                (a, b) => a.or(b),
            };
        }
        sum.or_else(|| number(0))
    }

    /// The terms in named constants and in variables that are all of this kind, and the others with the number.
    pub(crate) fn split(self, kind: &dyn Fn(VarId) -> bool) -> (Poly, Poly) {
        let of_kind = |atom: &Atom| match atom {
            Atom::Var(var) => kind(*var),
            Atom::Const(_) => true,
        };
        let chosen = |atoms: &Vec<Atom>| !atoms.is_empty() && atoms.iter().all(of_kind);
        let (a, b) = self.0.into_iter().partition(|(vars, _)| chosen(vars));
        (Poly(a), Poly(b))
    }

    /// `(a, b)` if the polynomial is `a·var + b` with `var` in neither.
    pub(crate) fn linear_in(&self, var: VarId) -> Option<(Poly, Poly)> {
        self.linear_in_atom(&Atom::Var(var))
    }

    fn linear_in_atom(&self, atom: &Atom) -> Option<(Poly, Poly)> {
        let (mut slope, mut rest) = (Poly::default(), Poly::default());
        for (vars, k) in &self.0 {
            let this = |v: &&Atom| *v == atom;
            match vars.iter().filter(this).count() {
                0 => rest.add_term(vars.clone(), *k),
                1 => slope.add_term(vars.iter().filter(|v| !this(v)).cloned().collect(), *k),
                _ => return None,
            }
        }
        Some((slope, rest))
    }

    /// The same polynomial in other variables.
    pub(in crate::analysis) fn renamed(&self, name: &dyn Fn(VarId) -> VarId) -> Poly {
        let mut renamed = Poly::default();
        for (atoms, k) in &self.0 {
            let mut atoms = atoms.clone();
            for atom in &mut atoms {
                if let Atom::Var(var) = atom {
                    *var = name(*var);
                }
            }
            atoms.sort_unstable();
            renamed.add_term(atoms, *k);
        }
        renamed
    }

    /// Whether it is one variable or one named constant.
    pub(in crate::analysis) fn is_symbol(&self) -> bool {
        let mut terms = self.0.iter();
        matches!((terms.next(), terms.next()), (Some((atoms, 1)), None) if atoms.len() == 1)
    }

    /// [`linear_in`](Poly::linear_in) what [`is_symbol`](Poly::is_symbol).
    pub(in crate::analysis) fn linear_in_symbol(&self, symbol: &Poly) -> Option<(Poly, Poly)> {
        let (atoms, _) = symbol.0.first_key_value()?;
        self.linear_in_atom(atoms.first()?)
    }

    /// Whether no term has a negative factor, so that it is at least zero where its variables are.
    pub(in crate::analysis) fn is_never_negative(&self) -> bool {
        self.0.values().all(|k| *k >= 0)
    }

    /// The number in it.
    pub(in crate::analysis) fn number_in(&self) -> i128 {
        self.0.get([].as_slice()).copied().unwrap_or(0)
    }

    /// Its terms, as products of variables and named constants with their factors.
    pub(in crate::analysis) fn products(&self) -> impl Iterator<Item = (Vec<Poly>, i128)> {
        let symbol = |atom: &Atom| Poly::product(vec![atom.clone()], 1);
        let products = self.0.iter();
        products.map(move |(atoms, k)| (atoms.iter().map(symbol).collect(), *k))
    }

    /// The variable that it is.
    pub(in crate::analysis) fn variable(&self) -> Option<VarId> {
        let var = self.vars().next();
        var.filter(|_| self.is_variable())
    }

    /// Its terms with positive factors.
    pub(in crate::analysis) fn positive(&self) -> Poly {
        let positive = self.0.iter().filter(|(_, k)| **k > 0);
        Poly(positive.map(|(atoms, k)| (atoms.clone(), *k)).collect())
    }
}
