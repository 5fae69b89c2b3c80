//! Sums along the rows of a jammed loop: the terms of four columns at once, then the additions one by one.
//!
//! Column by column, the elements of the rows lie far apart, and their products are computed one by one or gathered.
//! The terms of neighbouring columns of one row lie side by side, so that one operation computes four. Each sum still
//! takes its terms one by one and in their order, which leaves a value its bits.
//!
//! Legal if the inner loop does nothing but add to sums of the iteration's own, each once, what arithmetic makes of
//! numbers of one type. Nothing in it panics, as in all jammed loops.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, Jam, MathFn, Place, Stmt, StmtKind, Terms, Ty, UnOp, VarId,
    is_invariant,
};

/// The terms of the inner loop; `Err` says what is in the way.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named keeps the pass from applying"
)]
pub(in crate::optimize) fn terms(func: &mut Func, jam: &Jam) -> Result<Terms, String> {
    if jam.rows.is_empty() {
        return Err("iterations read no rows of their own".to_owned());
    }
    let mut terms = Terms {
        body: Block::default(),
        adds: Vec::new(),
    };
    let mut columns = Columns::of(jam);
    let mut ty = None;
    for stmt in &jam.inside.body.stmts {
        let (var, value) = match &stmt.kind {
            StmtKind::Let { var, .. } if matches!(func.var(*var).ty, Ty::Int(_)) => {
                columns.varying.insert(*var); // part of an index
                continue;
            }
            StmtKind::Let {
                var,
                init: Some(value),
            } if !func.var(*var).mutable => (*var, value),
            StmtKind::Update { place, op, value } => {
                let term = columns.term(func, jam, place, *op)?;
                terms.adds.push((place.root, *op, term));
                (term, value)
            }
            _ => return Err("the inner loop does more than add to sums".to_owned()),
        };
        let own = func.var(var).ty.clone();
        if !matches!(own, Ty::F32 | Ty::F64) {
            return Err("the inner loop does more than arithmetic".to_owned());
        }
        if *ty.get_or_insert_with(|| own.clone()) != own {
            return Err("the numbers are not all of one type".to_owned());
        }
        columns.check(value, &own)?;
        columns.wide.insert(var);
        let init = Some(value.clone());
        let kind = StmtKind::Let { var, init };
        terms.body.stmts.push(Stmt::new(kind, stmt.span));
    }
    Ok(terms)
}

/// What is known of four columns.
struct Columns {
    /// What has four values: slices, by how many indices lead to an element.
    slices: BTreeMap<VarId, usize>,
    /// And variables of the body.
    wide: BTreeSet<VarId>,
    /// What else changes from column to column: counters, indices, sums, and elements that lie side by side from row to
    /// row.
    varying: BTreeSet<VarId>,
    /// The sums that have a term already.
    done: BTreeSet<VarId>,
}

impl Columns {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn of(jam: &Jam) -> Self {
        let rows = jam.rows.iter().map(|(var, _)| (*var, 2));
        let shared = jam.shared.iter().map(|(var, _)| (*var, 1));
        let sums = jam.inside.body.stmts.iter().filter_map(|s| match &s.kind {
            StmtKind::Update { place, .. } => Some(place.root),
            _ => None,
        });
        let across = jam.across.iter().chain(&jam.across_edits);
        let across = across.map(|(var, _)| *var);
        let counters = [jam.column, jam.inner_counter];
        Self {
            slices: rows.chain(shared).collect(),
            wide: BTreeSet::new(),
            varying: sums.chain(across).chain(counters).collect(),
            done: BTreeSet::new(),
        }
    }

    /// A variable for what a statement adds to a sum.
    fn term(
        &mut self,
        func: &mut Func,
        jam: &Jam,
        place: &Place,
        op: BinOp,
    ) -> Result<VarId, String> {
        let kept = jam.lanes.kept.iter().any(|(var, _)| *var == place.root);
        let sum = place.is_var() && kept && matches!(op, BinOp::Add | BinOp::Sub);
        if !sum || !self.done.insert(place.root) {
            let name = &func.var(place.root).name;
            return Err(format!("the inner loop does not add to `{name}` once"));
        }
        let (class, ty) = (func.var(place.root).class, func.var(place.root).ty.clone());
        Ok(func.temp_of(class, "term", ty, place.span))
    }

    /// Whether the expression has a value for each of four columns, or one for all.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what is not named keeps the pass from applying"
    )]
    fn check(&self, e: &Expr, ty: &Ty) -> Result<(), String> {
        if e.ty != *ty {
            return Err("the numbers are not all of one type".to_owned());
        }
        if self.is_invariant(e) {
            return Ok(());
        }
        match &e.kind {
            ExprKind::Read(place) if self.is_wide(place) => Ok(()),
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div, a, b) => {
                self.check(a, ty)?;
                self.check(b, ty)
            }
            ExprKind::Unary(UnOp::Neg, a) => self.check(a, ty),
            ExprKind::Math(MathFn::Sqrt, args) => self.check(&args[0], ty),
            _ => Err("the inner loop does more than arithmetic".to_owned()),
        }
    }

    fn is_wide(&self, place: &Place) -> bool {
        match self.slices.get(&place.root) {
            Some(indices) => place.proj.len() == *indices,
            None => place.is_var() && self.wide.contains(&place.root),
        }
    }

    /// Whether nothing that it reads changes from column to column.
    fn is_invariant(&self, e: &Expr) -> bool {
        is_invariant(e, &|var| {
            let own = self.slices.contains_key(&var) || self.wide.contains(&var);
            own || self.varying.contains(&var)
        })
    }
}
