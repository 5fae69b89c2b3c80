//! Contributions that are multiples of one product: their multiples are added up, and the product is computed once.
//!
//! ```text
//! let v = s * s;                        let mut s_bar = 3.0 * d * v;
//! let mut s_bar = 2.0 * d * s * s;
//! s_bar += d * v;
//! ```
//!
//! The adjoint of `x` in `x * x * x` gets as many contributions as the product has factors `x`, and all are `x * x`
//! times the same. Which product is kept, and what it is multiplied by, changes the rounding: it is for adjoints alone.
//!
//! Legal for contributions right behind one another, of products whose factors are the same variables or elements, seen
//! through variables that hold products of them: nothing has written one of the factors since.

use crate::analysis::purity::is_all_arithmetic;
use crate::ir::edit::blocks_mut;
use crate::ir::faults::Fault;
use crate::ir::hash::HashMap;
use crate::ir::{
    BinOp, Expr, ExprKind, Stmt, StmtKind, UnOp, VarId, VarSet, effects_of, expr_reads, mentions,
    same_element,
};

use super::factors::{apply, has_factors, is_small, target};

/// Products of more factors are left as they are: how long one is compared with another stays in bounds.
const FACTORS: usize = 8;

/// Adds up what contributions to adjoints have in common.
pub(super) fn collect(stmts: &mut Vec<Stmt>, own: &dyn Fn(VarId) -> bool) {
    if (1..stmts.len()).any(|at| follows(stmts, at, own)) {
        in_list(stmts, own);
    }
    for stmt in stmts {
        for block in blocks_mut(stmt) {
            collect(&mut block.stmts, own);
        }
    }
}

/// Whether a statement contributes to what the one in front of it contributes to, or declares.
fn follows(stmts: &[Stmt], at: usize, own: &dyn Fn(VarId) -> bool) -> bool {
    let StmtKind::Update { place, op, value } = &stmts[at].kind else {
        return false;
    };
    let adds = |op: &BinOp| matches!(op, BinOp::Add | BinOp::Sub);
    let first = &stmts[at - 1].kind;
    let to_same = if let StmtKind::Let { var, init: Some(_) } = first {
        place.is_var() && place.root == *var
    } else if let StmtKind::Update {
        place: other, op, ..
    } = first
    {
        same_element(place, other) && adds(op)
    } else {
        false
    };
    to_same
        && adds(op)
        && has_factors(&value.ty)
        && !value.reads(place.root)
        && target(&stmts[at - 1]).is_some_and(own)
}

fn in_list(stmts: &mut Vec<Stmt>, own: &dyn Fn(VarId) -> bool) {
    let mut known = Products::default();
    let mut freed = VarSet::default();
    let mut at = 0;
    while at < stmts.len() {
        while at + 1 < stmts.len()
            && follows(stmts, at + 1, own)
            && let Some(sum) = known.sum(&stmts[at], &stmts[at + 1])
        {
            let merged = stmts.splice(at..=at + 1, [sum]);
            freed.extend(effects_of(&merged.collect::<Vec<_>>()).reads);
        }
        known.note(&stmts[at]);
        at += 1;
    }
    drop_unused(stmts, &mut freed, own);
}

/// Takes away what held products that are not computed any more.
fn drop_unused(stmts: &mut Vec<Stmt>, freed: &mut VarSet, own: &dyn Fn(VarId) -> bool) {
    for at in (0..stmts.len()).rev() {
        if let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmts[at].kind
            && freed.contains(var)
            && own(*var)
            && is_all_arithmetic(init)
            && !stmts[at + 1..].iter().any(|stmt| mentions(stmt, *var))
        {
            expr_reads(init, &mut |place| {
                freed.insert(place.root);
            });
            stmts.remove(at);
        }
    }
}

/// A number times a product of what is read.
#[derive(Clone)]
struct Product {
    number: f64,
    factors: Vec<Expr>,
}

impl Product {
    fn has_factors_of(&self, other: &Product) -> bool {
        let mut left: Vec<&Expr> = other.factors.iter().collect();
        self.factors.len() == left.len()
            && self.factors.iter().all(|factor| {
                let alike = |other: &&Expr| is_read_alike(factor, other);
                let found = left.iter().position(alike);
                found.map(|at| left.swap_remove(at)).is_some()
            })
    }
}

fn is_read_alike(a: &Expr, b: &Expr) -> bool {
    let alike = a
        .place()
        .zip(b.place())
        .is_some_and(|(a, b)| same_element(a, b));
    alike || Fault::LikeTermsApart.is_on()
}

/// The variables that hold products, as long as nothing writes a factor.
#[derive(Default)]
struct Products(HashMap<VarId, Product>);

impl Products {
    fn note(&mut self, stmt: &Stmt) {
        let effects = effects_of([stmt]);
        for var in effects.writes.iter().chain(effects.declares.iter()) {
            self.0.retain(|held, product| {
                *held != var && !product.factors.iter().any(|factor| factor.reads(var))
            });
        }
        if let StmtKind::Let {
            var,
            init: Some(init),
        } = &stmt.kind
            && has_factors(&init.ty)
            && let Some(product) = self.product(init)
        {
            self.0.insert(*var, product);
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a product")]
    fn product(&self, e: &Expr) -> Option<Product> {
        match &e.kind {
            ExprKind::Lit(lit) => Some(Product {
                number: lit.float()?,
                factors: Vec::new(),
            }),
            ExprKind::Read(p) => match self.0.get(&p.root).filter(|_| p.is_var()) {
                Some(product) => Some(product.clone()),
                None => has_factors(&e.ty).then(|| Product {
                    number: 1.0,
                    factors: vec![e.clone()],
                }),
            },
            ExprKind::Unary(UnOp::Neg, a) => {
                let a = self.product(a)?;
                let number = -a.number;
                Some(Product { number, ..a })
            }
            ExprKind::Binary(BinOp::Mul, a, b) => {
                let (mut a, b) = (self.product(a)?, self.product(b)?);
                a.number *= b.number;
                a.factors.extend(b.factors);
                (a.factors.len() <= FACTORS).then_some(a)
            }
            _ => None,
        }
    }

    /// Two contributions as one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else contributes")]
    fn sum(&self, first: &Stmt, second: &Stmt) -> Option<Stmt> {
        let (value, minus) = match &first.kind {
            StmtKind::Let {
                init: Some(init), ..
            } => (init, false),
            StmtKind::Update { op, value, .. } => (value, *op == BinOp::Sub),
            _ => return None,
        };
        let StmtKind::Update {
            op,
            value: other_value,
            ..
        } = &second.kind
        else {
            return None;
        };
        let (product, other) = (self.product(value)?, self.product(other_value)?);
        if !product.has_factors_of(&other) {
            return None;
        }
        let signed = |number: f64, minus| if minus { -number } else { number };
        let total = signed(product.number, minus) + signed(other.number, *op == BinOp::Sub);
        // The product that takes fewer operations is the one that is kept.
        let all = [(value, product.number), (other_value, other.number)];
        let [one, other] = all.map(|(value, number)| {
            let (here, rest) = without_numbers(value);
            (rest.size(), rest, total * here / number)
        });
        let (_, rest, number) = if other.0 < one.0 { other } else { one };
        if !is_small(number.abs()) {
            return None;
        }
        let kind = match &first.kind {
            StmtKind::Update { place, .. } => StmtKind::Update {
                place: place.clone(),
                op: if number < 0.0 { BinOp::Sub } else { BinOp::Add },
                value: apply(number.abs(), rest),
            },
            StmtKind::Let { var, .. } => StmtKind::Let {
                var: *var,
                init: Some(apply(number, rest)),
            },
            _ => return None,
        };
        Some(Stmt::new(kind, first.span))
    }
}

/// The numbers that a product is multiplied by, and the product without them.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a product")]
fn without_numbers(e: &Expr) -> (f64, Expr) {
    match &e.kind {
        ExprKind::Unary(UnOp::Neg, a) => {
            let (number, rest) = without_numbers(a);
            (-number, rest)
        }
        ExprKind::Binary(BinOp::Mul, a, b) => match (a.float_literal(), b.float_literal()) {
            (Some(number), _) => {
                let (others, rest) = without_numbers(b);
                (number * others, rest)
            }
            (_, Some(number)) => {
                let (others, rest) = without_numbers(a);
                (number * others, rest)
            }
            (None, None) => {
                let ((m, a), (n, b)) = (without_numbers(a), without_numbers(b));
                let kind = ExprKind::Binary(BinOp::Mul, Box::new(a), Box::new(b));
                (m * n, Expr::new(kind, e.ty.clone(), e.span))
            }
        },
        _ => (1.0, e.clone()),
    }
}
