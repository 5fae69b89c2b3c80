//! Of writes under a condition, only the last one matters: that of the largest entry, say.
//!
//! ```text
//! for i in lo..hi { if x[i] > largest { largest = x[i]; } }
//! ```
//!
//! In reverse, the iteration that wrote last takes the whole adjoint of the variable and leaves zero for those before
//! it. So one index is kept instead of a flag for each iteration, and one iteration is reversed.
//!
//! Legal if the reverse of an iteration is nothing but the reverse of that branch, which begins with taking the adjoint
//! and clearing it, and then only adds products of it to other adjoints: all of them are zero before the last write.

use std::collections::HashSet;

use proc_macro2::Span;

use crate::ir::{
    BinOp, Block, Expr, ExprKind, LoopKind, Stmt, StmtKind, Ty, UnOp, VarId, expr_reads,
};
use crate::transform::Transform;

use super::assemble::{Assembly, Step, Sweep};
use super::partials::{binary, index};

/// A branch that a loop takes and whose last time is all that counts.
struct Branch<'a> {
    flag: VarId,
    arm: usize,
    arms: usize,
    reverse: &'a [Stmt],
}

impl Assembly<'_> {
    /// The loop and its reverse, if only the last time of a branch matters; `loop_of` is the loop with another body.
    pub(super) fn last_write(
        &mut self,
        kind: &LoopKind,
        sweep: &Sweep,
        loop_of: &dyn Fn(Vec<Stmt>) -> Stmt,
        span: Span,
    ) -> Option<Step> {
        let LoopKind::For { var, range } = kind else {
            return None;
        };
        let usize_ty = Ty::Int(Some("usize"));
        let func = &self.adjoints.func;
        if !func.transforms.has(Transform::Last) || func.var(*var).ty != usize_ty || range.inclusive
        {
            return None;
        }
        let branch = branch(&sweep.reverse)?;
        if sweep.yields != [branch.flag] {
            return None;
        }
        let mut body = sweep.forward.clone();
        let reached = self.counter("reached", span);
        let read = |var| Expr::read_var(var, usize_ty.clone(), span);
        let next = binary(BinOp::Add, read(*var), index(1, span));
        taken(&mut body, &branch)?.push(assign(reached, next));
        let none = Stmt::new(
            StmtKind::Let {
                var: reached,
                init: Some(index(0, span)),
            },
            span,
        );
        let mut stmts = vec![Stmt::new(
            StmtKind::Let {
                var: *var,
                init: Some(binary(BinOp::Sub, read(reached), index(1, span))),
            },
            span,
        )];
        stmts.extend(branch.reverse.iter().cloned());
        let any = ExprKind::Binary(BinOp::Ne, Box::new(read(reached)), Box::new(index(0, span)));
        let reverse = StmtKind::Switch {
            selector: Expr::new(any, Ty::Bool, span),
            arms: vec![Block { stmts }, Block::default()],
        };
        let how = "of all writes under the condition, only the last one is reversed";
        self.explain.applied(span, Transform::Last, how);
        Some(Step {
            forward: vec![none, loop_of(body)],
            reverse: vec![Stmt::new(reverse, span)],
        })
    }
}

/// `var = value`
fn assign(var: VarId, value: Expr) -> Stmt {
    let span = value.span;
    let place = crate::ir::Place::var(var, span);
    Stmt::new(
        StmtKind::Assign {
            place,
            value,
            init: false,
        },
        span,
    )
}

/// The one branch of which the reverse of an iteration consists.
fn branch(reverse: &[Stmt]) -> Option<Branch<'_>> {
    let [
        Stmt {
            kind: StmtKind::Switch { selector, arms },
            ..
        },
    ] = reverse
    else {
        return None;
    };
    let ExprKind::Read(flag) = &selector.kind else {
        return None;
    };
    let mut full = (0..arms.len()).filter(|k| !arms[*k].stmts.is_empty());
    let (arm, None) = (full.next()?, full.next()) else {
        return None;
    };
    let reverse = &arms[arm].stmts;
    (flag.is_var() && takes_all(reverse)).then_some(Branch {
        flag: flag.root,
        arm,
        arms: arms.len(),
        reverse,
    })
}

/// Whether statements take an adjoint, clear it, and add nothing but products of it to other adjoints.
fn takes_all(stmts: &[Stmt]) -> bool {
    let [take, clear, rest @ ..] = stmts else {
        return false;
    };
    let StmtKind::Let {
        var,
        init:
            Some(Expr {
                kind: ExprKind::Read(bar),
                ty,
                ..
            }),
    } = &take.kind
    else {
        return false;
    };
    let cleared = match &clear.kind {
        StmtKind::SetZero(place) => place,
        StmtKind::Assign { place, value, .. } if matches!(value.kind, ExprKind::Zero) => place,
        _ => return false,
    };
    if !ty.is_float() || !bar.is_var() || !cleared.is_var() || cleared.root != bar.root {
        return false;
    }
    let mut products = HashSet::from([*var]);
    rest.iter().all(|stmt| match &stmt.kind {
        StmtKind::Let {
            var,
            init: Some(init),
        } => {
            let product = is_product(init, &products);
            if product {
                products.insert(*var);
            }
            !reads(init, bar.root) && (product || !reads_any(init, &products))
        }
        StmtKind::Update { place, op, value } => {
            let fresh = place.root != bar.root && !products.contains(&place.root);
            fresh && matches!(op, BinOp::Add | BinOp::Sub) && is_product(value, &products)
        }
        _ => false,
    })
}

/// Whether an expression is a product with one of the variables, or a sum of such products: zero where they are.
fn is_product(e: &Expr, products: &HashSet<VarId>) -> bool {
    let product = |e: &Expr| is_product(e, products);
    let other = |e: &Expr| !reads_any(e, products);
    match &e.kind {
        ExprKind::Read(p) => p.is_var() && products.contains(&p.root),
        ExprKind::Unary(UnOp::Neg, a) => product(a),
        ExprKind::Binary(BinOp::Mul, a, b) => (product(a) && other(b)) || (other(a) && product(b)),
        ExprKind::Binary(BinOp::Div, a, b) => product(a) && other(b),
        ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) => product(a) && product(b),
        _ => false,
    }
}

fn reads(e: &Expr, var: VarId) -> bool {
    reads_any(e, &HashSet::from([var]))
}

fn reads_any(e: &Expr, vars: &HashSet<VarId>) -> bool {
    let mut found = false;
    expr_reads(e, &mut |p| found |= vars.contains(&p.root));
    found
}

/// The statements of the forward sweep that run if and only if the branch is taken.
fn taken<'a>(body: &'a mut [Stmt], branch: &Branch<'_>) -> Option<&'a mut Vec<Stmt>> {
    body.iter_mut().find_map(|stmt| match &mut stmt.kind {
        StmtKind::Switch { selector, arms } if arms.len() == branch.arms => {
            let flag =
                matches!(&selector.kind, ExprKind::Read(p) if p.is_var() && p.root == branch.flag);
            flag.then(|| &mut arms[branch.arm].stmts)
        }
        _ => None,
    })
}
