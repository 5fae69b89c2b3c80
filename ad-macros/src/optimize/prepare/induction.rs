//! *Induction variable substitution*: what a loop adds to a counter in each iteration, its own counter knows.
//!
//! ```text
//! let mut at = from;
//! for i in 0..n {
//!     let at_2 = at_1 + i * 3;                // at_1 is `from`
//!     s += x[at] * y[i];                      // becomes x[at_2]
//!     at += 3;
//! }
//! ```
//!
//! So the reverse sweep computes the counter again instead of taking it off the tape, and the analyses see indices that
//! are linear in the counters of loops. An update stays where it is, for an overflow panics there. Where it is known
//! how much the loop adds in all, the update declares a variable of its own, and the counter is assigned behind the
//! loop: then no iteration waits for the one before. Legal if the counter is a `usize` of the function's own that
//! nothing but assignments writes, and if each iteration of a loop that runs to its end adds the same to it
//! (`growth`): unconditionally, and amounts that the loop does not change. Between two updates, reads become reads of
//! an immutable variable.
//!
//! **Bits and panics.** Sums, differences and products of words wrap around alike where overflow is not checked, so
//! the form has the bits of the counter whatever happens. Where overflow is checked, the counter has come to its value
//! without one, by additions alone or by subtractions alone: no part of the form is larger than what was added so far
//! (`growth` makes only such, given that loops have fewer than 2^48 iterations).
//!
//! What the counter is when the loop begins is copied in front of it, if it is not known there. Counters of a region or
//! parallel loop are left alone: those are the user's units.

mod growth;

use proc_macro2::Span;

use self::growth::{Form, Growth, Step};
use crate::analysis::affine::Definitions;
use crate::ir::edit::{blocks_mut, each_place_within};
use crate::ir::faults::Fault;
use crate::ir::hash::HashSet;
use crate::ir::{
    Access, BinOp, Block, Expr, ExprKind, Func, Loop, Place, Proj, Remarks, Stmt, StmtKind,
    Transform, Ty, VarId, VarKind, leaf_stmts, name, place_ty, ref_mut_places, shallow_accesses,
    sweep_stmts, visit_accesses, visit_stmts,
};

/// Changes the whole function.
pub(super) fn induction(func: &mut Func, remarks: &mut Remarks) {
    for var in counters(func) {
        let before = func.clone();
        let growth = Growth {
            var,
            func: &before,
            definitions: Definitions::of(&before, &before.body),
        };
        let loops = growth.loops(&before.body);
        for (span, form) in &loops {
            if let Err(why) = form {
                remarks.refused(*span, Transform::Induction, why.as_str());
            }
        }
        if loops.iter().any(|(_, form)| form.is_ok()) {
            let mut body = std::mem::take(&mut func.body);
            let growth = &growth;
            Substitution {
                func,
                growth,
                remarks,
                is_replaced: false,
            }
            .block(&mut body, &mut None);
            func.body = body;
        }
    }
}

/// The variables that loops may count with: words of the function's own that something is added to, and that nothing
/// but assignments writes.
fn counters(func: &Func) -> Vec<VarId> {
    let mut found: Vec<VarId> = Vec::new();
    let mut others = HashSet::default();
    visit_stmts(&func.body, &mut |stmt| {
        let mut assigned = None;
        if let StmtKind::Assign { place, value, .. } = &stmt.kind
            && place.is_var()
        {
            assigned = Some(place.root);
            ref_mut_places(value, &mut |p| _ = others.insert(p.root));
            let adds = matches!(value.kind, ExprKind::Binary(BinOp::Add | BinOp::Sub, ..));
            if adds && value.reads(place.root) && !found.contains(&place.root) {
                found.push(place.root);
            }
        }
        shallow_accesses(stmt, &mut |var, access| {
            let writes = matches!(access, Access::WriteAll | Access::WritePart);
            if writes && Some(var) != assigned {
                others.insert(var);
            }
        });
        let parallel = |this: &Loop| func.parallel.contains(&this.id);
        if matches!(stmt.kind, StmtKind::Checkpoint(_)) || stmt.as_loop().is_some_and(parallel) {
            visit_accesses(stmt, &mut |var, _| _ = others.insert(var));
        }
    });
    found.retain(|var| {
        let info = func.var(*var);
        let own = matches!(info.kind, VarKind::Local | VarKind::Temp);
        own && matches!(info.ty, Ty::Int(_)) && !others.contains(var)
    });
    found
}

/// One counter and the function that it is replaced in.
struct Substitution<'a> {
    func: &'a mut Func,
    growth: &'a Growth<'a>,
    remarks: &'a mut Remarks,
    /// Whether updates only check that they do not overflow, since the counter is assigned behind a loop around them.
    is_replaced: bool,
}

/// What the counter holds at a point of the program, in immutable variables; `None` where that is not known.
type Known = Option<Expr>;

impl Substitution<'_> {
    fn block(&mut self, block: &mut Block, known: &mut Known) {
        let stmts = std::mem::take(&mut block.stmts);
        let mut out = Vec::with_capacity(stmts.len());
        for stmt in stmts {
            self.stmt(stmt, known, &mut out);
        }
        block.stmts = out;
    }

    fn stmt(&mut self, mut stmt: Stmt, known: &mut Known, out: &mut Vec<Stmt>) {
        let var = self.growth.var;
        match &mut stmt.kind {
            StmtKind::Let { var: own, init } if *own == var => {
                *known = init.as_mut().map(|e| self.held(e, out));
            }
            StmtKind::Assign { place, value, .. } if place.root == var => {
                if let Some(step) = self.growth.step(value) {
                    let before = known.take();
                    let mut after = before.clone().map(|from| step.after(from));
                    let is_gone = self.is_replaced && after.is_some();
                    if is_gone && !self.cannot_overflow(&step, before.as_ref(), out) {
                        after = after.map(|value| self.declared(value, out, stmt.span));
                    }
                    let early = Fault::InductionUpdateOrder.is_on();
                    *known = if early { before } else { after };
                    if is_gone {
                        return;
                    }
                } else if value.reads(var) {
                    *known = None;
                } else {
                    *known = Some(self.held(value, out));
                }
            }
            StmtKind::Loop(_) => {
                self.in_loop(stmt, known, out);
                return;
            }
            leaf_stmts!()
            | StmtKind::Switch { .. }
            | StmtKind::Checkpoint(_)
            | StmtKind::Labelled(..)
            | StmtKind::Jump(_)
            | sweep_stmts!() => {
                if self.growth.reads([&stmt]) {
                    self.replace(&mut stmt, known, out);
                }
                for inner in blocks_mut(&mut stmt) {
                    self.block(inner, &mut known.clone());
                }
                let unseen = Fault::InductionUnderCondition.is_on();
                if self.growth.writes(&stmt) && !unseen {
                    *known = None;
                }
            }
        }
        out.push(stmt);
    }

    /// A loop, with what the counter holds in front of it and behind it.
    fn in_loop(&mut self, mut stmt: Stmt, known: &mut Known, out: &mut Vec<Stmt>) {
        let reads = self.growth.reads([&stmt]);
        if !self.growth.writes(&stmt) {
            if reads {
                self.replace(&mut stmt, known, out);
            }
            self.body(&mut stmt, known);
        } else if let Ok(form) = self.growth.form(&stmt)
            && (reads || self.is_replaced)
        {
            self.substitute(stmt, &form, known, out);
            return;
        } else {
            let form = self.growth.form(&stmt).ok();
            let behind = |base: Expr| form.and_then(|form| form.behind(&base));
            *known = known.take().and_then(behind);
            self.body(&mut stmt, &mut None);
        }
        out.push(stmt);
    }

    /// A loop in which the counter follows from that of the loop.
    fn substitute(&mut self, mut stmt: Stmt, form: &Form, known: &mut Known, out: &mut Vec<Stmt>) {
        let span = stmt.span;
        let base = match known.take() {
            Some(base) if is_linear(&base) => base,
            base => {
                let counter = || Expr::read_var(self.growth.var, Ty::USIZE, span);
                self.named(base.unwrap_or_else(counter), out, span)
            }
        };
        let [at, i] = [self.growth.var, form.counter].map(|v| name(self.func, v));
        let how = format!("`{at}` follows from `{i}`");
        self.remarks.applied(span, Transform::Induction, how);
        *known = form.behind(&base);
        let around = self.is_replaced;
        self.is_replaced = known.is_some();
        self.body(&mut stmt, &mut Some(form.inside(&base)));
        let is_assigned = self.is_replaced && !around;
        self.is_replaced = around;
        out.push(stmt);
        if is_assigned && let Some(value) = known.take() {
            let value = self.named(value, out, span);
            let place = Place::var(self.growth.var, span);
            let kind = StmtKind::Assign {
                place,
                value: value.clone(),
                init: false,
            };
            out.push(Stmt::new(kind, span));
            *known = Some(value);
        }
    }

    fn body(&mut self, stmt: &mut Stmt, inside: &mut Known) {
        for body in blocks_mut(stmt) {
            self.block(body, inside);
        }
    }

    /// Whether a small number is added to a word that the block has used as the index of a float: no array has more
    /// than `isize::MAX` bytes.
    fn cannot_overflow(&self, step: &Step<'_>, before: Option<&Expr>, out: &[Stmt]) -> bool {
        let Some(index) = before.and_then(variable) else {
            return false;
        };
        let is_index = |proj: &Proj| matches!(proj, Proj::Index(e) if variable(e) == Some(index));
        let element = |place: &Place| {
            let mut array = place.clone();
            let last = array.proj.pop();
            let array = place_ty(self.func, &array);
            last.as_ref().is_some_and(is_index)
                && matches!(array, Ty::Array(..) | Ty::Slice(_) | Ty::Vec(_))
                && place_ty(self.func, place).is_float()
        };
        let used = |stmt: &Stmt| {
            if let StmtKind::Let { init: Some(e), .. } = &stmt.kind {
                reads_always(e, &element)
            } else if let StmtKind::Assign { place, value, .. }
            | StmtKind::Update { place, value, .. } = &stmt.kind
            {
                element(place) || reads_always(value, &element)
            } else {
                false
            }
        };
        step.is_small_sum() && out.iter().any(used)
    }

    /// Reads of the counter in the statement itself become reads of an immutable variable.
    fn replace(&mut self, stmt: &mut Stmt, known: &mut Known, out: &mut Vec<Stmt>) {
        let Some(value) = known.take() else {
            return;
        };
        let value = self.named(value, out, stmt.span);
        if let Some(holder) = variable(&value) {
            let var = self.growth.var;
            each_place_within(stmt, &mut |place| {
                if place.root == var {
                    place.root = holder;
                }
            });
        }
        *known = Some(value);
    }

    /// What the counter holds from now on, where `e` is assigned to it.
    fn held(&mut self, e: &mut Expr, out: &mut Vec<Stmt>) -> Expr {
        if let Some(number) = e.int_literal() {
            return Expr::integer(number.into(), &Ty::USIZE, e.span);
        }
        if variable(e).is_none_or(|var| self.func.var(var).mutable) {
            *e = self.declared(e.clone(), out, e.span);
        }
        e.clone()
    }

    /// The value in a variable.
    fn named(&mut self, value: Expr, out: &mut Vec<Stmt>, span: Span) -> Expr {
        let var = self.growth.var;
        if variable(&value).is_some_and(|holder| holder != var) {
            value
        } else {
            self.declared(value, out, span)
        }
    }

    fn declared(&mut self, value: Expr, out: &mut Vec<Stmt>, span: Span) -> Expr {
        let base = self.func.var(self.growth.var).name.to_string();
        let var = self.func.temp(&base, Ty::USIZE, span);
        let init = Some(value);
        out.push(Stmt::new(StmtKind::Let { var, init }, span));
        Expr::read_var(var, Ty::USIZE, span)
    }
}

/// Whether an index that has the expression as a part is a polynomial, as far as this part goes.
fn is_linear(e: &Expr) -> bool {
    let here = if let ExprKind::Binary(op, ..) = &e.kind {
        matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul)
    } else {
        variable(e).is_some() || e.int_literal().is_some()
    };
    here && e.children().into_iter().all(is_linear)
}

/// The variable, if the expression reads one.
fn variable(e: &Expr) -> Option<VarId> {
    if let ExprKind::Read(place) = &e.kind {
        place.is_var().then_some(place.root)
    } else {
        None
    }
}

/// Whether a place of this kind is read whenever the expression is evaluated.
fn reads_always(e: &Expr, kind: &dyn Fn(&Place) -> bool) -> bool {
    if let ExprKind::Read(place) = &e.kind {
        return kind(place);
    }
    let mut children = e.children();
    if matches!(e.kind, ExprKind::Opaque(_)) {
        children.clear();
    } else if matches!(e.kind, ExprKind::Binary(BinOp::And | BinOp::Or, ..)) {
        children.truncate(1);
    }
    children.into_iter().any(|child| reads_always(child, kind))
}
