//! Index expressions as polynomials.
//!
//! An index is followed through the immutable variables that hold its parts, and written as a polynomial with integer
//! coefficients in the variables that are left, which are immutable too. Two indices with one polynomial are equal whatever the variables hold, as
//! long as nothing overflows; what follows from a form must hold, or panic, where it does.

use std::collections::{BTreeMap, HashMap};

use proc_macro2::Span;

use quote::ToTokens;

use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, Opaque, OpaqueArg, OpaqueKind, Proj, RangeIter, Ty, VarId,
};

/// What a polynomial is one in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Atom {
    Var(VarId),
    /// A constant of the user's, by its text.
    Const(String),
}

/// Sums of integer multiples of products of variables and named constants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Poly(BTreeMap<Vec<Atom>, i128>);

impl Poly {
    /// A multiple of a product of variables.
    pub(super) fn term(vars: Vec<VarId>, factor: i128) -> Self {
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

    pub(super) fn number(n: i128) -> Self {
        Poly::term(Vec::new(), n)
    }

    pub(super) fn plus(mut self, other: &Poly, factor: i128) -> Self {
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
    pub(super) fn terms(&self) -> impl Iterator<Item = (Vec<VarId>, i128)> {
        let var = |atom: &Atom| match atom {
            Atom::Var(var) => Some(*var),
            Atom::Const(_) => None,
        };
        self.0
            .iter()
            .filter_map(move |(atoms, k)| Some((atoms.iter().map(var).collect::<Option<_>>()?, *k)))
    }

    pub(crate) fn vars(&self) -> impl Iterator<Item = VarId> {
        self.0.keys().flatten().filter_map(|atom| match atom {
            Atom::Var(var) => Some(*var),
            Atom::Const(_) => None,
        })
    }

    /// Whether it is one variable.
    pub(crate) fn is_variable(&self) -> bool {
        let mut terms = self.0.iter();
        matches!((terms.next(), terms.next()), (Some((atoms, 1)), None) if matches!(atoms.as_slice(), [Atom::Var(_)]))
    }

    /// The polynomial as an expression over `usize`, if it has no negative part and no named constant.
    pub(crate) fn expression(&self, span: Span) -> Option<Expr> {
        let usize = || Ty::Int(Some("usize"));
        let number = |n: i128| {
            let lit = syn::LitInt::new(&u64::try_from(n).ok()?.to_string(), span);
            Some(Expr::new(ExprKind::Lit(syn::Lit::Int(lit)), usize(), span))
        };
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

/// The immutable variables that a block declares, with what they hold, and the counters of its loops.
pub(crate) struct Definitions<'a> {
    func: &'a Func,
    held: HashMap<VarId, &'a Expr>,
    /// The ranges of loops that run to their end.
    ranges: HashMap<VarId, &'a RangeIter>,
}

impl<'a> Definitions<'a> {
    pub(crate) fn of(func: &'a Func, block: &'a Block) -> Self {
        let mut definitions = Self {
            func,
            held: HashMap::new(),
            ranges: HashMap::new(),
        };
        definitions.collect(block);
        definitions
    }

    fn collect(&mut self, block: &'a Block) {
        for stmt in &block.stmts {
            self.held.extend(stmt.definition(self.func));
            if let Some(counting) = stmt.counting() {
                self.ranges.insert(counting.counter, counting.range);
            }
            for inner in stmt.kind.blocks() {
                self.collect(inner);
            }
        }
    }

    /// The polynomial that a counter of `usize` stays below.
    pub(crate) fn end(&self, counter: VarId) -> Option<Poly> {
        let range = self.ranges.get(&counter)?;
        let end = self.poly(&range.hi)?;
        Some(if range.inclusive {
            end.plus(&Poly::term(Vec::new(), 1), 1)
        } else {
            end
        })
    }

    /// Polynomials that a counter of `usize` stays below.
    pub(crate) fn ends(&self, counter: VarId) -> Vec<Poly> {
        let Some(range) = self.ranges.get(&counter).filter(|range| !range.inclusive) else {
            return Vec::new();
        };
        let held = match &range.hi.kind {
            ExprKind::Read(p) if p.is_var() => self.held.get(&p.root).copied(),
            _ => None,
        };
        let end = held.unwrap_or(&range.hi);
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

    /// The polynomial of an expression over `usize`; `None` if it is none.
    pub(crate) fn poly(&self, e: &Expr) -> Option<Poly> {
        match &e.kind {
            ExprKind::Lit(syn::Lit::Int(lit)) => {
                let n = lit.base10_parse::<i128>().ok()?;
                Some(Poly::term(Vec::new(), n))
            }
            ExprKind::Read(p) if p.is_var() => match self.held.get(&p.root) {
                Some(held) => self
                    .poly(held)
                    .or_else(|| Some(Poly::term(vec![p.root], 1))),
                // It may hold something else by the time of another use.
                None if self.func.var(p.root).mutable => None,
                None => Some(Poly::term(vec![p.root], 1)),
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.poly(a)?, self.poly(b)?);
                match op {
                    BinOp::Add => Some(a.plus(&b, 1)),
                    BinOp::Sub => Some(a.plus(&b, -1)),
                    BinOp::Mul => Some(a.times(&b)),
                    _ => None,
                }
            }
            ExprKind::Opaque(o) if matches!(o.kind, OpaqueKind::Const) && o.args.is_empty() => {
                let name = o.code.to_token_stream().to_string();
                Some(Poly::product(vec![Atom::Const(name)], 1))
            }
            // As long as the part exists.
            ExprKind::Len(p) => match p.proj.last() {
                Some(Proj::Range {
                    lo,
                    hi: Some(hi),
                    inclusive: false,
                }) => {
                    let lo = lo
                        .as_ref()
                        .map_or(Some(Poly::default()), |lo| self.poly(lo));
                    Some(self.poly(hi)?.minus(&lo?))
                }
                _ => None,
            },
            ExprKind::Opaque(_) => {
                let (a, b) = method(e, "saturating_add")?;
                Some(self.poly(&a)?.plus(&self.poly(&b)?, 1))
            }
            _ => None,
        }
    }

    /// A polynomial that the expression does not exceed.
    pub(crate) fn upper_bound(&self, e: &Expr) -> Option<Poly> {
        let held = match &e.kind {
            ExprKind::Read(p) if p.is_var() => self.held.get(&p.root).copied(),
            _ => None,
        };
        let e = held.unwrap_or(e);
        match method(e, "min") {
            Some((a, _)) => self.poly(&a),
            None => self.poly(e),
        }
    }
}

/// The operands, if the expression is this method of numbers.
pub(crate) fn method(e: &Expr, name: &str) -> Option<(Expr, Expr)> {
    let ExprKind::Opaque(o) = &e.kind else {
        return None;
    };
    let syn::Expr::MethodCall(call) = &o.code else {
        return None;
    };
    if call.method != name || call.args.len() != 1 {
        return None;
    }
    Some((operand(o, &call.receiver)?, operand(o, &call.args[0])?))
}

/// A number or a placeholder for a value, in the text of opaque code.
fn operand(o: &Opaque, code: &syn::Expr) -> Option<Expr> {
    match code {
        syn::Expr::Paren(inner) => operand(o, &inner.expr),
        syn::Expr::Cast(inner) => operand(o, &inner.expr),
        syn::Expr::Lit(lit) => {
            let ty = Ty::Int(Some("usize"));
            Some(Expr::new(
                ExprKind::Lit(lit.lit.clone()),
                ty,
                lit.lit.span(),
            ))
        }
        syn::Expr::Path(path) => {
            let name = path.path.get_ident()?;
            let (_, arg) = o.args.iter().find(|(placeholder, _)| placeholder == name)?;
            match arg {
                OpaqueArg::Value(e) => Some(e.clone()),
                OpaqueArg::Place(p) if p.is_var() => {
                    Some(Expr::read_var(p.root, Ty::Int(Some("usize")), p.span))
                }
                OpaqueArg::Place(_) | OpaqueArg::Ref(_) | OpaqueArg::RefMut(_) => None,
            }
        }
        _ => None,
    }
}
