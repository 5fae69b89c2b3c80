//! Adjoints that divide by the same root several times multiply by its inverse, and those that divide by a number of
//! the text by the inverse of that.
//!
//! The adjoint of `(l - 1.0) / l` with `l = d.sqrt()` divides by `l` three times. One division and three products take
//! a third of the time, and less than that in vectors. A root is what it is for: its inverse can neither overflow nor
//! become subnormal, so zero, infinity and NaN give what they gave, and everything else the same up to rounding.
//!
//! Legal for a root that a block declares and the statements of the same block divide by; it is for adjoints alone. A
//! quotient that is computed again may become a product, too, if it is nothing but a factor of adjoints: no comparison,
//! index or function sees it, no rule that asks which of its arguments is larger, and no difference in which the last
//! bit could be all that is left. A number of the text is taken if neither it nor its inverse is near the ends of what
//! its type holds; it is not zero, so a zero seed gives zero without being asked.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::target::worth;
use crate::ir::edit::{blocks_mut, each_expr};
use crate::ir::hash::{HashMap, HashSet};
use crate::ir::{
    BinOp, Expr, ExprKind, Func, MathFn, Rule, Stmt, StmtKind, Ty, UnOp, VarId, VarInfo, VarKind,
    effects_of, expr_reads, place_index_reads, shallow_accesses,
};

/// Divisions by numbers of the text become products.
pub(in crate::optimize) fn multiply_by_literals(stmts: &mut [Stmt]) {
    for stmt in stmts {
        each_expr(stmt, &mut by_literal);
        for block in blocks_mut(stmt) {
            multiply_by_literals(&mut block.stmts);
        }
    }
}

fn by_literal(e: &mut Expr) {
    for child in e.children_mut() {
        by_literal(child);
    }
    let ExprKind::Rule(Rule::DivLhs, args) = &mut e.kind else {
        return;
    };
    let [seed, divisor] = args.as_slice() else {
        return;
    };
    if let Some(inverse) = inverse(divisor) {
        e.kind = ExprKind::Binary(BinOp::Mul, Box::new(seed.clone()), Box::new(inverse));
    }
}

/// The inverse of a number of the text, to the last bit: neither is near the ends of what its type holds.
fn inverse(e: &Expr) -> Option<Expr> {
    let inverse = match (&e.kind, &e.ty) {
        (ExprKind::Unary(UnOp::Neg, a), _) => {
            let kind = ExprKind::Unary(UnOp::Neg, Box::new(inverse(a)?));
            return Some(Expr::new(kind, e.ty.clone(), e.span));
        }
        (ExprKind::Lit(lit), Ty::F64) => within(1.0 / lit.float()?, 1e300)?,
        (ExprKind::Lit(lit), Ty::F32) => {
            let exact = within(1.0 / lit.float()?, 1e30)?;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "it is a number of the type"
            )]
            let rounded = exact as f32;
            f64::from(rounded)
        }
        _ => return None,
    };
    Some(Expr::float(inverse, &e.ty, e.span))
}

/// A positive number, if it and its inverse are smaller than `largest`.
fn within(number: f64, largest: f64) -> Option<f64> {
    (number > 1.0 / largest && number < largest).then_some(number)
}

/// Changes the adjoints of a sweep; `adjoints`: the variables that hold them.
pub(in crate::optimize) fn share_inverses(
    func: &mut Func,
    stmts: &mut Vec<Stmt>,
    adjoints: &HashSet<VarId>,
) {
    let roots = stmts.iter().any(|stmt| root(func, stmt).is_some());
    let uses = roots.then(|| Uses::of(stmts, adjoints));
    let mut inverses = Vec::new();
    for at in 0..stmts.len() {
        for block in blocks_mut(&mut stmts[at]) {
            share_inverses(func, &mut block.stmts, adjoints);
        }
        let Some((uses, (root, ty))) = uses.as_ref().zip(root(func, &stmts[at])) else {
            continue;
        };
        let found = uses.divisions(stmts, root);
        if found.iter().map(Divisions::count).sum::<usize>() < worth::DIVISIONS {
            continue;
        }
        let span = stmts[at].span;
        let name = func.fresh_name("inverse", span);
        let inverse = func.add(VarInfo {
            name,
            ty: ty.clone(),
            mutable: false,
            kind: VarKind::Temp,
            constant: true,
            class: crate::ir::Class::Primal,
            type_of: None,
        });
        for divisions in found {
            divisions.replace(&mut stmts[divisions.at], root, inverse);
        }
        let read = Expr::read_var(root, ty.clone(), span);
        let init = Expr::new(ExprKind::Rule(Rule::Inverse, vec![read]), ty, span);
        let declare = StmtKind::Let {
            var: inverse,
            init: Some(init),
        };
        inverses.push((at, Stmt::new(declare, span)));
    }
    if inverses.is_empty() {
        return;
    }
    let mut inverses = inverses.into_iter().peekable();
    for (at, stmt) in std::mem::take(stmts).into_iter().enumerate() {
        stmts.push(stmt);
        stmts.extend(inverses.next_if(|(of, _)| *of == at).map(|(_, stmt)| stmt));
    }
}

/// The variable, if the statement declares one that holds a root and never changes.
fn root(func: &Func, stmt: &Stmt) -> Option<(VarId, Ty)> {
    let (var, init) = stmt.definition(func)?;
    let ty = &func.var(var).ty;
    let is_root = matches!(init.kind, ExprKind::Math(MathFn::Sqrt, _));
    (is_root && matches!(ty, Ty::F32 | Ty::F64)).then(|| (var, ty.clone()))
}

/// The divisions by a root in one statement of a block.
struct Divisions {
    at: usize,
    /// By a rule.
    rules: usize,
    /// Whether the statement declares a quotient that may be a product.
    quotient: bool,
}

impl Divisions {
    fn count(&self) -> usize {
        self.rules + usize::from(self.quotient)
    }

    /// They become products with the inverse.
    fn replace(&self, stmt: &mut Stmt, root: VarId, inverse: VarId) {
        each_expr(stmt, &mut |e| by_inverse(e, root, inverse));
        if let StmtKind::Let {
            init: Some(init), ..
        } = &mut stmt.kind
            && self.quotient
            && let ExprKind::Binary(op, _, divisor) = &mut init.kind
        {
            **divisor = Expr::read_var(inverse, divisor.ty.clone(), divisor.span);
            *op = BinOp::Mul;
        }
    }
}

/// Where the statements of a block use variables, so that no root and no quotient has to look through all of them.
struct Uses<'a> {
    adjoints: &'a HashSet<VarId>,
    /// The statements that a variable occurs in.
    mentions: HashMap<VarId, Vec<usize>>,
    /// The statements that divide by it, and how often they do by a rule.
    divisions: HashMap<VarId, BTreeMap<usize, usize>>,
    /// Variables that are computed from adjoints by statements from this one on.
    since: HashMap<VarId, usize>,
}

impl<'a> Uses<'a> {
    fn of(stmts: &mut [Stmt], adjoints: &'a HashSet<VarId>) -> Self {
        let mut uses = Self {
            adjoints,
            mentions: HashMap::default(),
            divisions: HashMap::default(),
            since: HashMap::default(),
        };
        for (at, stmt) in stmts.iter_mut().enumerate() {
            let effects = effects_of([&*stmt]);
            let mut vars = effects.reads;
            vars.extend(effects.writes);
            shallow_accesses(stmt, &mut |var, _| _ = vars.insert(var));
            for var in vars {
                uses.mentions.entry(var).or_default().push(at);
            }
            let mut divided = |var, by_rule| {
                let found = uses.divisions.entry(var).or_default();
                *found.entry(at).or_default() += usize::from(by_rule);
            };
            each_expr(stmt, &mut |e| {
                each_divisor(e, &mut |var| divided(var, true))
            });
            if let StmtKind::Let {
                var,
                init: Some(init),
            } = &stmt.kind
            {
                if let Some(divisor) = divisor(init) {
                    divided(divisor, false);
                }
                uses.note(*var, init, at);
            }
        }
        uses
    }

    /// Whether the variable is computed from adjoints.
    fn note(&mut self, var: VarId, init: &Expr, at: usize) {
        let mut since = None;
        expr_reads(init, &mut |p| {
            let here = match self.adjoints.contains(&p.root) {
                true => Some(at),
                false => self.since.get(&p.root).copied(),
            };
            since = since.max(here);
        });
        if let Some(since) = since {
            self.since.insert(var, since);
        }
    }

    /// The divisions by a root that may become products.
    fn divisions(&self, stmts: &[Stmt], root: VarId) -> Vec<Divisions> {
        let all = self.divisions.get(&root).into_iter().flatten();
        all.map(|(&at, &rules)| {
            let quotient = if let StmtKind::Let {
                var,
                init: Some(init),
            } = &stmts[at].kind
            {
                divisor(init) == Some(root) && self.is_factor(stmts, *var, at)
            } else {
                false
            };
            Divisions {
                at,
                rules,
                quotient,
            }
        })
        .collect()
    }

    /// Whether what follows a statement of the block multiplies adjoints by the variable that it declares, and does
    /// nothing else with it.
    fn is_factor(&self, stmts: &[Stmt], var: VarId, from: usize) -> bool {
        let mut factor = Factor {
            uses: self,
            from,
            multiples: HashSet::default(),
            next: BTreeSet::new(),
        };
        factor.insert(var, from);
        while let Some(at) = factor.next.pop_first() {
            if !factor.stmt(&stmts[at], at) {
                return false;
            }
        }
        true
    }
}

/// What a quotient is divided by, if that is a variable.
fn divisor(e: &Expr) -> Option<VarId> {
    if let ExprKind::Binary(BinOp::Div, _, divisor) = &e.kind {
        whole(divisor)
    } else {
        None
    }
}

fn whole(e: &Expr) -> Option<VarId> {
    if let ExprKind::Read(p) = &e.kind
        && p.is_var()
    {
        Some(p.root)
    } else {
        None
    }
}

/// A rule that divides, and the one that multiplies by the inverse.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "only divisions have such a rule"
)]
fn multiplying(rule: Rule) -> Option<Rule> {
    match rule {
        Rule::DivLhs => Some(Rule::DivLhsBy),
        Rule::DivRhs => Some(Rule::DivRhsBy),
        Rule::Sqrt => Some(Rule::SqrtBy),
        _ => None,
    }
}

/// The variables that rules in an expression divide by.
fn each_divisor(e: &Expr, f: &mut dyn FnMut(VarId)) {
    for child in e.children() {
        each_divisor(child, f);
    }
    if let ExprKind::Rule(rule, args) = &e.kind
        && multiplying(*rule).is_some()
        && let Some(var) = whole(&args[1])
    {
        f(var);
    }
}

fn by_inverse(e: &mut Expr, root: VarId, inverse: VarId) {
    for child in e.children_mut() {
        by_inverse(child, root, inverse);
    }
    if let ExprKind::Rule(rule, args) = &mut e.kind
        && let Some(other) = multiplying(*rule)
        && whole(&args[1]) == Some(root)
    {
        args[1] = Expr::read_var(inverse, args[1].ty.clone(), args[1].span);
        *rule = other;
    }
}

/// A value and what is a multiple of it.
struct Factor<'a> {
    uses: &'a Uses<'a>,
    /// The statement that declares it.
    from: usize,
    multiples: HashSet<VarId>,
    /// Statements behind it that the multiples occur in.
    next: BTreeSet<usize>,
}

impl Factor<'_> {
    fn insert(&mut self, var: VarId, at: usize) {
        if self.multiples.insert(var) {
            let all = self.uses.mentions.get(&var).map_or(&[][..], Vec::as_slice);
            let behind = all.partition_point(|other| *other <= at);
            self.next.extend(&all[behind..]);
        }
    }

    fn reads_adjoint(&self, e: &Expr) -> bool {
        let mut found = false;
        expr_reads(e, &mut |p| {
            let since = self.uses.since.get(&p.root);
            found |=
                self.uses.adjoints.contains(&p.root) || since.is_some_and(|at| *at > self.from);
        });
        found
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn stmt(&mut self, stmt: &Stmt, at: usize) -> bool {
        match &stmt.kind {
            StmtKind::Let {
                var,
                init: Some(init),
            } => {
                if !self.reads_adjoint(init) && init.reads_any(&self.multiples) {
                    self.insert(*var, at);
                }
                self.is_product(init)
            }
            StmtKind::Update { place, value, .. } => {
                let mut index = false;
                place_index_reads(place, &mut |p| index |= self.multiples.contains(&p.root));
                let of_value = self.multiples.contains(&place.root)
                    || value.reads_any(&self.multiples) && !self.reads_adjoint(value);
                !index && !of_value && self.is_product(value)
            }
            _ => false,
        }
    }

    /// Whether an expression is off by no more than a few last bits if the value is.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn is_product(&self, e: &Expr) -> bool {
        if !e.reads_any(&self.multiples) {
            return true;
        }
        let legal = match &e.kind {
            ExprKind::Read(p) => return p.is_var() && e.ty.is_float(),
            ExprKind::Unary(UnOp::Neg, _) | ExprKind::Binary(BinOp::Mul, ..) => true,
            ExprKind::Binary(BinOp::Add | BinOp::Sub, a, b) => {
                [a, b].iter().all(|e| self.reads_adjoint(e))
            }
            ExprKind::Rule(rule, _) => matches!(
                rule,
                Rule::DivLhs
                    | Rule::DivRhs
                    | Rule::DivLhsBy
                    | Rule::DivRhsBy
                    | Rule::Sqrt
                    | Rule::SqrtBy
            ),
            _ => false,
        };
        legal && e.children().into_iter().all(|child| self.is_product(child))
    }
}
