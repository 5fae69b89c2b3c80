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

use crate::ir::faults::Fault;
use crate::ir::{BinOp, Block, Domain, Expr, ExprKind, Stmt, StmtKind, Transform, Ty, UnOp, VarId};

use super::assemble::{Assembly, Step, Sweep};
use crate::ir::binary;

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
        let usize_ty = Ty::USIZE;
        let mut body = sweep.forward.clone();
        let taken = taken(&mut body, &branch)?;
        let reached = self.counter("reached", span);
        let read = |var| Expr::read_var(var, usize_ty.clone(), span);
        taken.push(assign(
            reached,
            binary(BinOp::Add, read(var), Expr::usize_literal(1, span)),
        ));
        let none = Stmt::new(
            StmtKind::Let {
                var: reached,
                init: Some(Expr::usize_literal(0, span)),
            },
            span,
        );
        let mut stmts = vec![Stmt::new(
            StmtKind::Let {
                var,
                init: Some(binary(
                    BinOp::Sub,
                    read(reached),
                    Expr::usize_literal(1, span),
                )),
            },
            span,
        )];
        stmts.extend(branch.reverse);
        let any = ExprKind::Binary(
            BinOp::Ne,
            Box::new(read(reached)),
            Box::new(Expr::usize_literal(0, span)),
        );
        let reverse = StmtKind::Switch {
            selector: Expr::new(any, Ty::Bool, span),
            arms: vec![Block { stmts }, Block::default()],
        };
        let how = "of all writes under the condition, only the last one is reversed";
        self.cx.remarks.applied(span, Transform::Last, how);
        Some(Step {
            forward: vec![none, loop_of(body)],
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
        if sweep.yields != [branch.flag] {
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

/// Variables that are zero if the adjoint is that the branch takes.
struct Products {
    bar: VarId,
    vars: HashSet<VarId>,
    /// Those to which products are added.
    sums: HashSet<VarId>,
}

impl Products {
    /// `let d = bar; bar = 0;`
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn of(taken: &[Stmt]) -> Option<Self> {
        let [take, clear, ..] = taken else {
            return None;
        };
        let StmtKind::Let {
            var,
            init: Some(init),
        } = &take.kind
        else {
            return None;
        };
        let cleared = match &clear.kind {
            StmtKind::SetZero(place) => place,
            StmtKind::Assign { place, value, .. } if matches!(value.kind, ExprKind::Zero) => place,
            _ => return None,
        };
        let ExprKind::Read(bar) = &init.kind else {
            return None;
        };
        let same = bar.is_var() && cleared.is_var() && cleared.root == bar.root;
        (same && init.ty.is_float()).then(|| Self {
            bar: bar.root,
            vars: HashSet::from([*var]),
            sums: HashSet::new(),
        })
    }

    /// What stands in front of the branch: adjoints that begin as zero, and values.
    fn declares(&mut self, stmt: &Stmt) -> bool {
        let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
        else {
            return false;
        };
        if matches!(init.kind, ExprKind::Zero) {
            self.vars.insert(*var);
            self.sums.insert(*var);
            return true;
        }
        !init.reads(self.bar) && !init.reads_any(&self.vars)
    }

    /// Whether a statement declares a value or a product, or adds a product to something.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn adds(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Let {
                var,
                init: Some(init),
            } => {
                let product = is_product(init, &self.vars);
                if product {
                    self.vars.insert(*var);
                }
                !init.reads(self.bar) && (product || !init.reads_any(&self.vars))
            }
            StmtKind::Update { place, op, value } => {
                let held = self.vars.contains(&place.root) && !self.sums.contains(&place.root);
                let adds = matches!(op, BinOp::Add | BinOp::Sub);
                place.root != self.bar && !held && adds && is_product(value, &self.vars)
            }
            _ => false,
        }
    }
}

/// Whether an expression is a product with one of the variables, or a sum of such products: zero where they are.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named keeps the pass from applying"
)]
fn is_product(e: &Expr, products: &HashSet<VarId>) -> bool {
    if Fault::LastOfASum.is_on() {
        return true;
    }
    let product = |e: &Expr| is_product(e, products);
    let other = |e: &Expr| !e.reads_any(products);
    match &e.kind {
        ExprKind::Read(p) => p.is_var() && products.contains(&p.root),
        ExprKind::Unary(UnOp::Neg, a) => product(a),
        ExprKind::Binary(BinOp::Mul, a, b) => (product(a) && other(b)) || (other(a) && product(b)),
        ExprKind::Binary(BinOp::Div, a, b) => product(a) && other(b),
        ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) => product(a) && product(b),
        _ => false,
    }
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
