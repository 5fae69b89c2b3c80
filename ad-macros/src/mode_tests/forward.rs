//! Forward mode for straight-line code, as small as it can be: a trial that the terms of the table carry it, no part of
//! the product.

use crate::ir::hash::HashMap;
use crate::ir::rules::{linearize, rule};
use crate::ir::{
    BinOp, Expr, ExprKind, Func, Place, Rule, Stmt, StmtKind, Ty, UnOp, VarId, binary,
};

/// The tangents of variables, and the code with the tangents in it.
pub(crate) struct Tangents<'f> {
    pub(crate) func: &'f mut Func,
    pub(crate) dots: HashMap<VarId, VarId>,
    pub(crate) out: Vec<Stmt>,
}

impl Tangents<'_> {
    /// The tangent of a variable.
    pub(crate) fn dot(&mut self, var: VarId) -> VarId {
        if let Some(dot) = self.dots.get(&var) {
            return *dot;
        }
        let info = self.func.var(var);
        let (name, ty, span) = (
            format!("{}_dot", info.name),
            info.ty.clone(),
            info.name.span(),
        );
        let dot = self.func.temp(&name, ty, span);
        self.dots.insert(var, dot);
        dot
    }

    /// Each statement behind that of its tangent: operands have the values that the statement reads, and so has what it
    /// overwrites.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a test that stops at, or skips, what it is not about"
    )]
    pub(crate) fn run(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            let (place, value, op) = match &stmt.kind {
                StmtKind::Let {
                    var,
                    init: Some(init),
                } => (Place::var(*var, stmt.span), init, None),
                StmtKind::Assign { place, value, .. } => (place.clone(), value, None),
                StmtKind::Update { place, op, value } => (place.clone(), value, Some(*op)),
                other => panic!("not straight-line code: {other:?}"),
            };
            let dot = Place::var(self.dot(place.root), stmt.span);
            let tangent = self.tangent(value);
            let kind = match (op, tangent) {
                (Some(op @ (BinOp::Add | BinOp::Sub)), Some(value)) => StmtKind::Update {
                    place: dot,
                    op,
                    value,
                },
                (Some(BinOp::Add | BinOp::Sub), None) => {
                    self.out.push(stmt.clone());
                    continue;
                }
                (Some(op), _) => panic!("no tangent of {op:?}"),
                (None, tangent) => StmtKind::Assign {
                    place: dot,
                    value: tangent.unwrap_or_else(|| like(value, ExprKind::Zero)),
                    init: false,
                },
            };
            self.out.push(Stmt::new(kind, stmt.span));
            self.out.push(stmt.clone());
        }
    }

    /// The sum of what the operands contribute; `None` where nothing does.
    fn tangent(&mut self, e: &Expr) -> Option<Expr> {
        if let ExprKind::Rule(rule, args) = &e.kind {
            return self.of_rule(e, *rule, args);
        }
        if let ExprKind::Read(place) = &e.kind {
            let dot = self.dot(place.root);
            return Some(Expr::read_var(dot, e.ty.clone(), e.span));
        }
        let linear = linearize(e)?;
        let mut sum = None;
        for term in &linear.terms {
            if !term.operand.ty.is_float() {
                continue;
            }
            let Some(tangent) = self.tangent(term.operand) else {
                continue;
            };
            // What is pure may be computed again; a product would bind it once.
            let contribution = linear.applied(term, tangent, &mut |value| value.clone());
            add(&mut sum, contribution);
        }
        sum
    }

    /// The tangent of a term of first order, for derivatives of second order. It is linear in its seed, so the term for
    /// the seed is the rule itself, guard included. The terms for its values are to be written into the table; here
    /// they are for some rules.
    fn of_rule(&mut self, e: &Expr, rule: Rule, args: &[Expr]) -> Option<Expr> {
        let mut sum = self.tangent(&args[0]).map(|tangent| {
            let mut args = args.to_vec();
            args[0] = tangent;
            like(e, ExprKind::Rule(rule, args))
        });
        for k in 1..args.len() {
            if let Some(tangent) = self.tangent(&args[k]) {
                add(&mut sum, Some(of_value(rule, k, args, tangent)));
            }
        }
        sum
    }
}

/// The derivative of a rule in one of its values, at the tangent of that value. It is linear in the seed, too, and
/// guarded in both.
fn of_value(name: Rule, k: usize, args: &[Expr], tangent: Expr) -> Expr {
    let seed = product(args[0].clone(), tangent);
    let value = |k: usize| args[k].clone();
    match (name, k) {
        // s / 2r
        (Rule::Sqrt, 1) => {
            let once = rule(Rule::Sqrt, vec![seed, value(1)]);
            negative(rule(Rule::DivLhs, vec![once, value(1)]))
        }
        // s r / 2
        (Rule::SqrtTimes, 1) => binary(BinOp::Mul, half(&seed), seed),
        // s / y
        (Rule::DivLhs, 1) => negative(over_square(seed, value(1))),
        // −s / y · r
        (Rule::DivRhs, 1) => binary(BinOp::Mul, over_square(seed, value(1)), value(2)),
        (Rule::DivRhs, 2) => negative(rule(Rule::DivLhs, vec![seed, value(1)])),
        // s r
        (Rule::Exp, 1) => seed,
        _ => panic!("no second derivative of `{}`", name.name()),
    }
}

/// The product of a seed and a tangent, zero for a zero seed.
fn product(seed: Expr, tangent: Expr) -> Expr {
    let two = Expr::float(2.0, &Ty::F64, seed.span);
    let halved = rule(Rule::SqrtTimes, vec![seed, tangent]);
    binary(BinOp::Mul, two, halved)
}

fn over_square(seed: Expr, y: Expr) -> Expr {
    let once = rule(Rule::DivLhs, vec![seed, y.clone()]);
    rule(Rule::DivLhs, vec![once, y])
}

fn half(e: &Expr) -> Expr {
    Expr::float(0.5, &Ty::F64, e.span)
}

fn negative(e: Expr) -> Expr {
    like(&e, ExprKind::Unary(UnOp::Neg, Box::new(e.clone())))
}

fn like(e: &Expr, kind: ExprKind) -> Expr {
    Expr::new(kind, e.ty.clone(), e.span)
}

fn add(sum: &mut Option<Expr>, contribution: Option<Expr>) {
    *sum = match (sum.take(), contribution) {
        (Some(sum), Some(contribution)) => Some(binary(BinOp::Add, sum, contribution)),
        (sum, contribution) => sum.or(contribution),
    };
}
