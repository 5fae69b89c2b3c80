//! Adjoints that divide by the same root several times multiply by its inverse.
//!
//! The adjoint of `(l - 1.0) / l` with `l = d.sqrt()` divides by `l` three times. One division and three products take a third of the
//! time, and less than that in vectors. A root is what it is for: its inverse can neither overflow nor become subnormal, so
//! zero, infinity and NaN give what they gave, and everything else the same up to rounding.
//!
//! Legal for a root that a block declares and the statements of the same block divide by; it is for adjoints alone. A quotient that is
//! computed again may become a product, too, if it is nothing but a factor of adjoints: no comparison, index or function sees it, no rule that
//! asks which of its arguments is larger, and no difference in which the last bit could be all that is left.

use std::collections::HashSet;

use crate::ir::edit::{blocks_mut, each_expr};
use crate::ir::{
    BinOp, Expr, ExprKind, Func, MathFn, Stmt, StmtKind, Ty, UnOp, VarId, VarInfo, VarKind,
    place_index_reads, shallow_accesses,
};

/// As many divisions as one inverse replaces, at least.
const WORTH: usize = 2;

/// Changes the adjoints of a sweep; `adjoints`: the variables that hold them.
pub(super) fn share_inverses(func: &mut Func, stmts: &mut Vec<Stmt>, adjoints: &HashSet<VarId>) {
    let mut at = 0;
    while at < stmts.len() {
        for block in blocks_mut(&mut stmts[at]) {
            share_inverses(func, &mut block.stmts, adjoints);
        }
        let (before, after) = stmts.split_at_mut(at + 1);
        if let Some((root, ty)) = root(func, &before[at])
            && divisions(after, root, None, adjoints) >= WORTH
        {
            let span = before[at].span;
            let name = func.fresh_name("inverse", span);
            let inverse = func.add(VarInfo {
                name,
                ty: ty.clone(),
                mutable: false,
                kind: VarKind::Temp,
                constant: true,
            });
            divisions(after, root, Some(inverse), adjoints);
            let read = Expr::read_var(root, ty.clone(), span);
            let init = Expr::new(ExprKind::Rule("inverse", vec![read]), ty, span);
            let declare = StmtKind::Let {
                var: inverse,
                init: Some(init),
            };
            at += 1;
            stmts.insert(at, Stmt::new(declare, span));
        }
        at += 1;
    }
}

/// The variable, if the statement declares one that holds a root and never changes.
fn root(func: &Func, stmt: &Stmt) -> Option<(VarId, Ty)> {
    let (var, init) = stmt.definition(func)?;
    let ty = &func.var(var).ty;
    let is_root = matches!(init.kind, ExprKind::Math(MathFn::Sqrt, _));
    (is_root && matches!(ty, Ty::F32 | Ty::F64)).then(|| (var, ty.clone()))
}

/// How often adjoints are divided by the variable; with an inverse, they are multiplied by that instead.
fn divisions(
    stmts: &mut [Stmt],
    root: VarId,
    inverse: Option<VarId>,
    adjoints: &HashSet<VarId>,
) -> usize {
    let mut found = 0;
    for at in 0..stmts.len() {
        let (before, after) = stmts.split_at_mut(at + 1);
        let stmt = &mut before[at];
        each_expr(stmt, &mut |e| found += in_expr(e, root, inverse));
        let StmtKind::Let {
            var,
            init: Some(init),
        } = &mut stmt.kind
        else {
            continue;
        };
        if let ExprKind::Binary(op @ BinOp::Div, _, divisor) = &mut init.kind
            && is(divisor, root)
            && Factor::of(*var, adjoints).fits(after)
        {
            found += 1;
            if let Some(inverse) = inverse {
                **divisor = Expr::read_var(inverse, divisor.ty.clone(), divisor.span);
                *op = BinOp::Mul;
            }
        }
    }
    found
}

fn is(e: &Expr, var: VarId) -> bool {
    matches!(&e.kind, ExprKind::Read(p) if p.is_var() && p.root == var)
}

fn in_expr(e: &mut Expr, root: VarId, inverse: Option<VarId>) -> usize {
    let mut found = 0;
    for child in e.children_mut() {
        found += in_expr(child, root, inverse);
    }
    let ExprKind::Rule(name, args) = &mut e.kind else {
        return found;
    };
    let by_inverse = match *name {
        "div_lhs" => "div_lhs_by",
        "div_rhs" => "div_rhs_by",
        "sqrt" => "sqrt_by",
        _ => return found,
    };
    if !is(&args[1], root) {
        return found;
    }
    if let Some(inverse) = inverse {
        args[1] = Expr::read_var(inverse, args[1].ty.clone(), args[1].span);
        *name = by_inverse;
    }
    found + 1
}

/// A value and what is a multiple of it, beside the adjoints that are met on the way.
struct Factor {
    multiples: HashSet<VarId>,
    adjoints: HashSet<VarId>,
}

impl Factor {
    fn of(var: VarId, adjoints: &HashSet<VarId>) -> Self {
        Self {
            multiples: HashSet::from([var]),
            adjoints: adjoints.clone(),
        }
    }

    /// Whether the rest of its block multiplies adjoints by the value, and does nothing else with it.
    fn fits(mut self, stmts: &[Stmt]) -> bool {
        stmts.iter().all(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Let {
                var,
                init: Some(init),
            } => {
                if init.reads_any(&self.adjoints) {
                    self.adjoints.insert(*var);
                } else if init.reads_any(&self.multiples) {
                    self.multiples.insert(*var);
                }
                self.is_product(init)
            }
            StmtKind::Update { place, value, .. } => {
                let mut index = false;
                place_index_reads(place, &mut |p| index |= self.multiples.contains(&p.root));
                let of_value = self.multiples.contains(&place.root)
                    || value.reads_any(&self.multiples) && !value.reads_any(&self.adjoints);
                !index && !of_value && self.is_product(value)
            }
            kind => {
                let mut used = false;
                shallow_accesses(stmt, &mut |v, _| used |= self.multiples.contains(&v));
                let mut inner = kind.blocks().into_iter().flat_map(|b| &b.stmts);
                let mentioned = |s: &Stmt| self.multiples.iter().any(|v| super::mentions(s, *v));
                !used && !inner.any(mentioned)
            }
        }
    }

    /// Whether an expression is off by no more than a few last bits if the value is.
    fn is_product(&self, e: &Expr) -> bool {
        if !e.reads_any(&self.multiples) {
            return true;
        }
        let legal = match &e.kind {
            ExprKind::Read(p) => return p.is_var() && e.ty.is_float(),
            ExprKind::Unary(UnOp::Neg, _) | ExprKind::Binary(BinOp::Mul, ..) => true,
            ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) => {
                [a, b].iter().all(|e| e.reads_any(&self.adjoints))
            }
            ExprKind::Rule(name, _) => matches!(
                *name,
                "div_lhs" | "div_rhs" | "div_lhs_by" | "div_rhs_by" | "sqrt" | "sqrt_by"
            ),
            _ => false,
        };
        legal && e.children().into_iter().all(|child| self.is_product(child))
    }
}
