//! Index expressions as polynomials.
//!
//! An index is followed through the immutable variables that hold its parts, and written as a polynomial with integer
//! coefficients in the variables that are left, which are immutable too.
//!
//! A polynomial stands for machine arithmetic: sums, differences and products of words, which wrap around where
//! overflow is not checked. Nothing else has one: no cast, no other type of integer, no method that saturates, checks
//! or wraps by itself. So polynomials say what holds modulo the size of a word, whatever the variables hold:
//!
//! - equal polynomials are equal words, and
//! - polynomials that differ by a number are words that differ by it.
//!
//! Nothing else follows from a form alone. That one word is less than another, or never equals another, are facts about
//! integers: they hold as long as nothing wraps around. [`disjoint`](super::dependence::disjoint) proves that before it
//! says so.

use std::collections::BTreeMap;

use proc_macro2::Span;

use quote::ToTokens;

use crate::ir::hash::HashMap;
use crate::ir::is_constant;
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, IntTy, Opaque, OpaqueArg, Place, Proj, RangeIter, Ty, VarId,
};

/// What a polynomial is one in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    pub(super) fn of(e: &Expr, atom: &dyn Fn(&Expr) -> Option<Poly>) -> Option<Poly> {
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
    fn is_exact(&self) -> bool {
        self.0.len() <= MOST_TERMS && self.0.values().all(|k| k.abs() <= LARGEST)
    }

    /// Whether it is one variable.
    pub(crate) fn is_variable(&self) -> bool {
        let mut terms = self.0.iter();
        matches!((terms.next(), terms.next()), (Some((atoms, 1)), None) if matches!(atoms.as_slice(), [Atom::Var(_)]))
    }

    /// The polynomial as an expression over `usize`, if it has no negative part and no named constant.
    pub(crate) fn expression(&self, span: Span) -> Option<Expr> {
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
                let Atom::Var(var) = atom else { return None };
                let read = Expr::read_var(*var, usize(), span);
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
        let (mut slope, mut rest) = (Poly::default(), Poly::default());
        for (vars, k) in &self.0 {
            let this = |v: &&Atom| **v == Atom::Var(var);
            match vars.iter().filter(this).count() {
                0 => rest.add_term(vars.clone(), *k),
                1 => slope.add_term(vars.iter().filter(|v| !this(v)).cloned().collect(), *k),
                _ => return None,
            }
        }
        Some((slope, rest))
    }
}

/// The immutable variables that a block declares, with what they hold, and the loops over ranges in it.
pub(crate) struct Definitions<'a> {
    func: &'a Func,
    held: HashMap<VarId, &'a Expr>,
    /// Loops that run to their end, by their counters.
    loops: HashMap<VarId, Nested<'a>>,
}

/// A loop that runs to its end, and what is around it in the block.
pub(super) struct Nested<'a> {
    pub(super) range: &'a RangeIter,
    /// From the outside in.
    pub(super) around: Vec<Around>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// A loop that runs to its end.
    Loop(VarId),
    /// Anything else: what is inside may run, or may not.
    Other,
}

impl<'a> Definitions<'a> {
    pub(crate) fn of(func: &'a Func, block: &'a Block) -> Self {
        let mut definitions = Self {
            func,
            held: HashMap::default(),
            loops: HashMap::default(),
        };
        definitions.collect(block, &mut Vec::new());
        definitions
    }

    fn collect(&mut self, block: &'a Block, around: &mut Vec<Around>) {
        for stmt in &block.stmts {
            self.held.extend(stmt.definition(self.func));
            let inside = match stmt.counting() {
                Some(counting) => {
                    self.note(counting.counter, counting.range, around);
                    Around::Loop(counting.counter)
                }
                None => Around::Other,
            };
            around.push(inside);
            for inner in stmt.kind.blocks() {
                self.collect(inner, around);
            }
            around.pop();
        }
    }

    /// Both sweeps of a loop have one counter. Where they stand in different places, nothing is known of the place.
    fn note(&mut self, counter: VarId, range: &'a RangeIter, around: &[Around]) {
        let nested = self.loops.entry(counter).or_insert_with(|| Nested {
            range,
            around: around.to_vec(),
        });
        if nested.around != around {
            nested.around = vec![Around::Other];
        }
    }

    /// The loop over a counter of `usize`.
    pub(super) fn loop_over(&self, counter: VarId) -> Option<&Nested<'a>> {
        let is_word = is_word(&self.func.var(counter).ty);
        self.loops.get(&counter).filter(|_| is_word)
    }

    /// Polynomials that a counter of `usize` stays below: equal words are meant.
    pub(crate) fn ends(&self, counter: VarId) -> Vec<Poly> {
        let loop_over = self.loop_over(counter);
        let Some(Nested { range, .. }) = loop_over.filter(|l| !l.range.inclusive) else {
            return Vec::new();
        };
        let end = self.through(&range.hi);
        let parts = match method(end, "min") {
            Some((a, b)) => vec![a, b],
            None => vec![end.clone()],
        };
        parts.iter().filter_map(|e| self.poly(e)).collect()
    }

    /// What an immutable variable of the block holds.
    pub(crate) fn held(&self, var: VarId) -> Option<&'a Expr> {
        self.held.get(&var).copied()
    }

    /// What an expression holds: that of an immutable variable of the block, or itself.
    fn through<'e>(&'e self, e: &'e Expr) -> &'e Expr {
        if let ExprKind::Read(p) = &e.kind
            && p.is_var()
        {
            self.held(p.root).unwrap_or(e)
        } else {
            e
        }
    }

    /// The polynomial of an expression over `usize`; `None` if it is none.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing is known of others")]
    pub(crate) fn poly(&self, e: &Expr) -> Option<Poly> {
        Poly::of(e, &|e| match &e.kind {
            ExprKind::Read(p) if p.is_var() => self.variable(p.root),
            ExprKind::Opaque(o) if is_constant(o) => {
                let name = o.code.to_token_stream().to_string();
                Some(Poly::named(name))
            }
            ExprKind::Len(p) => self.length(p),
            _ => None,
        })
    }

    fn variable(&self, var: VarId) -> Option<Poly> {
        let info = self.func.var(var);
        let held = self.held.get(&var).and_then(|held| self.poly(held));
        // Without what it holds, a mutable one may hold something else by the time of another use.
        held.or_else(|| {
            let fixed = self.held.contains_key(&var) || !info.mutable;
            (fixed && is_word(&info.ty)).then(|| Poly::term(vec![var], 1))
        })
    }

    /// The length of a part of an array, which is the difference of its ends if the part exists.
    fn length(&self, part: &Place) -> Option<Poly> {
        let Some(Proj::Range {
            lo,
            hi: Some(hi),
            inclusive: false,
        }) = part.proj.last()
        else {
            return None;
        };
        let hi = self.poly(hi)?;
        match lo {
            Some(lo) => Some(hi.minus(&self.poly(lo)?)),
            None => Some(hi),
        }
    }

    /// A polynomial that the length of the part `lo..hi` of an array does not exceed, as words, if the part exists:
    /// `hi` is this far from `lo`, or less far where it is the smaller of two or has reached the largest word.
    pub(crate) fn longest(&self, lo: &Expr, hi: &Expr) -> Option<Poly> {
        let start = self.poly(lo)?;
        let mut end = self.through(hi).clone();
        if let Some((smaller, _)) = method(&end, "min") {
            end = self.through(&smaller).clone();
        }
        match method(&end, "saturating_add") {
            Some((from, size)) => (self.poly(&from)? == start).then(|| self.poly(&size))?,
            None => Some(self.poly(&end)?.minus(&start)),
        }
    }
}

/// Whether a value of the type is a word: a `usize`, or a number without a suffix that stands beside one.
fn is_word(ty: &Ty) -> bool {
    matches!(ty, Ty::Int(None | Some(IntTy::Usize)))
}

/// The operands, if the expression is this method of words.
pub(crate) fn method(e: &Expr, name: &str) -> Option<(Expr, Expr)> {
    let ExprKind::Opaque(o) = &e.kind else {
        return None;
    };
    let syn::Expr::MethodCall(call) = &o.code else {
        return None;
    };
    if call.method != name || call.args.len() != 1 || !is_word(&e.ty) {
        return None;
    }
    Some((operand(o, &call.receiver)?, operand(o, &call.args[0])?))
}

/// A number or a placeholder for a word, in the text of opaque code. A cast keeps a number alone.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "of other expressions nothing is known"
)]
fn operand(o: &Opaque, code: &syn::Expr) -> Option<Expr> {
    let usize = || Ty::USIZE;
    match code {
        syn::Expr::Paren(inner) => operand(o, &inner.expr),
        syn::Expr::Cast(cast)
            if matches!(&*cast.expr, syn::Expr::Lit(_))
                && matches!(&*cast.ty, syn::Type::Path(to) if to.path.is_ident("usize")) =>
        {
            operand(o, &cast.expr)
        }
        syn::Expr::Lit(syn::ExprLit {
            lit: lit @ syn::Lit::Int(int),
            ..
        }) if matches!(int.suffix(), "" | "usize") => {
            let kind = ExprKind::Lit(lit.into());
            Some(Expr::new(kind, usize(), lit.span()))
        }
        syn::Expr::Path(path) => {
            let name = path.path.get_ident()?;
            let (_, arg) = o.args.iter().find(|(placeholder, _)| placeholder == name)?;
            match arg {
                OpaqueArg::Value(e) => is_word(&e.ty).then(|| e.clone()),
                OpaqueArg::Place(p) if p.is_var() => Some(Expr::read_var(p.root, usize(), p.span)),
                OpaqueArg::Place(_) | OpaqueArg::Ref(_) | OpaqueArg::RefMut(_) => None,
            }
        }
        _ => None,
    }
}
