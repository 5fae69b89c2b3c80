//! Elements of parts of arrays become elements of the arrays, and lengths that stay the same leave the loops.
//!
//! ```text
//! let row = &a[from..to];               // from = i * n, to = from + n
//! for j in 0..row.len() { s += row[j] }
//! ```
//!
//! Here `row.len()` is `n`, and `row[j]` is `a[from + j]`, so that what loops over arrays themselves are good for goes for loops over rows,
//! chunks and windows, too. Legal where the part is known to exist when the element is used, and the index to be smaller than
//! its length: then `from + j` is inside of the array, and does not overflow.
//!
//! A part exists if the lowering made its end for it alone (`Func::ends`): there is a check where the reference to it is made, or its
//! iterator gives no other. Its length is compared as a polynomial with what the index stays below; equal polynomials are
//! equal modulo the size of a word, and so is what they stand for.

use std::collections::HashSet;

use crate::analysis::affine::{Definitions, Poly, method};
use crate::ir::edit::{blocks_mut, each_expr, each_place_within, each_stmt};
use crate::ir::{
    BinOp, Block, Expr, ExprKind, Func, LoopKind, Place, Proj, Stmt, StmtKind, Ty, VarId, VarKind,
    effects_of,
};
use crate::transform::Transform;

/// Changes the whole function.
pub(crate) fn flatten(func: &mut Func) {
    if !func.transforms.has(Transform::Reslice) {
        return;
    }
    let mut body = func.body.clone();
    let parts = Parts {
        func,
        definitions: Definitions::of(func, &func.body),
    };
    each_stmt(&mut body, &mut |stmt| parts.stmt(stmt));
    let params = func.params.iter().map(|p| p.var);
    hoist(func, &mut body, &mut params.collect());
    func.body = body;
}

struct Parts<'a> {
    func: &'a Func,
    definitions: Definitions<'a>,
}

impl Parts<'_> {
    fn stmt(&self, stmt: &mut Stmt) {
        each_expr(stmt, &mut |e| self.length(e));
        each_place_within(stmt, &mut |place| self.place(place));
    }

    fn place(&self, place: &mut Place) {
        let mut at = 0;
        while at + 1 < place.proj.len() {
            match self.element(&place.proj[at], &place.proj[at + 1]) {
                Some(index) => drop(place.proj.splice(at..at + 2, [Proj::Index(index)])),
                None => at += 1,
            }
        }
    }

    /// The index in the array of an element of a part.
    fn element(&self, part: &Proj, element: &Proj) -> Option<Expr> {
        let (lo, size) = self.part(part)?;
        let Proj::Index(index) = element else {
            return None;
        };
        self.is_below(index, &size).then(|| match lo {
            Some(lo) if !is_zero(lo) => {
                let kind =
                    ExprKind::Binary(BinOp::Add, Box::new(lo.clone()), Box::new(index.clone()));
                Expr::new(kind, Ty::Int(Some("usize")), index.span)
            }
            _ => index.clone(),
        })
    }

    /// Where a part that exists begins, and how long it is.
    fn part<'p>(&self, part: &'p Proj) -> Option<(Option<&'p Expr>, Poly)> {
        let Proj::Range {
            lo,
            hi: Some(hi),
            inclusive: false,
        } = part
        else {
            return None;
        };
        let ExprKind::Read(end) = &hi.kind else {
            return None;
        };
        if !end.is_var() || !self.func.ends.contains(&end.root) {
            return None;
        }
        let end = self.definitions.poly(hi)?;
        Some(match lo {
            Some(lo) => (Some(lo), end.minus(&self.definitions.poly(lo)?)),
            None => (None, end),
        })
    }

    /// Whether an index is smaller than `size`: a number, or the counter of a loop.
    fn is_below(&self, index: &Expr, size: &Poly) -> bool {
        let number = |poly: &Poly| poly.constant();
        if let Some(index) = self.definitions.poly(index).as_ref().and_then(number) {
            return number(size).is_some_and(|size| (0..size).contains(&index));
        }
        let ExprKind::Read(counter) = &index.kind else {
            return false;
        };
        let ends = self.definitions.ends(counter.root);
        counter.is_var()
            && ends.iter().any(|end| match (number(end), number(size)) {
                (Some(end), Some(size)) => end <= size,
                // What is left could wrap around.
                _ => end == size,
            })
    }

    /// `part.len()`, if that is a number or a variable.
    fn length(&self, e: &mut Expr) {
        for child in e.children_mut() {
            self.length(child);
        }
        let ExprKind::Len(place) = &e.kind else {
            return;
        };
        let Some((_, size)) = place.proj.last().and_then(|part| self.part(part)) else {
            return;
        };
        let is_word = match size.vars().count() {
            0 => size.constant().is_some_and(|n| n >= 0),
            _ => size.is_variable(),
        };
        if let Some(word) = size.expression(e.span).filter(|_| is_word) {
            e.kind = word.kind;
        }
    }
}

fn is_zero(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Lit(syn::Lit::Int(lit)) if lit.base10_digits() == "0")
}

/// Takes integers that are the same in all iterations, and whose computation cannot fail, out of loops. `visible`: the variables declared so
/// far.
fn hoist(func: &Func, block: &mut Block, visible: &mut HashSet<VarId>) {
    let mut out = Vec::with_capacity(block.stmts.len());
    let mut own = Vec::new();
    for mut stmt in std::mem::take(&mut block.stmts) {
        let mut declare = |var, visible: &mut HashSet<VarId>| {
            own.push(var);
            visible.insert(var);
        };
        let parallel =
            matches!(&stmt.kind, StmtKind::Loop { id, .. } if func.parallel.contains(id));
        if !parallel && !matches!(stmt.kind, StmtKind::Checkpoint(_)) {
            for inner in blocks_mut(&mut stmt) {
                hoist(func, inner, visible);
            }
        }
        if let StmtKind::Loop { kind, body, .. } = &mut stmt.kind
            && !parallel
        {
            let mut written = HashSet::new();
            replaced(body, &mut written);
            let counter = match kind {
                LoopKind::For { var, .. } => Some(*var),
                _ => None,
            };
            let stmts = std::mem::take(&mut body.stmts);
            for inner in stmts {
                match &inner.kind {
                    StmtKind::Let {
                        var,
                        init: Some(init),
                    } if is_integer(func, *var)
                        && Some(*var) != counter
                        && is_fixed(func, init, visible, &written) =>
                    {
                        declare(*var, visible);
                        out.push(inner);
                    }
                    _ => body.stmts.push(inner),
                }
            }
        }
        if let StmtKind::Let { var, .. } = &stmt.kind {
            declare(*var, visible);
        }
        out.push(stmt);
    }
    for var in own {
        visible.remove(&var);
    }
    block.stmts = out;
}

/// The variables of which more than elements is written, so that their lengths may change.
fn replaced(block: &Block, found: &mut HashSet<VarId>) {
    for stmt in &block.stmts {
        match &stmt.kind {
            StmtKind::Assign { place, .. } | StmtKind::Update { place, .. }
                if place.proj.iter().any(|proj| matches!(proj, Proj::Index(_))) => {}
            kind if kind.blocks().is_empty() => found.extend(effects_of([stmt]).writes),
            kind => kind
                .blocks()
                .iter()
                .for_each(|inner| replaced(inner, found)),
        }
    }
}

fn is_integer(func: &Func, var: VarId) -> bool {
    let info = func.var(var);
    !info.mutable && info.kind == VarKind::Temp && info.ty == Ty::Int(Some("usize"))
}

/// Whether an expression has one value, and no way to panic, wherever `visible` variables are, of which the loop writes `written` as a whole.
fn is_fixed(func: &Func, e: &Expr, visible: &HashSet<VarId>, written: &HashSet<VarId>) -> bool {
    let known = |place: &Place| visible.contains(&place.root) && !written.contains(&place.root);
    match &e.kind {
        ExprKind::Lit(_) => true,
        ExprKind::Read(place) => place.is_var() && known(place) && !func.var(place.root).mutable,
        ExprKind::Len(place) => {
            let path = |proj: &Proj| matches!(proj, Proj::Deref | Proj::Field(_));
            known(place) && place.proj.iter().all(path)
        }
        ExprKind::Opaque(_) => ["min", "max", "saturating_sub", "saturating_add"]
            .iter()
            .filter_map(|name| method(e, name))
            .any(|(a, b)| [a, b].iter().all(|e| is_fixed(func, e, visible, written))),
        _ => false,
    }
}
