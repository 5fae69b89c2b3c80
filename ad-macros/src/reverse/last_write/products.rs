//! Code that only adds products of one adjoint to others, so that it does nothing where that adjoint is zero.

use crate::ir::faults::Fault;
use crate::ir::hash::HashSet;
use crate::ir::rules::Rule;
use crate::ir::{
    BinOp, Block, Domain, Expr, ExprKind, Loop, Place, Stmt, StmtKind, Ty, UnOp, VarId,
    place_index_reads,
};

/// Variables that are zero if the adjoint is that the branch takes.
pub(super) struct Products {
    bar: VarId,
    vars: HashSet<VarId>,
    /// Those to which products are added.
    sums: HashSet<VarId>,
}

impl Products {
    /// `let d = bar; bar = 0;`
    pub(super) fn of(taken: &[Stmt]) -> Option<Self> {
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
        let cleared = cleared(clear)?;
        let ExprKind::Read(bar) = &init.kind else {
            return None;
        };
        let same = bar.is_var() && cleared.is_var() && cleared.root == bar.root;
        (same && init.ty.is_float()).then(|| Self {
            bar: bar.root,
            vars: HashSet::from_iter([*var]),
            sums: HashSet::default(),
        })
    }

    /// What stands in front of the branch: adjoints that begin as zero, and values.
    pub(super) fn declares(&mut self, stmt: &Stmt) -> bool {
        let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
        else {
            return false;
        };
        self.begins(*var, init) || !init.reads(self.bar) && !init.reads_any(&self.vars)
    }

    /// Whether a variable is a sum of products, of which there are none yet.
    fn begins(&mut self, var: VarId, init: &Expr) -> bool {
        let begins = matches!(init.kind, ExprKind::Zero);
        if begins {
            self.vars.insert(var);
            self.sums.insert(var);
        }
        begins
    }

    /// Whether a statement declares a value or a product, or adds products to something.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    pub(super) fn adds(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Let {
                var,
                init: Some(init),
            } => {
                if self.begins(*var, init) {
                    return true;
                }
                let product = is_product(init, &self.vars);
                if product {
                    self.vars.insert(*var);
                }
                !init.reads(self.bar) && (product || !init.reads_any(&self.vars))
            }
            StmtKind::Update { place, op, value } => {
                matches!(op, BinOp::Add | BinOp::Sub)
                    && self.may_add_to(place)
                    && is_product(value, &self.vars)
            }
            StmtKind::Accumulate { dst, src } => {
                self.may_add_to(dst) && self.vars.contains(&src.root) && self.names_no_adjoint(src)
            }
            // The adjoint of what the iteration itself overwrites.
            StmtKind::Assign { .. } | StmtKind::SetZero(_) => {
                cleared(stmt).is_some_and(|place| place.is_var() && self.sums.contains(&place.root))
            }
            StmtKind::Switch { selector, arms } => {
                self.is_value(selector) && arms.iter().all(|arm| self.block(arm))
            }
            StmtKind::Loop(Loop {
                domain: Domain::Range { range, .. },
                exit: None,
                strip: None,
                body,
                ..
            }) => range.exprs().all(|e| self.is_value(e)) && self.block(body),
            _ => false,
        }
    }

    fn block(&mut self, block: &Block) -> bool {
        block.stmts.iter().all(|stmt| self.adds(stmt))
    }

    /// Whether a sum stays what it is where products are added to the place.
    fn may_add_to(&self, place: &Place) -> bool {
        let held = self.vars.contains(&place.root) && !self.sums.contains(&place.root);
        place.root != self.bar && !held && self.names_no_adjoint(place)
    }

    /// Whether no index of the place is computed from an adjoint.
    fn names_no_adjoint(&self, place: &Place) -> bool {
        let mut none = true;
        place_index_reads(place, &mut |p| {
            none &= p.root != self.bar && !self.vars.contains(&p.root);
        });
        none
    }

    fn is_value(&self, e: &Expr) -> bool {
        !e.reads(self.bar) && !e.reads_any(&self.vars)
    }
}

/// The place that a statement sets to zero.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named keeps the pass from applying"
)]
fn cleared(stmt: &Stmt) -> Option<&Place> {
    match &stmt.kind {
        StmtKind::SetZero(place) => Some(place),
        StmtKind::Assign { place, value, .. } if matches!(value.kind, ExprKind::Zero) => {
            Some(place)
        }
        _ => None,
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
        // Rules are linear in their first argument, which is the seed.
        ExprKind::Rule(Rule::MulAdd | Rule::Inverse | Rule::Workers, _) => false,
        ExprKind::Rule(_, args) => {
            matches!(e.ty, Ty::F32 | Ty::F64 | Ty::Float)
                && args.first().is_some_and(product)
                && args[1..].iter().all(other)
        }
        _ => false,
    }
}
