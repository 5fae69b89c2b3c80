//! Signs and powers of two in adjoints, multiplied with each other.
//!
//! The adjoint of `x * x` adds the same product twice, and that of `0.5 * x` halves what may just have been doubled.
//! Two equal contributions in a row become one that is doubled; a variable that holds a multiple by ± a power of two is
//! declared without that factor, which goes with each of its uses: to the next product, or into the sign of a sum.
//! Where factors cancel, nothing is left of them.
//!
//! Such products are exact, so only overflow and subnormal numbers can tell the difference; it is for adjoints alone
//! all the same. What stands for a variable of the function is left as it is, and so is whatever it is computed from.

use super::like_terms;
use crate::ir::edit::blocks_mut;
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Place, Rule, Stmt, StmtKind, Ty, UnOp, VarId, expr_reads,
    place_index_reads, same, same_place, shallow_accesses,
};

/// Larger powers of two, and smaller than its inverse, are left where they stand.
const LARGEST: f64 = 1024.0;

/// Changes the adjoints of a sweep. `own`: which variables are theirs, and not the function's.
pub(in crate::optimize) fn gather_factors(stmts: &mut Vec<Stmt>, own: &dyn Fn(VarId) -> bool) {
    merge_equal(stmts, own);
    like_terms::collect(stmts, own);
    let mut fixed = Fixed {
        own,
        vars: HashSet::default(),
        depths: HashMap::default(),
        depth: 0,
    };
    stmts.iter().for_each(|stmt| fixed.stmt(stmt));
    let mut factors = Factors {
        fixed,
        of: HashMap::default(),
    };
    factors.stmts(stmts);
}

/// A contribution right after an equal one: both become one of twice the value.
fn merge_equal(stmts: &mut Vec<Stmt>, own: &dyn Fn(VarId) -> bool) {
    let mut k = 0;
    while k < stmts.len() {
        if let Some(doubled) = stmts.get(k + 1).and_then(|next| double(&stmts[k], next))
            && target(&stmts[k]).is_some_and(own)
        {
            stmts[k] = doubled;
            stmts.remove(k + 1);
        }
        for block in blocks_mut(&mut stmts[k]) {
            merge_equal(&mut block.stmts, own);
        }
        k += 1;
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named keeps the pass from applying"
)]
pub(super) fn target(stmt: &Stmt) -> Option<VarId> {
    match &stmt.kind {
        StmtKind::Let { var, .. } => Some(*var),
        StmtKind::Update { place, .. } => Some(place.root),
        _ => None,
    }
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named keeps the pass from applying"
)]
fn double(first: &Stmt, second: &Stmt) -> Option<Stmt> {
    let StmtKind::Update { place, op, value } = &second.kind else {
        return None;
    };
    if value.reads(place.root) || !has_factors(&value.ty) {
        return None;
    }
    let doubled = apply(2.0, value.clone());
    let kind = match &first.kind {
        StmtKind::Let {
            var,
            init: Some(init),
        } if place.is_var() && place.root == *var && *op == BinOp::Add && same(init, value) => {
            StmtKind::Let {
                var: *var,
                init: Some(doubled),
            }
        }
        StmtKind::Update {
            place: other,
            op: other_op,
            value: init,
        } if same_place(place, other) && op == other_op && same(init, value) => StmtKind::Update {
            place: place.clone(),
            op: *op,
            value: doubled,
        },
        _ => return None,
    };
    Some(Stmt::new(kind, first.span))
}

/// Variables that must hold what they say: of the function, written more than once, used in anything but sums and
/// products of adjoints, or in a loop that they are declared in front of, where their factor would be applied again and
/// again.
struct Fixed<'a> {
    own: &'a dyn Fn(VarId) -> bool,
    vars: HashSet<VarId>,
    /// In how many loops a variable is declared.
    depths: HashMap<VarId, usize>,
    depth: usize,
}

impl Fixed<'_> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what else a variable is used for keeps its factor where it is (`Fixed`)"
    )]
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { var, init } => {
                let adjoint = (self.own)(*var);
                init.iter()
                    .for_each(|init| self.uses(init, adjoint && has_factors(&init.ty)));
                if init.is_none() {
                    self.vars.insert(*var);
                }
                self.depths.insert(*var, self.depth);
            }
            StmtKind::Assign { place, value, .. }
            | StmtKind::Update { place, value, .. }
            | StmtKind::Begin { place, value } => {
                self.uses(value, (self.own)(place.root) && has_factors(&value.ty));
                self.vars.insert(place.root);
                place_index_reads(place, &mut |p| {
                    self.vars.insert(p.root);
                });
            }
            _ => shallow_accesses(stmt, &mut |var, _| {
                self.vars.insert(var);
            }),
        }
        let scope = matches!(stmt.kind, StmtKind::Switch { .. } | StmtKind::Scope(_));
        self.depth += usize::from(!scope);
        for block in stmt.kind.blocks() {
            block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        }
        self.depth -= usize::from(!scope);
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what else a variable is used for keeps its factor where it is (`Fixed`)"
    )]
    fn uses(&mut self, e: &Expr, adjoint: bool) {
        match &e.kind {
            ExprKind::Read(p)
                if p.is_var()
                    && has_factors(&e.ty)
                    && adjoint
                    && self.depths.get(&p.root) == Some(&self.depth) => {}
            ExprKind::Unary(UnOp::Neg, a) if adjoint => self.uses(a, true),
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div, a, b)
                if adjoint =>
            {
                self.uses(a, true);
                self.uses(b, true);
            }
            ExprKind::Rule(_, args) if adjoint => args.iter().for_each(|a| self.uses(a, true)),
            _ => expr_reads(e, &mut |p| {
                self.vars.insert(p.root);
            }),
        }
    }
}

struct Factors<'a> {
    fixed: Fixed<'a>,
    /// By what a variable must be multiplied to have the value that it had.
    of: HashMap<VarId, f64>,
}

impl Factors<'_> {
    fn stmts(&mut self, stmts: &mut [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
            for Block { stmts } in blocks_mut(stmt) {
                self.stmts(stmts);
            }
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what else a variable is used for keeps its factor where it is (`Fixed`)"
    )]
    fn stmt(&mut self, stmt: &mut Stmt) {
        let own = self.fixed.own;
        match &mut stmt.kind {
            StmtKind::Let {
                var,
                init: Some(init),
            } if own(*var) && has_factors(&init.ty) => {
                let (factor, rest) = self.split(init);
                if self.fixed.vars.contains(var) {
                    *init = apply(factor, rest);
                } else {
                    *init = rest;
                    self.of.insert(*var, factor);
                }
            }
            StmtKind::Update { place, op, value } if own(place.root) && has_factors(&value.ty) => {
                let (factor, rest) = self.split(value);
                if factor < 0.0 {
                    *op = if *op == BinOp::Sub {
                        BinOp::Add
                    } else {
                        BinOp::Sub
                    };
                }
                *value = apply(factor.abs(), rest);
            }
            StmtKind::Let {
                var: root,
                init: Some(value),
            }
            | StmtKind::Assign {
                place: Place { root, .. },
                value,
                ..
            }
            | StmtKind::Begin {
                place: Place { root, .. },
                value,
            } if own(*root) => *value = self.whole(value),
            _ => {}
        }
    }

    /// The factor of an expression, and the rest.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other expressions have the factor one"
    )]
    fn split(&self, e: &Expr) -> (f64, Expr) {
        let with = |kind| Expr::new(kind, e.ty.clone(), e.span);
        match &e.kind {
            ExprKind::Read(p) if p.is_var() => {
                (self.of.get(&p.root).copied().unwrap_or(1.0), e.clone())
            }
            ExprKind::Unary(UnOp::Neg, a) => {
                let (factor, rest) = self.split(a);
                (-factor, rest)
            }
            ExprKind::Binary(op @ (BinOp::Mul | BinOp::Div), a, b) => {
                if let Some(factor) = power_of_two(b) {
                    let (other, rest) = self.split(a);
                    let factor = if *op == BinOp::Div {
                        1.0 / factor
                    } else {
                        factor
                    };
                    return bounded(factor * other, rest);
                }
                if *op == BinOp::Div {
                    let (factor, a) = self.split(a);
                    let b = Box::new(self.whole(b));
                    return (factor, with(ExprKind::Binary(*op, Box::new(a), b)));
                }
                if let Some(factor) = power_of_two(a) {
                    let (other, rest) = self.split(b);
                    return bounded(factor * other, rest);
                }
                let ((f, a), (g, b)) = (self.split(a), self.split(b));
                let product = with(ExprKind::Binary(*op, Box::new(a), Box::new(b)));
                bounded(f * g, product)
            }
            ExprKind::Rule(Rule::DivLhs, args) if let Some(divisor) = power_of_two(&args[1]) => {
                let (other, rest) = self.split(&args[0]);
                bounded(other / divisor, rest)
            }
            _ => (1.0, self.parts_whole(e)),
        }
    }

    /// The expression, with what it reads multiplied by its factors.
    fn whole(&self, e: &Expr) -> Expr {
        if let ExprKind::Read(_)
        | ExprKind::Unary(UnOp::Neg, _)
        | ExprKind::Binary(BinOp::Mul | BinOp::Div, ..) = &e.kind
            && has_factors(&e.ty)
        {
            let (factor, rest) = self.split(e);
            apply(factor, rest)
        } else {
            self.parts_whole(e)
        }
    }

    fn parts_whole(&self, e: &Expr) -> Expr {
        let mut e = e.clone();
        if matches!(
            e.kind,
            ExprKind::Unary(UnOp::Neg, _) | ExprKind::Binary(..) | ExprKind::Rule(..)
        ) {
            for child in e.children_mut() {
                *child = self.whole(child);
            }
        }
        e
    }
}

pub(super) fn has_factors(ty: &Ty) -> bool {
    matches!(ty, Ty::F32 | Ty::F64)
}

/// `factor * e`, where it is one factor of a product first, so that a sum of it stays one of products.
pub(super) fn apply(factor: f64, e: Expr) -> Expr {
    let new = |kind| Expr::new(kind, e.ty.clone(), e.span);
    if factor == 1.0 {
        return e;
    }
    if factor < 0.0 {
        let rest = apply(-factor, e.clone());
        return new(ExprKind::Unary(UnOp::Neg, Box::new(rest)));
    }
    if let ExprKind::Binary(BinOp::Mul, a, b) = &e.kind {
        let first = Box::new(apply(factor, (**a).clone()));
        return new(ExprKind::Binary(BinOp::Mul, first, b.clone()));
    }
    let number = Expr::float(factor, &e.ty, e.span);
    new(ExprKind::Binary(
        BinOp::Mul,
        Box::new(number),
        Box::new(e.clone()),
    ))
}

/// A factor that is too large or small to be carried along stays.
fn bounded(factor: f64, rest: Expr) -> (f64, Expr) {
    if is_small(factor.abs()) {
        (factor, rest)
    } else {
        (1.0, apply(factor, rest))
    }
}

/// Whether multiplying by the power of two overflows as rarely as any product does.
pub(super) fn is_small(power: f64) -> bool {
    (1.0 / LARGEST..=LARGEST).contains(&power)
}

/// The value of a literal that is a power of two.
fn power_of_two(e: &Expr) -> Option<f64> {
    let value = e.float_literal()?;
    let exact = value.is_normal() && value.to_bits().trailing_zeros() >= 52;
    (exact && is_small(value)).then_some(value)
}
