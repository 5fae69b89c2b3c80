//! Index expressions as polynomials.
//!
//! An index is followed through the immutable variables that hold its parts, and written as a polynomial with integer
//! coefficients in the variables that are left. Two indices with one polynomial are equal whatever the variables hold, as
//! long as nothing overflows; what follows from a form must hold, or panic, where it does.

use std::collections::{BTreeMap, HashMap};

use proc_macro2::Span;

use crate::ir::{BinOp, Block, Expr, ExprKind, Func, OpaqueArg, OpaqueKind, StmtKind, Ty, VarId};

/// Sums of integer multiples of products of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Poly(BTreeMap<Vec<VarId>, i128>);

impl Poly {
    fn term(vars: Vec<VarId>, factor: i128) -> Self {
        let mut poly = Poly::default();
        poly.add_term(vars, factor);
        poly
    }

    fn add_term(&mut self, vars: Vec<VarId>, factor: i128) {
        let sum = self.0.remove(&vars).unwrap_or(0).saturating_add(factor);
        if sum != 0 {
            self.0.insert(vars, sum);
        }
    }

    fn plus(mut self, other: &Poly, factor: i128) -> Self {
        for (vars, k) in &other.0 {
            self.add_term(vars.clone(), k.saturating_mul(factor));
        }
        self
    }

    fn times(&self, other: &Poly) -> Self {
        let mut product = Poly::default();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                let mut vars: Vec<VarId> = a.iter().chain(b).copied().collect();
                vars.sort_unstable();
                product.add_term(vars, x.saturating_mul(*y));
            }
        }
        product
    }

    pub(crate) fn minus(self, other: &Poly) -> Self {
        self.plus(other, -1)
    }

    /// The number, if there are no variables.
    pub(crate) fn constant(&self) -> Option<i128> {
        match self.0.iter().next() {
            None => Some(0),
            Some((vars, k)) => (self.0.len() == 1 && vars.is_empty()).then_some(*k),
        }
    }

    pub(crate) fn vars(&self) -> impl Iterator<Item = VarId> {
        self.0.keys().flatten().copied()
    }

    /// The polynomial as an expression over `usize`, if it has no negative part.
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
            for var in vars {
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

    /// `(a, b)` if the polynomial is `a·var + b` with `var` in neither.
    pub(crate) fn linear_in(&self, var: VarId) -> Option<(Poly, Poly)> {
        let (mut slope, mut rest) = (Poly::default(), Poly::default());
        for (vars, k) in &self.0 {
            match vars.iter().filter(|v| **v == var).count() {
                0 => rest.add_term(vars.clone(), *k),
                1 => slope.add_term(vars.iter().copied().filter(|v| *v != var).collect(), *k),
                _ => return None,
            }
        }
        Some((slope, rest))
    }
}

/// The immutable variables that a block declares, with what they hold.
pub(crate) struct Definitions<'a>(HashMap<VarId, &'a Expr>);

impl<'a> Definitions<'a> {
    pub(crate) fn of(func: &Func, block: &'a Block) -> Self {
        let mut definitions = HashMap::new();
        collect(func, block, &mut definitions);
        Self(definitions)
    }

    /// The polynomial of an expression over `usize`; `None` if it is none.
    pub(crate) fn poly(&self, e: &Expr) -> Option<Poly> {
        match &e.kind {
            ExprKind::Lit(syn::Lit::Int(lit)) => {
                let n = lit.base10_parse::<i128>().ok()?;
                Some(Poly::term(Vec::new(), n))
            }
            ExprKind::Read(p) if p.is_var() => match self.0.get(&p.root) {
                Some(held) => self.poly(held),
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
            ExprKind::Opaque(_) => {
                let (a, b) = self.method(e, "saturating_add")?;
                Some(self.poly(a)?.plus(&self.poly(b)?, 1))
            }
            _ => None,
        }
    }

    /// A polynomial that the expression does not exceed.
    pub(crate) fn upper_bound(&self, e: &Expr) -> Option<Poly> {
        let held = match &e.kind {
            ExprKind::Read(p) if p.is_var() => self.0.get(&p.root).copied(),
            _ => None,
        };
        let e = held.unwrap_or(e);
        match self.method(e, "min") {
            Some((a, _)) => self.poly(a),
            None => self.poly(e),
        }
    }

    /// The operands, if the expression is this method of numbers.
    fn method<'e>(&self, e: &'e Expr, name: &str) -> Option<(&'e Expr, &'e Expr)> {
        let ExprKind::Opaque(o) = &e.kind else {
            return None;
        };
        match (&o.kind, o.args.as_slice()) {
            (OpaqueKind::Method(method), [(_, OpaqueArg::Value(a)), (_, OpaqueArg::Value(b))])
                if method == name =>
            {
                Some((a, b))
            }
            _ => None,
        }
    }
}

fn collect<'a>(func: &Func, block: &'a Block, definitions: &mut HashMap<VarId, &'a Expr>) {
    for stmt in &block.stmts {
        if let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
            && !func.var(*var).mutable
        {
            definitions.insert(*var, init);
        }
        for inner in stmt.kind.blocks() {
            collect(func, inner, definitions);
        }
    }
}
