//! Sums in neighbouring elements without rows: each element computes what it gets.
//!
//! ```text
//! rows      for i: row0[i], row1[i], row2[i] = f(i)     x_bar[e] += row0[e] + row1[e - 1] + row2[e - 2]
//! split     x_bar[e] += f(e).0 + f(e - 1).1 + f(e - 2).2     for i: what else the iteration does
//! ```
//!
//! Legal if nothing but the sums and elements of the iteration's own is written, and no element is read after it was
//! written: then all sums can be computed before anything else is done. Worth it if a contribution costs no more than a
//! row: a factor, or a choice by a recorded condition; or if those to one element, taken together, do (`combine`).

use crate::ir::hash::HashSet;
use crate::ir::{
    BinOp, Block, Combined, Expr, ExprKind, Func, Order, Place, Sliced, Split, Stmt, StmtKind, Ty,
    VarId, expr_reads, place_index_reads,
};

use super::combine::combine;
use super::{Around, weight};
use crate::ir::Transform;

/// The loop in two; `Err` says why contributions are collected in rows.
pub(in crate::optimize) fn split(
    func: &mut Func,
    stmt: &Stmt,
    sliced: &Sliced,
    around: &Around<'_>,
) -> Result<Split, &'static str> {
    let gathered: usize = sliced.gathers.iter().map(|g| g.terms.len()).sum();
    if gathered < sliced.sums.len() || sliced.order != Order::Forward {
        return Err("there are other sums");
    }
    if sliced.is_mirrored() {
        return Err("an index goes down with the counter");
    }
    let body = Body::of(sliced);
    if !types_are_known(func, stmt, sliced) {
        return Err("the text does not show all types");
    }
    body.check(&sliced.body)?;
    let sources: HashSet<VarId> = sliced.sums.iter().map(|sum| sum.source).collect();
    let each = |source: VarId| body.only(&sliced.body, &HashSet::from_iter([source]));
    let terms = sliced.gathers.iter().flat_map(|g| &g.terms);
    let anew: usize = terms
        .map(|(k, _)| weight(&each(sliced.sums[*k].source).stmts))
        .sum();
    let contributions = body.only(&sliced.body, &sources);
    let rows = weight(&contributions.stmts) + gathered;
    let combined = if anew <= rows && slow(&contributions) == 0 {
        Vec::new()
    } else {
        combined(func, (stmt, sliced), &contributions, around, rows)?
    };
    let (zeros, kept) = body.zeros(&sliced.body);
    Ok(Split {
        contributions,
        rest: body.only(&sliced.body, &kept),
        zeros,
        combined,
    })
}

/// What elements get at once, if it takes no more than filling rows; `Err` says why not.
fn combined(
    func: &mut Func,
    (stmt, sliced): (&Stmt, &Sliced),
    contributions: &Block,
    around: &Around<'_>,
    rows: usize,
) -> Result<Vec<Combined>, &'static str> {
    if !around.transforms.has(Transform::Combine) || !records(stmt).is_empty() {
        return Err("what is added is not cheap");
    }
    let combined = combine(func, stmt, sliced, contributions, around.adjoints)?;
    let bodies = || combined.iter().map(|one| &one.body);
    let operations: usize = bodies().map(|body| weight(&body.stmts)).sum();
    if operations > rows || bodies().map(slow).sum::<usize>() > slow(contributions) {
        return Err("what is added is not cheap");
    }
    Ok(combined)
}

/// What iterations leave on the tape, or take off it.
fn records(stmt: &Stmt) -> &[VarId] {
    stmt.counting()
        .and_then(|this| this.strip)
        .unwrap_or_default()
}

/// Whether the arguments of a closure can be written down.
fn types_are_known(func: &Func, stmt: &Stmt, sliced: &Sliced) -> bool {
    let edits = sliced.edits.iter().flatten();
    let slices = sliced.views.iter().chain(edits);
    let elements = slices.map(|(var, _)| func.var(*var).ty.element());
    let sources = sliced.sums.iter().map(|sum| &sum.source);
    let vars = records(stmt).iter().chain(sources);
    let types = vars.map(|var| func.var(*var).ty.clone());
    elements
        .chain(types)
        .all(|ty| matches!(ty, Ty::F32 | Ty::F64 | Ty::Bool | Ty::Int(Some(_))))
}

/// The operations that cost more than a load and a store.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a loop on windows holds no other statements (`access_classes`)"
)]
fn slow(block: &Block) -> usize {
    fn in_expr(e: &Expr) -> usize {
        let here = matches!(
            e.kind,
            ExprKind::Math(..) | ExprKind::Rule(..) | ExprKind::Binary(BinOp::Div | BinOp::Rem, ..)
        );
        let inner: usize = e.children().into_iter().map(in_expr).sum();
        inner + usize::from(here)
    }
    let one = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Let { init, .. } => init.as_ref().map_or(0, in_expr),
        StmtKind::Assign { value, .. }
        | StmtKind::Begin { value, .. }
        | StmtKind::Update { value, .. } => in_expr(value),
        StmtKind::Switch { selector, arms } => {
            in_expr(selector) + arms.iter().map(slow).sum::<usize>()
        }
        _ => 0,
    };
    block.stmts.iter().map(one).sum()
}

/// What the variables in the body of a loop are.
struct Body {
    /// Slices that are written.
    edits: HashSet<VarId>,
    /// Declared in the body.
    own: HashSet<VarId>,
}

impl Body {
    fn of(sliced: &Sliced) -> Self {
        let mut own = HashSet::default();
        crate::ir::visit_stmts(&sliced.body, &mut |stmt| {
            if let StmtKind::Let { var, .. } = &stmt.kind {
                own.insert(*var);
            }
        });
        let edits = sliced.edits.iter().flatten().map(|(var, _)| *var).collect();
        Self { edits, own }
    }

    /// Whether all sums can come first.
    fn check(&self, body: &Block) -> Result<(), &'static str> {
        let mut carried = false;
        crate::ir::visit_stmts(body, &mut |stmt| {
            let other = |var| !self.own.contains(&var) && !self.edits.contains(&var);
            carried |= writes(stmt).is_some_and(other);
        });
        if carried {
            return Err("a number goes from iteration to iteration");
        }
        if self.reads_late(body, &mut HashSet::default()) {
            return Err("an element is read after it was written");
        }
        Ok(())
    }

    /// Whether an element is read that may be among those written; adds those that the block writes.
    fn reads_late(&self, block: &Block, written: &mut HashSet<VarId>) -> bool {
        let mut late = false;
        for stmt in &block.stmts {
            reads(stmt, &mut |place| late |= written.contains(&place.root));
            written.extend(writes(stmt).filter(|var| self.edits.contains(var)));
            // Of the arms of a condition, one runs.
            let before = written.clone();
            for arm in stmt.kind.blocks() {
                let mut here = before.clone();
                late |= self.reads_late(arm, &mut here);
                written.extend(here);
            }
        }
        late
    }

    /// The statements that write the variables, and those that these depend on.
    fn only(&self, body: &Block, vars: &HashSet<VarId>) -> Block {
        let mut needed = vars.clone();
        loop {
            let before = needed.len();
            self.depend(body, &mut needed);
            if needed.len() == before {
                return filter(body, &needed);
            }
        }
    }

    /// Adds what the statements read that write something needed; whether there are any.
    fn depend(&self, block: &Block, needed: &mut HashSet<VarId>) -> bool {
        let mut any = false;
        for stmt in &block.stmts {
            let inner = stmt.kind.blocks();
            let mut here = writes(stmt).is_some_and(|var| needed.contains(&var));
            for block in inner {
                here |= self.depend(block, needed);
            }
            if here {
                any = true;
                reads(stmt, &mut |place| {
                    if self.own.contains(&place.root) {
                        needed.insert(place.root);
                    }
                });
            }
        }
        any
    }

    /// The statements that clear slices with which nothing else is done, and the slices with which more is done.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a loop on windows holds no other statements (`access_classes`)"
    )]
    fn zeros(&self, body: &Block) -> (Block, HashSet<VarId>) {
        let mut others = HashSet::default();
        let clears = |stmt: &Stmt| match &stmt.kind {
            StmtKind::SetZero(_) => true,
            StmtKind::Assign { value, .. } => matches!(value.kind, ExprKind::Zero),
            _ => false,
        };
        for stmt in body.stmts.iter().filter(|stmt| !clears(stmt)) {
            let block = Block {
                stmts: vec![stmt.clone()],
            };
            crate::ir::visit_stmts(&block, &mut |stmt| others.extend(writes(stmt)));
        }
        let kept: HashSet<VarId> = self.edits.intersection(&others).copied().collect();
        let only_cleared = |stmt: &&Stmt| {
            writes(stmt).is_some_and(|var| self.edits.contains(&var) && !kept.contains(&var))
        };
        let stmts = body.stmts.iter().filter(only_cleared).cloned().collect();
        (Block { stmts }, kept)
    }
}

/// The statements that write one of the variables.
fn filter(block: &Block, needed: &HashSet<VarId>) -> Block {
    let mut stmts = Vec::new();
    for stmt in &block.stmts {
        if let StmtKind::Switch { selector, arms } = &stmt.kind {
            let arms: Vec<Block> = arms.iter().map(|arm| filter(arm, needed)).collect();
            if arms.iter().any(|arm| !arm.stmts.is_empty()) {
                let selector = selector.clone();
                stmts.push(Stmt::new(StmtKind::Switch { selector, arms }, stmt.span));
            }
        } else if writes(stmt).is_some_and(|var| needed.contains(&var)) {
            stmts.push(stmt.clone());
        }
    }
    Block { stmts }
}

/// What the statement itself declares or writes, of those that loops on slices hold.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a loop on windows holds no other statements (`access_classes`)"
)]
fn writes(stmt: &Stmt) -> Option<VarId> {
    match &stmt.kind {
        StmtKind::Let { var, .. } => Some(*var),
        StmtKind::SetZero(place)
        | StmtKind::Assign { place, .. }
        | StmtKind::Begin { place, .. }
        | StmtKind::Update { place, .. } => Some(place.root),
        _ => None,
    }
}

/// The places that the statement itself reads, but for the one that it writes.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a loop on windows holds no other statements (`access_classes`)"
)]
fn reads(stmt: &Stmt, f: &mut dyn FnMut(&Place)) {
    if let StmtKind::SetZero(place)
    | StmtKind::Assign { place, .. }
    | StmtKind::Begin { place, .. }
    | StmtKind::Update { place, .. } = &stmt.kind
    {
        place_index_reads(place, f)
    }
    match &stmt.kind {
        StmtKind::Let {
            init: Some(value), ..
        }
        | StmtKind::Assign { value, .. }
        | StmtKind::Begin { value, .. }
        | StmtKind::Update { value, .. } => expr_reads(value, f),
        StmtKind::Switch { selector, .. } => expr_reads(selector, f),
        _ => {}
    }
}
