//! Elements of a part of an array, as elements of the array.
//!
//! ```text
//! x[lo..hi][k]     x[lo + k]
//! ```
//!
//! So the windows of several parts are windows of one array, and the checks in front of the loop see whether they meet.
//! Legal if the part is the same in each iteration. That it exists, and has the element in the first iteration and in
//! the last, is checked in front of the loop as well: an index is linear in the counter.

use crate::analysis::affine::Poly;
use crate::analysis::dependence::reach::Iterations;
use crate::ir::edit::{blocks_mut, each_place_within};
use crate::ir::{BinOp, Block, Expr, ExprKind, Part, Place, Proj, Stmt, StmtKind, Ty, VarId};

use super::paths::parts_on_the_way;

/// What a body with elements of whole arrays needs.
#[derive(Default)]
pub(super) struct Flat {
    /// What has to exist.
    pub(super) parts: Vec<Part>,
    /// Indices in variables, and the bounds of the parts that the elements are in.
    within: Vec<(VarId, Poly, [Option<Poly>; 2])>,
}

impl Flat {
    /// The body with elements of whole arrays; `None` if it uses no elements of parts.
    pub(super) fn of(body: &Block, iterations: &Iterations<'_>) -> Option<(Block, Flat)> {
        let (mut block, mut flat) = (body.clone(), Flat::default());
        for stmt in &mut block.stmts {
            flat.stmt(stmt, iterations);
        }
        (!flat.parts.is_empty()).then_some((block, flat))
    }

    /// Whether elements at two of the indices are never the same, in whatever iterations: they are in parts of which
    /// one begins where another ends.
    pub(super) fn are_apart(&self, root: VarId, indices: &[&Poly]) -> bool {
        let within = |index: &Poly| {
            let mut known = self.within.iter().filter(|(var, ..)| *var == root);
            known.find(|(_, poly, _)| poly == index)
        };
        let end_to_end = |hi: &Option<Poly>, lo: &Option<Poly>| hi.is_some() && hi == lo;
        let apart = |a: &Poly, b: &Poly| match (within(a), within(b)) {
            (Some((.., [a_lo, a_hi])), Some((.., [b_lo, b_hi]))) => {
                end_to_end(a_hi, b_lo) || end_to_end(b_hi, a_lo)
            }
            (_, _) => false,
        };
        let pairs = |k: usize| indices[..k].iter().all(|other| apart(indices[k], other));
        (0..indices.len()).all(pairs)
    }

    fn stmt(&mut self, stmt: &mut Stmt, iterations: &Iterations<'_>) {
        if let StmtKind::SetZero(place) = &mut stmt.kind {
            self.place(place, iterations);
        }
        each_place_within(stmt, &mut |place| self.place(place, iterations));
        for block in blocks_mut(stmt) {
            for inner in &mut block.stmts {
                self.stmt(inner, iterations);
            }
        }
    }

    fn place(&mut self, place: &mut Place, iterations: &Iterations<'_>) {
        let of_part = |pair: &[Proj]| matches!(pair, [Proj::Range { .. }, Proj::Index(_)]);
        while let Some(at) = place.proj.windows(2).position(of_part)
            && iterations.leads_to_one(place, at + 1)
        {
            let Proj::Range { lo, hi, .. } = place.proj[at].clone() else {
                return;
            };
            self.parts.extend(parts_on_the_way(place, at + 2));
            place.proj.remove(at);
            let Proj::Index(index) = &mut place.proj[at] else {
                return;
            };
            let bound = |e: &Option<Box<Expr>>| e.as_ref().and_then(|e| iterations.poly(e));
            let bounds = [&lo, &hi].map(bound);
            if let Some(lo) = lo {
                let kind = ExprKind::Binary(BinOp::Add, lo, index.clone());
                **index = Expr::new(kind, Ty::USIZE, index.span);
            }
            // Of a part of a part, the bounds are those of the outer one.
            if let Some(poly) = iterations.poly(index)
                && !matches!(place.proj[..at].last(), Some(Proj::Range { .. }))
            {
                self.within.push((place.root, poly, bounds));
            }
        }
    }
}
