//! Reverse loops whose bodies run on the numbers of several iterations at once, in registers.
//!
//! ```text
//! rows   for i: row0[i], row1[i] = f(i)                  x_bar[a + i] += row0[i]     x_bar[b + i] += row1[i]
//! wide   for i in steps of 4: c0, c1 = f(i..i + 4)       x_bar[a + i..][..4] += c0   x_bar[b + i..][..4] += c1
//! ```
//!
//! Rows cost a store and a load for each contribution, and where there are few iterations most of what adds them is not
//! the additions. Long bodies are also more than the optimiser turns into vectors with the additions in them.
//!
//! Legal if all that is added is sums in any order, and the body declares and changes nothing but numbers of one type
//! and elements of the iteration's own, by arithmetic: then nothing in it panics, and iterations that run at once see
//! nothing of each other.

use crate::analysis::purity::{Part, is_movable};
use crate::ir::hash::HashSet;
use crate::ir::{
    BinOp, Expr, ExprKind, Func, MathFn, Place, Proj, Rule, Sliced, Stmt, StmtKind, SumInto, Ty,
    UnOp, VarId, View, is_constant, is_invariant, is_path, parted_at, same_place,
};

/// The rules of derivatives that are arithmetic.
pub(crate) const RULES: &[Rule] = &[
    Rule::MulAdd,
    Rule::Number,
    Rule::Inverse,
    Rule::DivLhs,
    Rule::DivRhs,
    Rule::DivLhsBy,
    Rule::DivRhsBy,
    Rule::Recip,
    Rule::Sqrt,
    Rule::SqrtBy,
    Rule::SqrtTimes,
];

/// The type of the numbers; `Err` says why contributions are collected in rows.
pub(in crate::optimize) fn wide(func: &Func, stmt: &Stmt, sliced: &Sliced) -> Result<Ty, String> {
    if sliced.partial || !sliced.sums.iter().any(|sum| sum.direct.is_none()) {
        return Err("there are no rows".to_owned());
    }
    if sliced.whole_blocks.is_some() || sliced.sums.iter().any(|sum| sum.ordered) {
        return Err("it adds to a sum of the value".to_owned());
    }
    if sliced.is_mirrored() {
        return Err("an index goes down with the counter".to_owned());
    }
    if stmt.counting().is_none_or(|plain| plain.strip.is_some()) {
        return Err("iterations have records on the tape".to_owned());
    }
    let ty = func.var(sliced.sums[0].source).ty.clone();
    if !matches!(ty, Ty::F32 | Ty::F64) {
        return Err("the text does not show the type of the numbers".to_owned());
    }
    targets_are_apart(sliced)?;
    let mut body = Body::of(func, sliced, ty)?;
    for stmt in &sliced.body.stmts {
        body.stmt(stmt)?;
    }
    Ok(body.ty)
}

/// Whether the arrays that are added to can all be borrowed side by side.
fn targets_are_apart(sliced: &Sliced) -> Result<(), String> {
    let along: Vec<&View> = sliced
        .sums
        .iter()
        .filter_map(|s| s.along.as_ref())
        .collect();
    for view in &along {
        let mut paths: Vec<&Place> = Vec::new();
        for of in along.iter().map(|other| &other.of) {
            if of.root == view.of.root && paths.iter().all(|other| !same_place(other, of)) {
                paths.push(of);
            }
        }
        let paths: Vec<&[Proj]> = paths.into_iter().map(|of| &*of.proj).collect();
        if paths.len() > 1 && parted_at(&paths).is_none() && !paths.iter().all(|p| is_path(p)) {
            return Err("it adds to several parts of one array".to_owned());
        }
    }
    if sliced.sums.iter().any(|sum: &SumInto| !sum.part.is_empty()) {
        return Err("it adds to fields of elements".to_owned());
    }
    Ok(())
}

/// What is known of the numbers of several iterations.
struct Body<'a> {
    func: &'a Func,
    ty: Ty,
    /// Slices that are read or written.
    slices: HashSet<VarId>,
    edits: HashSet<VarId>,
    /// Variables of the body.
    wide: HashSet<VarId>,
    /// What else changes from iteration to iteration: the counter, and indices.
    varying: HashSet<VarId>,
}

impl<'a> Body<'a> {
    fn of(func: &'a Func, sliced: &Sliced, ty: Ty) -> Result<Self, String> {
        let edits: HashSet<VarId> = sliced.edits.iter().flatten().map(|(var, _)| *var).collect();
        let views = sliced.views.iter().map(|(var, _)| *var);
        let slices: HashSet<VarId> = views.chain(edits.iter().copied()).collect();
        if let Some(var) = slices.iter().find(|v| func.var(**v).ty.element() != ty) {
            let name = &func.var(*var).name;
            return Err(format!("elements of `{name}` are no numbers of its type"));
        }
        Ok(Self {
            func,
            ty,
            slices,
            edits,
            wide: HashSet::default(),
            varying: HashSet::from_iter([sliced.counter, sliced.lane]),
        })
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn stmt(&mut self, stmt: &Stmt) -> Result<(), String> {
        match &stmt.kind {
            StmtKind::Let { var, .. } if matches!(self.func.var(*var).ty, Ty::Int(_)) => {
                self.varying.insert(*var); // part of an index
                Ok(())
            }
            StmtKind::Let { var, init } if self.func.var(*var).ty == self.ty => {
                if let Some(value) = init {
                    self.value(value)?;
                }
                self.wide.insert(*var);
                Ok(())
            }
            StmtKind::Assign { place, value, .. } if self.is_own(place) => self.value(value),
            StmtKind::Update {
                place,
                op: BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div,
                value,
            } if self.is_own(place) => self.value(value),
            _ => Err("the body does more than arithmetic on numbers of one type".to_owned()),
        }
    }

    /// A variable of the body, or an element of the iteration's own.
    fn is_own(&self, place: &Place) -> bool {
        self.is_variable(place) || self.edits.contains(&place.root) && place.proj.len() == 1
    }

    fn is_variable(&self, place: &Place) -> bool {
        place.is_var() && self.wide.contains(&place.root)
    }

    /// Whether the expression has a value for each iteration, or one for all.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn value(&self, e: &Expr) -> Result<(), String> {
        let fixed = is_invariant(e, &|var| self.changes(var));
        if fixed && (e.ty == self.ty || e.ty == Ty::Float) {
            return self.once(e);
        }
        if e.ty != self.ty {
            return Err("the numbers are not all of one type".to_owned());
        }
        match &e.kind {
            ExprKind::Read(place) if self.is_variable(place) => Ok(()),
            ExprKind::Read(place) if self.slices.contains(&place.root) && place.proj.len() == 1 => {
                Ok(())
            }
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div, a, b) => {
                self.value(a)?;
                self.value(b)
            }
            ExprKind::Unary(UnOp::Neg, a) => self.value(a),
            ExprKind::Math(MathFn::Sqrt, args) => self.value(&args[0]),
            ExprKind::Rule(rule, args) if RULES.contains(rule) => {
                args.iter().try_for_each(|arg| self.value(arg))
            }
            ExprKind::Math(f, _) => Err(format!("registers have no `{}`", f.name())),
            ExprKind::Rule(rule, _) => Err(format!("registers have no rule `{}`", rule.name())),
            _ => Err("the body does more than arithmetic on numbers of one type".to_owned()),
        }
    }

    fn changes(&self, var: VarId) -> bool {
        self.slices.contains(&var) || self.wide.contains(&var) || self.varying.contains(&var)
    }

    /// Whether the value for all can be computed in front of the loop, whatever the iterations do first: nothing in it
    /// panics.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn once(&self, e: &Expr) -> Result<(), String> {
        let numbers = |e: &Expr| match &e.kind {
            ExprKind::Lit(_) | ExprKind::Zero => Part::Asked,
            ExprKind::Read(place) if place.is_path() => Part::Known,
            ExprKind::Opaque(o) if is_constant(o) => Part::Asked,
            // The loop runs, and each of its iterations panics if one does.
            ExprKind::Math(MathFn::Clamp, args)
                if e.ty.is_float() && args.iter().all(|arg| self.once(arg).is_ok()) =>
            {
                Part::Known
            }
            _ if e.ty.is_float() => Part::Asked,
            _ => Part::Left,
        };
        if is_movable(e, &numbers) {
            Ok(())
        } else {
            Err("a factor that is the same for all may panic".to_owned())
        }
    }
}
