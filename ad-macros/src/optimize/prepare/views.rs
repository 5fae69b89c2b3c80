//! Elements of parts of arrays become elements of the arrays.
//!
//! ```text
//! let row = &a[from..to];               // from = i * n, to = from + n
//! for j in 0..row.len() { s += row[j] }
//! ```
//!
//! Here `row.len()` is `n`, and `row[j]` is `a[from + j]`, so that what loops over arrays themselves are good for goes
//! for loops over rows, chunks and windows, too. Legal where the part is known to exist when the element is used, and
//! the index to be smaller than its length: then `from + j` is inside of the array, and does not overflow.
//!
//! A part exists if the lowering made its end for it alone (`Func::ends`): there is a check where the reference to it
//! is made, or its iterator gives no other. Its length is compared as a polynomial with what the index stays below;
//! equal polynomials are equal modulo the size of a word, and so is what they stand for.

use crate::analysis::affine::{Definitions, Poly};
use crate::ir::edit::{each_expr, each_place_within, each_stmt};
use crate::ir::{BinOp, Expr, ExprKind, Func, Place, Proj, Stmt, StmtKind, Ty};

use super::lengths;

/// Changes the whole function.
pub(crate) fn flatten(func: &mut Func) {
    lengths::share(func);
    let mut body = func.body.clone();
    let parts = Parts {
        func,
        definitions: Definitions::of(func, &func.body),
    };
    each_stmt(&mut body, &mut |stmt| parts.stmt(stmt));
    func.body = body;
    lengths::hoist(func);
}

struct Parts<'a> {
    func: &'a Func,
    definitions: Definitions<'a>,
}

impl Parts<'_> {
    fn stmt(&self, stmt: &mut Stmt) {
        let before = matches!(stmt.kind, StmtKind::Swap(..)).then(|| stmt.clone());
        each_expr(stmt, &mut |e| self.length(e));
        each_place_within(stmt, &mut |place| self.place(place));
        // Two elements of one part change places there: both are elements of the array, or none.
        if let Some(before) = before
            && let (StmtKind::Swap(a, b), StmtKind::Swap(c, d)) = (&stmt.kind, &before.kind)
            && (a.proj.len() == c.proj.len()) != (b.proj.len() == d.proj.len())
        {
            *stmt = before;
        }
    }

    fn place(&self, place: &mut Place) {
        let mut at = 0;
        while at + 1 < place.proj.len() {
            match self.element(&place.proj[at], &place.proj[at + 1]) {
                Some(index) => {
                    place.proj.remove(at + 1);
                    place.proj[at] = Proj::index(index);
                }
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
            Some(lo) if !lo.is_zero_literal() => {
                let kind = ExprKind::Binary(BinOp::Add, Box::new(lo.clone()), index.clone());
                Expr::new(kind, Ty::USIZE, index.span)
            }
            _ => (**index).clone(),
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
            Some(lo) => (Some(&**lo), end.minus(&self.definitions.poly(lo)?)),
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
                (Some(end), Some(size)) => 0 <= end && end <= size,
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
