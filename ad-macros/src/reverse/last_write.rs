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
//! and clearing it, and of what computes the value that is written: it only adds products of that adjoint to others,
//! all of which are zero before the last write. It may do so in loops of its own, as where the distance that is
//! compared is computed. What it needs of the iteration that wrote last and cannot compute again is kept with the
//! index.

mod products;

use proc_macro2::Span;

use crate::ir::faults::Fault;
use crate::ir::{
    BinOp, Block, Domain, Expr, ExprKind, Lit, Stmt, StmtKind, Transform, Ty, VarId, binary,
};

use super::assemble::{Assembly, Step, Sweep};
use products::Products;

/// A branch that a loop takes and whose last time is all that counts.
struct Branch {
    flag: VarId,
    arm: usize,
    arms: usize,
    /// The reverse of an iteration that takes it.
    reverse: Vec<Stmt>,
}

impl Assembly<'_> {
    /// The loop and its reverse, if only the last time of a branch matters; `loop_of` is the loop with another body.
    pub(super) fn last_write(
        &mut self,
        kind: &Domain,
        sweep: &Sweep,
        loop_of: &dyn Fn(Vec<Stmt>) -> Stmt,
        span: Span,
    ) -> Option<Step> {
        if !self.cx.transforms.has(Transform::Last) {
            return None;
        }
        let (var, branch) = match self.last_branch(kind, sweep) {
            Ok(found) => found,
            Err(why) => {
                if sweep.reverse.iter().any(takes_back_a_write) {
                    self.cx.remarks.refused(span, Transform::Last, why);
                }
                return None;
            }
        };
        let reached = self.counter("reached", span);
        let zero = Expr::usize_literal(0, span);
        let one = || Expr::usize_literal(1, span);
        let read = |var| Expr::read_var(var, Ty::USIZE, span);
        let mut forward = vec![declare(reached, zero.clone())];
        let mut note = vec![assign(reached, binary(BinOp::Add, read(var), one()))];
        let mut stmts = vec![declare(var, binary(BinOp::Sub, read(reached), one()))];
        let mut always = Vec::new();
        for value in sweep.yields.iter().filter(|v| **v != branch.flag) {
            let ty = self.adjoints.func.var(*value).ty.clone();
            let kept = self.adjoints.func.temp("kept", ty.clone(), span);
            self.adjoints.func.var_mut(kept).mutable = true;
            forward.push(declare(kept, zero_of(&ty, span)?));
            let keep = assign(kept, Expr::read_var(*value, ty.clone(), span));
            if Fault::LoserReversed.is_on() {
                always.push(keep);
            } else {
                note.push(keep);
            }
            stmts.push(declare(*value, Expr::read_var(kept, ty, span)));
        }
        let mut body = sweep.forward.clone();
        let taken = taken(&mut body, &branch).filter(|_| note.len() == 1);
        if let Some(taken) = taken {
            taken.append(&mut note);
        } else {
            // What is kept is there at the end of the iteration.
            let mut arms = vec![Block::default(); branch.arms];
            arms[branch.arm].stmts = note;
            let ty = self.adjoints.func.var(branch.flag).ty.clone();
            let selector = Expr::read_var(branch.flag, ty, span);
            body.push(Stmt::new(StmtKind::Switch { selector, arms }, span));
        }
        body.append(&mut always);
        forward.push(loop_of(body));
        stmts.extend(branch.reverse);
        let any = Expr {
            ty: Ty::Bool,
            ..binary(BinOp::Ne, read(reached), zero)
        };
        let reverse = StmtKind::Switch {
            selector: any,
            arms: vec![Block { stmts }, Block::default()],
        };
        let how = "of all writes under the condition, only the last one is reversed";
        self.cx.remarks.applied(span, Transform::Last, how);
        Some(Step {
            forward,
            reverse: vec![Stmt::new(reverse, span)],
        })
    }

    /// The counter of the loop, and the branch whose last time is all that counts; or what keeps the loop from having
    /// one.
    fn last_branch(&self, kind: &Domain, sweep: &Sweep) -> Result<(VarId, Branch), &'static str> {
        let Domain::Range { var, range } = kind else {
            return Err("the loop is no `for` over a range");
        };
        if self.adjoints.func.var(*var).ty != Ty::USIZE {
            return Err("the counter is no `usize`");
        }
        if range.inclusive {
            return Err("the range includes its end");
        }
        let Some(branch) = branch(&sweep.reverse) else {
            return Err(
                "the reverse of an iteration is more than that of one write under a condition",
            );
        };
        let kept = |v: &VarId| zero_of(&self.adjoints.func.var(*v).ty, range.lo.span).is_some();
        if !sweep.yields.contains(&branch.flag) || !sweep.yields.iter().all(kept) {
            return Err("an iteration records more than whether it wrote");
        }
        Ok((*var, branch))
    }
}

/// Whether the statement is a branch in which an adjoint is taken and cleared, as a write needs it.
fn takes_back_a_write(stmt: &Stmt) -> bool {
    let branch = matches!(
        stmt.kind,
        StmtKind::Switch { .. } | StmtKind::MatchRecord { .. }
    );
    let mut arms = stmt.kind.blocks().into_iter();
    branch
        && arms.any(|arm| {
            arm.stmts
                .windows(2)
                .any(|pair| Products::of(pair).is_some())
        })
}

/// `let var = init;`
fn declare(var: VarId, init: Expr) -> Stmt {
    let span = init.span;
    let init = Some(init);
    Stmt::new(StmtKind::Let { var, init }, span)
}

/// A number to begin with, where one is recorded.
fn zero_of(ty: &Ty, span: Span) -> Option<Expr> {
    if matches!(ty, Ty::F32 | Ty::F64) {
        Some(Expr::float(0.0, ty, span))
    } else if matches!(ty, Ty::Int(Some(_))) {
        Some(Expr::integer(0, ty, span))
    } else if *ty == Ty::Bool {
        let lit = Lit::bool(false);
        Some(Expr::new(ExprKind::Lit(lit), Ty::Bool, span))
    } else {
        None
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

/// The one branch of which the reverse of an iteration consists, adjoints of the iteration's own around it.
fn branch(reverse: &[Stmt]) -> Option<Branch> {
    let at = reverse
        .iter()
        .position(|s| matches!(s.kind, StmtKind::Switch { .. }))?;
    let (before, after) = (&reverse[..at], &reverse[at + 1..]);
    let StmtKind::Switch { selector, arms } = &reverse[at].kind else {
        return None;
    };
    let ExprKind::Read(flag) = &selector.kind else {
        return None;
    };
    let mut full = (0..arms.len()).filter(|k| !arms[*k].stmts.is_empty());
    let (arm, None) = (full.next()?, full.next()) else {
        return None;
    };
    let taken = &arms[arm].stmts;
    let mut products = Products::of(taken)?;
    let legal = flag.is_var()
        && before.iter().all(|s| products.declares(s))
        && taken[2..].iter().chain(after).all(|s| products.adds(s));
    let all = before.iter().chain(taken).chain(after);
    legal.then(|| Branch {
        flag: flag.root,
        arm,
        arms: arms.len(),
        reverse: all.cloned().collect(),
    })
}

/// The statements of the forward sweep that run if and only if the branch is taken.
fn taken<'a>(body: &'a mut [Stmt], branch: &Branch) -> Option<&'a mut Vec<Stmt>> {
    body.iter_mut().find_map(|stmt| {
        if let StmtKind::Switch { selector, arms } = &mut stmt.kind
            && arms.len() == branch.arms
        {
            let flag =
                matches!(&selector.kind, ExprKind::Read(p) if p.is_var() && p.root == branch.flag);
            flag.then(|| &mut arms[branch.arm].stmts)
        } else {
            None
        }
    })
}
